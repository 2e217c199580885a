"""Agreement of a judge with people on classes and values: accuracy, kappa, detection, AUC, skill, and baselines."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import ClusterStatistic, divide, resample_items, resample_sums
from assay.agreement.pairs import Floats, Pairs

# How far apart two classes are: all the same, by the step, or by its square.
Distance = Literal["nominal", "linear", "quadratic"]

_ROUNDING = 1e-12


def measure_distance(first: Floats, second: Floats, distance: Distance) -> Floats:
    """Between values, not between their places: a class that nobody used changes nothing."""
    gap = np.abs(first - second)
    return gap * gap if distance == "quadratic" else gap if distance == "linear" else (gap > 0).astype(np.float64)


def _sum(pairs: Pairs, columns: list[Floats], formula: Callable[[Floats], Floats]) -> ClusterStatistic:
    table = np.column_stack(columns).astype(np.float64)
    return resample_sums(table, pairs.clusters, pairs.cluster_count, formula)


def accuracy(pairs: Pairs) -> ClusterStatistic:
    return _sum(pairs, [np.ones(pairs.n), pairs.judge == pairs.human], lambda sums: divide(sums[1], sums[0]))


def balanced_accuracy(pairs: Pairs) -> ClusterStatistic:
    """The mean over the person's classes of the share that the judge gets right."""
    given = pairs.human[:, None] == np.unique(pairs.human)
    right = given & (pairs.judge == pairs.human)[:, None]

    def formula(sums: Floats) -> Floats:
        totals, hits = np.split(sums, 2)
        recalls = np.nan_to_num(divide(hits, totals))
        return divide(recalls.sum(axis=0), np.sum(totals > 0, axis=0).astype(np.float64))

    return _sum(pairs, [given, right], formula)


def kappa(pairs: Pairs, distance: Distance = "nominal") -> ClusterStatistic:
    """Cohen's kappa, weighted by distance: 1 less the disagreement over that of the same answers paired by chance."""
    apart = measure_distance(pairs.judge, pairs.human, distance)
    if distance == "quadratic":
        return _kappa_of_squares(pairs, apart)
    values = np.union1d(pairs.judge, pairs.human)
    distances = measure_distance(values[:, None], values, distance)

    def formula(sums: Floats) -> Floats:
        judge, human = np.split(sums[1:], 2)
        return 1 - divide(sums[0] * judge.sum(axis=0), np.sum(judge * (distances @ human), axis=0))

    return _sum(pairs, [apart, pairs.judge[:, None] == values, pairs.human[:, None] == values], formula)


def _kappa_of_squares(pairs: Pairs, apart: Floats) -> ClusterStatistic:
    """From moments, which any number of values has; the mean squared distance by chance is variances and bias."""
    # From a value that occurs, so that equal answers are exactly equal.
    middle = float(np.median(pairs.human)) if pairs.n else 0.0
    judge, human = pairs.judge - middle, pairs.human - middle

    def formula(sums: Floats) -> Floats:
        n, apart, squares, first, second = sums
        chance = n * squares - 2 * first * second
        return 1 - divide(n * apart, np.where(chance <= _ROUNDING * n * squares, 0, chance))

    return _sum(pairs, [np.ones(pairs.n), apart, judge**2 + human**2, judge, human], formula)


def _detect(pairs: Pairs, positive: float, formula: Callable[[Floats], Floats]) -> ClusterStatistic:
    """Sums of true positives, of positives of the judge, and of positives of the person."""
    judge, human = pairs.judge == positive, pairs.human == positive
    return _sum(pairs, [judge & human, judge, human], formula)


def precision(pairs: Pairs, positive: float = 1.0) -> ClusterStatistic:
    return _detect(pairs, positive, lambda sums: divide(sums[0], sums[1]))


def recall(pairs: Pairs, positive: float = 1.0) -> ClusterStatistic:
    return _detect(pairs, positive, lambda sums: divide(sums[0], sums[2]))


def f1(pairs: Pairs, positive: float = 1.0) -> ClusterStatistic:
    return _detect(pairs, positive, lambda sums: divide(2 * sums[0], sums[1] + sums[2]))


def auc(pairs: Pairs) -> ClusterStatistic:
    """How often an item that people call 1 gets a higher value than one they call 0; a tie counts half."""
    if not np.isin(pairs.human, (0.0, 1.0)).all():
        raise ValueError("AUC needs labels that are 0 or 1")
    return resample_items(pairs, _compute_auc)


def _compute_auc(judge: Floats, human: Floats) -> Floats:
    """Mann and Whitney's U, from the ranks of the positive items, over all pairs of a positive and a negative one."""
    from scipy.stats import rankdata

    ranks = rankdata(judge, axis=1, nan_policy="omit")
    positive, negative = np.sum(human == 1, axis=1), np.sum(human == 0, axis=1)
    wins = np.nansum(ranks * (human == 1), axis=1) - positive * (positive + 1) / 2
    return divide(wins, (positive * negative).astype(np.float64))


def squared_skill(pairs: Pairs) -> ClusterStatistic:
    """1 less the judge's mean squared error over that of guessing the labels' mean; 0 is no better, below 0 worse."""
    centred = pairs.human - (pairs.human.mean() if pairs.n else 0.0)

    def formula(sums: Floats) -> Floats:
        n, errors, squares, total = sums
        spread = squares - total**2 / np.maximum(n, 1)
        return 1 - divide(errors, np.where(spread <= _ROUNDING * squares, 0, spread))

    return _sum(pairs, [np.ones(pairs.n), (pairs.judge - pairs.human) ** 2, centred**2, centred], formula)


@dataclass(frozen=True, slots=True)
class Baselines:
    """What needs no judge: always the commonest label, any constant, always the positive class."""

    commonest: float
    accuracy: float
    balanced_accuracy: float
    f1_of_always_positive: float


def build_baselines(pairs: Pairs, positive: float = 1.0) -> Baselines | None:
    """None where there are no items."""
    if not pairs.n:
        return None
    values, counts = np.unique(pairs.human, return_counts=True)
    rate = float(np.mean(pairs.human == positive))
    commonest = int(np.argmax(counts))
    return Baselines(
        float(values[commonest]), float(counts[commonest] / pairs.n), 1 / len(values), 2 * rate / (1 + rate)
    )


def count_confusion(pairs: Pairs, labels: int) -> tuple[tuple[int, ...], ...]:
    """`[i][j]`: items with the judge's class i and people's class j, where classes are numbered from 0."""
    counts = np.zeros((labels, labels), dtype=np.int64)
    np.add.at(counts, (pairs.judge.astype(np.int64), pairs.human.astype(np.int64)), 1)
    return tuple(tuple(row) for row in counts.tolist())
