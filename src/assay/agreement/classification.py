"""Whether the judge puts items into the same classes as people: accuracy, kappa, precision, recall, F1 and AUC."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from assay.agreement.pairs import Floats, Pairs
from assay.agreement.table import CellStatistic, CrossTable, Statistic
from assay.agreement.tally import divide

# How far apart two classes are: all the same, by the step, or by its square.
Distance = Literal["nominal", "linear", "quadratic"]

# Up to so many cells the area is computed anew in each resample; beyond, only its first-order part.
_FULL_TABLE = 10_000
_ROUNDING = 1e-12


def measure_distance(first: Floats, second: Floats, distance: Distance) -> Floats:
    """Between values, not between their places: a class that nobody used changes nothing."""
    gap = np.abs(first - second)
    return gap * gap if distance == "quadratic" else gap if distance == "linear" else (gap > 0).astype(np.float64)


def accuracy(table: CrossTable, _weights: Floats) -> CellStatistic:
    shares = np.column_stack([np.ones(table.cell_count), table.judge == table.human])
    return CellStatistic(lambda sums: divide(sums[1], sums[0]), shares)


def kappa(table: CrossTable, _weights: Floats, distance: Distance = "nominal") -> CellStatistic:
    """Cohen's kappa, weighted by distance: 1 less the disagreement over that of the same answers paired by chance.

    By sums over values, never over pairs of them: of thousands of values there are too many.
    """
    if distance == "quadratic":
        return _kappa_of_squares(table)
    apart = measure_distance(table.judge, table.human, distance)
    meet = _meet_in_steps if distance == "linear" else _meet_unequal
    values = np.union1d(table.judge_values, table.human_values)
    judge_places, human_places = (np.searchsorted(values, each) for each in (table.judge_values, table.human_values))

    def formula(weights: Floats) -> Floats:
        judge, human = np.zeros((2, len(values), weights.shape[1]))
        judge[judge_places], human[human_places] = table.judge_totals(weights), table.human_totals(weights)
        return 1 - divide(apart @ weights * weights.sum(axis=0), meet(values, judge, human))

    return CellStatistic(formula, breadth=2 * len(values))


def _meet_unequal(_values: Floats, judge: Floats, human: Floats) -> Floats:
    """How often two answers paired by chance differ."""
    return np.asarray(np.sum(judge * (human.sum(axis=0) - human), axis=0), dtype=np.float64)


def _meet_in_steps(values: Floats, judge: Floats, human: Floats) -> Floats:
    """How far apart they are: each step between two values, as often as one answer is below it and the other above."""
    n = judge.sum(axis=0)
    below_judge, below_human = (np.cumsum(each, axis=0)[:-1] for each in (judge, human))
    crossed = below_judge * (n - below_human) + below_human * (n - below_judge)
    return np.asarray(np.diff(values) @ crossed, dtype=np.float64)


def _kappa_of_squares(table: CrossTable) -> CellStatistic:
    """Of the sums and squares of both, from a value that one of them gave: so equal answers are exactly equal."""
    centre = float(table.judge_values[len(table.judge_values) // 2]) if table.cell_count else 0.0
    x, y = table.judge - centre, table.human - centre

    def formula(sums: Floats) -> Floats:
        n, total_x, total_y, squares, apart = sums
        by_chance = n * squares - 2 * total_x * total_y
        # Below this share of the squares it is rounding.
        return 1 - divide(apart * n, np.where(by_chance <= _ROUNDING * n * squares, 0, by_chance))

    return CellStatistic(formula, np.column_stack([np.ones(len(x)), x, y, x * x + y * y, (x - y) ** 2]))


def balanced_accuracy(table: CrossTable, _weights: Floats) -> CellStatistic:
    """The mean over the person's classes of the share that the judge gets right."""
    right = (table.judge == table.human).astype(np.float64)

    def formula(weights: Floats) -> Floats:
        totals = table.human_totals(weights)
        present = np.maximum(np.sum(totals > 0, axis=0), 1)
        recalls = np.nan_to_num(divide(table.human_totals(weights * right[:, None]), totals))
        return np.where(totals.sum(axis=0) > 0, recalls.sum(axis=0) / present, np.nan)

    return CellStatistic(formula)


