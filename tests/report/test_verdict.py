"""The verdict on a judge: one sentence for each thing that the intervals can show."""

import pytest

from assay.agreement.estimate import Estimate
from assay.agreement.figures import Figure, MetricAgreement
from assay.report.agreement import format_verdict

RHO = "Spearman, all records"
PLACE = "Spearman, in a person's place"


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
        "Accuracy: agrees with people about as well as people agree with each other (Spearman, all records 0.61 "
        "[0.52, 0.69]; Spearman, in a person's place 0.58 [0.50, 0.66], people 0.63 [0.55, 0.70])"
    )


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ((0.01, 0.1), "agrees with people better than people agree with each other"),
        ((-0.1, 0.1), "agrees with people about as well as people agree with each other"),
        ((-0.3, -0.01), "better than a constant guess, but agrees with people less well than people with each other"),
        ((-0.3, 0.1), "better than a constant guess; whether it agrees as well as people do needs more labels"),
    ],
)
def test_a_judge_above_a_constant_is_held_against_people(ends: tuple[float, float], words: str) -> None:
    assert f"Accuracy: {words} (" in verdict(GOOD, ceiling(*ends))


def test_one_persons_labels_show_no_ceiling() -> None:
    assert "better than a constant guess; how well people agree with each other is not known (" in verdict(GOOD)


@pytest.mark.parametrize(
    ("main", "n", "words"),
    [
        (estimate(0.02, -0.1, 0.14), 200, "no better than a constant guess: do not use"),
        (estimate(-0.2, -0.6, 0.2), 20, "no better than a constant guess: do not use"),
        (estimate(0.2, -0.2, 0.6), 20, "not shown to be better than a constant guess: label more records"),
    ],
)
def test_a_judge_whose_interval_reaches_the_constant_is_not_recommended(main: Estimate, n: int, words: str) -> None:
    assert f"Accuracy: {words} (" in verdict(main, ceiling(-0.1, 0.1), n=n)


def test_the_constant_is_that_of_the_figure() -> None:
    assert "no better than a constant guess" in verdict(estimate(0.52, 0.45, 0.59), constant=0.5)
    assert "no better" not in verdict(estimate(0.52, 0.45, 0.59))


def test_without_a_figure_or_an_interval_nothing_is_said() -> None:
    assert "nothing can be said, because the figure is undefined (" in verdict(estimate(None))
    assert "nothing can be said: label more records (" in verdict(estimate(0.9, clusters=4))


def test_a_judge_that_is_perfect_in_every_resample_is_better_than_a_constant() -> None:
    assert "better than a constant guess; how well" in verdict(estimate(1.0))


@pytest.mark.parametrize(("ends", "is_off"), [((-0.9, -0.1), True), ((-0.9, 0.1), False)])
def test_values_that_are_farther_off_than_the_mean_are_for_ordering_only(
    ends: tuple[float, float], is_off: bool
) -> None:
    found = verdict(GOOD, ceiling(-0.09, 0.02), Figure("skill", estimate(sum(ends) / 2, *ends)))
    assert ("Use its order only: its values are farther off than the labels' mean (" in found) == is_off
