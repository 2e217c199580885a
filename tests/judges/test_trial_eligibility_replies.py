"""Whole replies about a trial answer: one object of four scores, and the ways it goes wrong."""

import json
from typing import Any

import pytest
from whole_replies import Case, assert_lawful, judge_whole, say_all, wanted

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
# Code measures the language, so that no reply is needed for it, and none repaired.
REPAIRED = {
    "hallucination": "repaired 4 reported_only",
    "accuracy": "repaired 5",
    "clarity": "repaired 4",
    "language_correction": "ok 5",
}
NONE_READ = {"language_correction": "ok 5"}


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
    Case("comments in the object", reply()[:-1] + ', // the last one\n/* done */ "extra": 1}', REPAIRED),
    Case("hallucination left out", without("hallucination"), {**OK, "hallucination": "malformed"}),
    Case("language left out", without("language_correction"), OK),
    Case("accuracy left out", without("accuracy"), {**OK, "accuracy": "malformed"}),
    Case("no hallucinations, and the worst score for them",
         reply(hallucination=1, hallucination_reasoning="The answer contains no hallucinations."),
         {**OK, "hallucination": "ambiguous polarity_suspect"}),
    Case("several made-up facts, and the best score for them",
         reply(hallucination=5, hallucination_reasoning="There are several invented criteria."),
         {**OK, "hallucination": "ambiguous polarity_suspect"}),
    Case("a bad score with its reason",
         reply(hallucination=1, hallucination_reasoning="No profile supports this; the ages are hallucinated."),
         {**OK, "hallucination": "ok 1 reported_only"}),
    Case("a grade above what a wrong language allows is only reported", reply(language_correction=2),
         {**OK, "language_correction": "ok 5 reported_differs"}),
    Case("two objects that differ", reply() + reply(clarity=2), {**REPAIRED, "clarity": "ambiguous"}),
    Case("cut off after the second score", reply()[: reply().index('"clarity_reasoning"') - 4],
         {**OK, "clarity": "truncated"}, finish_reason="length"),
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
        ("Eligible", "The weather is fine today, is it not?", "ok 5"),
        ("0 (Not Relevant)", "Status: Not Eligible", "ok 5"),
        ("Perhaps", None, "abstained"),
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
    assert say_all(card)["accuracy"] == "ok 5"
    assert card.facts["determination"] == "undetermined"


def test_without_a_truth_a_missing_accuracy_is_no_failure(tmp_path):
    card = judge_whole(NAME, tmp_path, without("accuracy"), ground_truth_label=None)
    assert say_all(card)["accuracy"] == "abstained"


@pytest.mark.parametrize(
    ("level", "reason", "flipped"),
    [
        (5, "The answer contains no major hallucinations.", False),
        (5, "There are no significant unsupported claims.", False),
        (5, "It does without any significant fabrication.", False),
        (5, "It has several fabricated claims.", True),
        (1, "The claim has no source and is fabricated.", False),
        (1, "The diagnosis has no basis and is invented.", False),
        (1, "No hallucination in the dose, but the age is made up.", False),
        (1, "Fabricated: no such criterion exists in the trial.", False),
        (1, "Hallucination - no evidence in the profile for insulin use.", False),
        (1, "The criteria do not mention the invented dose of 40 mg.", False),
        (1, "It does not avoid hallucinations.", False),
        (1, "It does not contain any hallucinations.", True),
        (1, "Nothing is made up.", True),
        (1, "It does not hallucinate.", True),
        (1, "Not a single hallucination was found.", True),
        (1, "Hallucinations: none.", True),
        (1, "It doesn't invent anything.", True),
    ],
)
def test_a_score_is_flipped_where_its_reasoning_says_the_opposite(level, reason, flipped, tmp_path):
    card = judge_whole(NAME, tmp_path, reply(hallucination=level, hallucination_reasoning=reason))
    assert ("polarity_suspect" in card.outcomes["hallucination"].trail.flags) == flipped
    assert (card.outcomes["hallucination"].status == "ambiguous") == flipped


def test_a_flipped_score_is_asked_about_again(tmp_path):
    flipped = reply(hallucination=1, hallucination_reasoning="The answer contains no hallucinations.")
    mended = judge_whole(NAME, tmp_path, flipped, reply(hallucination=5, hallucination_reasoning="Nothing made up."))
    assert say_all(mended)["hallucination"] == "repaired 5 reported_only"


SPANISH = "¿Soy elegible para este ensayo? Me gustaría saber si puedo participar en él."
PORTUGUESE = (
    "Você provavelmente cumpre os requisitos porque tem quarenta e cinco anos e diabetes do tipo dois. "
    "O seu médico pode confirmar os resultados do exame."
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (reply(language_correction=2), "ok 2 reported_only"),
        (reply(language_correction=4.0), "ok 4 reported_only"),
        (reply(language_correction="4/5"), "repaired 4 reported_only"),
        (reply(language_correction=4.5), "abstained"),
        (reply(language_correction=6), "abstained"),
        (reply(language_correction=True), "abstained"),
        (without("language_correction"), "abstained"),
        ("I'm sorry, but I can't help with that.", "abstained"),
    ],
)
def test_the_judge_decides_between_two_languages_too_close_for_code(text, said, tmp_path):
    card = judge_whole(NAME, tmp_path, text, user_input=SPANISH, workflow_answer=PORTUGUESE)
    assert say_all(card)["language_correction"] == said
    assert_lawful(card)
    outcome = card.outcomes["language_correction"]
    why = outcome.reason if said == "abstained" else outcome.score.derivation
    assert "two languages too close for code to tell apart" in why


def test_a_language_that_code_can_tell_is_never_left_to_the_judge(tmp_path):
    card = judge_whole(NAME, tmp_path, reply(language_correction=5), user_input=SPANISH)
    assert say_all(card)["language_correction"] == "ok 2 reported_differs"
