"""How well figures rank outputs as people did: AUC or Spearman, with a bootstrap over source documents; and calibration."""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, spearmanr

Array = NDArray[np.float64]
ROUNDS = 500
BINS = 10


def agree(scores: Array, truth: Array, *, binary: bool) -> float:
    if not binary:
        return float(spearmanr(scores, truth).statistic)
    positive = truth > 0.5
    if positive.all() or not positive.any():
        return float("nan")
    count = positive.sum()
    ranks = rankdata(scores)
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * (len(truth) - count)))


def find_interval(scores: Array, truth: Array, groups: NDArray[np.int64], *, binary: bool) -> tuple[float, float]:
    chance = np.random.default_rng(7)
    members = [np.flatnonzero(groups == group) for group in np.unique(groups)]
    found = []
    for _ in range(ROUNDS):
        drawn = np.concatenate([members[at] for at in chance.integers(0, len(members), len(members))])
        value = agree(scores[drawn], truth[drawn], binary=binary)
        if not np.isnan(value):
            found.append(value)
    low, high = np.quantile(found, [0.025, 0.975])
    return float(low), float(high)


def bin_by(probability: Array) -> list[NDArray[np.bool_]]:
    """Which outputs lie in each bin that has any."""
    bins = np.minimum(BINS - 1, (probability * BINS).astype(int))
    return [bins == each for each in np.unique(bins)]


def measure_error(probability: Array, truth: Array) -> float:
    """The expected calibration error."""
    gaps = [abs(probability[held].mean() - truth[held].mean()) * held.mean() for held in bin_by(probability)]
    return float(sum(gaps))
