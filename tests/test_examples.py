"""The shipped examples score as their page says: every record, every metric, every flag and notice."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

import assay.packs
from assay.cli.demo import judge_example
from assay.domain.outcome import Outcome, Verdict
from assay.domain.scale import number
from assay.domain.scorecard import Scorecard
from assay.packs import list_packs

PAGE = Path(assay.packs.__file__).parent / "EXAMPLES.md"
FLAGS = Path(__file__).parent.parent / "docs" / "flags.md"
RUBRICS = tuple(list_packs())


def read_promises() -> dict[tuple[str, str], str]:
    """What the page says each record shows, by rubric and record."""
    promises = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        rubric, _, body = section.partition("\n")
        for row in re.findall(r"^\| (?!record)([a-z-]+) \| .* \| (.*) \|$", body, re.MULTILINE):
            promises[rubric, row[0]] = row[1]
    return promises


PROMISES = read_promises()


@cache
def judged(rubric: str) -> dict[str, Scorecard]:
    return {card.record.id: card for card in judge_example(list_packs()[rubric], scripted=True)}


def read_replies(rubric: str) -> list[dict[str, str]]:
    lines = (list_packs()[rubric].folder / "replies.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def say(name: str, outcome: Outcome) -> str:
    if not isinstance(outcome, Verdict):
        return f"{name} {outcome.status}"
    status = "" if outcome.status == "ok" else f"{outcome.status} "
    raw = "" if outcome.score.raw == outcome.score.value else f" (raw {number(outcome.score.raw)})"
    return f"{name} {status}{number(outcome.score.value)}{raw}"


def test_the_page_tells_every_record_of_every_rubric() -> None:
    assert list(PROMISES) == [(rubric, record) for rubric in read_order() for record in judged(rubric)]


def read_order() -> list[str]:
    order = list(dict.fromkeys(rubric for rubric, _ in PROMISES))
    assert sorted(order) == sorted(RUBRICS)
    return order


@pytest.mark.parametrize(("rubric", "record"), PROMISES)
def test_a_record_shows_what_the_page_says(rubric: str, record: str) -> None:
    card = judged(rubric)[record]
    scores, _, rest = PROMISES[rubric, record].partition(";")
    assert scores == ", ".join(say(name, outcome) for name, outcome in card.outcomes.items())
    shown = {flag for outcome in card.outcomes.values() for flag in outcome.trail.flags}
    shown |= {notice.check for notice in card.notices}
    known = set(re.findall(r"`([a-z_]+)`", FLAGS.read_text(encoding="utf-8")))
    assert set(re.findall(r"[a-z_]+", rest)) & known == shown


@pytest.mark.parametrize("rubric", RUBRICS)
def test_every_scripted_reply_to_a_metric_is_read(rubric: str) -> None:
    read = {
        reply
        for card in judged(rubric).values()
        for outcome in card.outcomes.values()
        for reply in outcome.trail.replies
    }
    banks = ("questions.", "key_points", "items")
    unread = [line for line in read_replies(rubric) if not line["ask"].startswith(banks) and line["text"] not in read]
    assert not unread


@pytest.mark.parametrize("rubric", RUBRICS)
def test_every_piece_of_evidence_stands_where_it_says(rubric: str) -> None:
    found = 0
    for card in judged(rubric).values():
        texts = {source.id: source.text for source in card.record.sources} | {"output": card.record.output}
        for outcome in card.outcomes.values():
            for label in outcome.trail.findings.labels:
                for evidence in label.evidence:
                    found += 1
                    assert evidence.span.of(texts[evidence.source]) == evidence.quote
    assert found > 10


@pytest.mark.parametrize(
    ("rubric", "metric", "first", "second"),
    [
        ("article-audit", "coverage", "all-good", "contradicted-number"),
        ("search-summary", "summary_quality", "all-good", "wrong-dose"),
    ],
)
def test_two_systems_on_one_item_are_held_to_one_bank(rubric: str, metric: str, first: str, second: str) -> None:
    cards = [judged(rubric)[first], judged(rubric)[second]]
    assert [card.record.system for card in cards] == ["a", "b"]
    assert cards[0].record.item == cards[1].record.item
    banked = [[unit.text for unit in card.outcomes[metric].trail.units] for card in cards]
    assert banked[0] == banked[1] != []
    assert not [line for line in read_replies(rubric) if line["record"] == second and "." in line["ask"]]


def test_an_altered_quote_is_void_and_the_second_reply_mends_it() -> None:
    outcome = judged("search-summary")["wrong-dose"].outcomes["hallucination"]
    first, second = outcome.trail.replies
    assert "2.5 a week" in first
    assert [claim["unit"] for claim in json.loads(second)["claims"]] == ["c2"]
    assert all(label.decided for label in outcome.trail.findings.labels)


def test_a_label_left_out_is_asked_for_once_more() -> None:
    first, second = judged("comparison-faithfulness")["label-left-out"].outcomes["faithfulness"].trail.replies
    assert "c7" not in {claim["unit"] for claim in json.loads(first)["claims"]}
    assert [claim["unit"] for claim in json.loads(second)["claims"]] == ["c7"]


@pytest.mark.parametrize(
    ("rubric", "record", "metric", "repairs"),
    [
        ("article-audit", "all-good", "coverage", ("code fence", "prose around JSON")),
        ("opinion-relevance", "one-stray-detail", "relevance", ("single quotes", "trailing comma")),
    ],
)
def test_a_reply_in_a_loose_form_is_read_and_says_what_was_mended(
    rubric: str, record: str, metric: str, repairs: tuple[str, ...]
) -> None:
    assert judged(rubric)[record].outcomes[metric].trail.repairs == repairs


@pytest.mark.parametrize(
    ("metric", "reported"), [("coverage", 4.9), ("hallucination", 7.5), ("relevance", 8.8), ("bias_toxicity", 10)]
)
def test_a_whole_replys_own_number_is_kept_beside_ours(metric: str, reported: float) -> None:
    assert judged("article-audit")["wrong-arithmetic"].outcomes[metric].trail.reported["score"] == reported


@pytest.mark.parametrize(
    ("record", "facts"),
    [
        ("all-good", ("likely_eligible", "likely_eligible", "match")),
        ("false-eligible", ("not_eligible", "likely_eligible", "mismatch")),
        ("needs-confirmation", ("likely_eligible", "needs_confirmation", "partial")),
        ("unknown-label", (None, "needs_confirmation", None)),
        ("no-label", (None, "not_eligible", None)),
        ("wrong-language", ("likely_eligible", "likely_eligible", "match")),
        ("mixed-vietnamese", ("likely_eligible", "likely_eligible", "match")),
        ("foreign-trial-id", ("not_eligible", "not_eligible", "match")),
        ("judge-refuses", ("likely_eligible", "likely_eligible", "match")),
    ],
)
def test_truth_and_determination_are_read_by_code(record: str, facts: tuple[str | None, ...]) -> None:
    found = judged("trial-eligibility")[record].facts
    assert tuple(found[name].value for name in ("truth", "determination", "determination_match")) == facts
