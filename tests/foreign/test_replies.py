"""Whole replies to the five source prompts: JSON is recounted, scores in prose stand, and no right reply is lowered."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.domain.ask import WholeAsk
from assay.domain.outcome import Verdict
from assay.domain.scorecard import Scorecard
from assay.files.rubrics import open_rubric, read_rubric
from assay.formats.objects import read_whole_reply
from assay.models.chat import Completion
from foreign.harness import REPLIES, judge, record_of, say

# For each reply what its metrics come to, which of its numbers are wrong, and the fields of the record that it is about.
EXPECTED: Mapping[str, Any] = json.loads((REPLIES / "expected.json").read_text(encoding="utf-8"))
PERCENT, TENTHS = 1.0, 0.05


def judge_file(name: str, folder: Path) -> Scorecard:
    return judge(name, folder, **EXPECTED[name].get("record", {}))


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_reply_comes_to(name: str, tmp_path: Path) -> None:
    assert {key: say(each) for key, each in judge_file(name, tmp_path).outcomes.items()} == EXPECTED[name]["says"]


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_right_number_is_left_alone_and_a_wrong_one_in_json_is_corrected(name: str, tmp_path: Path) -> None:
    card, corrected = judge_file(name, tmp_path), EXPECTED[name].get("corrected", [])
    for metric, outcome in card.outcomes.items():
        own = outcome.trail.reported.get("score", outcome.trail.reported.get("grade"))
        if isinstance(outcome, Verdict) and isinstance(own, int | float):
            tolerance = PERCENT if outcome.score.scale.high == 100 else TENTHS
            assert (abs(float(outcome.score.value) - own) > tolerance) == (metric in corrected), metric


def test_every_reply_has_its_expectation() -> None:
    assert {path.stem for path in REPLIES.glob("*.txt")} == set(EXPECTED)


def test_every_way_to_name_a_source_keeps_its_questions(tmp_path: Path) -> None:
    for name in ("s0-links", "s0-names", "s0-comments"):
        trail = judge(name, tmp_path).outcomes["summary_quality"].trail
        assert {unit.sources for unit in trail.units} == {("s1",), ("s2",)}, name


def test_the_determination_comes_from_the_judges_own_words_where_the_answer_has_none(tmp_path: Path) -> None:
    card = judge("s2-own-words", tmp_path)
    assert card.facts["determination"].value == "not_eligible"
    assert say(card.outcomes["accuracy"]) == "ok 2 (5) accuracy_vs_label"


def test_a_reply_in_markdown_has_scores_and_reasons_and_no_units(tmp_path: Path) -> None:
    for name in ("s0-markdown", "s3-markdown"):
        for outcome in judge(name, tmp_path).outcomes.values():
            assert not outcome.trail.units
            assert outcome.trail.reported["reason"]


@pytest.mark.parametrize("name", ["s2-scores-apart", "s2-headings"])
def test_reasons_that_stand_apart_from_the_scores_are_kept_with_their_metric(name: str, tmp_path: Path) -> None:
    reasons = {key: each.trail.reported["reason"] for key, each in judge(name, tmp_path).outcomes.items()}
    assert "One long sentence." in str(reasons["clarity"])
    assert "English throughout." in str(reasons["language_correction"])
    assert "One long sentence." not in str(reasons["language_correction"])


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Clarity: 4", "repaired 4"),
        ("**Clarity (1-5):** 4/5 – clear", "repaired 4"),
        ("| Clarity | 4 | clear |", "repaired 4"),
        ("### 3. Clarity\nClear enough.\n**Score:** 4", "repaired 4"),
        ("Clarity score = 8/2 = 4", "repaired 4"),
        ("Clarity: 4\n\nTo sum up:\nClarity: 4/5", "repaired 4"),
        ("Clarity: 4\nClarity: 3", "ambiguous"),
        ("Clarity: 7", "out_of_range"),
        ("Clarity: 1-5", "malformed"),
        ("Clarity: 4 of 5 sentences are clear", "malformed"),
        ("Clarity: 5 = very clear, 1 = unclear", "malformed"),
        ("Clarity is good.", "malformed"),
    ],
)
def test_a_score_in_prose_stands_under_the_name_of_its_metric(line: str, said: str, tmp_path: Path) -> None:
    reply = f"Hallucination: 5\nAll grounded.\n\n{line}\n\nAccuracy: 5\nLanguage correction: 5"
    assert say(judge("s2-plain", tmp_path, text=reply).outcomes["clarity"]) == said


def test_a_shape_keeps_its_capital_letters() -> None:
    text = open_rubric("trial-eligibility").text.replace("| clarity | score |", "| overallClarity | score |")
    values = {"hallucination": 4, "accuracy": 5, "overallClarity": 3, "language_correction": 5}
    ask = WholeAsk("trial", read_rubric(text, "trial.md"), record_of("trial-eligibility"))
    read = read_whole_reply(Completion(json.dumps(values), "stop", None, "m"), ask)
    assert read["clarity"].reported["score"] == 3
