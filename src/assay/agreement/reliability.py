"""How far annotators agree beyond chance: Krippendorff's alpha and Gwet's AC1 and AC2, with values missing."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from assay.agreement.classification import Distance, measure_distance
from assay.agreement.pairs import Floats, Integers
from assay.agreement.ratings import Ratings
from assay.agreement.tally import Tally, divide, tally_sums

Measurement = Literal["nominal", "ordinal", "interval"]

# An ordinal alpha keeps a table of values by values.
_MOST_ORDINAL = 256


def krippendorff_alpha(ratings: Ratings, measurement: Measurement) -> Tally:
    """1 less the disagreement within items over that of all values together; an item with one value does not count."""
    kept = ratings.given >= 2
    values, clusters = ratings.values[kept], ratings.clusters[kept]
    if measurement == "ordinal":
        return _tally_meetings(values, clusters, ratings.cluster_count)
    if measurement == "interval":
        return tally_sums(_interval_sums(values), clusters, ratings.cluster_count, _interval_alpha)
    counts = count_values(values, np.unique(values[np.isfinite(values)]))
    return tally_sums(_nominal_sums(counts), clusters, ratings.cluster_count, _nominal_alpha)


def count_values(values: Floats, categories: Floats) -> Floats:
    """How often each item (a row) got each category (a column)."""
    counts = np.zeros((len(values), len(categories)))
    for column, category in enumerate(categories):
        counts[:, column] = np.sum(values == category, axis=1)
    return counts


def _interval_sums(values: Floats) -> Floats:
    given = np.isfinite(values)
    count = given.sum(axis=1)
    centred = np.where(given, values - (values[given].mean() if given.any() else 0), 0)
    total, squares = centred.sum(axis=1), (centred**2).sum(axis=1)
    return np.column_stack([count, total, squares, (total**2 - squares) / (count - 1)])


def _interval_alpha(sums: Floats) -> Floats:
    n, total, squares, products = sums
    return 1 - divide((squares - products) * (n - 1), n * squares - total**2)


def _nominal_sums(counts: Floats) -> Floats:
    """Per item, the pairs of equal values, each value's share of them, and how often each value is given."""
    given = counts.sum(axis=1, keepdims=True)
    return np.column_stack([np.sum(counts * (counts - 1), axis=1) / (given[:, 0] - 1), counts])


def _nominal_alpha(sums: Floats) -> Floats:
    n = sums[1:].sum(axis=0)
    return 1 - divide((n - sums[0]) * (n - 1), n * n - np.sum(sums[1:] ** 2, axis=0))


def _tally_meetings(values: Floats, clusters: Integers, cluster_count: int) -> Tally:
    """Which values meet which in one item, each item's meetings weighing as much as its values."""
    given = np.isfinite(values)
    categories = np.unique(values[given])
    size = len(categories)
    if size > _MOST_ORDINAL:
        raise ValueError(f"an ordinal alpha takes at most {_MOST_ORDINAL} distinct values: take it as interval")
    codes = np.searchsorted(categories, values)
    first, second = (each.ravel() for each in np.nonzero(~np.eye(values.shape[1], dtype=np.bool_)))
    items, pairs = np.nonzero(given[:, first] & given[:, second])
    return Tally(
        clusters=clusters[items],
        rows=codes[items, first[pairs]] * size + codes[items, second[pairs]],
        amounts=1 / (given.sum(axis=1)[items] - 1),
        cluster_count=cluster_count,
        row_count=size * size,
        formula=_ordinal_alpha,
        n=len(values),
    )


def _ordinal_alpha(sums: Floats) -> Floats:
    """The interval alpha of mid-ranks, which is what the ordinal distance comes to."""
    size = round(len(sums) ** 0.5)
    meetings = sums.reshape(size, size, -1)
    given = meetings.sum(axis=1)
    n = given.sum(axis=0)
    ranks = np.cumsum(given, axis=0) - (given + n) / 2
    squares = np.sum(given * ranks**2, axis=0)
    products = np.einsum("klr,kr,lr->r", meetings, ranks, ranks)
    return 1 - divide((squares - products) * (n - 1), n * squares)


def gwet_ac(ratings: Ratings, distance: Distance = "nominal", categories: Sequence[float] | None = None) -> Tally:
    """AC1 where the distance is nominal, AC2 otherwise: chance agreement that does not explode on skewed classes.

    `categories` names those that could be chosen; without it, those that were.
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
    shares = np.column_stack(
        [several, divide(met * several, given * (given - 1)), given > 0, divide(counts, given[:, None])]
    )
    weight = closeness.sum() / max(1, len(names) * (len(names) - 1))

    def formula(sums: Floats) -> Floats:
        agreed = divide(sums[1], sums[0])
        rates = divide(sums[3:], sums[2])
        chance = weight * np.sum(rates * (1 - rates), axis=0)
        return divide(agreed - chance, 1 - chance) if len(names) > 1 else np.full(sums.shape[1], np.nan)

    return tally_sums(np.nan_to_num(shares), ratings.clusters, ratings.cluster_count, formula)
