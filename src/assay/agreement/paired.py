"""Is the difference between two runs real: paired by item, with an interval, a p value, and what n could show."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np

from assay.agreement.mean import student

_ROUNDS = 10_000
_CHUNK = 200
# From here on flipping signs repeats the normal curve to the third decimal, and takes seconds.
_MANY = 2_000
# Two-sided 5 % and 80 % power, under the normal curve: 1.96 + 0.84.
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
    """Student's interval of the mean difference and sign-flip permutation test; neither for fewer than two pairs.

    The values lie between 0 and 1, so no difference is beyond 1. Up to five pairs can't have a p below 0.05.
    """
    if len(first) != len(second):
        raise ValueError("pairs need two lists of one length")
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    # Rounded, so that equal differences of other values are equal; and added to 0, which has no sign.
    differences = np.round(b - a, 12) + 0.0
    n = len(differences)
    if n == 0:
        return PairedDifference(0, 0.0, None, None, None, 0.0, 0.0)
    mean = float(differences.mean())
    if n == 1:
        return PairedDifference(1, mean, None, None, None, float(a.mean()), float(b.mean()))
    error = float(differences.std(ddof=1)) / sqrt(n) if np.ptp(differences) > 0 else 0.0
    p_value = _test_by_curve(mean, error) if n > _MANY else _flip(differences, mean, seed)
    return PairedDifference(
        n=n,
        mean=mean,
        interval=_place_interval(mean, error, n, p_value),
        p_value=p_value,
        detectable=_DETECTABLE * error,
        first_mean=float(a.mean()),
        second_mean=float(b.mean()),
    )


def _place_interval(mean: float, error: float, n: int, p_value: float) -> tuple[float, float] | None:
    """None where the few differences are all the same: no width at all would claim what the p value does not."""
    if error == 0 and mean != 0 and p_value > _RARE:
        return None
    reach = student(n - 1) * error
    return max(-1.0, mean - reach), min(1.0, mean + reach)


def _test_by_curve(mean: float, error: float) -> float:
    """No smaller p than flipping could have shown: so both say the same about the same pairs."""
    p_value = erfc(abs(mean) / error / sqrt(2)) if error else float(mean == 0)
    return max(p_value, 1 / (1 + _ROUNDS))


def _flip(differences: "np.ndarray", mean: float, seed: int) -> float:
    """The share of means, each pair's order flipped by chance, that are as large; in chunks, so memory stays flat."""
    chance = np.random.default_rng(seed)
    larger = 0
    for start in range(0, _ROUNDS, _CHUNK):
        signs = chance.integers(0, 2, (min(_CHUNK, _ROUNDS - start), len(differences))) * 2 - 1
        larger += int(np.sum(np.abs((differences * signs).mean(axis=1)) >= abs(mean) - 1e-12))
    # The observed arrangement is one of those that could have been: a p of 0 can't be claimed.
    return (1 + larger) / (1 + _ROUNDS)
