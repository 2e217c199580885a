"""Intervals of any statistic by resampling clusters: bias-corrected and accelerated (BCa), wider for few clusters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

import numpy as np

from assay.agreement.estimate import Estimate, caution_about_size, student
from assay.agreement.pairs import Floats, Integers, Pairs

# A resample of fewer clusters than this has too few outcomes for an interval.
FEWEST_CLUSTERS = 5
_MOST_UNDEFINED = 0.1
# With more clusters than this, blocks of clusters are left out for the acceleration instead of single ones.
_MOST_LEFT_OUT = 200
# The same seed draws the same clusters, so that figures can be reproduced.
ROUNDS, _SEED = 1000, 0
_NUMBERS_AT_ONCE = 2_000_000
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True, eq=False)
class ClusterStatistic:
    """A statistic as a function of how often each cluster counts: a row per resample, a column per cluster.

    It is NaN where it is undefined. `filled` counts clusters with data.
    """

    evaluate: Callable[[Integers], Floats]
    cluster_count: int
    filled: int
    n: int

    @property
    def value(self) -> float | None:
        found = self.evaluate(np.ones((1, self.cluster_count), dtype=np.int64))[0] if self.n else np.nan
        return float(found) if np.isfinite(found) else None


PairStatistic = Callable[[Pairs], ClusterStatistic]


def resample_items(pairs: Pairs, formula: Callable[[Floats], Floats]) -> ClusterStatistic:
    """A statistic that needs all items at once, such as one of ranks.

    Its formula gets how often each item counts: a row per resample and a column per item.
    """

    def evaluate(counts: Integers) -> Floats:
        blocks = np.array_split(counts, 1 + len(counts) * pairs.n // _NUMBERS_AT_ONCE)
        return np.concatenate([formula(block[:, pairs.clusters].astype(np.float64)) for block in blocks])

    return ClusterStatistic(evaluate, pairs.cluster_count, len(np.unique(pairs.clusters)), pairs.n)


def resample_sums(
    contributions: Floats, clusters: Integers, cluster_count: int, formula: Callable[[Floats], Floats]
) -> ClusterStatistic:
    """A formula of sums over items: it gets a row per column of `contributions` and a column per resample."""
    sums = np.zeros((cluster_count, contributions.shape[1]))
    np.add.at(sums, clusters, contributions)

    def evaluate(counts: Integers) -> Floats:
        blocks = np.array_split(counts, 1 + counts.size // _NUMBERS_AT_ONCE)
        return formula(np.concatenate([block @ sums for block in blocks]).T)

    return ClusterStatistic(evaluate, cluster_count, int((sums != 0).any(axis=1).sum()), len(contributions))


def combine(parts: Sequence[ClusterStatistic], merge: Callable[[Floats], Floats]) -> ClusterStatistic:
    """A statistic of statistics over the same clusters; `merge` gets a row per part and a column per resample."""
    if len({part.cluster_count for part in parts}) != 1:
        raise ValueError("only statistics of the same clusters can be combined")
    return ClusterStatistic(
        lambda counts: merge(np.stack([part.evaluate(counts) for part in parts])),
        parts[0].cluster_count,
        max(part.filled for part in parts),
        max(part.n for part in parts),
    )


def estimate(statistic: ClusterStatistic) -> Estimate:
    """The statistic with its 95 % interval: none where it is undefined, or there are fewer than five clusters."""
    value, filled = statistic.value, statistic.filled
    found = Estimate(value, None, statistic.n, filled)
    if value is None:
        return found
    found = found.warned(*caution_about_size(statistic.n, filled))
    if filled < FEWEST_CLUSTERS:
        return found.warned(f"too few source groups for an interval: {filled}, at least {FEWEST_CLUSTERS} are needed")
    values = statistic.evaluate(draw_counts(statistic.cluster_count, ROUNDS))
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
def draw_counts(clusters: int, rounds: int) -> Integers:
    """How often each cluster is drawn in each round; all statistics of one table share the draws."""
    chance = np.random.default_rng(_SEED)
    drawn = (chance.integers(0, clusters, clusters) for _ in range(rounds))
    return np.stack([np.bincount(each, minlength=clusters) for each in drawn])


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
    kept = np.arange(blocks)[:, None] != np.arange(statistic.cluster_count) % blocks
    values = statistic.evaluate(kept.astype(np.int64))
    changes = values[np.isfinite(values)]
    changes = changes.mean() - changes if len(changes) else changes
    squares = float(np.sum(changes**2))
    return float(np.sum(changes**3)) / (6 * squares**1.5) if squares > 1e-20 else 0.0


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """The quotient, NaN where the denominator is 0."""
    result = np.full(np.broadcast(numerator, denominator).shape, np.nan)
    np.divide(numerator, denominator, out=result, where=denominator != 0)
    return result
