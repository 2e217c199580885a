"""An output that says nothing its sources could bear out gets no mark for saying nothing wrong."""

import pytest

import assay
from assay.judges.embedded.declining import NOTHING_TO_HOLD, count_by_chance
from assay.judges.embedded.labelling import is_unlike_a_sentence
from assay.judges.embedded.pair_model import is_rare
from assay.report.result import MetricResult

ARTICLE = (
    "The council of Marlow Bay voted on Tuesday to extend its harbour tram line by 4.2 kilometres. "
    "The extension will add six stops and connect the old docks with the general hospital. "
    "For the first time part of the line runs under the river, a question that was open until last week. "
    "The council puts the cost at 86 million crowns, two thirds of which the state will pay."
)
TRIAL = {
    "id": "r", "user_input": "Can I take part?", "patient_profile": "A woman of 50 with asthma and a cough.",
    "trial_id": "NCT01234567", "trial_title": "Asthma in adults", "eligibility_criteria": "Adults with asthma.",
    "ground_truth_label": "Eligible", "ground_truth_explanation": "She is an adult with asthma.",
}  # fmt: skip
OPENERS = (
    "First, I will think about the question in detail.",
    "We should look at this carefully before we answer. Then we decide.",
)


def audit(summary: str) -> MetricResult:
    records = [{"id": "r", "article": ARTICLE, "summary": summary}]
    return next(iter(assay.judge(records, rubric="article-audit"))).metrics["hallucination"]


def answer(text: str) -> MetricResult:
    judged = assay.judge([{**TRIAL, "workflow_answer": text}], rubric="trial-eligibility")
    return next(iter(judged)).metrics["hallucination"]


@pytest.mark.parametrize("text", OPENERS)
def test_an_opening_without_an_answer_is_declined_not_marked(text):
    for metric in (audit(text), answer(text)):
        assert (metric.status, metric.score) == ("abstained", None)
        assert NOTHING_TO_HOLD in (metric.reason or "")


def test_an_honest_refusal_is_declined_not_called_invented():
    assert audit("The sources do not say.").status == "abstained"


@pytest.mark.parametrize(
    "text",
    [
        "The hospital burned down.",
        "A museum in Lindholm was closed.",
        "About 900 swans were counted.",
        "Somebody must have paid the crowns, trams being dear.",
    ],
)
def test_a_claim_with_a_name_a_figure_or_the_words_of_its_source_is_judged(text):
    assert audit(text).weakest_support is not None


def test_a_word_is_rare_by_the_vocabulary_of_the_model():
    assert [word for word in ("first", "question", "criteria", "Hospital", "tram", "lamotrigine") if is_rare(word)] == [
        "tram",
        "lamotrigine",
    ]


def test_a_word_that_the_vocabulary_cannot_spell_is_rare():
    assert all(map(is_rare, ("a" * 100, "a" * 101, "ᚠᚢᚦ")))


@pytest.mark.parametrize(
    ("text", "counted", "left_out"),
    [
        ("There are 3 reasons for this.", "There are 30 reasons for this.", "a bare number under ten"),
        ("The 21st thing to be said comes later.", "The 21 things to be said come later.", "an ordinal"),
        ("Lindholm agrees.", "He thinks that Lindholm agrees.", "a name that opens a sentence"),
    ],
)
def test_the_reason_says_which_names_and_figures_do_not_count(text, counted, left_out):
    assert left_out in (audit(text).reason or "")
    assert audit(counted).weakest_support is not None


def test_an_opening_before_an_answer_is_judged_with_it():
    assert audit(f"{OPENERS[0]} {ARTICLE}").score is not None


def test_a_long_text_that_its_sources_know_nothing_of_is_a_finding():
    text = (
        "Bakers knead dough before dawn and leave it beside warm ovens. Apprentices sweep flour from wooden tables, "
        "while customers queue outside for rolls, pretzels and cinnamon buns."
    )
    estimate = audit(text).weakest_support

    assert estimate is not None
    assert estimate < 0.5


def test_words_of_the_question_count_as_those_of_a_source():
    assert answer("Taking part means swallowing tablets.").status == "abstained"
    asked = {**TRIAL, "user_input": "Must I swallow tablets if I take part?"}
    judged = assay.judge(
        [{**asked, "workflow_answer": "Taking part means swallowing tablets."}], rubric="trial-eligibility"
    )
    assert next(iter(judged)).metrics["hallucination"].weakest_support is not None


def test_a_third_of_a_longer_claim_may_be_shared_by_chance():
    assert [count_by_chance(words) for words in range(1, 16)] == [0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3]


def test_a_value_under_a_label_that_the_rubric_calls_no_fact_states_none():
    assert answer("Determination: Likely eligible.").status == "empty_input"


@pytest.mark.parametrize(
    "text",
    [
        "Hi Sam, thanks for reaching out!",
        "Thank you for your question.",
        "Let me know if you need more.",
        "Let me know if you have any other questions.",
        "I hope this helps!",
        "Please don’t hesitate to contact us.",
        "Best regards,",
    ],
)
def test_a_polite_opening_or_closing_is_set_apart(text):
    assert is_unlike_a_sentence(text)


@pytest.mark.parametrize(
    "text",
    [
        "Let me know if you need more, since the tablet cures asthma.",
        "Thanks for reaching out about the recall of all lamps.",
        "Hi Sam, the tram line opens on Tuesday.",
        "I hope this helps because the dose is 5 mg.",
    ],
)
def test_a_courtesy_that_states_a_fact_is_not_set_apart(text):
    assert not is_unlike_a_sentence(text)
