"""What a call for a whole reply says: every scale and band, what banks hold, and the words its shape takes."""

import json
import re

import pytest
from test_prompts import ASKED, whole_prompt
from whole_replies import RECORDS, judge_whole, rubric_of

from assay.judges.prompted.template import load_template

# The lines of a whole prompt that say which numbers it takes: a metric's heading, and what stands under it.
SCALES = [
    ("article-audit", "Coverage", ["Give a number from 0 to 10; 10 is best.", "At most 4 where any claim is Unsupported."]),
    ("article-audit", "Alignment", ["Give a number from 0 to 10; 10 is best.", "- 7: A mild shift", "At most 40 words in all."]),
    ("article-audit", "Hallucination", ["Give a whole number from 0 to 10; 10 is best.", "At most 4 where any claim is Unsupported."]),
    ("article-audit", "Relevance", ["Give a number from 0 to 10; 10 is best.", "At most 4 where any section is None.", "At most 25 words in all."]),
    ("article-audit", "Bias and toxicity (bias_toxicity)", [
        "bias_score: Give a number from 0 to 10; 10 is best.", "- 0: Openly prejudiced.",
        "tox_score: Give a number from 0 to 10; 10 is best.", "- 10: Clean",
        "The score of the metric as a whole: Give a number from 0 to 10; 10 is best."]),
    ("comparison-faithfulness", "Faithfulness", ["Give a whole number from 1 to 5; 5 is best.", "- 4: One single item"]),
    ("opinion-relevance", "Relevance", ["Give a whole number from 1 to 5; 5 is best.", "- 3: About half"]),
    ("search-summary", "Hallucination", [
        "Give a whole number from 0 to 3; 0 is best.", "- score 0: minor at most 0, significant at most 0",
        "- score 1: minor at most 2, significant at most 0", "- score 2: minor at most 5, significant at most 0",
        "- score 3: any number of minor, any number of significant", "- significant: "]),
    ("search-summary", "Summary quality", ["Give a whole number from 0 to 100; 100 is best."]),
    ("search-summary", "Answer relevancy", ["Give a whole number from 0 to 3; 3 is best.", "- 0: It is about something else."]),
    ("trial-eligibility", "Groundedness (hallucination)", [
        "Give a whole number from 1 to 5; 5 is best.", "- score 5: minor at most 0, significant at most 0",
        "- score 2: any number of minor, significant at most 1"]),
    ("trial-eligibility", "Accuracy", ["Give a whole number from 1 to 5; 5 is best.", "- 4: The determination is right",
                                       "- determination mismatch: at most 2"]),
    ("trial-eligibility", "Clarity", ["Give a whole number from 1 to 5; 5 is best.", "- 1: Very hard"]),
    ("trial-eligibility", "Language match (language_correction)", [
        "Give a whole number from 1 to 5; 5 is best.", "- score 4: share at least 0.90",
        "- a language found nowhere in the record: 1"]),
]  # fmt: skip


def test_the_scales_of_every_metric_are_listed_here():
    listed = sorted((name, len([each for each in SCALES if each[0] == name])) for name in RECORDS)
    assert listed == sorted((name, len(rubric_of(name).metrics)) for name in RECORDS)


@pytest.mark.parametrize(("name", "heading", "lines"), SCALES)
def test_a_whole_prompt_names_the_scale_and_the_bands_of_every_number_it_takes(name, heading, lines):
    under = whole_prompt(name).partition(f"\n## {heading}\n")[2]
    section = re.split(r"^##? ", under, maxsplit=1, flags=re.MULTILINE)[0]
    for line in lines:
        assert line in section


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("article-audit", ["## Key points", "from 3 to 7", "The essential points of the article"]),
        (
            "opinion-relevance",
            ["## Items", "from 1 to 20", "at least 2 reviews raise", "product_title or key_features"],
        ),
        ("search-summary", ["## Questions", "from 6 to 10 for each source", "fewer than 30 words", "clinical weight"]),
    ],
)
def test_a_whole_prompt_says_what_a_bank_must_hold(name, words):
    prompt = whole_prompt(name)
    for each in words:
        assert each in prompt
    assert rubric_of(name).banks[0].question in prompt


@pytest.mark.parametrize(
    ("name", "words", "others"),
    [
        (
            "article-audit",
            ["Supported", "Partially", "Unsupported"],
            ["supported", "partial", "absent", "contradicted"],
        ),
        ("article-audit", ["Fully", "Partial", "Not"], []),
        ("article-audit", ["High", "Some", "None"], []),
        ("search-summary", ["true", "false", "supported", "doubtful"], ["full", "partial", "no", "absent"]),
        ("comparison-faithfulness", ["supported", "Unsupported items"], ["partial", "absent", "contradicted"]),
        ("opinion-relevance", ["Matched items", "Excess items"], ["covered", "excess", "redundant"]),
        ("trial-eligibility", ["supported", "doubtful"], ["partial", "absent", "contradicted"]),
    ],
)
def test_a_whole_prompt_explains_the_words_its_shape_takes_and_no_others(name, words, others):
    asked, _, shape = whole_prompt(name).partition(ASKED)[2].partition("# Reply")
    assert all(f"\n- {word}: " in asked for word in words)
    assert not any(f"\n- {word}: " in asked for word in [*others, "no_fact", "undecided"])
    assert all(word in shape for word in words) or name == "trial-eligibility"


@pytest.mark.parametrize(("part", "field"), [("deviations", "aspect"), ("issues_found", "type")])
def test_the_shape_of_an_audit_offers_what_the_rubric_offers(part, field):
    lists = {each.id: each for metric in rubric_of("article-audit").metrics for each in metric.list_parts}
    options = next(each.options for each in lists[part].fields if each.name == field)
    assert f'"{field}": <{" | ".join(options)}>' in load_template("shape-article-audit")


def test_a_reply_that_names_sources_as_the_prompt_does_is_understood(tmp_path):
    questions = [{"question": "What is given first?", "answer_justification": "colchicine", "is_answered": True}]
    reply = {
        "hallucination_evaluation": {"hallucination_justification": "All are supported.", "hallucination_score": 0},
        "summary_quality_evaluation": {
            "questions_and_answers": [{"text_url": name, "questions": questions} for name in ("S1", "S2")],
            "summary_quality_score": "100%",
        },
        "answer_relevancy_evaluation": {
            "relevancy_justification": "It answers it.",
            "relevancy_score": 3,
            "relevant_search_result_urls": ["S1"],
        },
    }
    card = judge_whole("search-summary", tmp_path, json.dumps(reply))
    assert [unit.sources for unit in card.outcomes["summary_quality"].trail.units] == [("s1",), ("s2",)]
    assert card.outcomes["answer_relevancy"].trail.findings.picked("relevant_sources") == ("s1",)
    assert "unknown_source" not in card.outcomes["answer_relevancy"].trail.flags
