"""The distinct pairs of values that judge and person gave, and statistics of how often each occurs."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from assay.agreement.pairs import Floats, Integers, Pairs
from assay.agreement.tally import Formula, Tally, tally_sums


@dataclass(frozen=True, slots=True, eq=False)
class CrossTable:
    """Cells are the pairs of values that occur, ordered by the judge's value, then the person's."""

    judge_values: Floats
    human_values: Floats
    judge_codes: Integers
    human_codes: Integers
    cell_of_item: Integers
    judge_starts: Integers
    human_order: Integers
    human_starts: Integers

    @classmethod
    def of(cls, judge: Floats, human: Floats) -> Self:
        judge_values, judge_codes = np.unique(judge, return_inverse=True)
        human_values, human_codes = np.unique(human, return_inverse=True)
        width = max(1, len(human_values))
        keys, cells = np.unique(judge_codes.reshape(-1) * width + human_codes.reshape(-1), return_inverse=True)
        rows, columns = keys // width, keys % width
        order = np.argsort(columns, kind="stable")
        return cls(
            judge_values=judge_values,
            human_values=human_values,
            judge_codes=rows,
            human_codes=columns,
            cell_of_item=cells.reshape(-1).astype(np.int64),
            judge_starts=np.searchsorted(rows, np.arange(len(judge_values))),
            human_order=order,
            human_starts=np.searchsorted(columns[order], np.arange(len(human_values))),
        )

    @property
    def cell_count(self) -> int:
        return len(self.judge_codes)

    @property
    def size(self) -> int:
        """Cells of the full table, those that do not occur included."""
        return len(self.judge_values) * len(self.human_values)

    @property
    def judge(self) -> Floats:
        """The judge's value of each cell."""
        return self.judge_values[self.judge_codes]

    @property
    def human(self) -> Floats:
        return self.human_values[self.human_codes]

    def count(self, cells: Integers) -> Floats:
        """How many of the given items' cells each cell is."""
        return np.bincount(cells, minlength=self.cell_count).astype(np.float64)

    def spread(self, weights: Floats) -> Floats:
        """Cell weights (cells by resamples) as full tables (judge's values by person's values by resamples)."""
        full = np.zeros((self.size, weights.shape[1]))
        full[self.judge_codes * len(self.human_values) + self.human_codes] = weights
        return full.reshape(len(self.judge_values), len(self.human_values), -1)

    def judge_totals(self, weights: Floats) -> Floats:
        """How often each of the judge's values is given, in each resample."""
        return np.add.reduceat(weights, self.judge_starts, axis=0)

    def human_totals(self, weights: Floats) -> Floats:
        return np.add.reduceat(weights[self.human_order], self.human_starts, axis=0)


@dataclass(frozen=True, slots=True, eq=False)
class CellStatistic:
    """A formula of the cells' weights, or, where `shares` says what a cell adds to each, of a few sums over cells."""

    formula: Formula
    shares: Floats | None = None
    breadth: int = 0

    def of_weights(self, weights: Floats) -> Floats:
        return self.formula(weights if self.shares is None else self.shares.T @ weights)


# Made for a table and the weights around which it will be evaluated.
Statistic = Callable[[CrossTable, Floats], CellStatistic]


def tally_pairs(pairs: Pairs, statistic: Statistic) -> Tally:
    """A statistic of judge and person, ready to be resampled by cluster."""
    table = CrossTable.of(pairs.judge, pairs.human)
    made = statistic(table, table.count(table.cell_of_item))
    if made.shares is not None:
        shares = made.shares[table.cell_of_item]
        return tally_sums(shares, pairs.clusters, pairs.cluster_count, made.formula)
    return Tally(
        clusters=pairs.clusters,
        rows=table.cell_of_item,
        amounts=np.ones(pairs.n),
        cluster_count=pairs.cluster_count,
        row_count=table.cell_count,
        formula=made.formula,
        n=pairs.n,
        breadth=made.breadth,
    )
