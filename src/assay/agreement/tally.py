"""What each cluster adds to a statistic, so that a resample is a sum and never a second pass over the items."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from assay.agreement.pairs import Floats, Integers

# Takes sums (a row per quantity, a column per resample) to the statistic of each column, NaN where it is undefined.
Formula = Callable[[Floats], Floats]

_CHUNK = 500_000


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """A statistic that is a formula of sums over clusters, kept as entries: cluster, row, amount.

    `breadth` is how many numbers the formula handles per resample, where that is more than the rows.
    """

    clusters: Integers
    rows: Integers
    amounts: Floats
    cluster_count: int
    row_count: int
    formula: Formula
    n: int
    undefined: int = 0
    breadth: int = 0

    @property
    def value(self) -> float | None:
        """The statistic of all clusters, each taken once; None where it is undefined."""
        totals = sum_by(self.rows, self.amounts, self.row_count)
        found = float(self.formula(totals[:, None])[0]) if self.n else float("nan")
        return found if np.isfinite(found) else None

    @property
    def filled(self) -> int:
        """Clusters that add anything."""
        return len(np.unique(self.clusters[self.amounts != 0]))

    def evaluate(self, counts: Floats) -> Floats:
        """The statistic of each resample; a column of `counts` says how often each cluster is in it."""
        from scipy.sparse import csr_array

        shape = (self.row_count, self.cluster_count)
        matrix = csr_array((self.amounts, (self.rows, self.clusters)), shape=shape)
        size = max(8, _CHUNK // max(1, self.row_count, self.breadth))
        starts = range(0, counts.shape[1], size)
        return np.concatenate([self.formula(matrix @ counts[:, start : start + size]) for start in starts])


def tally_sums(contributions: Floats, clusters: Integers, cluster_count: int, formula: Formula) -> Tally:
    """A statistic of sums over items: a row of `contributions` per item, a column per quantity."""
    sums = np.zeros((contributions.shape[1], cluster_count))
    for row, column in zip(sums, contributions.T, strict=True):
        row[:] = sum_by(clusters, column, cluster_count)
    rows, columns = np.indices(sums.shape)
    return Tally(
        clusters=columns.ravel(),
        rows=rows.ravel(),
        amounts=sums.ravel(),
        cluster_count=cluster_count,
        row_count=len(sums),
        formula=formula,
        n=len(contributions),
    )


def combine(tallies: Sequence[Tally], merge: Formula) -> Tally:
    """A statistic of statistics over the same clusters; `merge` gets a row per tally and a column per resample."""
    if len({tally.cluster_count for tally in tallies}) != 1:
        raise ValueError("only tallies of the same clusters can be combined")
    ends = np.cumsum([tally.row_count for tally in tallies])
    starts = ends - np.array([tally.row_count for tally in tallies])
    parts = list(zip(tallies, starts, ends, strict=True))

    def formula(sums: Floats) -> Floats:
        return merge(np.stack([tally.formula(sums[start:end]) for tally, start, end in parts]))

    return Tally(
        clusters=np.concatenate([tally.clusters for tally in tallies]),
        rows=np.concatenate([tally.rows + start for tally, start, _ in parts]),
        amounts=np.concatenate([tally.amounts for tally in tallies]),
        cluster_count=tallies[0].cluster_count,
        row_count=int(ends[-1]),
        formula=formula,
        n=max(tally.n for tally in tallies),
        undefined=sum(tally.undefined for tally in tallies),
        breadth=sum(max(tally.breadth, tally.row_count) for tally in tallies),
    )


def sum_by(codes: Integers, amounts: Floats, count: int) -> Floats:
    """The sum of the amounts of each code from 0 to `count`."""
    return np.asarray(np.bincount(codes, amounts, count), dtype=np.float64)


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """The quotient, NaN where the denominator is 0."""
    result = np.full(np.broadcast(numerator, denominator).shape, np.nan)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result
