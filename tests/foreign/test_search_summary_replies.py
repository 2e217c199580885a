"""Whole replies to the search summary: one object of three evaluations, and the ways it goes wrong."""

import json
from typing import Any

import pytest

from foreign.harness import RECORDS, Case, assert_lawful, judge_whole, say_all, wanted

NAME = "search-summary"
GOUT, KIDNEY = (result["url"] for result in RECORDS[NAME]["search_results"])
TOPICS = [
    ("When does colchicine work best?", True),
    ("Which drugs treat an acute attack?", True),
    ("What does allopurinol lower?", True),
    ("How is the first dose of colchicine given?", False),
    ("At what dose is allopurinol started?", False),
    ("Which drinks should patients avoid?", False),
]


def question(text: str, answered: object) -> dict[str, object]:
    return {"question": text, "is_answered": answered, "answer_justification": "looked"}


def group(url: str, *questions: dict[str, object]) -> dict[str, object]:
    return {"text_url": url, "questions": list(questions)}


FIRST = group(GOUT, *(question(*topic) for topic in TOPICS))
SECOND = group(KIDNEY, question("When are allopurinol doses lowered?", False))


def body(
    hallucination: dict[str, Any] | None = None,
    quality: dict[str, Any] | None = None,
    relevancy: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """3 of 7 questions are answered, which is 43 %."""
    return {
        "hallucination_evaluation": {
            "hallucination_score": 1,
            "hallucination_justification": "One doubtful statement in S1.",
            **(hallucination or {}),
        },
        "summary_quality_evaluation": {
            "summary_quality_score": "43%",
            "questions_and_answers": [FIRST, SECOND],
            **(quality or {}),
        },
        "answer_relevancy_evaluation": {
            "relevancy_score": 2,
            "relevancy_justification": "It answers most of it.",
            "relevant_search_result_urls": [GOUT],
            **(relevancy or {}),
        },
        **more,
    }


def reply(**changes: Any) -> str:
    return json.dumps(body(**changes))


def asked(*groups: dict[str, object], score: object = "43%") -> str:
    return reply(quality={"questions_and_answers": list(groups), "summary_quality_score": score})


OK = {"hallucination": "ok 1 reported_only", "summary_quality": "ok 43", "answer_relevancy": "ok 2"}
REPAIRED = {name: line.replace("ok", "repaired") for name, line in OK.items()}
CUT = reply()[: reply().index("At what dose") + 8]
CUT_LATER = reply()[: reply().index("When are allopurinol") + 8]
CASES = [
    Case("as asked for", reply(), OK),
    Case("prose around the object", f"Here is my evaluation:\n{reply()}\nI hope this helps!", REPAIRED),
    Case("a fence", f"```json\n{reply()}\n```", REPAIRED),
    Case("a trailing comma", reply()[:-1] + ",}", REPAIRED),
    Case("nested under one key", json.dumps({"evaluation": body()}), REPAIRED),
    Case("three objects for one", "\n".join(json.dumps({key: value}) for key, value in body().items()), REPAIRED),
    Case("cut off in the question array", CUT,
         {"hallucination": OK["hallucination"], "summary_quality": "truncated", "answer_relevancy": "truncated"},
         finish_reason="length"),
    Case("cut off in the questions of the first source, and nobody says so", CUT,
         {"hallucination": OK["hallucination"], "summary_quality": "truncated", "answer_relevancy": "truncated"}),
    Case("cut off in the questions of the second source, and nobody says so", CUT_LATER,
         {"hallucination": OK["hallucination"], "summary_quality": "truncated", "answer_relevancy": "truncated"}),
    Case("cut off before any evaluation", '{"hallucination_eval', {}, "truncated", finish_reason="length"),
    Case("the first of three keys left out",
         json.dumps({key: value for key, value in body().items() if not key.startswith("hall")}),
         {**OK, "hallucination": "malformed"}),
    Case("the last of three keys left out",
         json.dumps({key: value for key, value in body().items() if not key.startswith("answer")}),
         {**OK, "answer_relevancy": "malformed"}),
    Case("two objects that differ", reply() + "\n" + reply(relevancy={"relevancy_score": 0}),
         {**REPAIRED, "answer_relevancy": "ambiguous"}),
    Case("a score with its level in words", reply(hallucination={"hallucination_score": "1 - Minor"}),
         {**OK, "hallucination": "repaired 1 reported_only"}),
    Case("a score of 4", reply(hallucination={"hallucination_score": 4}), {**OK, "hallucination": "out_of_range"}),
    Case("a score of -1", reply(relevancy={"relevancy_score": -1}), {**OK, "answer_relevancy": "out_of_range"}),
    Case("a score between two levels", reply(relevancy={"relevancy_score": 2.5}),
         {**OK, "answer_relevancy": "ambiguous"}),
    Case("a score of null", reply(relevancy={"relevancy_score": None}), {**OK, "answer_relevancy": "malformed"}),
    Case("a score that is a flag", reply(hallucination={"hallucination_score": False}),
         {**OK, "hallucination": "malformed"}),
    Case("a partial answer in words",
         asked(group(GOUT, question(TOPICS[0][0], "partially"), *FIRST["questions"][1:]), SECOND), OK),
    Case("Yes and no for flags",
         asked(group(GOUT, *(question(text, "Yes" if done else "no.") for text, done in TOPICS)), SECOND),
         {**OK, "summary_quality": "repaired 43"}),
    Case("an answer that is neither yes nor no",
         asked(group(GOUT, question(TOPICS[0][0], "perhaps"), *FIRST["questions"][1:]), SECOND),
         {**OK, "summary_quality": "repaired 29 undecided_units arithmetic_corrected"}),
    Case("an address with tracking and another scheme",
         asked({**FIRST, "text_url": GOUT.replace("https", "http") + "/?utm_source=mail"}, SECOND), OK),
    Case("an address nobody gave", asked(FIRST, {**SECOND, "text_url": "https://other.example/"}, score=50),
         {**OK, "summary_quality": "repaired 50 question_shortfall"}),
    Case("no known address at all", asked({**FIRST, "text_url": "https://other.example/"}),
         {**OK, "summary_quality": "malformed"}),
    Case("a source twice", asked(FIRST, {**FIRST}, SECOND), {**OK, "summary_quality": "repaired 43"}),
    Case("a quality score without questions", reply(quality={"questions_and_answers": []}),
         {**OK, "summary_quality": "malformed"}),
    Case("fewer than six questions", asked(group(GOUT, *FIRST["questions"][:5]), SECOND, score=50),
         {**OK, "summary_quality": "ok 50 question_shortfall"}),
    Case("a percentage as a number", asked(FIRST, SECOND, score=43), OK),
    Case("a percentage off by one at most", asked(FIRST, SECOND, score=42), OK),
    Case("a percentage that does not follow", asked(FIRST, SECOND, score="8 out of 10"),
         {**OK, "summary_quality": "ok 43 arithmetic_corrected"}),
    Case("a question about the publisher", asked(group(
        GOUT, question("Who published this article?", True), *FIRST["questions"]), SECOND,
        score=50,
    ), {**OK, "summary_quality": "ok 50"}),
    Case("the same question twice", asked(group(GOUT, *FIRST["questions"], FIRST["questions"][0]), SECOND, score=50),
         {**OK, "summary_quality": "ok 43 repeated_unit"}),
    Case("a relevant address nobody gave", reply(relevancy={
        "relevant_search_result_urls": [GOUT, "https://other.example/"],
    }), {**OK, "answer_relevancy": "ok 2 unknown_source"}),
    Case("no justification", reply(relevancy={"relevancy_justification": " "}),
         {**OK, "answer_relevancy": "ok 2 missing_reasoning"}),
    Case("the reply is about another query", reply(user_query="How is asthma treated?"), {}, "malformed"),
    Case("the reply repeats its query", reply(user_query="how is gout  treated?"), OK),
    Case("a refusal", "I'm sorry, but I cannot provide medical evaluations.", {}, "refused"),
    Case("an error object", '{"error": "no summary"}', {}, "refused"),
    Case("prose only", "The summary is good, 2 of 3.", {}, "malformed"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_whole_reply_comes_to(case, tmp_path):
    card = judge_whole(NAME, tmp_path, case.reply, finish_reason=case.finish_reason)
    assert say_all(card) == wanted(case, NAME)
    assert_lawful(card)


def test_a_partial_answer_counts_as_answered_and_is_reported_strictly_too(tmp_path):
    first = group(GOUT, question(TOPICS[0][0], "partially"), *FIRST["questions"][1:])
    score = judge_whole(NAME, tmp_path, asked(first, SECOND)).outcomes["summary_quality"].score
    assert score.value == 43
    assert round(float(score.figures["strict"])) == 29


def test_the_mean_per_source_stands_beside_the_pooled_score(tmp_path):
    score = judge_whole(NAME, tmp_path, reply()).outcomes["summary_quality"].score
    assert score.figures["mean_per_source"] == 25, "half of six, and none of one"


def test_an_unreadable_answer_leaves_the_score_open(tmp_path):
    first = group(GOUT, question(TOPICS[0][0], "perhaps"), *FIRST["questions"][1:])
    assert judge_whole(NAME, tmp_path, asked(first, SECOND)).outcomes["summary_quality"].score.interval == (29, 43)


def test_a_correct_4_of_18_is_no_error_of_arithmetic_where_questions_only_look_alike(tmp_path):
    alike = [
        "Which patients should not receive aspirin?", "Which patients should receive aspirin?",
        "When is the drug stopped before surgery?", "Why is the drug stopped before surgery?",
    ]  # fmt: skip
    more = [f"What is finding {number}?" for number in range(14)]
    first = group(GOUT, *(question(text, text in alike) for text in [*alike, *more]))
    card = judge_whole(NAME, tmp_path, asked(first, score=22))
    assert say_all(card)["summary_quality"].startswith("ok 22 question_shortfall"), "none for the second source"
    assert "arithmetic_corrected" not in say_all(card)["summary_quality"]


def test_an_empty_source_owes_no_questions_and_its_questions_do_not_count(tmp_path):
    results = [dict(result) for result in RECORDS[NAME]["search_results"]]
    results[1]["content"] = " "
    card = judge_whole(NAME, tmp_path, asked(FIRST, SECOND, score=50), search_results=results)
    assert say_all(card)["summary_quality"] == "ok 50 arithmetic_corrected"
    assert [notice.note for notice in card.notices if notice.check == "empty_source"] == [
        "s2 has no text and is left out"
    ]


def test_a_short_source_is_marked_and_a_long_one_is_not(tmp_path):
    card = judge_whole(NAME, tmp_path, reply())
    assert [notice.note for notice in card.notices if notice.check == "short_source"] == ["s2 is short"]
    assert not [notice for notice in card.notices if notice.check == "empty_source"]


def test_relevant_sources_are_kept_by_id_however_they_are_written(tmp_path):
    spoilt = reply(relevancy={"relevant_search_result_urls": ["S2", {"url": GOUT + "#top"}, GOUT]})
    findings = judge_whole(NAME, tmp_path, spoilt).outcomes["answer_relevancy"].trail.findings
    assert findings.picked("relevant_sources") == ("s2", "s1")
