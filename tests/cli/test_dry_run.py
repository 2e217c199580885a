"""What a dry run shows is, to the letter, what a run sends."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from assay.runner.dry import CallCount, render_dry_run
from shell import opinion, run, write_lines

from assay.domain.defences import Defences
from assay.files.records import open_records
from assay.files.rubrics import open_rubric
from assay.testing.requests import Asked
from assay.testing.scripted_server import ScriptedServer, answer_by_schema, run_in_thread

KEY = {"OPENAI_API_KEY": "sk-test"}
CANARIED = Defences(canary=True)
GERMAN = {
    "id": "de",
    "article": "Die Brücke wurde am 3. Mai eröffnet. Sie kostete die Stadt zwei Millionen Euro. Viele Bürger kamen.",
    "summary": "Die neue Brücke wurde am 3. Mai eröffnet und kostete zwei Millionen Euro. Viele Bürger kamen zur Feier.",
}
ENGLISH = {
    "id": "en",
    "article": "The bridge opened in May. It cost the town two million. Many came to see it.",
    "summary": "The new bridge opened in May. It cost two million, and many people came to the feast.",
}
both = pytest.mark.parametrize("record", [GERMAN, ENGLISH], ids=["german", "english"])


def judge(records: Path, *flags: str) -> list[Asked]:
    """What a server received, in turn."""
    with run_in_thread(ScriptedServer(answer_by_schema(1))) as server:
        asked = ("judge", records, "--rubric", "article-audit", "--judge", "openai:m", "--base-url", server.base_url)
        run(*asked, "--quiet", *flags, environment=KEY)
        return list(server.asked)


def show(received: Asked) -> str:
    """A request as a dry run prints a prompt."""
    return "".join(f"[{each['role']}]\n{each['content']}\n" for each in received.body["messages"])


def split_prompts(printed: str) -> dict[str, str]:
    """The prompts of a dry run by the names of their asks."""
    pieces = (piece.split("\n", 1) for piece in printed.removeprefix("--- ").split("\n--- "))
    return {name: rest.rpartition("\n(")[0] + "\n" for name, rest in pieces if rest.startswith("[system]")}


def look(records: Path, rubric_name: str, defences: Defences) -> str:
    lines: list[str] = []
    rubric = open_rubric(rubric_name)
    render_dry_run(open_records(records, rubric), CallCount(rubric), lines.append, defences)
    return "\n".join(lines)


@both
def test_a_joint_run_sends_what_its_dry_run_shows(tmp_path: Path, record: Mapping[str, str]) -> None:
    records = write_lines(tmp_path / "r.jsonl", [record])
    printed = run("judge", records, "--rubric", "article-audit", "--joint", "--dry-run").out
    assert list(split_prompts(printed).values()) == [show(judge(records, "--joint")[0])]


def test_a_joint_run_cuts_no_german_date_in_two(tmp_path: Path) -> None:
    text = show(judge(write_lines(tmp_path / "r.jsonl", [GERMAN]), "--joint")[0])
    assert "[S1.1] Die Brücke wurde am 3. Mai eröffnet.\n" in text
    assert "[O.2] Viele Bürger kamen zur Feier.\n" in text


@both
@pytest.mark.parametrize(("flags", "defences"), [((), Defences()), (("--canary",), CANARIED)], ids=["plain", "canary"])
def test_a_run_sends_what_its_dry_run_shows_but_for_what_a_bank_brings(
    tmp_path: Path, record: Mapping[str, str], flags: tuple[str, ...], defences: Defences
) -> None:
    records = write_lines(tmp_path / "r.jsonl", [record])
    printed = split_prompts(look(records, "article-audit", defences))
    assert set(printed) == {"key_points", "coverage", "alignment", "hallucination", "relevance", "bias_toxicity"}
    sent = {show(received) for received in judge(records, *flags)}
    assert [name for name, prompt in printed.items() if prompt not in sent] == ["coverage"]
    assert "‹each key point from the reply to key_points›" in printed["coverage"]


def test_a_canary_is_shown_in_the_one_prompt_that_has_it(tmp_path: Path) -> None:
    records = write_lines(tmp_path / "r.jsonl", [ENGLISH])
    plain, canaried = (split_prompts(look(records, "article-audit", each)) for each in (Defences(), CANARIED))
    assert [name for name, prompt in canaried.items() if prompt != plain[name]] == ["hallucination"]
    more = set(canaried["hallucination"].splitlines()) - set(plain["hallucination"].splitlines())
    assert len([line for line in more if line.startswith("[c3] The ")]) == 1


@both
def test_a_dry_run_with_a_canary_prints_the_prompt_that_is_sent(tmp_path: Path, record: Mapping[str, str]) -> None:
    records = write_lines(tmp_path / "r.jsonl", [record])
    printed = split_prompts(run("judge", records, "--rubric", "article-audit", "--canary", "--dry-run").out)
    assert printed["hallucination"] in {show(received) for received in judge(records, "--canary")}


def test_where_a_bank_may_move_the_canary_the_dry_run_says_so(tmp_path: Path) -> None:
    text = open_rubric("opinion-relevance").text
    text = text.replace("### Label each claim\n", "### Label each claim\n\n- evidence: source\n")
    for name, support in (("important", "supported"), ("excess", "absent"), ("redundant", "contradicted")):
        text = text.replace(f"| {name} |", f"| {support} |")
    rubric = tmp_path / "rubric.md"
    rubric.write_text(text, encoding="utf-8")
    records = write_lines(tmp_path / "r.jsonl", [opinion("a")])
    assert "units the banks bring may move it" in look(records, str(rubric), CANARIED)
    assert "units the banks bring" not in look(records, str(rubric), Defences())
    assert "units the banks bring" not in look(records, "opinion-relevance", CANARIED)
