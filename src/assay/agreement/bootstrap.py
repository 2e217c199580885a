"""Intervals of any statistic by resampling clusters: bias-corrected and accelerated (BCa), wider for few clusters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from assay.agreement.estimate import Estimate, caution_about_size, student
from assay.agreement.pairs import Floats, Integers, Pairs

# Takes sums (a row per quantity, a column per resample) to the statistic of each column, NaN where it is undefined.
Formula = Callable[[Floats], Floats]

# A resample of fewer clusters than this has too few outcomes for an interval.
FEWEST_CLUSTERS = 5
_MOST_UNDEFINED = 0.1
# With more clusters than this, blocks of clusters are left out for the acceleration instead of single ones.
_MOST_LEFT_OUT = 200
_NUMBERS_AT_ONCE = 500_000
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Resampling:
    """The same seed draws the same clusters, so that figures can be reproduced."""

    rounds: int = 1000
    seed: int = 0


DEFAULT = Resampling()


@dataclass(frozen=True, slots=True, eq=False)
class ClusterStatistic:
    """A statistic as a function of how often each cluster counts (a row per cluster, a column per resample).

    `filled` counts clusters with data; `breadth` is how many numbers a resample needs, which limits how many resamples
    are computed at once.
    """

    formula: Formula
    cluster_count: int
    filled: int
    n: int
    undefined: int = 0
    breadth: int = 1

    @property
    def value(self) -> float | None:
        found = float(self.formula(np.ones((self.cluster_count, 1)))[0]) if self.n else float("nan")
        return found if np.isfinite(found) else None

    def evaluate(self, counts: npt.NDArray[np.generic]) -> Floats:
        size = max(1, _NUMBERS_AT_ONCE // max(1, self.breadth, self.cluster_count))
        starts = range(0, counts.shape[1], size)
        return np.concatenate([self.formula(counts[:, at : at + size].astype(np.float64)) for at in starts])


def sum_clusters(contributions: Floats, clusters: Integers, cluster_count: int, formula: Formula) -> ClusterStatistic:
    """A formula of sums over items: `contributions` has a row per item and a column per quantity."""
    sums = np.zeros((cluster_count, contributions.shape[1]))
    np.add.at(sums, clusters, contributions)
    filled = int((sums != 0).any(axis=1).sum())
    return ClusterStatistic(lambda counts: formula(sums.T @ counts), cluster_count, filled, len(contributions))


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One side's value of every cell. `distinct` are its values in order, `codes` the place of each cell's value."""

    values: Floats
    distinct: Floats
    codes: Integers
    order: Integers
    starts: Integers

    def total(self, weights: Floats) -> Floats:
        """How often each distinct value is given, in each resample."""
        return np.add.reduceat(weights[self.order], self.starts, axis=0)


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The distinct pairs of values that occur. A statistic of pairs is a formula of how often each cell occurs."""

    judge: Side
    human: Side
    cell_of_item: Integers

    @property
    def count(self) -> int:
        return len(self.judge.values)


CellStatistic = Callable[[Cells], Formula]


def build_cells(judge: Floats, human: Floats) -> Cells:
    pairs, cells = np.unique(np.column_stack([judge, human]), axis=0, return_inverse=True)
    return Cells(_build_side(pairs[:, 0]), _build_side(pairs[:, 1]), cells.reshape(-1).astype(np.int64))


def _build_side(values: Floats) -> Side:
    distinct, codes = np.unique(values, return_inverse=True)
    order = np.argsort(codes.reshape(-1), kind="stable")
    return Side(
        values, distinct, codes.reshape(-1), order, np.searchsorted(codes.reshape(-1)[order], range(len(distinct)))
    )


def resample_pairs(pairs: Pairs, statistic: CellStatistic) -> ClusterStatistic:
    """A statistic of judge and person, ready to be resampled by cluster."""
    from scipy.sparse import csr_array

    cells = build_cells(pairs.judge, pairs.human)
    shape = (cells.count, pairs.cluster_count)
    matrix = csr_array((np.ones(pairs.n), (cells.cell_of_item, pairs.clusters)), shape=shape)
    formula = statistic(cells)
    filled = len(np.unique(pairs.clusters))
    return ClusterStatistic(
        lambda counts: formula(matrix @ counts), pairs.cluster_count, filled, pairs.n, breadth=cells.count
    )


def combine(parts: Sequence[ClusterStatistic], merge: Formula) -> ClusterStatistic:
    """A statistic of statistics over the same clusters; `merge` gets a row per part and a column per resample."""
    if len({part.cluster_count for part in parts}) != 1:
        raise ValueError("only statistics of the same clusters can be combined")
    return ClusterStatistic(
        lambda counts: merge(np.stack([part.formula(counts) for part in parts])),
        parts[0].cluster_count,
        max(part.filled for part in parts),
        max(part.n for part in parts),
        sum(part.undefined for part in parts),
        max(part.breadth for part in parts),
    )


def estimate(statistic: ClusterStatistic, resampling: Resampling = DEFAULT) -> Estimate:
    """The statistic with its 95 % interval: none where it is undefined, or there are fewer than five clusters."""
    value, filled = statistic.value, statistic.filled
    found = Estimate(value, None, statistic.n, filled, statistic.undefined)
    if value is None:
        return found
    found = found.warned(*caution_about_size(statistic.n, filled))
    if filled < FEWEST_CLUSTERS:
        return found.warned(f"{filled} clusters are too few to resample: no interval")
    values = statistic.evaluate(draw_counts(statistic.cluster_count, resampling))
    defined = values[np.isfinite(values)]
    lost = len(values) - len(defined)
    if lost:
        found = found.warned(f"undefined in {lost} of {len(values)} resamples")
    if lost > _MOST_UNDEFINED * len(values):
        return found.warned("undefined in too many resamples: no interval")
    if np.ptp(defined) <= 1e-12:
        return found.warned("every resample gives the same value: no interval")
    low, high = np.quantile(defined, _find_percentiles(statistic, value, defined))
    return replace(found, interval=(float(min(low, value)), float(max(high, value))))


@lru_cache(maxsize=2)
def draw_counts(clusters: int, resampling: Resampling) -> npt.NDArray[np.uint16]:
    """How often each cluster is drawn in each round; all statistics of one table share the draws."""
    chance = np.random.default_rng(resampling.seed)
    counts = np.empty((clusters, resampling.rounds), dtype=np.uint16)
    for number in range(resampling.rounds):
        counts[:, number] = np.bincount(chance.integers(0, clusters, clusters), minlength=clusters)
    return counts


def _find_percentiles(statistic: ClusterStatistic, value: float, resampled: Floats) -> tuple[float, float]:
    """Moved by how far the resamples lie to one side of the value, and by how fast the error changes with it."""
    rounds = len(resampled)
    below = float(np.mean(resampled < value) + np.mean(resampled == value) / 2)
    bias = _NORMAL.inv_cdf(min(1 - 1 / rounds, max(1 / rounds, below)))
    rate, reach = accelerate(statistic), expand(statistic.filled)
    low, high = (bias + (bias + side) / max(0.1, 1 - rate * (bias + side)) for side in (-reach, reach))
    return _NORMAL.cdf(low), _NORMAL.cdf(high)


def expand(clusters: int) -> float:
    """Resampling divides by k where a variance divides by k - 1, and few clusters need Student's quantile."""
    return sqrt(clusters / (clusters - 1)) * student(clusters - 1)


def accelerate(statistic: ClusterStatistic) -> float:
    """The skewness of the change when single clusters, or blocks of them, are left out, divided by 6."""
    blocks = min(statistic.cluster_count, _MOST_LEFT_OUT)
    kept = np.arange(statistic.cluster_count)[:, None] % blocks != np.arange(blocks)
    values = statistic.evaluate(kept)
    changes = values[np.isfinite(values)]
    changes = changes.mean() - changes if len(changes) else changes
    squares = float(np.sum(changes**2))
    return float(np.sum(changes**3)) / (6 * squares**1.5) if squares > 1e-20 else 0.0


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """The quotient, NaN where the denominator is 0."""
    result = np.full(np.broadcast(numerator, denominator).shape, np.nan)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result
