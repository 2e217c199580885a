"""What is not there can't be judged, and next to nothing still gets an outcome."""

import pytest
from clerks import AUDIT, TRIAL, Clerk, build, rubric_of, walk

from assay.domain.outcome import Verdict
from assay.runner.emptiness import find_emptiness


def test_a_blank_output_covers_nothing_and_the_rest_has_nothing_to_judge():
    clerk = Clerk()
    card = walk("article-audit", {**AUDIT, "summary": " \n"}, clerk)
    assert (card.outcomes["coverage"].status, card.outcomes["coverage"].score.value) == ("ok", 0)
    assert {card.outcomes[name].status for name in card.outcomes if name != "coverage"} == {"empty_input"}
    assert clerk.asks == []


@pytest.mark.parametrize("field", ["eligibility_criteria", "patient_profile", "workflow_answer"])
def test_a_blank_input_is_not_judged(field):
    clerk = Clerk()
    card = walk("trial-eligibility", {**TRIAL, field: " "}, clerk)
    assert {outcome.status for outcome in card.outcomes.values()} == {"empty_input"}
    assert all(field in outcome.reason for outcome in card.outcomes.values())
    assert clerk.asks == []


@pytest.mark.parametrize("output", ["x", ".", "?", "5", "中", "# Title", "Is it so?", "🙂"])
@pytest.mark.parametrize("name", ["article-audit", "search-summary", "trial-eligibility", "opinion-relevance"])
def test_the_smallest_output_gets_an_outcome(name, output):
    values = {
        "article-audit": {**AUDIT, "summary": output},
        "search-summary": {**SEARCH, "summary": output},
        "trial-eligibility": {**TRIAL, "workflow_answer": output},
        "opinion-relevance": {"reviews": ["Good straps.", "Good straps."], "product_opinion_summary": output},
    }[name]
    card = walk(name, values, Clerk())
    for outcome in card.outcomes.values():
        assert isinstance(outcome, Verdict) or outcome.reason
    assert all(outcome.status in {"ok", "repaired", "abstained", "empty_input"} for outcome in card.outcomes.values())


@pytest.mark.parametrize(
    "output", [".", "--- !", "Thought process:", "Let's solve this problem step by step.", "Yes.", "It is so."]
)
def test_an_output_that_says_nothing_ends_before_any_call(output):
    clerk = Clerk()
    card = walk("article-audit", {**AUDIT, "summary": output}, clerk)
    assert clerk.asks == []
    assert (card.outcomes["coverage"].status, card.outcomes["coverage"].score.value) == ("ok", 0)
    others = [card.outcomes[name] for name in card.outcomes if name != "coverage"]
    assert {outcome.status for outcome in others} == {"empty_input"}
    assert all(outcome.reason.startswith("summary ") for outcome in others)


@pytest.mark.parametrize("output", ["Eligible.", "Not eligible", "Yes.", "No"])
def test_a_word_may_answer_a_question(output):
    clerk = Clerk()
    walk("trial-eligibility", {**TRIAL, "workflow_answer": output}, clerk)
    assert clerk.asks


@pytest.mark.parametrize("output", [":", "Solution", "Let me think."])
def test_an_opening_alone_answers_no_question(output):
    clerk = Clerk()
    card = walk("trial-eligibility", {**TRIAL, "workflow_answer": output}, clerk)
    assert {outcome.status for outcome in card.outcomes.values()} == {"empty_input"}
    assert clerk.asks == []


def test_without_the_short_circuit_next_to_nothing_goes_on_to_the_judge():
    record = build("article-audit", {**AUDIT, "summary": "Thought process:"})
    assert find_emptiness(record, rubric_of("article-audit")) is not None
    assert find_emptiness(record, rubric_of("article-audit"), short_circuit=False) is None


SEARCH = {
    "user_query": "How is gout treated?",
    "search_results": [
        {"url": "https://a.example", "content": "Gout is treated with rest. " * 10, "metadata": {"title": "Gout"}}
    ],
    "summary": "Gout is treated with rest.",
}
