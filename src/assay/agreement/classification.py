"""Whether the judge puts items into the same classes as people, beside what constant answers reach."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import Cells, CellStatistic, Formula, divide
from assay.agreement.pairs import Floats, Pairs

# How far apart two classes are: all the same, by the step, or by its square.
Distance = Literal["nominal", "linear", "quadratic"]

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
