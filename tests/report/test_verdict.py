"""The verdict on a judge: one sentence for each thing that the intervals can show."""

from dataclasses import replace

import pytest

from assay.agreement.estimate import Estimate, Figure
from assay.agreement.figures import MetricAgreement, reach_verdict
from assay.report.agreement import format_verdict
from assay.store.agreements import AgreementVerdict

RHO = "Spearman, all records"
PLACE = "Spearman, judge vs each annotator"


def estimate(value: float | None, low: float | None = None, high: float | None = None, clusters: int = 50) -> Estimate:
    return Estimate(value, None if low is None or high is None else (low, high), 200, clusters)


def verdict(main: Estimate, *others: Figure, n: int = 200, constant: float = 0.0) -> str:
    figures = (Figure(RHO, main, constant=("a constant", constant)), *others)
    return format_verdict(MetricAgreement("m", "Accuracy", "records", ("Ada", "Ben"), n, 50, figures))


def ceiling(low: float, high: float) -> Figure:
    return Figure(PLACE, estimate(0.58, 0.5, 0.66), estimate(0.63, 0.55, 0.7), estimate((low + high) / 2, low, high))


GOOD = estimate(0.61, 0.52, 0.69)


def test_the_figures_stand_behind_the_words() -> None:
    assert verdict(GOOD, ceiling(-0.09, 0.02)) == (
        "Accuracy: Agrees with people about as well as they agree with each other (200 records from 50 source groups). "
        "Spearman, all records 0.61 [0.52, 0.69]; Spearman, judge vs each annotator 0.58 [0.50, 0.66], "
        "people 0.63 [0.55, 0.70]."
    )


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ((0.01, 0.1), "Agrees with people better than they agree with each other (200 records from 50 source groups)."),
        (
            (-0.1, 0.1),
            "Agrees with people about as well as they agree with each other (200 records from 50 source groups).",
        ),
        (
            (-0.3, -0.01),
            "but agrees with people less well than they agree with each other (200 records from 50 source groups).",
        ),
        ((-0.3, 0.1), "Whether it agrees as well as people do needs more labels."),
    ],
)
def test_a_judge_above_a_constant_is_held_against_people(ends: tuple[float, float], words: str) -> None:
    assert words in verdict(GOOD, ceiling(*ends))


def test_one_persons_labels_show_no_ceiling() -> None:
    assert "How well people agree with each other is not known." in verdict(GOOD)


@pytest.mark.parametrize(
    ("main", "n", "words"),
    [
        (
            estimate(0.02, -0.1, 0.14),
            200,
            "No better than a constant guess (200 records from 50 source groups). Do not use",
        ),
        (
            estimate(-0.2, -0.6, 0.2),
            20,
            "No better than a constant guess (20 records from 50 source groups). Do not use",
        ),
        (
            estimate(0.2, -0.2, 0.6),
            20,
            "Not shown to be better than a constant guess (20 records from 50 source groups). Label more.",
        ),
    ],
)
def test_a_judge_whose_interval_reaches_the_constant_is_not_recommended(main: Estimate, n: int, words: str) -> None:
    assert f"Accuracy: {words}" in verdict(main, ceiling(-0.1, 0.1), n=n)


def test_the_constant_is_that_of_the_figure() -> None:
    assert "No better than a constant guess" in verdict(estimate(0.52, 0.45, 0.59), constant=0.5)
    assert "No better" not in verdict(estimate(0.52, 0.45, 0.59))


def test_without_a_figure_or_an_interval_nothing_is_said() -> None:
    assert "No verdict, because the figure is undefined (200 records from 50 source groups)." in verdict(estimate(None))
    assert "Too few labels for a verdict (200 records from 50 source groups). Label more." in verdict(
        estimate(0.9, clusters=4)
    )


@pytest.mark.parametrize("main", [estimate(0.9, clusters=4), estimate(None, clusters=4), estimate(0.9, 0.8, 1.0)])
def test_labels_from_four_items_are_too_few_whatever_the_figure(main: Estimate) -> None:
    metric = MetricAgreement("m", "Accuracy", "records", ("Ada", "Ben"), 16, 4, (Figure(RHO, main),))
    sentence = "Too few labels for a verdict (16 records from 4 source groups). Label more."
    assert reach_verdict(metric) == AgreementVerdict("too_few", sentence, 16, 4, 2)
    one = replace(metric, n=1, clusters=1, nouns=("claim", "claims"))
    assert reach_verdict(one).sentence == "Too few labels for a verdict (1 claim from 1 source group). Label more."


def test_a_judge_that_is_perfect_in_every_resample_is_better_than_a_constant() -> None:
    assert "Better than a constant guess (200 records from 50 source groups). How well" in verdict(estimate(1.0))


@pytest.mark.parametrize(("ends", "is_off"), [((0.21, 0.3), True), ((0.19, 0.3), False)])
def test_values_that_are_farther_off_than_a_constant_are_for_ordering_only(
    ends: tuple[float, float], is_off: bool
) -> None:
    error = Figure("mean error", estimate(0.25, *ends), constant=("always the median label", 0.2))
    found = verdict(GOOD, ceiling(-0.09, 0.02), error)
    assert (
        "Use its scores only to rank records: the median label is closer to people's labels than its scores are."
        in found
    ) == is_off
