"""Agreement on classes and scales: accuracy, kappa, AUC, Krippendorff's alpha, Gwet's AC1 and AC2, and baselines."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import (
    DEFAULT,
    Cells,
    CellStatistic,
    ClusterStatistic,
    Formula,
    Resampling,
    divide,
    estimate,
    sum_clusters,
)
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats, Pairs, Ratings

# How far apart two classes are: all the same, by the step, or by its square.
Distance = Literal["nominal", "linear", "quadratic"]
Measurement = Literal["nominal", "ordinal", "interval"]

_ROUNDING = 1e-12


def measure_distance(first: Floats, second: Floats, distance: Distance) -> Floats:
    """Between values, not between their places: a class that nobody used changes nothing."""
    gap = np.abs(first - second)
    return gap * gap if distance == "quadratic" else gap if distance == "linear" else (gap > 0).astype(np.float64)


def accuracy(cells: Cells) -> Formula:
    is_right = (cells.judge.values == cells.human.values).astype(np.float64)
    return lambda weights: divide(is_right @ weights, weights.sum(axis=0))


def kappa(cells: Cells, distance: Distance = "nominal") -> Formula:
    """Cohen's kappa, weighted by distance: 1 less the disagreement over that of the same answers paired by chance."""
    apart = measure_distance(cells.judge.values, cells.human.values, distance)
    values = np.union1d(cells.judge.distinct, cells.human.distinct)
    places = [np.searchsorted(values, side.distinct) for side in (cells.judge, cells.human)]

    def formula(weights: Floats) -> Floats:
        judge, human = np.zeros((2, len(values), weights.shape[1]))
        judge[places[0]], human[places[1]] = cells.judge.total(weights), cells.human.total(weights)
        return 1 - divide(apart @ weights * weights.sum(axis=0), _differ_by_chance(values, judge, human, distance))

    return formula


def _differ_by_chance(values: Floats, judge: Floats, human: Floats, distance: Distance) -> Floats:
    """The summed distance of all judge's answers to all people's, by sums over values and not over pairs of them."""
    n = judge.sum(axis=0)
    if distance == "nominal":
        return np.asarray(np.sum(judge * (n - human), axis=0), dtype=np.float64)
    if distance == "linear":
        # Each step between two values, as often as one answer is below it and the other above.
        below = [np.cumsum(each, axis=0)[:-1] for each in (judge, human)]
        crossed = below[0] * (n - below[1]) + below[1] * (n - below[0])
        return np.asarray(np.diff(values) @ crossed, dtype=np.float64)
    # From the middle value, so that equal answers are exactly equal.
    centred = values - (values[len(values) // 2] if len(values) else 0.0)
    squares = n * (centred**2 @ (judge + human))
    found = squares - 2 * (centred @ judge) * (centred @ human)
    return np.where(found <= _ROUNDING * squares, 0, found)


def balanced_accuracy(cells: Cells) -> Formula:
    """The mean over the person's classes of the share that the judge gets right."""
    is_right = (cells.judge.values == cells.human.values)[:, None]

    def formula(weights: Floats) -> Floats:
        totals = cells.human.total(weights)
        recalls = np.nan_to_num(divide(cells.human.total(weights * is_right), totals))
        return divide(recalls.sum(axis=0), np.sum(totals > 0, axis=0).astype(np.float64))

    return formula


def _detect(cells: Cells, positive: float) -> Floats:
    """For each cell: is it a true positive, a positive of the judge, a positive of the person."""
    judge, human = cells.judge.values == positive, cells.human.values == positive
    return np.stack([judge & human, judge, human]).astype(np.float64)


def precision(cells: Cells, positive: float = 1.0) -> Formula:
    hit, judge, _ = _detect(cells, positive)
    return lambda weights: divide(hit @ weights, judge @ weights)


def recall(cells: Cells, positive: float = 1.0) -> Formula:
    hit, _, human = _detect(cells, positive)
    return lambda weights: divide(hit @ weights, human @ weights)


def f1(cells: Cells, positive: float = 1.0) -> Formula:
    hit, judge, human = _detect(cells, positive)
    return lambda weights: divide(2 * hit @ weights, (judge + human) @ weights)


def auc(cells: Cells) -> Formula:
    """How often an item that people call 1 gets a higher value than one they call 0; a tie counts half."""
    if not np.isin(cells.human.distinct, (0.0, 1.0)).all():
        raise ValueError("AUC needs labels that are 0 or 1")
    is_positive = cells.human.values[:, None] == 1

    def formula(weights: Floats) -> Floats:
        positive, negative = cells.judge.total(weights * is_positive), cells.judge.total(weights * ~is_positive)
        below = np.cumsum(negative, axis=0) - negative / 2
        return divide(np.sum(positive * below, axis=0), positive.sum(axis=0) * negative.sum(axis=0))

    return formula


def squared_skill(cells: Cells) -> Formula:
    """1 less the judge's mean squared error over that of guessing the labels' mean; 0 is no better, below 0 worse."""
    centred = cells.human.values - (cells.human.values.mean() if cells.count else 0.0)
    errors = (cells.judge.values - cells.human.values) ** 2

    def formula(weights: Floats) -> Floats:
        squares = centred**2 @ weights
        spread = squares - (centred @ weights) ** 2 / np.maximum(weights.sum(axis=0), 1)
        return 1 - divide(errors @ weights, np.where(spread <= _ROUNDING * squares, 0, spread))

    return formula


CLASSIFICATIONS: Mapping[str, CellStatistic] = {
    "accuracy": accuracy,
    "balanced accuracy": balanced_accuracy,
    "kappa": kappa,
    "linear kappa": partial(kappa, distance="linear"),
    "quadratic kappa": partial(kappa, distance="quadratic"),
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "auc": auc,
}


@dataclass(frozen=True, slots=True)
class Baselines:
    """What needs no judge: always the commonest label, any constant, always the positive class."""

    commonest: float
    accuracy: float
    balanced_accuracy: float
    f1_of_always_positive: float


def build_baselines(pairs: Pairs, positive: float = 1.0) -> Baselines:
    if not pairs.n:
        raise ValueError("no items, so no baselines")
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
