"""Whether the judge orders or scales items as people do: Spearman, Kendall tau-b and Pearson."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from assay.agreement.concordance import balance_concordance
from assay.agreement.pairs import Floats
from assay.agreement.projection import project_kendall, project_spearman
from assay.agreement.table import CellStatistic, CrossTable, Statistic
from assay.agreement.tally import divide

Coefficient = Literal["spearman", "kendall", "pearson"]

# Two points always lie on a line.
_FEWEST = 3
# Up to so many cells a rank statistic is computed anew in each resample; beyond, only its first-order part.
FULL_TABLE = 65_536
# Up to so many rows the order of every two is looked at for all columns at once; beyond, they would fill the memory.
_ALL_PAIRS = 512
# Below this share of the squares a variance is rounding.
_ROUNDING = 1e-12


def pearson(table: CrossTable, weights: Floats) -> CellStatistic:
    n = max(1.0, float(weights.sum()))
    x, y = table.judge - weights @ table.judge / n, table.human - weights @ table.human / n
    return CellStatistic(_pearson_of_sums, np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y]))


def _pearson_of_sums(sums: Floats) -> Floats:
    n, x, y, xx, yy, xy = sums
    total = np.maximum(n, 1)
    spread_x, spread_y = xx - x * x / total, yy - y * y / total
    spread_x = np.where(spread_x <= _ROUNDING * xx, 0, spread_x)
    spread_y = np.where(spread_y <= _ROUNDING * yy, 0, spread_y)
    return correlate_spreads(xy - x * y / total, spread_x, spread_y, n)


def spearman(table: CrossTable, weights: Floats) -> CellStatistic:
    """Pearson's coefficient of mid-ranks; a resample's ranks are running sums over values that are sorted once."""
    if table.size > FULL_TABLE:
        return _project(project_spearman(table, weights), float(weights.sum()))

    def formula(weights: Floats) -> Floats:
        judge, human = table.judge_totals(weights), table.human_totals(weights)
        n = judge.sum(axis=0)
        judge_ranks = np.cumsum(judge, axis=0) - (judge + n) / 2
        human_ranks = np.cumsum(human, axis=0) - (human + n) / 2
        shared = judge_ranks[table.judge_codes] * human_ranks[table.human_codes] * weights
        spreads = (np.sum(judge * judge_ranks**2, axis=0), np.sum(human * human_ranks**2, axis=0))
        return correlate_spreads(shared.sum(axis=0), *spreads, n)

    return CellStatistic(formula)


def kendall(table: CrossTable, weights: Floats) -> CellStatistic:
    """Tau-b: concordant less discordant pairs, over those that are tied in neither list."""
    if table.size > FULL_TABLE:
        return _project(project_kendall(table, weights), float(weights.sum()))

    def formula(weights: Floats) -> Floats:
        n = weights.sum(axis=0)
        untied_judge = n * n - np.sum(table.judge_totals(weights) ** 2, axis=0)
        untied_human = n * n - np.sum(table.human_totals(weights) ** 2, axis=0)
        return correlate_spreads(2 * balance_concordance(table.spread(weights)), untied_judge, untied_human, n)

    return CellStatistic(formula, breadth=table.size)


def _project(slopes: Floats, n: float) -> CellStatistic:
    """A rank statistic of many distinct values, by what each cell adds to it at the observed weights.

    It is exact for the observed items; what it leaves out of a resample shrinks with n, which is large here.
    """

    def formula(sums: Floats) -> Floats:
        shared, judge, human = sums[1:] / sums[0] * n
        return correlate_spreads(shared, np.maximum(judge, 0), np.maximum(human, 0), sums[0])

    return CellStatistic(formula, np.column_stack([np.ones(len(slopes)), slopes]))


def correlate_spreads(shared: Floats, spread_x: Floats, spread_y: Floats, n: Floats) -> Floats:
    """A coefficient of correlation, undefined where either side is constant or there are fewer than three items."""
    scale = np.where(n >= _FEWEST, np.sqrt(spread_x) * np.sqrt(spread_y), 0)
    return np.clip(divide(shared, scale), -1, 1)


def correlate_columns(coefficient: Coefficient, x: Floats, y: Floats) -> Floats:
    """The coefficient of each column of x with the same column of y, every row counting once."""
    from scipy.stats import rankdata

    if coefficient == "kendall" and len(x) > _ALL_PAIRS:
        return np.array([_correlate_orders(*column) for column in zip(x.T, y.T, strict=True)])
    if coefficient == "kendall":
        signs_x, signs_y = (np.sign(each[:, None] - each[None]) for each in (x, y))
        shared, untied_x, untied_y = (
            np.einsum("ijr,ijr->r", first, second)
            for first, second in ((signs_x, signs_y), (signs_x, signs_x), (signs_y, signs_y))
        )
        return correlate_spreads(shared, untied_x, untied_y, np.full(x.shape[1], len(x)))
    if coefficient == "spearman":
        x, y = rankdata(x, axis=0), rankdata(y, axis=0)
    x, y = x - x.mean(axis=0), y - y.mean(axis=0)
    spreads = [np.where(np.abs(each).max(axis=0) > _ROUNDING, np.sum(each * each, axis=0), 0) for each in (x, y)]
    return correlate_spreads(np.sum(x * y, axis=0), spreads[0], spreads[1], np.full(x.shape[1], len(x)))


def _correlate_orders(x: Floats, y: Floats) -> float:
    table = CrossTable.of(x, y)
    weights = table.count(table.cell_of_item)
    return float(kendall(table, weights).of_weights(weights[:, None])[0])


CORRELATIONS: Mapping[Coefficient, Statistic] = {"spearman": spearman, "kendall": kendall, "pearson": pearson}
