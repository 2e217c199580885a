"""What a join of labels and results keeps of each record."""

from dataclasses import replace

from cards import card, verdict

from assay.agreement.join import join_labels
from assay.agreement.labels import PersonAnswers
from assay.domain.scorecard import Voice


def test_each_answer_of_a_panel_is_known_by_its_judge_and_its_sample():
    made = card("opinion-relevance", "a", {"relevance": 3})
    said = {("one", 2): 5, ("one", 0): 1, ("two", 2): 3}
    voices = tuple(
        Voice(judge, sample, verdict(made.rubric, "relevance", said[judge, sample])) for judge, sample in said
    )
    joined = join_labels([replace(made, voices={"relevance": voices})], PersonAnswers())
    assert joined.records["relevance"][0].answers == {("one", 2): 1.0, ("one", 0): 0.0, ("two", 2): 0.5}
