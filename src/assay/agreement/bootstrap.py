"""Intervals by resampling clusters, widened for how few they are."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt

import numpy as np
import numpy.typing as npt

from assay.agreement.cautions import caution_about_size
from assay.agreement.estimate import Estimate
from assay.agreement.mean import student
from assay.agreement.pairs import Floats
from assay.agreement.tally import Tally

Counts = npt.NDArray[np.uint16]

METHOD = "cluster bootstrap, expanded BCa"
# A resample of fewer clusters than this has too few outcomes to tell how far off the estimate may be.
FEWEST_CLUSTERS = 5
_AT_ONCE = 4_000_000
_KEPT = 20_000_000
_MOST_UNDEFINED = 0.1
# Beyond so many clusters, blocks of them are left out instead of each.
_MOST_LEFT_OUT = 200


@dataclass(frozen=True, slots=True)
class Resampling:
    """The same seed draws the same clusters, so that figures can be had again."""

    rounds: int = 1000
    seed: int = 0


DEFAULT = Resampling()


def estimate(tally: Tally, resampling: Resampling = DEFAULT, method: str = METHOD) -> Estimate:
    """The statistic with its 95 % interval: none where it is undefined, or there are fewer than five clusters."""
    value, filled = tally.value, tally.filled
    found = Estimate(value, None, tally.n, filled, tally.undefined, method)
    if value is None:
        return found
    found = found.warned(*caution_about_size(tally.n, filled))
    if filled < FEWEST_CLUSTERS:
        return found.warned(f"{filled} clusters are too few to resample: no interval")
    values = resample(tally, resampling)
    defined = values[np.isfinite(values)]
    lost = len(values) - len(defined)
    warnings = [f"undefined in {lost} of {len(values)} resamples"] if lost else []
    if lost > _MOST_UNDEFINED * len(values):
        return found.warned(f"{warnings[0]}: no interval")
    if np.ptp(defined) <= 1e-12:
        return found.warned("every resample gives the same value: no interval")
    low, high = np.quantile(defined, place_percentiles(tally, value, defined))
    interval = (float(min(low, value)), float(max(high, value)))
    return replace(found, interval=interval).warned(*warnings)


def resample(tally: Tally, resampling: Resampling = DEFAULT) -> Floats:
    """The statistic of each round, NaN where it is undefined."""
    draws = draw_counts(tally.cluster_count, resampling)
    return np.concatenate([tally.evaluate(counts) for counts in draws])


def draw_counts(clusters: int, resampling: Resampling) -> Iterator[Floats]:
    """How often each cluster (a row) is drawn in each round (a column), in parts that fit in memory."""
    size = max(1, _AT_ONCE // clusters)
    if clusters * resampling.rounds <= _KEPT:
        kept = _draw_once(clusters, resampling)
        for start in range(0, resampling.rounds, size):
            yield kept[:, start : start + size].astype(np.float64)
        return
    chance = np.random.default_rng(resampling.seed)
    for start in range(0, resampling.rounds, size):
        yield _draw(clusters, min(size, resampling.rounds - start), chance).astype(np.float64)


@lru_cache(maxsize=2)
def _draw_once(clusters: int, resampling: Resampling) -> Counts:
    """Every statistic of one table is resampled by the same draws, so the last are kept."""
    size = max(1, _AT_ONCE // clusters)
    chance = np.random.default_rng(resampling.seed)
    starts = range(0, resampling.rounds, size)
    return np.hstack([_draw(clusters, min(size, resampling.rounds - start), chance) for start in starts])


def _draw(clusters: int, rounds: int, chance: np.random.Generator) -> Counts:
    drawn = chance.integers(0, clusters, (rounds, clusters)) + clusters * np.arange(rounds)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=rounds * clusters).reshape(rounds, clusters)
    return np.ascontiguousarray(counts.T, dtype=np.uint16)


def place_percentiles(tally: Tally, value: float, resampled: Floats) -> tuple[float, float]:
    """The percentiles of the resamples that end a 95 % interval: bias-corrected and accelerated (BCa), and expanded.

    They are moved by how far the resamples lie to one side of the value, and by how fast the error changes with it.
    """
    from scipy.special import ndtr, ndtri

    below = float(np.mean(resampled < value) + np.mean(resampled == value) / 2)
    bias = float(ndtri(min(1 - 1 / len(resampled), max(1 / len(resampled), below))))
    rate = accelerate(tally)
    reach = expand(tally.filled)
    ends = [bias + (bias + side) / max(0.1, 1 - rate * (bias + side)) for side in (-reach, reach)]
    return float(ndtr(ends[0])), float(ndtr(ends[1]))


def expand(clusters: int) -> float:
    """How far 95 % reach, as Student's curve and the lost degree of freedom ask.

    Plain percentiles of few clusters are too narrow: resampling divides by k where a variance divides by k - 1.
    """
    return sqrt(clusters / (clusters - 1)) * student(clusters - 1)


def accelerate(tally: Tally) -> float:
    """The skewness of what single clusters, or blocks of them, do to the statistic when left out, over 6."""
    blocks = min(tally.cluster_count, _MOST_LEFT_OUT)
    kept = (np.arange(tally.cluster_count)[:, None] % blocks != np.arange(blocks)).astype(np.float64)
    values = tally.evaluate(kept)
    pulls = values[np.isfinite(values)]
    pulls = pulls.mean() - pulls if len(pulls) else pulls
    squares = float(np.sum(pulls**2))
    return float(np.sum(pulls**3)) / (6 * squares**1.5) if squares > 1e-20 else 0.0
