"""Scores in prose: tied to the metric, the word or the scale, and never just the last number."""

import pytest
from bench.prose.anchored import read_anchored_score
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.replies.reading import Misreading, Reading


def read(text, metric="relevance", names=()):
    return read_anchored_score(text, metric, 1, 5, names)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Relevance: 4. Three of the 12 dishes are named.", 4),
        ("- Relevance: 3", 3),
        ("**Relevance**: 3/5", 3),
        ("Relevance (1-5): 3", 3),
        ("Relevance score: 4 The text keeps to the point.", 4),
        ("1. Relevance: 4 - keeps to the point\n2. Fluency: 2 - clumsy", 4),
        ("Relevance: 4\nFluency: 2\nOverall rating: 3", 4),
        ("Score: 4", 4),
        ("Rating: 4", 4),
        ("It drifts off. Final score: 2.", 2),
        ("It drifts off. [RESULT] 2", 2),
        ("It drifts off, resulting in a score of 2.", 2),
        ("It drifts off (score: 2), as said.", 2),
        ("4", 4),
        ("4.", 4),
        ("４", 4),
        ("1/5", 1),
        ("one out of five", 1),
        ("4\n\nIt keeps to the point.", 4),
        ("Two stars. It drifts off.", 2),
        ("5 stars", 5),
        ("<think>Score: 1?</think>Score: 4", 4),
        ("The 2015 summary names 3 of 9 players. Score: 4", 4),
        ("It has the final score of 2-1 wrong. Score: 3", 3),
        ("Score: 4. One more detail is needed to make it a 5 out of 5.", 4),
        ("Score: 4, not a 5.", 4),
    ],
)
def test_a_labelled_score_is_read_plainly(text, score):
    assert read(text) == Reading(score)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("I would rate the relevance 4 out of 5", 4),
        ("I'd give it a 3 because it drifts off.", 3),
        ("It keeps to the point, making it a 5 in terms of relevance.", 5),
        ("A fair text, 3 out of 5.", 3),
        ("The summary is a 4 because it keeps to the point.", 4),
        ("The text keeps to the point. 4", 4),
    ],
)
def test_a_score_in_a_sentence_is_read_and_said_to_be_one(text, score):
    assert read(text) == Reading(score, "score in a sentence")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The match of 2015 ended 3-1 before 40 people.",
        "The player scored 2 goals and earned 3 points.",
        "Only 1/5 of the staff is named, and 4 of 5 towns.",
        "The reviewer waited 3 hours and left 2 of 5 dishes.",
        "It does not meet the criteria for a score of 5.",
        "Fluency: 4",
        "I'm sorry, but I can't help with that.",
        "Here is my breakdown of the relevance:\n\n1. The opening keeps to the point.\n2. The ending drifts.",
        "Relevance: one of the claims is off the point.",
    ],
)
def test_numbers_of_the_text_under_discussion_are_no_scores(text):
    reading = read(text)
    assert isinstance(reading, Misreading)
    assert reading.status == "malformed"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Score: 4. On reflection, score: 3.", "ambiguous"),
        ("Relevance: 4\nRelevance: 2", "ambiguous"),
        ("Score: 3.5/5", "ambiguous"),
        ("Score: 8/10", "ambiguous"),
        ("Score: 3 or 4", "ambiguous"),
        ("Score: 7", "out_of_range"),
        ("Relevance: 0", "out_of_range"),
    ],
)
def test_an_unclear_score_is_not_settled_by_guessing(text, status):
    reading = read(text)
    assert isinstance(reading, Misreading)
    assert reading.status == status


def test_parts_of_a_breakdown_are_not_the_score():
    text = "Good in all, a score of 3 out of 5.\n\n1. Opening: 5/5 - clear.\n2. Ending: score of 1 out of 5."
    assert read(text) == Reading(3)


def test_a_final_score_settles_earlier_ones_and_they_are_reported():
    assert read("At first a score of 2. Final score: 4") == Reading(4, "other scores mentioned")


def test_a_metric_may_go_by_several_names():
    text = "Aspect relevance: 2\nSelf-coherence: 4"
    assert read(text, "coherence", ("Self Coherence",)) == Reading(4)
    assert read(text, "relevance", ("Aspect Relevance",)) == Reading(2)


@settings(deadline=None, derandomize=True)
@given(
    st.text(alphabet="relvanc score:/of 12345.\n-*outgiv", max_size=60) | st.text(),
    st.sampled_from(["relevance", "", "(", "a b"]),
)
def test_no_text_breaks_the_prose_reader(text, metric):
    reading = read(text, metric)
    assert isinstance(reading, Misreading) or 1 <= reading.value <= 5


@pytest.mark.parametrize(
    "pattern", ["4 ", "score ", "give it a ", "4/5 ", "relevance: ", "would ", "*", "\n1. ", "final ", "not "]
)
def test_a_large_hostile_text_ends(pattern):
    read(pattern * (60_000 // len(pattern)))
