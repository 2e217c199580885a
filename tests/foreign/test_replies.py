"""Replies to the five source prompts in the forms that models give them: every list and every score is read."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.domain.outcome import Outcome, Verdict
from foreign.harness import REPLIES, judge, say

# For each reply what its metrics come to, and its lists.
EXPECTED: Mapping[str, Any] = json.loads((REPLIES / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_every_list_and_score_of_a_reply_is_read(name: str, tmp_path: Path) -> None:
    card = judge(name, tmp_path)
    assert {metric: say(outcome) for metric, outcome in card.outcomes.items()} == EXPECTED[name]["says"]
    lists = {place: each for outcome in card.outcomes.values() for place, each in _lists(outcome).items()}
    assert lists == EXPECTED[name]["lists"]


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
    assert say(card.outcomes["accuracy"]) == "ok 2 accuracy_vs_label"
