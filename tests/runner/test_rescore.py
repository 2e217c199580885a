"""What is stored and what its labels come to now: any difference is told."""

from dataclasses import replace
from fractions import Fraction

import pytest
from clerks import AUDIT, Clerk, audit, rubric_of, walk

from assay.api.results import rescore
from assay.domain.outcome import Verdict

RUBRIC = rubric_of("article-audit")


def plant(card, metric, **fields):
    """The card with another number in one stored score."""
    verdict = card.outcomes[metric]
    assert isinstance(verdict, Verdict)
    other = replace(verdict, score=replace(verdict.score, **fields))
    return replace(card, outcomes={**card.outcomes, metric: other})


def test_scores_that_follow_from_their_labels_are_the_same():
    card, _ = audit({})
    found = rescore([card], RUBRIC)
    assert (found.same, found.other) == (5, [])


@pytest.mark.parametrize(
    "fields", [{"value": Fraction(3)}, {"raw": Fraction(3)}, {"interval": (Fraction(3), Fraction(4))}]
)
def test_a_number_that_does_not_follow_is_told(fields):
    card, _ = audit({})
    found = rescore([plant(card, "hallucination", **fields)], RUBRIC)
    assert (found.same, len(found.other)) == (4, 1)
    assert "hallucination: stored" in found.other[0]


def test_a_score_of_an_empty_output_is_checked_as_well():
    card = walk("article-audit", {**AUDIT, "summary": " "}, Clerk())
    found = rescore([card], RUBRIC)
    assert (found.same, found.other) == (1, [])
    planted = rescore([plant(card, "coverage", value=Fraction(9))], RUBRIC)
    assert (planted.same, len(planted.other)) == (0, 1)
