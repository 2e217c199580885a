"""How many labels it takes for an interval of a wanted half-width."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from assay.agreement.correction import Correction
from assay.agreement.mean import ROUNDING, student
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
    """From a few labels already made. Where they are all the same, they may differ as far as their interval says."""
    spreads = [float(np.std(each)) for each in (sample.human, sample.judge)]
    pool = sample.labelled + sample.unlabelled
    if spreads[0] <= ROUNDING:
        clusters = sample.labelled_clusters
        half = correction.labels.half_width
        deviation = 0.0 if half is None else half * sqrt(clusters) / student(clusters - 1)
        return Prospect(deviation, 0.0, pool, sample.labelled / clusters)
    deviation = float(np.std(sample.human, ddof=1))
    shared = float(np.mean((sample.human - sample.human.mean()) * (sample.judge - sample.judge.mean())))
    correlation = max(0.0, shared / (spreads[0] * spreads[1])) if spreads[1] > ROUNDING else 0.0
    effect = max(1.0, (correction.label_error / deviation) ** 2 * sample.labelled)
    return Prospect(deviation, correlation, pool, effect)


def plan_labels(prospect: Prospect, half_width: float) -> Plan | None:
    """For a mean at 95 %. With a judge n labels have the variance s²/n (1 - r² (1 - n/N)), for N items in all.

    None where nothing is known of how far labels differ.
    """
    if half_width <= 0:
        raise ValueError("a half-width is above 0")
    if prospect.deviation <= ROUNDING:
        return None

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
