"""How many labels it takes for an interval of a wanted half-width."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from assay.agreement.correction import Correction
from assay.agreement.mean import student
from assay.agreement.sample import Sample

_MOST = 10_000_000


@dataclass(frozen=True, slots=True)
class Plan:
    """`labels_with_judge` is None where even labelling every item of the pool would not do."""

    half_width: float
    labels_alone: int
    labels_with_judge: int | None


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a plan rests on: the labels' standard deviation, the judge's correlation with them, and the pool.

    `design_effect` is how many clustered labels are worth one independent label.
    """

    deviation: float
    correlation: float
    pool: int
    design_effect: float = 1.0


def learn_prospect(sample: Sample, correction: Correction) -> Prospect:
    """From a few labels already made."""
    deviation = float(np.std(sample.human, ddof=1))
    both = float(np.std(sample.human) * np.std(sample.judge))
    shared = float(np.mean((sample.human - sample.human.mean()) * (sample.judge - sample.judge.mean())))
    alone = deviation / sqrt(sample.labelled)
    effect = max(1.0, (correction.label_error / alone) ** 2) if alone > 0 else 1.0
    return Prospect(
        deviation, max(0.0, shared / both) if both > 0 else 0.0, sample.labelled + sample.unlabelled, effect
    )


def plan_labels(prospect: Prospect, half_width: float) -> Plan:
    """For a mean at 95 %. With a judge n labels have the variance s²/n (1 - r² (1 - n/N)), for N items in all."""
    if half_width <= 0:
        raise ValueError("a half-width is above 0")

    def reach_alone(n: int) -> float:
        return _reach(prospect, n, 1.0)

    def reach_with_judge(n: int) -> float:
        return _reach(prospect, n, 1 - prospect.correlation**2 * (1 - n / prospect.pool))

    alone = _search(reach_alone, half_width, _MOST)
    return Plan(
        half_width, alone if alone is not None else _MOST, _search(reach_with_judge, half_width, prospect.pool - 1)
    )


def _reach(prospect: Prospect, n: int, share: float) -> float:
    clusters = max(2, ceil(n / prospect.design_effect))
    return student(clusters - 1) * prospect.deviation * sqrt(share * prospect.design_effect / n)


def _search(reach: Callable[[int], float], half_width: float, most: int) -> int | None:
    """The fewest labels, from two on, whose interval is narrow enough; None where `most` are not."""
    if most < 2 or reach(most) > half_width:
        return None
    low, high = 2, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reach(middle) <= half_width else (middle + 1, high)
    return low
