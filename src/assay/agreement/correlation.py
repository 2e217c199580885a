"""Whether the judge orders or scales items as people do: Spearman, Kendall tau-b and Pearson, at three levels."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import (
    DEFAULT,
    Cells,
    CellStatistic,
    ClusterStatistic,
    Formula,
    Resampling,
    build_cells,
    divide,
    estimate,
    resample_pairs,
    sum_clusters,
)
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats, Pairs

Coefficient = Literal["spearman", "kendall", "pearson"]

# Two points always lie on a line.
_FEWEST = 3
# Up to this many combinations of values, Kendall's tau is computed by running sums over all resamples at once.
_FULL_TABLE = 65_536
# Below this share of the squares a spread is rounding.
_ROUNDING = 1e-20


def pearson(cells: Cells) -> Formula:
    x, y = cells.judge.values[:, None], cells.human.values[:, None]

    def formula(weights: Floats) -> Floats:
        n = np.maximum(weights.sum(axis=0), 1)
        return _correlate(x - x.T @ weights / n, y - y.T @ weights / n, weights, (x, y))

    return formula


def spearman(cells: Cells) -> Formula:
    """Pearson's coefficient of mid-ranks; the ranks of a resample are running sums over sorted values."""

    def formula(weights: Floats) -> Floats:
        ranks = []
        for side in (cells.judge, cells.human):
            totals = side.total(weights)
            ranks.append((np.cumsum(totals, axis=0) - (totals + totals.sum(axis=0)) / 2)[side.codes])
        return _correlate(ranks[0], ranks[1], weights, (ranks[0], ranks[1]))

    return formula


def _correlate(x: Floats, y: Floats, weights: Floats, given: tuple[Floats, Floats]) -> Floats:
    """Of centred values. Undefined where either side is constant or there are fewer than three items."""
    spreads = [np.sum(each * each * weights, axis=0) for each in (x, y)]
    squares = [np.sum(each * each * weights, axis=0) for each in given]
    varies = [spread > _ROUNDING * square for spread, square in zip(spreads, squares, strict=True)]
    is_defined = varies[0] & varies[1] & (weights.sum(axis=0) >= _FEWEST)
    scale = np.where(is_defined, np.sqrt(spreads[0]) * np.sqrt(spreads[1]), 0)
    return np.clip(divide(np.sum(x * y * weights, axis=0), scale), -1, 1)


def kendall(cells: Cells) -> Formula:
    """Tau-b. Of many distinct values each resample is computed by scipy, one by one."""
    size = (len(cells.judge.distinct), len(cells.human.distinct))
    if size[0] * size[1] > _FULL_TABLE:
        return lambda weights: np.array([_kendall_of_items(cells, column) for column in weights.T])
    places = cells.judge.codes * size[1] + cells.human.codes

    def formula(weights: Floats) -> Floats:
        flat = np.zeros((size[0] * size[1], weights.shape[1]))
        flat[places] = weights
        table = flat.reshape(*size, -1)
        smaller = np.cumsum(table, axis=0) - table
        left = np.cumsum(smaller, axis=1) - smaller
        right = smaller.sum(axis=1, keepdims=True) - left - smaller
        balance = 2 * np.einsum("ijr,ijr->r", table, left - right)
        n = weights.sum(axis=0)
        untied = [n * n - np.sum(side.total(weights) ** 2, axis=0) for side in (cells.judge, cells.human)]
        scale = np.where(n >= _FEWEST, np.sqrt(untied[0]) * np.sqrt(untied[1]), 0)
        return np.clip(divide(balance, scale), -1, 1)

    return formula


def _kendall_of_items(cells: Cells, weights: Floats) -> float:
    from scipy.stats import kendalltau

    items = np.repeat(np.arange(cells.count), weights.astype(np.int64))
    x, y = cells.judge.values[items], cells.human.values[items]
    is_defined = len(items) >= _FEWEST and np.ptp(x) > 0 and np.ptp(y) > 0
    return float(kendalltau(x, y).statistic) if is_defined else float("nan")


CORRELATIONS: Mapping[Coefficient, CellStatistic] = {"spearman": spearman, "kendall": kendall, "pearson": pearson}


def correlate(coefficient: Coefficient, x: Floats, y: Floats) -> float:
    """The plain coefficient of two lists, NaN where it is undefined."""
    if len(x) < _FEWEST:
        return float("nan")
    cells = build_cells(x, y)
    weights = np.bincount(cells.cell_of_item, minlength=cells.count).astype(np.float64)
    return float(CORRELATIONS[coefficient](cells)(weights[:, None])[0])


def correlate_records(pairs: Pairs, coefficient: Coefficient, resampling: Resampling = DEFAULT) -> Estimate:
    """Over all records at once."""
    return estimate(resample_pairs(pairs, CORRELATIONS[coefficient]), resampling)


def correlate_within_items(
    pairs: Pairs, coefficient: Coefficient, *, undefined_as_zero: bool = False, resampling: Resampling = DEFAULT
) -> Estimate:
    """Within each cluster, then averaged over clusters. Undefined ones are counted and left out, or counted as 0."""
    order = np.argsort(pairs.clusters, kind="stable")
    ends = np.cumsum(np.bincount(pairs.clusters, minlength=pairs.cluster_count))
    parts = np.split(order, ends[:-1]) if pairs.n else []
    values = np.array([correlate(coefficient, pairs.judge[part], pairs.human[part]) for part in parts])
    is_counted = np.ones(len(values)) if undefined_as_zero else np.isfinite(values).astype(np.float64)
    sums = sum_clusters(
        np.column_stack([is_counted, np.nan_to_num(values)]),
        np.arange(len(values)),
        pairs.cluster_count,
        lambda totals: divide(totals[1], totals[0]),
    )
    undefined = int(np.isnan(values).sum())
    return estimate(
        ClusterStatistic(sums.formula, sums.cluster_count, sums.filled, int(is_counted.sum()), undefined), resampling
    )


def correlate_systems(pairs: Pairs, coefficient: Coefficient, resampling: Resampling = DEFAULT) -> Estimate:
    """Of the systems' mean values. Items are resampled, systems are not: the figure is about these systems alone."""
    if pairs.systems is None:
        raise ValueError("these pairs do not say which system made each item")
    from scipy.sparse import csr_array

    count = int(pairs.systems.max(initial=-1)) + 1
    amounts = np.concatenate([np.ones(pairs.n), pairs.judge, pairs.human])
    rows = np.concatenate([pairs.systems + offset for offset in (0, count, 2 * count)])
    shape = (3 * count, pairs.cluster_count)
    matrix = csr_array((amounts, (rows, np.tile(pairs.clusters, 3))), shape=shape)

    def formula(counts: Floats) -> Floats:
        items, judge, human = (matrix @ counts).reshape(3, count, -1)
        # Rounded, so that systems with equal means still tie after sums in another order.
        means = [np.round(divide(totals, items), 10).T for totals in (judge, human)]
        pairs_of_means = zip(*means, strict=True)
        return np.array([correlate(coefficient, x, y) if np.isfinite(x).all() else np.nan for x, y in pairs_of_means])

    filled = len(np.unique(pairs.clusters))
    return estimate(ClusterStatistic(formula, pairs.cluster_count, filled, count, breadth=3 * count), resampling)
