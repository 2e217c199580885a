"""Is a difference real: two runs paired by item, or two judges against the same people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from assay.agreement.bootstrap import DEFAULT, PairStatistic, Resampling, combine, estimate
from assay.agreement.classification import auc
from assay.agreement.correlation import pearson, spearman
from assay.agreement.estimate import Estimate, estimate_from_sums
from assay.agreement.pairs import Floats, Keys, Pairs, Values, as_floats, build_pairs

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
    if n < 2:
        means = [float(each.mean()) if n else 0.0 for each in (differences, a, b)]
        return PairedDifference(n, means[0], None, None, None, means[1], means[2])
    mean = float(differences.mean())
    error = float(differences.std(ddof=1)) / sqrt(n) if np.ptp(differences) > 0 else 0.0
    p_value = _flip(differences, mean, seed)
    return PairedDifference(
        n=n,
        mean=mean,
        interval=_place_interval(differences, mean, p_value),
        p_value=p_value,
        detectable=_DETECTABLE * error,
        first_mean=float(a.mean()),
        second_mean=float(b.mean()),
    )


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
class JudgeDifference:
    """Second less first, over the items that have both judges' values and a person's."""

    first: Estimate
    second: Estimate
    difference: Estimate
    p_value: float | None


def compare_judges(
    judges: tuple[Values, Values],
    human: Values,
    statistic: PairStatistic,
    clusters: Keys | None = None,
    resampling: Resampling = DEFAULT,
) -> JudgeDifference:
    """The difference with its interval, and a permutation test that swaps the two judges in whole clusters.

    Correlations and AUC compare judges on different scales, so their values are first put on one scale (ranks, or
    standard deviations): without it, swapping would mix two scales.
    """
    one, other, gold = as_floats(judges[0]), as_floats(judges[1]), as_floats(human)
    both = np.where(np.isfinite(one) & np.isfinite(other), gold, np.nan)
    left, right = build_pairs(one, both, clusters), build_pairs(other, both, clusters)
    parts = [statistic(left), statistic(right)]
    difference = estimate(combine(parts, lambda values: values[1] - values[0]), resampling)
    p_value = None
    if difference.value is not None and left.cluster_count > 1:
        p_value = _permute(left, right, statistic, resampling)
    return JudgeDifference(estimate(parts[0], resampling), estimate(parts[1], resampling), difference, p_value)


def _permute(left: Pairs, right: Pairs, statistic: PairStatistic, resampling: Resampling) -> float:
    """The share of swaps whose difference is at least as large; the observed one counts as one of them."""
    scale, count = _SCALES.get(statistic, np.asarray), left.cluster_count
    judge = np.concatenate([scale(left.judge), scale(right.judge)])
    clusters = np.concatenate([left.clusters, count + right.clusters])
    joined = statistic(Pairs(judge, np.tile(left.human, 2), clusters, 2 * count))
    swaps = np.random.default_rng(resampling.seed).integers(0, 2, (1 + resampling.rounds, count))
    swaps[0] = 0
    first, second = np.hstack([1 - swaps, swaps]), np.hstack([swaps, 1 - swaps])
    found = np.abs(joined.evaluate(second) - joined.evaluate(first))
    # A swap that leaves the statistic undefined is counted as larger.
    return (1 + int(np.sum(~(found[1:] < found[0] - 1e-12)))) / (1 + resampling.rounds)


def _rank(values: Floats) -> Floats:
    from scipy.stats import rankdata

    return np.asarray(rankdata(values) / len(values), dtype=np.float64)


def _standardise(values: Floats) -> Floats:
    return (values - float(values.mean())) / (float(values.std()) or 1.0)


_SCALES: dict[PairStatistic, Callable[[Floats], Floats]] = {
    spearman: _rank,
    auc: _rank,
    pearson: _standardise,
}
