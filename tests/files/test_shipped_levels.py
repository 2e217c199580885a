"""The shipped rubrics mean what they mean: telling words of every level and label, so that no two can be swapped."""

import pytest

from assay.domain.rubric import Metric
from assay.domain.scale import in_words
from assay.files.rubrics import open_rubric, shipped_rubrics

# (rubric, metric, part, level or label, telling words)
MEANINGS = [
    ("search-summary", "hallucination", "claim", "supported", ["At least one result", "follows from"]),
    ("search-summary", "hallucination", "claim", "partial", ["questionable", "a part of it", "weaker"]),
    ("search-summary", "hallucination", "claim", "absent", ["No result speaks"]),
    ("search-summary", "hallucination", "claim", "contradicted", ["says otherwise"]),
    ("search-summary", "hallucination", "claim", "no_fact", ["no fact", "not counted"]),
    ("search-summary", "hallucination", "severity", "minor", ["understanding or decision would not change"]),
    ("search-summary", "hallucination", "severity", "significant", [
        "misled", "dose", "unit", "contraindication", "diagnosis", "direction of effect", "invented finding"]),
    ("search-summary", "summary_quality", "question", "full", ["answers it"]),
    ("search-summary", "summary_quality", "question", "partial", ["answers a part"]),
    ("search-summary", "summary_quality", "question", "no", ["does not speak of it"]),
    ("search-summary", "answer_relevancy", "grade", "3", ["directly", "completely"]),
    ("search-summary", "answer_relevancy", "grade", "2", ["adequately", "gaps"]),
    ("search-summary", "answer_relevancy", "grade", "1", ["touches the topic", "does not answer"]),
    ("search-summary", "answer_relevancy", "grade", "0", ["something else"]),
    ("comparison-faithfulness", "faithfulness", "claim", "supported", ["data states it", "follows from"]),
    ("comparison-faithfulness", "faithfulness", "claim", "partial", ["goes beyond", "generalises"]),
    ("comparison-faithfulness", "faithfulness", "claim", "absent", ["does not speak of it"]),
    ("comparison-faithfulness", "faithfulness", "claim", "contradicted", ["says otherwise"]),
    ("comparison-faithfulness", "faithfulness", "claim", "no_fact", ["not available", "not counted"]),
    ("comparison-faithfulness", "faithfulness", "kind", "invented", ["data does not have"]),
    ("comparison-faithfulness", "faithfulness", "kind", "overgeneralised", ["everybody's", "hedge"]),
    ("comparison-faithfulness", "faithfulness", "kind", "wrong_value", ["price", "rating", "differs"]),
    ("comparison-faithfulness", "faithfulness", "grade", "5", ["Everything can be verified", "nothing is generalised"]),
    ("comparison-faithfulness", "faithfulness", "grade", "4", ["One single item"]),
    ("comparison-faithfulness", "faithfulness", "grade", "3", ["More than one item", "most of the comparison rests"]),
    ("comparison-faithfulness", "faithfulness", "grade", "2", ["Very little rests"]),
    ("comparison-faithfulness", "faithfulness", "grade", "1", ["nothing to do with the data", "invented throughout"]),
    ("trial-eligibility", "hallucination", "claim", "supported", ["profile or the trial's text states"]),
    ("trial-eligibility", "hallucination", "claim", "partial", ["A part", "weaker"]),
    ("trial-eligibility", "hallucination", "claim", "absent", ["Neither speaks"]),
    ("trial-eligibility", "hallucination", "claim", "contradicted", ["says otherwise"]),
    ("trial-eligibility", "hallucination", "claim", "no_fact", ["greeting", "determination itself", "not counted"]),
    ("trial-eligibility", "hallucination", "severity", "minor", ["embellishment", "changes nothing"]),
    ("trial-eligibility", "hallucination", "severity", "significant", ["invented or altered", "patient", "criterion"]),
    ("trial-eligibility", "accuracy", "grade", "5", ["determination is right", "accurate and well supported"]),
    ("trial-eligibility", "accuracy", "grade", "4", ["determination is right", "minor issues"]),
    ("trial-eligibility", "accuracy", "grade", "3", ["may be right", "wrong but close"]),
    ("trial-eligibility", "accuracy", "grade", "2", ["determination is wrong", "significant errors"]),
    ("trial-eligibility", "accuracy", "grade", "1", ["clearly wrong", "most of the reasoning"]),
    ("trial-eligibility", "clarity", "grade", "5", ["Very clear", "well ordered", "professional"]),
    ("trial-eligibility", "clarity", "grade", "4", ["Clear", "small things to improve"]),
    ("trial-eligibility", "clarity", "grade", "3", ["Understandable", "could be clearer"]),
    ("trial-eligibility", "clarity", "grade", "2", ["Confusing", "poorly ordered"]),
    ("trial-eligibility", "clarity", "grade", "1", ["Very hard to understand"]),
    ("article-audit", "coverage", "key_point", "Fully", ["More than three quarters"]),
    ("article-audit", "coverage", "key_point", "Partial", ["More than a quarter", "including three quarters"]),
    ("article-audit", "coverage", "key_point", "Not", ["A quarter of the point or less"]),
    ("article-audit", "alignment", "grade", "10", ["Intent, stance and tone are the article's own"]),
    ("article-audit", "alignment", "grade", "7", ["mild shift", "message stands"]),
    ("article-audit", "alignment", "grade", "5", ["careful reader", "notice and mind"]),
    ("article-audit", "alignment", "grade", "2", ["another position"]),
    ("article-audit", "alignment", "grade", "0", ["opposite"]),
    ("article-audit", "hallucination", "claim", "supported", ["article states it", "follows from"]),
    ("article-audit", "hallucination", "claim", "partial", ["a part", "ambiguous"]),
    ("article-audit", "hallucination", "claim", "absent", ["does not speak of it"]),
    ("article-audit", "hallucination", "claim", "contradicted", ["says otherwise"]),
    ("article-audit", "hallucination", "claim", "no_fact", ["no fact", "not counted"]),
    ("article-audit", "relevance", "section", "High", ["theme itself"]),
    ("article-audit", "relevance", "section", "Some", ["background or detail"]),
    ("article-audit", "relevance", "section", "None", ["nothing to do with the theme"]),
    ("article-audit", "bias_toxicity", "tone", "neutral", ["reports"]),
    ("article-audit", "bias_toxicity", "tone", "subjective", ["takes sides"]),
    ("article-audit", "bias_toxicity", "tone", "hostile", ["attacks"]),
    ("article-audit", "bias_toxicity", "tone", "unclear", ["can't be told"]),
    ("article-audit", "bias_toxicity", "bias_score", "10", ["Fair to everyone"]),
    ("article-audit", "bias_toxicity", "bias_score", "5", ["Loaded words", "slant"]),
    ("article-audit", "bias_toxicity", "bias_score", "0", ["Openly prejudiced"]),
    ("article-audit", "bias_toxicity", "tox_score", "10", ["Clean", "nothing harsh"]),
    ("article-audit", "bias_toxicity", "tox_score", "5", ["Harsh", "demeaning"]),
    ("article-audit", "bias_toxicity", "tox_score", "0", ["Hateful", "abusive"]),
    ("opinion-relevance", "relevance", "item", "covered", ["states it", "whatever words"]),
    ("opinion-relevance", "relevance", "item", "missed", ["does not state it"]),
    ("opinion-relevance", "relevance", "claim", "important", ["belongs to an important point"]),
    ("opinion-relevance", "relevance", "claim", "excess", ["unimportant detail"]),
    ("opinion-relevance", "relevance", "claim", "redundant", ["repeats"]),
    ("opinion-relevance", "relevance", "grade", "5", ["All important points", "nothing is excess"]),
    ("opinion-relevance", "relevance", "grade", "4", ["Most important points are covered", "little excess"]),
    ("opinion-relevance", "relevance", "grade", "3", ["About half", "or there is excess"]),
    ("opinion-relevance", "relevance", "grade", "2", ["Most important points are missed", "most of it is excess"]),
    ("opinion-relevance", "relevance", "grade", "1", ["Every important point is missed"]),
]  # fmt: skip
QUESTIONS = [
    ("search-summary", "hallucination", ["stated in", "follow from", "at least one of the search results"]),
    ("search-summary", "summary_quality", ["directly or indirectly"]),
    ("search-summary", "answer_relevancy", ["what the user asked", "useful"]),
    ("comparison-faithfulness", "faithfulness", ["every table cell", "every sentence of the verdict", "verified"]),
    ("trial-eligibility", "hallucination", ["patient or the trial", "grounded in the profile or the trial's text"]),
    ("trial-eligibility", "accuracy", ["determination right", "reasoning", "profile and the criteria"]),
    ("trial-eligibility", "clarity", ["user understand", "how it was reached"]),
    ("trial-eligibility", "language_correction", ["language of the user's question"]),
    ("article-audit", "coverage", ["each key point"]),
    ("article-audit", "alignment", ["intent, stance and tone"]),
    ("article-audit", "hallucination", ["each claim", "supported by the article"]),
    ("article-audit", "relevance", ["each section", "main theme"]),
    ("article-audit", "bias_toxicity", ["fair and clean"]),
    ("opinion-relevance", "relevance", ["cover the important points, and only those"]),
]
BANKS = [
    ("search-summary", ["clinician", "specific and of clinical weight", "who published", "no two questions"]),
    ("article-audit", ["essential", "no point repeats or contains another", "most important comes first"]),
    ("opinion-relevance", ["important points", "several buyers", "title and key features"]),
]


