"""Whole replies about a trial answer: one object of four scores, and the ways it goes wrong."""

import json
from typing import Any

import pytest

from foreign.harness import Case, assert_lawful, judge_whole, say_all, wanted

NAME = "trial-eligibility"
SCORES: dict[str, Any] = {
    "hallucination": 4,
    "hallucination_reasoning": "One detail is embellished.",
    "accuracy": 5,
    "accuracy_reasoning": "The determination matches the truth.",
    "clarity": 4,
    "clarity_reasoning": "Easy to follow.",
    "language_correction": 5,
    "language_correction_reasoning": "English in, English out.",
}
OK = {
    "hallucination": "ok 4 reported_only",
    "accuracy": "ok 5",
    "clarity": "ok 4",
    "language_correction": "ok 5",
}
REPAIRED = {
    "hallucination": "repaired 4 reported_only",
    "accuracy": "repaired 5",
    "clarity": "repaired 4",
    "language_correction": "repaired 5",
}
NONE_READ: dict[str, str] = {}


def reply(**changes: Any) -> str:
    return json.dumps({**SCORES, **changes})


def without(*keys: str) -> str:
    return json.dumps({key: value for key, value in SCORES.items() if key not in keys})


CASES = [
    Case("as asked for", reply(), OK),
    Case("reasoning left out", without("clarity_reasoning"), {**OK, "clarity": "ok 4 missing_reasoning"}),
    Case("reasoning left blank", reply(accuracy_reasoning=""), {**OK, "accuracy": "ok 5 missing_reasoning"}),
    Case("a score of 0", reply(clarity=0), {**OK, "clarity": "out_of_range"}),
    Case("a score of 6", reply(hallucination=6), {**OK, "hallucination": "out_of_range"}),
    Case("a score of 4.5", reply(accuracy=4.5), {**OK, "accuracy": "ambiguous"}),
    Case("four of five in figures", reply(clarity="4/5"), {**OK, "clarity": "repaired 4"}),
    Case("four in words", reply(clarity="four out of five"), {**OK, "clarity": "repaired 4"}),
    Case("a score on another scale", reply(clarity="8/10"), {**OK, "clarity": "ambiguous"}),
    Case("nested under one key", json.dumps({"evaluation": SCORES}), REPAIRED),
    Case("keys in another case", json.dumps({key.title().replace("_", " "): value for key, value in SCORES.items()}), OK),
    Case("comments in the object", reply()[:-1] + ', // the last one\n/* done */ "extra": 1}', REPAIRED),
    Case("hallucination left out", without("hallucination"), {**OK, "hallucination": "malformed"}),
    Case("language left out", without("language_correction"), {**OK, "language_correction": "malformed"}),
    Case("accuracy left out", without("accuracy"), {**OK, "accuracy": "malformed"}),
    Case("two objects that differ", reply() + reply(clarity=2), {**REPAIRED, "clarity": "ambiguous"}),
    Case("cut off after the second score", reply()[: reply().index('"clarity_reasoning"') - 4],
         {**OK, "clarity": "truncated", "language_correction": "truncated"}, finish_reason="length"),
    Case("a refusal for medical content", "I'm sorry, but I can't provide medical advice on eligibility.",
         NONE_READ, "refused"),
    Case("an error object", '{"error": "unsafe"}', NONE_READ, "refused"),
    Case("prose only", "Looks fine to me.", NONE_READ, "malformed"),
    Case("nothing at all", "", NONE_READ, "malformed"),
    Case("cut off before any score", '{"hallucination_reas', NONE_READ, "truncated", finish_reason="length"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_whole_reply_comes_to(case, tmp_path):
    card = judge_whole(NAME, tmp_path, case.reply, finish_reason=case.finish_reason)
    assert say_all(card) == wanted(case, NAME)
    assert_lawful(card)


@pytest.mark.parametrize(
    ("label", "answer", "said"),
    [
        ("Excluded", None, "ok 2 (5) accuracy_vs_label"),
        (
            "Eligible",
            "Determination: Needs Confirmation. The study team has to look at it.",
            "ok 3 (5) accuracy_vs_label",
        ),
        ("Eligible", "The weather is fine today, is it not?", "ok 5 undetermined"),
        ("Needs Confirmation", None, "ok 3 (5) accuracy_vs_label"),
        ("0 (Not Relevant)", "Status: Not Eligible", "ok 5"),
        ("Perhaps", None, "ok 5 undetermined"),
        (None, None, "abstained"),
    ],
)
def test_the_grade_for_accuracy_is_held_to_the_truth(label, answer, said, tmp_path):
    changes = {} if answer is None else {"workflow_answer": answer}
    card = judge_whole(NAME, tmp_path, reply(), ground_truth_label=label, **changes)
    assert say_all(card)["accuracy"] == said


@pytest.mark.parametrize(
    "answer",
    [
        "Your patient seems to qualify for this study.",
        "She can be enrolled: all inclusion criteria are met",
        "Verdict: ELIGIBLE (pending lab confirmation)",
        "आपकी दी गई जानकारी के अनुसार आप इस अध्ययन में भाग लेने के योग्य हैं।",
    ],
)
def test_an_answer_whose_wording_code_does_not_know_keeps_its_accuracy(answer, tmp_path):
    """Code changed each of these from 5 to 2."""
    card = judge_whole(NAME, tmp_path, reply(), workflow_answer=answer)
    assert say_all(card)["accuracy"] == "ok 5 undetermined"
    assert card.facts["determination"].value is None


def test_without_a_truth_a_missing_accuracy_is_no_failure(tmp_path):
    card = judge_whole(NAME, tmp_path, without("accuracy"), ground_truth_label=None)
    assert say_all(card)["accuracy"] == "abstained"


@pytest.mark.parametrize(("level", "reason"), [(5, "It has several fabricated claims."), (1, "Nothing is made up.")])
def test_a_reason_that_seems_to_contradict_its_score_changes_no_status(level, reason, tmp_path):
    card = judge_whole(NAME, tmp_path, reply(hallucination=level, hallucination_reasoning=reason))
    assert say_all(card)["hallucination"] == f"ok {level} reported_only"
    assert card.outcomes["hallucination"].trail.reported["reason"] == reason


SPANISH = "¿Soy elegible para este ensayo? Me gustaría saber si puedo participar en él."
PORTUGUESE = (
    "Você provavelmente cumpre os requisitos porque tem quarenta e cinco anos e diabetes do tipo dois. "
    "O seu médico pode confirmar os resultados do exame."
)


@pytest.mark.parametrize(
    ("answer", "text", "said"),
    [
        (PORTUGUESE, reply(language_correction=2), "ok 2"),
        (PORTUGUESE, reply(language_correction="4/5"), "repaired 4"),
        (PORTUGUESE, reply(language_correction=4.5), "ambiguous"),
        (PORTUGUESE, reply(language_correction=6), "out_of_range"),
        (PORTUGUESE, without("language_correction"), "malformed"),
        (None, reply(language_correction=2), "ok 2"),
        (None, reply(language_correction=5), "ok 5 measured_differs"),
    ],
)
def test_the_grade_for_the_language_stands_whatever_code_measures(answer, text, said, tmp_path):
    changes = {} if answer is None else {"workflow_answer": answer}
    card = judge_whole(NAME, tmp_path, text, user_input=SPANISH, **changes)
    assert say_all(card)["language_correction"] == said
    assert_lawful(card)
