"""Correlation at a named level: over all items, within groups and then averaged, or over systems."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from assay.agreement.bootstrap import DEFAULT, Resampling, estimate
from assay.agreement.correlation import CORRELATIONS, Coefficient, correlate_columns
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats, Integers, Pairs
from assay.agreement.table import CrossTable, Statistic, tally_pairs
from assay.agreement.tally import Tally, divide, tally_sums

# So many items together have a small enough table for every group to be computed by itself.
_ITEMS_AT_ONCE = 64


def correlate_items(pairs: Pairs, coefficient: Coefficient, resampling: Resampling = DEFAULT) -> Estimate:
    """Over all items at once."""
    return estimate(tally_pairs(pairs, CORRELATIONS[coefficient]), resampling)


def correlate_within_groups(
    pairs: Pairs, coefficient: Coefficient, *, undefined_as_zero: bool = False, resampling: Resampling = DEFAULT
) -> Estimate:
    """Within each group, then averaged over groups, each counting once.

    Groups where it is undefined (constant values, fewer than three items) are counted and left out, or counted as 0.
    """
    return estimate(tally_groups(pairs, CORRELATIONS[coefficient], undefined_as_zero=undefined_as_zero), resampling)


def correlate_systems(pairs: Pairs, coefficient: Coefficient, resampling: Resampling = DEFAULT) -> Estimate:
    """Of the systems' mean values. Documents are resampled, systems are not: it speaks of these systems alone."""
    return estimate(tally_systems(pairs, coefficient), resampling)


def tally_groups(pairs: Pairs, statistic: Statistic, *, undefined_as_zero: bool = False) -> Tally:
    """The mean over groups of a statistic within each. A group's items must be of one cluster."""
    owner = np.zeros(int(pairs.groups.max()) + 1 if pairs.n else 0, np.int64)
    owner[pairs.groups] = pairs.clusters
    if np.any(owner[pairs.groups] != pairs.clusters):
        raise ValueError("a group's items are of several clusters: cluster by the group, or by what holds whole groups")
    values = evaluate_groups(pairs, statistic)
    undefined = int(np.sum(np.isnan(values)))
    counted = np.ones(len(values)) if undefined_as_zero else np.isfinite(values).astype(np.float64)
    contributions = np.column_stack([counted, np.nan_to_num(values)])
    tally = tally_sums(contributions, owner, pairs.cluster_count, lambda sums: divide(sums[1], sums[0]))
    return replace(tally, n=int(counted.sum()), undefined=undefined)


def evaluate_groups(pairs: Pairs, statistic: Statistic) -> Floats:
    """The statistic of each group by itself, NaN where it is undefined."""
    values = np.full(int(pairs.groups.max()) + 1 if pairs.n else 0, np.nan)
    order = np.argsort(pairs.groups, kind="stable")
    for items in _split(order, np.bincount(pairs.groups)):
        table = CrossTable.of(pairs.judge[items], pairs.human[items])
        groups, columns = np.unique(pairs.groups[items], return_inverse=True)
        weights = np.zeros((table.cell_count, len(groups)))
        np.add.at(weights, (table.cell_of_item, columns.reshape(-1)), 1)
        values[groups] = statistic(table, table.count(table.cell_of_item)).of_weights(weights)
    return values


def _split(order: Integers, sizes: Integers) -> Iterator[Integers]:
    """Whole groups, as many at once as have small tables together; a larger group comes alone."""
    ends = np.cumsum(sizes)
    start = 0
    while start < len(order):
        reach = int(np.searchsorted(ends, start + _ITEMS_AT_ONCE, side="right"))
        end = int(ends[max(reach - 1, int(np.searchsorted(ends, start, side="right")))])
        yield order[start:end]
        start = end


def tally_systems(pairs: Pairs, coefficient: Coefficient) -> Tally:
    if pairs.systems is None:
        raise ValueError("these pairs do not say which system made each item")
    count = int(pairs.systems.max()) + 1 if pairs.n else 0

    def formula(sums: Floats) -> Floats:
        items, judge, human = sums.reshape(3, count, -1)
        # Rounded, so that systems that tie still tie after sums in another order; one without items has no mean.
        means = [np.round(divide(totals, items), 10) for totals in (judge, human)]
        whole = np.isfinite(means[0]).all(axis=0)
        values = np.full(sums.shape[1], np.nan)
        if whole.any():
            values[whole] = correlate_columns(coefficient, means[0][:, whole], means[1][:, whole])
        return values

    amounts = np.concatenate([np.ones(pairs.n), pairs.judge, pairs.human])
    return Tally(
        clusters=np.tile(pairs.clusters, 3),
        rows=np.concatenate([pairs.systems + offset for offset in (0, count, 2 * count)]),
        amounts=amounts,
        cluster_count=pairs.cluster_count,
        row_count=3 * count,
        formula=formula,
        n=count,
        breadth=count * count,
    )
