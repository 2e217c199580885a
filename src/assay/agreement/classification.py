"""Agreement on classes and values: accuracy, kappa, detection, AUC, skill, and Krippendorff's alpha."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import ClusterStatistic, divide, resample_items, resample_sums
from assay.agreement.pairs import Floats, Pairs, Ratings

Measurement = Literal["nominal", "interval"]

_ROUNDING = 1e-12


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


def kappa(pairs: Pairs) -> ClusterStatistic:
    """Cohen's kappa: 1 less the disagreement over that of the same answers paired by chance."""
    values = np.union1d(pairs.judge, pairs.human)

    def formula(sums: Floats) -> Floats:
        judge, human = np.split(sums[1:], 2)
        n = judge.sum(axis=0)
        return 1 - divide(sums[0] * n, n * n - np.sum(judge * human, axis=0))

    apart = pairs.judge != pairs.human
    return _sum(pairs, [apart, pairs.judge[:, None] == values, pairs.human[:, None] == values], formula)


def quadratic_kappa(pairs: Pairs) -> ClusterStatistic:
    """From moments, which any number of values has; the mean squared distance by chance is variances and bias."""
    # From a value that occurs, so that equal answers are exactly equal.
    middle = float(np.median(pairs.human)) if pairs.n else 0.0
    judge, human = pairs.judge - middle, pairs.human - middle

    def formula(sums: Floats) -> Floats:
        n, apart, squares, first, second = sums
        chance = n * squares - 2 * first * second
        return 1 - divide(n * apart, np.where(chance <= _ROUNDING * n * squares, 0, chance))

    return _sum(pairs, [np.ones(pairs.n), (judge - human) ** 2, judge**2 + human**2, judge, human], formula)


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


def krippendorff_alpha(ratings: Ratings, measurement: Measurement) -> ClusterStatistic:
    """1 less the disagreement within items over that of all values; an item with a single value does not count."""
    kept = ratings.given >= 2
    values, clusters = ratings.values[kept], ratings.clusters[kept]
    if measurement == "nominal":
        categories = np.unique(values[np.isfinite(values)])
        counts = np.sum(values[:, :, None] == categories, axis=1).astype(np.float64)
        equal = np.sum(counts * (counts - 1), axis=1) / (counts.sum(axis=1) - 1)
        return resample_sums(np.column_stack([equal, counts]), clusters, ratings.cluster_count, _nominal_alpha)
    count = np.isfinite(values).sum(axis=1)
    centred = np.nan_to_num(values - (np.nanmean(values) if len(values) else 0))
    total, squares = centred.sum(axis=1), (centred**2).sum(axis=1)
    sums = np.column_stack([count, total, squares, (total**2 - squares) / (count - 1)])
    return resample_sums(sums, clusters, ratings.cluster_count, _interval_alpha)


def _interval_alpha(sums: Floats) -> Floats:
    n, total, squares, products = sums
    return 1 - divide((squares - products) * (n - 1), n * squares - total**2)


def _nominal_alpha(sums: Floats) -> Floats:
    n = sums[1:].sum(axis=0)
    return 1 - divide((n - sums[0]) * (n - 1), n * n - np.sum(sums[1:] ** 2, axis=0))
