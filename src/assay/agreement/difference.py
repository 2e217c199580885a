"""Is a difference real: two runs paired by item, two judges against the same people, a judge and people."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from assay.agreement.bootstrap import DEFAULT, ClusterStatistic, PairStatistic, Resampling, combine, divide, estimate
from assay.agreement.estimate import Estimate, estimate_from_sums
from assay.agreement.pairs import Floats, Keys, Pairs, Ratings, Values, as_floats, build_pairs

_ROUNDS, _AT_ONCE = 10_000, 200
# Two-sided 5 % and 80 % power, under the normal distribution: 1.96 + 0.84.
_DETECTABLE = 2.8015851
_RARE = 0.05


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """`mean` is second minus first; `detectable` the smallest true difference that n pairs show four times in five."""

    n: int
    mean: float
    interval: tuple[float, float] | None
    p_value: float | None
    detectable: float | None
    first_mean: float
    second_mean: float


def compare_paired(first: Sequence[float], second: Sequence[float], seed: int = 0) -> PairedDifference:
    """Student's interval of the mean difference and a sign-flip permutation test; neither for fewer than two pairs.

    The values lie between 0 and 1, so no difference is beyond 1. Up to five pairs can't have a p below 0.05.
    """
    if len(first) != len(second):
        raise ValueError("pairs need two lists of one length")
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    # Rounded, so that equal differences of different values are equal; and added to 0, which has no sign.
    differences = np.round(b - a, 12) + 0.0
    n = len(differences)
    mean, *means = (float(each.mean()) if n else 0.0 for each in (differences, a, b))
    if n < 2:
        return PairedDifference(n, mean, None, None, None, *means)
    error = float(differences.std(ddof=1)) / sqrt(n) if np.ptp(differences) > 0 else 0.0
    p_value = _flip(differences, mean, seed)
    interval = _place_interval(differences, mean, p_value)
    return PairedDifference(n, mean, interval, p_value, _DETECTABLE * error, *means)


def _place_interval(differences: Floats, mean: float, p_value: float) -> tuple[float, float] | None:
    """None where a few differences are all the same: an interval without width would claim more than the p value."""
    if np.ptp(differences) == 0:
        return None if mean != 0 and p_value > _RARE else (mean, mean)
    found = estimate_from_sums(differences.tolist(), [1] * len(differences), None).interval
    return None if found is None else (max(-1.0, found[0]), min(1.0, found[1]))


def _flip(differences: Floats, mean: float, seed: int) -> float:
    """The share of means, each difference's sign flipped at random, that are as large."""
    chance = np.random.default_rng(seed)
    larger = 0
    for _ in range(0, _ROUNDS, _AT_ONCE):
        signs = chance.integers(0, 2, (_AT_ONCE, len(differences)), dtype=np.int8) * 2 - 1
        larger += int(np.sum(np.abs(signs @ differences) / len(differences) >= abs(mean) - 1e-12))
    # The observed arrangement counts as one of them: a p of 0 can't be claimed.
    return (1 + larger) / (1 + _ROUNDS)


@dataclass(frozen=True, slots=True)
class Difference:
    """Second less first, each the mean of a statistic over several pairings of the same items."""

    first: Estimate
    second: Estimate
    difference: Estimate


def compare_pairings(
    first: Sequence[Pairs], second: Sequence[Pairs], statistic: PairStatistic, resampling: Resampling = DEFAULT
) -> Difference:
    """All are resampled together, so that what they have in common widens no interval of the difference.

    Pairings whose statistic is undefined are left out of their mean and counted there.
    """
    one, other = ([statistic(pairs) for pairs in side] for side in (first, second))
    means = _average_defined(one), _average_defined(other)
    found = [
        Estimate(None, None, 0, 0) if mean is None else estimate(mean, resampling)
        for mean in (*means, _subtract(*means))
    ]
    undefined = [sum(part.value is None for part in parts) for parts in (one, other)]
    return Difference(replace(found[0], undefined=undefined[0]), replace(found[1], undefined=undefined[1]), found[2])


def _average_defined(parts: Sequence[ClusterStatistic]) -> ClusterStatistic | None:
    def average(values: Floats) -> Floats:
        return divide(np.nansum(values, axis=0), np.isfinite(values).sum(axis=0).astype(np.float64))

    defined = [part for part in parts if part.value is not None]
    return combine(defined, average) if defined else None


def _subtract(first: ClusterStatistic | None, second: ClusterStatistic | None) -> ClusterStatistic | None:
    if first is None or second is None:
        return None
    return combine([first, second], lambda values: values[1] - values[0])


def compare_judges(
    judges: tuple[Values, Values],
    human: Values,
    statistic: PairStatistic,
    clusters: Keys | None = None,
    resampling: Resampling = DEFAULT,
) -> Difference:
    """Over the items that have both judges' values and a person's."""
    one, other, gold = as_floats(judges[0]), as_floats(judges[1]), as_floats(human)
    both = np.where(np.isfinite(one) & np.isfinite(other), gold, np.nan)
    first, second = ([build_pairs(each, both, clusters)] for each in (one, other))
    return compare_pairings(first, second, statistic, resampling)


def pair_with_others(ratings: Ratings, judge: Values) -> tuple[list[Pairs], list[Pairs]]:
    """The human ceiling: each annotator against the mean of the others, and the judge in that annotator's place."""
    if ratings.annotators < 2:
        raise ValueError("a ceiling needs at least two annotators")
    people, seats = [], []
    for each, own in enumerate(ratings.values.T):
        others = ratings.mean_without(each)
        people.append(ratings.pair(own, others))
        seats.append(ratings.pair(np.where(np.isfinite(own), as_floats(judge), np.nan), others))
    return people, seats
