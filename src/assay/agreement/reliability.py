"""How far annotators, samples or judges agree beyond chance: Krippendorff's alpha, Gwet's AC1 and AC2, flips."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import DEFAULT, ClusterStatistic, Resampling, divide, estimate, sum_clusters
from assay.agreement.classification import Distance, measure_distance
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats, Ratings

Measurement = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(ratings: Ratings, measurement: Measurement) -> ClusterStatistic:
    """1 less the disagreement within items over that of all values; an item with a single value does not count.

    The ordinal alpha is the interval alpha of mid-ranks. In resamples values keep the ranks of the whole sample.
    """
    kept = ratings.given >= 2
    values, clusters = ratings.values[kept], ratings.clusters[kept]
    if measurement == "nominal":
        counts = count_values(values, np.unique(values[np.isfinite(values)]))
        equal = np.sum(counts * (counts - 1), axis=1) / (counts.sum(axis=1) - 1)
        return sum_clusters(np.column_stack([equal, counts]), clusters, ratings.cluster_count, _nominal_alpha)
    if measurement == "ordinal":
        values = _rank(values)
    given = np.isfinite(values)
    count = given.sum(axis=1)
    centred = np.where(given, values - (values[given].mean() if given.any() else 0), 0)
    total, squares = centred.sum(axis=1), (centred**2).sum(axis=1)
    sums = np.column_stack([count, total, squares, (total**2 - squares) / (count - 1)])
    return sum_clusters(sums, clusters, ratings.cluster_count, _interval_alpha)


def _rank(values: Floats) -> Floats:
    from scipy.stats import rankdata

    given = np.isfinite(values)
    ranks = np.full(values.shape, np.nan)
    ranks[given] = rankdata(values[given])
    return ranks


def _interval_alpha(sums: Floats) -> Floats:
    n, total, squares, products = sums
    return 1 - divide((squares - products) * (n - 1), n * squares - total**2)


def _nominal_alpha(sums: Floats) -> Floats:
    n = sums[1:].sum(axis=0)
    return 1 - divide((n - sums[0]) * (n - 1), n * n - np.sum(sums[1:] ** 2, axis=0))


def count_values(values: Floats, categories: Floats) -> Floats:
    """How often each item (a row) got each category (a column)."""
    columns = [np.sum(values == category, axis=1) for category in categories]
    return np.array(columns, dtype=np.float64).reshape(len(categories), len(values)).T


def gwet_ac(
    ratings: Ratings, distance: Distance = "nominal", categories: Sequence[float] | None = None
) -> ClusterStatistic:
    """AC1 where the distance is nominal, AC2 otherwise: their chance agreement stays low on skewed classes.

    `categories` are those that could be chosen; without it, those that were.
    """
    found = np.unique(ratings.values[np.isfinite(ratings.values)])
    names = found if categories is None else np.asarray(sorted(categories), dtype=np.float64)
    if not np.isin(found, names).all():
        raise ValueError("ratings hold values that are not among the categories")
    counts = count_values(ratings.values, names)
    given = counts.sum(axis=1)
    apart = measure_distance(names[:, None], names[None, :], distance)
    closeness = 1 - apart / max(float(apart.max(initial=0)), 1e-300)
    several = given >= 2
    met = np.sum(counts * (counts @ closeness - 1), axis=1)
    shares = [several, divide(met * several, given * (given - 1)), given > 0, divide(counts, given[:, None])]
    weight = closeness.sum() / max(1, len(names) * (len(names) - 1))

    def formula(sums: Floats) -> Floats:
        rates = divide(sums[3:], sums[2])
        chance = weight * np.sum(rates * (1 - rates), axis=0)
        agreed = divide(sums[1], sums[0])
        return divide(agreed - chance, 1 - chance) if len(names) > 1 else np.full(sums.shape[1], np.nan)

    return sum_clusters(np.nan_to_num(np.column_stack(shares)), ratings.clusters, ratings.cluster_count, formula)


@dataclass(frozen=True, slots=True)
class Consistency:
    """`alike`: the share of items whose values are all the same.

    `flips`: the share of pairs of values of one item that lie on different sides of a threshold.
    """

    alpha: Estimate
    alike: Estimate
    flips: Estimate


def estimate_consistency(ratings: Ratings, threshold: float, resampling: Resampling = DEFAULT) -> Consistency:
    """Of several answers about each item, in any order; items with at least two."""

    def are_alike(values: Floats) -> Floats:
        return np.asarray(np.nanmax(values, axis=1) == np.nanmin(values, axis=1), dtype=np.float64)

    def flip(values: Floats) -> Floats:
        count, above = np.isfinite(values).sum(axis=1), np.sum(np.nan_to_num(values, nan=-np.inf) >= threshold, axis=1)
        return np.asarray(2 * above * (count - above) / (count * (count - 1)), dtype=np.float64)

    return Consistency(
        estimate(krippendorff_alpha(ratings, "interval"), resampling),
        estimate(_average_items(ratings, are_alike), resampling),
        estimate(_average_items(ratings, flip), resampling),
    )


def _average_items(ratings: Ratings, measure: Callable[[Floats], Floats]) -> ClusterStatistic:
    kept = np.flatnonzero(ratings.given >= 2)
    contributions = np.column_stack([np.ones(len(kept)), measure(ratings.values[kept])])
    clusters = ratings.clusters[kept]
    return sum_clusters(contributions, clusters, ratings.cluster_count, lambda sums: divide(sums[1], sums[0]))
