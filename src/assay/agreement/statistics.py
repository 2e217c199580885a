"""The statistics of agreement: rank correlation, balanced accuracy, AUC, kappa, mean error, Krippendorff's alpha.

Each takes what a judge and people said of the same items, and can be resampled by clusters.
"""

from collections.abc import Callable
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import ClusterStatistic, divide, resample_items, resample_sums
from assay.agreement.pairs import Floats, Pairs, Ratings

Measurement = Literal["nominal", "interval"]

# Two points always lie on a line.
_FEWEST = 3
_ROUNDING = 1e-12


def spearman(pairs: Pairs) -> ClusterStatistic:
    """Whether the judge orders items as people do: 1 the same order, 0 no relation, -1 the reverse.

    Undefined where either side is constant or there are fewer than three items.
    """

    def formula(weights: Floats) -> Floats:
        n = weights.sum(axis=1)
        first, second = (_rank(values, weights) - (n / 2)[:, None] for values in (pairs.judge, pairs.human))
        one, other = (np.where(n >= _FEWEST, (weights * each**2).sum(axis=1), 0) for each in (first, second))
        return np.clip(divide((weights * first * second).sum(axis=1), np.sqrt(one) * np.sqrt(other)), -1.0, 1.0)

    return resample_items(pairs, formula)


def _rank(values: Floats, weights: Floats) -> Floats:
    """For each item the weight of all below it, with half of that of its equals, in every resample."""
    distinct, codes = np.unique(values, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(len(distinct)))
    equal = np.add.reduceat(weights[:, order], starts, axis=1) if len(values) else weights
    return np.asarray((np.cumsum(equal, axis=1) - equal / 2)[:, codes])


def _sum(pairs: Pairs, columns: list[Floats], formula: Callable[[Floats], Floats]) -> ClusterStatistic:
    table = np.column_stack(columns).astype(np.float64)
    return resample_sums(table, pairs.clusters, pairs.cluster_count, formula)


def balanced_accuracy(pairs: Pairs) -> ClusterStatistic:
    """The mean over the person's classes of the share that the judge gets right."""
    given = pairs.human[:, None] == np.unique(pairs.human)
    right = given & (pairs.judge == pairs.human)[:, None]

    def formula(sums: Floats) -> Floats:
        totals, hits = np.split(sums, 2)
        recalls = np.nan_to_num(divide(hits, totals))
        return divide(recalls.sum(axis=0), np.sum(totals > 0, axis=0).astype(np.float64))

    return _sum(pairs, [given, right], formula)


def quadratic_kappa(pairs: Pairs) -> ClusterStatistic:
    """Cohen's kappa with quadratic weights: 1 less the squared distance over that of the same values paired by chance.

    From moments, which any number of values has: the mean squared distance by chance is variances and bias.
    """
    # From a value that occurs, so that equal answers are exactly equal.
    middle = float(np.median(pairs.human)) if pairs.n else 0.0
    judge, human = pairs.judge - middle, pairs.human - middle

    def formula(sums: Floats) -> Floats:
        n, apart, squares, first, second = sums
        chance = n * squares - 2 * first * second
        return 1 - divide(n * apart, np.where(chance <= _ROUNDING * n * squares, 0, chance))

    return _sum(pairs, [np.ones(pairs.n), (judge - human) ** 2, judge**2 + human**2, judge, human], formula)


def auc(pairs: Pairs) -> ClusterStatistic:
    """How often an item that people call 1 gets a higher value than one they call 0; a tie counts half."""
    if not np.isin(pairs.human, (0.0, 1.0)).all():
        raise ValueError("AUC needs labels that are 0 or 1")

    def formula(weights: Floats) -> Floats:
        positive, negative = weights @ pairs.human, weights @ (1 - pairs.human)
        # Mann and Whitney's U, over all pairs of a positive and a negative item.
        wins = (weights * _rank(pairs.judge, weights)) @ pairs.human - positive**2 / 2
        return divide(wins, positive * negative)

    return resample_items(pairs, formula)


def mean_error(pairs: Pairs) -> ClusterStatistic:
    """How far the judge's values are from people's on average, on their common scale."""
    apart = np.abs(pairs.judge - pairs.human)
    return _sum(pairs, [np.ones(pairs.n), apart], lambda sums: divide(sums[1], sums[0]))


def nominal_alpha(pairs: Pairs) -> ClusterStatistic:
    """Krippendorff's alpha of the judge and the person as two annotators, for classes without an order."""
    return krippendorff_alpha(pairs, "nominal")


def krippendorff_alpha(ratings: Ratings, measurement: Measurement) -> ClusterStatistic:
    """1 less the disagreement within items over that of all values; an item with a single value does not count."""
    kept = ratings.given >= 2
    values, clusters = ratings.values[kept], ratings.clusters[kept]
    if measurement == "nominal":
        categories = np.unique(values[np.isfinite(values)])
        counts = np.sum(values[:, :, None] == categories, axis=1).astype(np.float64)
        equal = np.sum(counts * (counts - 1), axis=1) / (counts.sum(axis=1) - 1)
        return resample_sums(np.column_stack([equal, counts]), clusters, ratings.cluster_count, _compute_nominal)
    count = np.isfinite(values).sum(axis=1)
    centred = np.nan_to_num(values - (np.nanmean(values) if len(values) else 0))
    total, squares = centred.sum(axis=1), (centred**2).sum(axis=1)
    sums = np.column_stack([count, total, squares, (total**2 - squares) / (count - 1)])
    return resample_sums(sums, clusters, ratings.cluster_count, _compute_interval)


def _compute_interval(sums: Floats) -> Floats:
    n, total, squares, products = sums
    return 1 - divide((squares - products) * (n - 1), n * squares - total**2)


def _compute_nominal(sums: Floats) -> Floats:
    n = sums[1:].sum(axis=0)
    return 1 - divide((n - sums[0]) * (n - 1), n * n - np.sum(sums[1:] ** 2, axis=0))