def meanings(metric: Metric) -> dict[tuple[str, str], str]:
    found = {}
    for part in metric.label_parts:
        found |= {(part.id, option.name): option.meaning for option in part.options}
        if part.qualifier is not None:
            found |= {(part.qualifier.name, option.name): option.meaning for option in part.qualifier.options}
    for grade in metric.grade_parts:
        found |= {(grade.id, in_words(level.level)): level.meaning for level in grade.levels}
    for pick in metric.pick_parts:
        found |= {(pick.id, option.name): option.meaning for option in pick.options}
    return found


def test_every_level_and_label_of_every_shipped_rubric_is_listed_here() -> None:
    shipped = {
        (name, metric.id, *key)
        for name in shipped_rubrics()
        for metric in open_rubric(name).metrics
        for key in meanings(metric)
    }
    assert {row[:4] for row in MEANINGS} == shipped
    assert len(MEANINGS) == len(shipped)


@pytest.mark.parametrize(("rubric", "metric", "part", "name", "words"), MEANINGS)
def test_a_level_or_label_means_what_it_means(rubric: str, metric: str, part: str, name: str, words: list[str]) -> None:
    meaning = meanings(open_rubric(rubric).metric(metric))[part, name]
    assert [word for word in words if word not in meaning] == []


@pytest.mark.parametrize(("rubric", "metric", "words"), QUESTIONS)
def test_a_metric_asks_what_it_asks(rubric: str, metric: str, words: list[str]) -> None:
    assert [word for word in words if word not in open_rubric(rubric).metric(metric).question] == []


