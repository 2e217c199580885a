"""How far several annotators agree: Krippendorff's alpha, Gwet's AC1 and AC2."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import ClusterStatistic, divide, resample_sums
from assay.agreement.classification import Distance, measure_distance
from assay.agreement.pairs import Floats, Ratings

Measurement = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(ratings: Ratings, measurement: Measurement) -> ClusterStatistic:
    """1 less the disagreement within items over that of all values; an item with a single value does not count.

    The ordinal alpha is the interval alpha of mid-ranks. In resamples values keep the ranks of the whole sample.
    """
    kept = ratings.given >= 2
    values, clusters = ratings.values[kept], ratings.clusters[kept]
    if measurement == "nominal":
        counts = _count_values(values, np.unique(values[np.isfinite(values)]))
        equal = np.sum(counts * (counts - 1), axis=1) / (counts.sum(axis=1) - 1)
        return resample_sums(np.column_stack([equal, counts]), clusters, ratings.cluster_count, _nominal_alpha)
    if measurement == "ordinal":
        from scipy.stats import rankdata

        values = rankdata(values, axis=None, nan_policy="omit").reshape(values.shape)
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


def _count_values(values: Floats, categories: Floats) -> Floats:
    """How often each item (a row) got each category (a column)."""
    return np.asarray(np.sum(values[:, :, None] == categories, axis=1), dtype=np.float64)


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
    counts = _count_values(ratings.values, names)
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

    return resample_sums(np.nan_to_num(np.column_stack(shares)), ratings.clusters, ratings.cluster_count, formula)
