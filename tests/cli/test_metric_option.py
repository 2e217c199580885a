"""`assay judge --metric`: only these metrics are asked, and everything says so."""

import json
from pathlib import Path

import pytest
from shell import run

import assay
from assay.errors import InputError
from assay.packs import list_packs
from assay.testing import ScriptedJudge

FOLDER = list_packs()["article-audit"].folder
RECORDS, JUDGE = str(FOLDER / "examples.jsonl"), f"recorded:{FOLDER / 'replies.jsonl'}"
SHARED = ("--rubric", "article-audit", "--judge", JUDGE, "--limit", "3")


def judge(*more: str) -> object:
    return run("judge", RECORDS, *SHARED, *more)


def test_only_the_metrics_that_are_named_are_asked_and_their_banks():
    class Watching(ScriptedJudge):
        asked: list[str] = []

        async def answer(self, ask, passages):
            self.asked.append(ask.id)
            return await super().answer(ask, passages)

    records = [{"article": "It rained in May.", "summary": "It rained."}]
    [result] = assay.judge(records, "article-audit", Watching(), metrics=["alignment"], store=None)
    assert Watching.asked == ["alignment"]
    assert list(result.metrics) == ["alignment"]
    assert result.total["asked"] == 1
    assert result.rubric["not_asked"] == ["coverage", "hallucination", "relevance", "bias_toxicity"]


def test_the_run_and_its_gates_keep_to_these_metrics():
    ended = judge("--metric", "bias_toxicity", "--metric", "alignment", "--name", "two", "--format", "jsonl")
    assert ended.code == 0
    assert [list(json.loads(line)["metrics"]) for line in ended.out.splitlines()] == [
        ["alignment", "bias_toxicity"]
    ] * 3
    said = (
        "Only asked about: Alignment, Bias and toxicity. Totals and gates leave out coverage, hallucination, relevance."
    )
    assert said in " ".join(ended.err.split())
    gated = run("report", "two", "--markdown", "two.md", "--fail-under", "relevance=0.5")
    assert (gated.code, "this run did not ask about relevance" in gated.err) == (2, True)
    passed = run("report", "two", "--markdown", "two.md", "--html", "two.html", "--fail-under", "bias_toxicity=0.5")
    assert passed.code == 0
    assert "Only asked about" in Path("two.md").read_text()
    assert "Only asked about" in Path("two.html").read_text()


def test_a_run_is_resumed_with_the_same_metrics_only():
    assert judge("--metric", "alignment", "--name", "one").code == 0
    other = judge("--resume", "one")
    assert (other.code, "--metric alignment" in other.err) == (2, True)
    assert judge("--resume", "one", "--metric", "alignment").code == 0


@pytest.mark.parametrize(
    ("names", "message"),
    [(["coverage"], "coverage counts the claims that hallucination labels"), (["style"], "has no metric 'style'")],
)
def test_a_metric_that_is_unknown_or_needs_another_is_refused(names, message):
    with pytest.raises(InputError, match=message) as caught:
        assay.judge([{"article": "A.", "summary": "B."}], "article-audit", ScriptedJudge(), metrics=names, store=None)
    assert caught.value.remedy
