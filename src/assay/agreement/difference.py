"""Is a difference real: two runs paired by item, a judge and people."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

import numpy as np

from assay.agreement.bootstrap import ClusterStatistic, PairStatistic, combine, divide, estimate
from assay.agreement.estimate import Estimate, Figure
from assay.agreement.pairs import Floats, Pairs, Ratings, Values, as_floats

# Of up to so many pairs every subset is taken; of more, a random sample of subsets.
_MOST_ENUMERATED, _DRAWN, _AT_ONCE = 12, 9_999, 200
# Two-sided 5 % and 80 % power, under the normal distribution: 1.96 + 0.84.
_DETECTABLE = 2.8015851
_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """`mean` is second minus first; `detectable` the minimum detectable difference of n pairs at 80 % power.

    Interval and p value come from one distribution: p is below 0.05 exactly where the interval excludes 0.
    """

    n: int
    mean: float
    interval: tuple[float, float] | None
    p_value: float | None
    detectable: float | None
    first_mean: float
    second_mean: float


def compare_paired(
    first: Sequence[float], second: Sequence[float], seed: int = 0, level: float = _LEVEL
) -> PairedDifference:
    """A sign-flip test of the mean difference, and the interval of all means that it does not reject at this level.

    The test assumes no more than that the differences are symmetric about their mean, so it holds for few pairs. Up to
    five pairs can't have a p below 0.05, and have no interval. No p value for fewer than two pairs.
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
    subsets = np.sort(np.round(_average_subsets(differences, seed), 12) + 0.0)
    total = len(subsets) + 1
    least = 1 + min(int(np.sum(subsets <= 0)), int(np.sum(subsets >= 0)))
    # The test rejects a mean that fewer than this many subsets reach from one side.
    rank = ceil(total * level / 2) - 1
    interval = (float(subsets[rank - 1]), float(subsets[-rank])) if rank else None
    error = float(differences.std(ddof=1)) / sqrt(n)
    detectable = _DETECTABLE * error if rank and np.ptp(differences) > 0 else None
    return PairedDifference(n, mean, interval, min(1.0, 2 * least / total), detectable, *means)


def _average_subsets(differences: Floats, seed: int) -> Floats:
    """The mean of every subset of the differences that is not empty, or of a random sample of subsets.

    Flipping the signs of a subset moves the mean past a value exactly where the subset's own mean is on the other side
    of it (Hartigan 1969), so these means are the sign-flip distribution for every value at once.
    """
    n = len(differences)
    if n <= _MOST_ENUMERATED:
        chosen = (np.arange(1, 2**n)[:, None] >> np.arange(n)) & 1
        return np.asarray(chosen @ differences / chosen.sum(axis=1))
    chance = np.random.default_rng(seed)
    # Of pairs without a difference only the number in a subset counts.
    moved = differences[differences != 0]
    means = []
    for start in range(0, _DRAWN, _AT_ONCE):
        rows = min(_AT_ONCE, _DRAWN - start)
        drawn = chance.integers(0, 2, (rows, len(moved)), dtype=np.int8).astype(np.float64)
        sizes = drawn.sum(axis=1) + chance.binomial(n - len(moved), 0.5, rows)
        means.append(drawn @ moved / np.maximum(sizes, 1))
    return np.concatenate(means)


def compare_pairings(name: str, judge: Sequence[Pairs], beside: Sequence[Pairs], statistic: PairStatistic) -> Figure:
    """The mean of a statistic over several pairings of the same items, and what the judge has more than the others.

    All are resampled together, so that what they have in common widens no interval of the difference. Pairings whose
    statistic is undefined are left out of their mean.
    """
    own, others = ([statistic(pairs) for pairs in side] for side in (judge, beside))
    mean, other = _average_defined(own), _average_defined(others)
    gap = None if mean is None or other is None else combine([mean, other], lambda values: values[0] - values[1])
    nothing = Estimate(None, None, 0, 0)
    one, two, difference = (nothing if each is None else estimate(each) for each in (mean, other, gap))
    return Figure(name, one, two, difference)


def _average_defined(parts: Sequence[ClusterStatistic]) -> ClusterStatistic | None:
    def average(values: Floats) -> Floats:
        return divide(np.nansum(values, axis=0), np.isfinite(values).sum(axis=0).astype(np.float64))

    defined = [part for part in parts if part.value is not None]
    return combine(defined, average) if defined else None


def pair_with_others(ratings: Ratings, judge: Values) -> tuple[list[Pairs], list[Pairs]]:
    """The human ceiling: the judge in each annotator's place against the mean of the others, then the annotator."""
    seats, people = [], []
    for each, own in enumerate(ratings.values.T):
        others = ratings.mean_without(each)
        seats.append(ratings.pair(np.where(np.isfinite(own), as_floats(judge), np.nan), others))
        people.append(ratings.pair(own, others))
    return seats, people