def _detect(table: CrossTable, positive: float) -> Floats:
    """What a cell adds to the true positives, to the judge's positives and to the person's."""
    judge, human = table.judge == positive, table.human == positive
    return np.column_stack([judge & human, judge, human]).astype(np.float64)


def precision(table: CrossTable, _weights: Floats, positive: float = 1.0) -> CellStatistic:
    return CellStatistic(lambda sums: divide(sums[0], sums[1]), _detect(table, positive))


def recall(table: CrossTable, _weights: Floats, positive: float = 1.0) -> CellStatistic:
    return CellStatistic(lambda sums: divide(sums[0], sums[2]), _detect(table, positive))


def f1(table: CrossTable, _weights: Floats, positive: float = 1.0) -> CellStatistic:
    return CellStatistic(lambda sums: divide(2 * sums[0], sums[1] + sums[2]), _detect(table, positive))


def auc(table: CrossTable, weights: Floats) -> CellStatistic:
    """How often an item that people call 1 gets a higher value than one they call 0, ties counting half."""
    if not np.isin(table.human_values, (0.0, 1.0)).all():
        raise ValueError("AUC needs labels that are 0 or 1")
    is_positive = table.human[:, None] == 1
    if table.cell_count > _FULL_TABLE:
        return _place_scores(table, weights, is_positive[:, 0])

    def formula(weights: Floats) -> Floats:
        positive = table.judge_totals(weights * is_positive)
        negative = table.judge_totals(weights * ~is_positive)
        below = np.cumsum(negative, axis=0) - negative / 2
        return divide(np.sum(positive * below, axis=0), positive.sum(axis=0) * negative.sum(axis=0))

    return CellStatistic(formula)


def _place_scores(table: CrossTable, weights: Floats, is_positive: npt.NDArray[np.bool_]) -> CellStatistic:
    """Many distinct scores, by their places among the observed scores of the other class, as DeLong does.

    It is exact for the observed items; what it leaves out of a resample shrinks with n, which is large here.
    """
    sides = [np.where(side, weights, 0) for side in (is_positive, ~is_positive)]
    totals = [table.judge_totals(side[:, None])[:, 0] for side in sides]
    below = [(np.cumsum(total) - total / 2)[table.judge_codes] for total in totals]
    positives, negatives = (max(1.0, float(side.sum())) for side in sides)
    places = np.where(is_positive, below[1] / negatives, 1 - below[0] / positives)
    observed = float(sides[0] @ places) / positives
    shares = np.column_stack([is_positive, ~is_positive, places * is_positive, places * ~is_positive]).astype(
        np.float64
    )
    return CellStatistic(lambda sums: divide(sums[2], sums[0]) + divide(sums[3], sums[1]) - observed, shares)


CLASSIFICATIONS: Mapping[str, Statistic] = {
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
class Confusion:
    """`counts[i][j]`: items that the judge calls `labels[i]` and people call `labels[j]`."""

    labels: tuple[float, ...]
    counts: tuple[tuple[int, ...], ...]


def build_confusion(pairs: Pairs) -> Confusion:
    labels, codes = np.unique(np.concatenate([pairs.judge, pairs.human]), return_inverse=True)
    judge, human = codes.reshape(2, -1)
    counts = np.bincount(judge * len(labels) + human, minlength=len(labels) ** 2).reshape(len(labels), -1)
    return Confusion(tuple(labels.tolist()), tuple(tuple(row) for row in counts.tolist()))


@dataclass(frozen=True, slots=True)
class Baselines:
    """What needs no judge: always the commonest label, a coin, always yes."""

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
