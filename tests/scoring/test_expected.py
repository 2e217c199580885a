"""Scores of labels that carry probabilities: the expected score, its interval, and when nothing is said."""

from dataclasses import replace
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tallies import build_tally, label_units, shipped, support

from assay.domain.findings import Label
from assay.domain.outcome import Score, Trail, Verdict
from assay.scoring.score import score_metric

METRIC = shipped("article-audit", "hallucination")


def likely(*chances: float) -> tuple[Label, ...]:
    words = ["supported" if chance >= 0.55 else "undecided" if chance > 0.45 else "absent" for chance in chances]
    return tuple(
        replace(label, probability=chance) for label, chance in zip(label_units("claim", *words), chances, strict=True)
    )


def score(*chances: float) -> Score:
    verdict = score_metric(build_tally(METRIC, likely(*chances)), Trail())
    assert isinstance(verdict, Verdict)
    return verdict.score


def by_rule(supported: int, absent: int) -> float:
    verdict = score_metric(build_tally(METRIC, support(supported, absent=absent)), Trail())
    assert isinstance(verdict, Verdict)
    return float(verdict.score.value)


def expect(chance: float, claims: int) -> float:
    """The rule's score of every count of supported claims, by how likely that count is."""
    return sum(
        comb(claims, right) * chance**right * (1 - chance) ** (claims - right) * by_rule(right, claims - right)
        for right in range(claims + 1)
    )


def test_labels_that_are_certain_give_the_score_of_the_rule():
    assert float(score(1.0, 1.0, 1.0, 0.0).value) == by_rule(3, 1)


@pytest.mark.parametrize("chance", [0.9, 0.8, 0.5])
def test_the_score_is_what_the_labels_lead_one_to_expect(chance):
    found = score(*[chance] * 10)

    assert float(found.value) == pytest.approx(expect(chance, 10), abs=0.5)
    assert found.interval[0] < found.value < found.interval[1]


def test_the_derivation_also_says_what_the_labels_alone_come_to():
    found = score(*[0.9] * 10)

    assert "by the labels alone 10" in found.derivation
    assert f"expected by their probabilities {float(found.value):g}" in found.derivation
    assert (f"{float(found.raw):g} before a cap or limit" in found.derivation) == (found.raw != found.value)


def test_rounding_alone_is_no_cap():
    words = ("full", "full", "full", "full", "full", "no")
    chances = (0.9, 0.8, 0.7, 0.9, 0.6, 0.2)
    labels = tuple(
        replace(label, probability=each) for label, each in zip(label_units("question", *words), chances, strict=True)
    )
    verdict = score_metric(build_tally(shipped("search-summary", "summary_quality"), labels), Trail())

    assert isinstance(verdict, Verdict)
    assert verdict.score.raw == verdict.score.value
    assert "before a cap" not in verdict.score.derivation


def test_one_even_chance_is_flagged_as_next_to_no_answer():
    outcome = score_metric(build_tally(METRIC, likely(0.5)), Trail())

    assert isinstance(outcome, Verdict)
    assert outcome.score.interval == (0, 10)
    assert "wide_interval" in outcome.trail.flags


def test_a_narrow_interval_is_not_flagged():
    outcome = score_metric(build_tally(METRIC, likely(*[0.99] * 4)), Trail())

    assert isinstance(outcome, Verdict)
    assert outcome.trail.flags == ()


@settings(deadline=None, derandomize=True, max_examples=30)
@given(st.lists(st.floats(0.0, 1.0), min_size=6, max_size=10), st.data())
def test_a_likelier_claim_never_makes_for_a_worse_score(chances, data):
    at = data.draw(st.integers(0, len(chances) - 1))
    higher = [*chances[:at], 1.0, *chances[at + 1 :]]
    lower = [*chances[:at], 0.0, *chances[at + 1 :]]
    found = [score_metric(build_tally(METRIC, likely(*each)), Trail()) for each in (higher, lower)]

    assert isinstance(found[0], Verdict)
    assert isinstance(found[1], Verdict)
    assert found[0].score.value >= found[1].score.value


def relevance(claims: tuple[Label, ...], *sections: str) -> Verdict:
    tally = build_tally(shipped("article-audit", "relevance"), label_units("section", *sections), claims=claims)
    verdict = score_metric(tally, Trail())
    assert isinstance(verdict, Verdict)
    return verdict


def test_a_cap_that_holds_in_most_draws_is_flagged_though_every_label_is_supported():
    """Of 180 claims that are each probably right, one or another is probably wrong."""
    claims = likely(*[0.97] * 180)
    verdict = relevance(claims, *["High"] * 6, "Some")

    assert all(label.label == "supported" for label in claims)
    assert (verdict.score.value, verdict.score.interval) == (4, (4, 4))
    assert verdict.score.raw > 9
    assert verdict.trail.flags == ("capped_extraneous",)


@pytest.mark.parametrize(("chance", "flagged"), [(0.44, True), (0.495, True), (0.5, False), (0.6, False)])
def test_a_cap_that_holds_in_half_of_the_draws_or_fewer_is_not_flagged(chance, flagged):
    verdict = relevance(likely(chance), "High", "High")

    assert verdict.score.value < verdict.score.raw
    assert ("capped_extraneous" in verdict.trail.flags) == flagged


def test_a_cap_above_the_score_is_not_flagged_however_often_it_could_hold():
    verdict = relevance(likely(*[0.9] * 60), "Some", "None", "None")

    assert verdict.score.raw == verdict.score.value < 4
    assert verdict.trail.flags == ()