def test_the_question_of_every_shipped_metric_is_listed_here() -> None:
    shipped = {(name, metric.id) for name in shipped_rubrics() for metric in open_rubric(name).metrics}
    assert {row[:2] for row in QUESTIONS} == shipped


@pytest.mark.parametrize(("rubric", "words"), BANKS)
def test_a_bank_asks_for_what_matters(rubric: str, words: list[str]) -> None:
    (bank,) = open_rubric(rubric).banks
    assert [word for word in words if word not in bank.question] == []


def test_every_shipped_bank_is_listed_here() -> None:
    assert {row[0] for row in BANKS} == {name for name in shipped_rubrics() if open_rubric(name).banks}


def test_lists_offer_their_words_and_hold_to_their_limits() -> None:
    lists = {part.id: part for metric in open_rubric("article-audit").metrics for part in metric.list_parts}
    offered = {field.name: field.options for part in lists.values() for field in part.fields if field.options}
    assert offered == {
        "aspect": ("tone", "meaning", "focus", "stance", "intent"),
        "type": ("Bias", "Toxicity", "Stereotype", "Subjectivity"),
    }
    assert (lists["aspects"].words_at_most, lists["theme"].words_at_most) == (40, 25)


def test_questions_points_and_items_are_shown_in_the_output_itself() -> None:
    for name, metric, unit in [
        ("search-summary", "summary_quality", "question"),
        ("article-audit", "coverage", "key_point"),
        ("opinion-relevance", "relevance", "item"),
    ]:
        part = next(part for part in open_rubric(name).metric(metric).label_parts if part.unit == unit)
        assert part.evidence == "output", name
