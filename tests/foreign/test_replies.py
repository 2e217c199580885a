"""Replies to the five source prompts in the forms that models give them: every score is right, and most lists are."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.domain.outcome import Outcome, Verdict
from foreign.harness import REPLIES, judge, say

# For each reply what its metrics come to, and where they are read as a person reads them, its lists and labelled units.
EXPECTED: Mapping[str, Any] = json.loads((REPLIES / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_score_and_the_lists_of_a_reply_are_read(name: str, tmp_path: Path) -> None:
    card = judge(name, tmp_path)
    assert {metric: say(outcome) for metric, outcome in card.outcomes.items()} == EXPECTED[name]["says"]
    lists = {place: each for outcome in card.outcomes.values() for place, each in _lists(outcome).items()}
    assert lists == EXPECTED[name].get("lists", lists)
    units = [pair for outcome in card.outcomes.values() for pair in _units(outcome)]
    assert units == EXPECTED[name].get("units", units)


def _units(outcome: Outcome) -> list[list[str | None]]:
    labels = {label.unit: label.label for label in outcome.trail.findings.labels}
    return [[unit.text, labels.get(unit.id)] for unit in outcome.trail.units]


def _lists(outcome: Outcome) -> dict[str, list[str]]:
    found = outcome.trail.reported.get("lists")
    return found if isinstance(found, dict) else {}


def test_every_reply_has_its_expectation() -> None:
    assert {path.stem for path in REPLIES.glob("*.txt")} == set(EXPECTED)


def test_a_missing_list_is_named(tmp_path: Path) -> None:
    outcome = judge("s4-no-matched-list", tmp_path).outcomes["relevance"]
    assert isinstance(outcome, Verdict)
    assert "no list of matched items" in outcome.score.derivation
    assert "nothing" not in outcome.score.derivation


def test_every_way_to_name_a_source_keeps_its_questions(tmp_path: Path) -> None:
    for name in ("s0-links", "s0-names", "s0-comments"):
        trail = judge(name, tmp_path).outcomes["summary_quality"].trail
        assert {unit.sources for unit in trail.units} == {("s1",), ("s2",)}, name


def test_the_determination_comes_from_the_judges_own_words_where_the_answer_has_none(tmp_path: Path) -> None:
    card = judge("s2-own-words", tmp_path)
    assert card.facts["determination"].value == "not_eligible"
    assert say(card.outcomes["accuracy"]) == "ok 2 (5) accuracy_vs_label"


def test_a_reply_in_markdown_has_the_units_labels_and_sources_of_its_lists(tmp_path: Path) -> None:
    card = judge("s0-markdown", tmp_path)
    trail = card.outcomes["summary_quality"].trail
    assert [(unit.text, *unit.sources) for unit in trail.units[3:5]] == [
        ("Which drink should be avoided?", "s1"),
        ("Which organ changes the dose?", "s2"),
    ]
    assert _labels(card.outcomes["summary_quality"]) == ["full", "full", "no", "no", "no", "no", "full"]
    (pick,) = card.outcomes["answer_relevancy"].trail.findings.picks
    assert pick.chosen == ("s1",)
    assert card.outcomes["answer_relevancy"].trail.reported["reason"] == (
        "The acute drugs other than colchicine are left out."
    )


def test_labels_behind_arrows_in_columns_and_in_brackets_are_read(tmp_path: Path) -> None:
    outcomes = judge("s3-markdown", tmp_path).outcomes
    assert _labels(outcomes["coverage"]) == ["Fully", "Fully", "Not", "Partial"]
    assert _labels(outcomes["hallucination"]) == ["supported", "supported", "partial"]
    assert _labels(outcomes["relevance"]) == ["High", "High", "Some"]
    assert not outcomes["bias_toxicity"].trail.findings.remarks
    assert outcomes["relevance"].trail.units[1].text == "The wing cost 3 million euros."


@pytest.mark.parametrize("name", ["s2-scores-apart", "s2-headings"])
def test_reasons_that_stand_apart_from_the_scores_are_kept_with_their_metric(name: str, tmp_path: Path) -> None:
    reasons = {key: each.trail.reported["reason"] for key, each in judge(name, tmp_path).outcomes.items()}
    assert reasons["clarity"] == "One long sentence."
    assert reasons["language_correction"] == "English throughout."


def test_a_reply_in_markdown_that_ends_inside_a_list_is_cut_off_there(tmp_path: Path) -> None:
    whole = (REPLIES / "s3-markdown.txt").read_text(encoding="utf-8")
    outcomes = judge("s3-markdown", tmp_path, text=whole.partition("| Visitors pay")[0]).outcomes
    assert {name: each.status for name, each in outcomes.items()} == {
        "coverage": "repaired",
        "alignment": "repaired",
        "hallucination": "truncated",
        "relevance": "truncated",
        "bias_toxicity": "truncated",
    }


def _labels(outcome: Outcome) -> list[str]:
    return [label.label for label in outcome.trail.findings.labels]
