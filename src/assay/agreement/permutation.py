"""Is one judge closer to people than another: a permutation test of the difference, item by item."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assay.agreement.bootstrap import DEFAULT, Resampling, estimate
from assay.agreement.classification import auc
from assay.agreement.correlation import kendall, pearson, spearman
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats, Keys, Pairs, Values, as_floats, build_pairs
from assay.agreement.table import CrossTable, Statistic, tally_pairs
from assay.agreement.tally import combine

_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True)
class JudgeDifference:
    """Second less first, over the items that both judges and a person gave values."""

    first: Estimate
    second: Estimate
    difference: Estimate
    p_value: float | None


def compare_judges(
    first: Values,
    second: Values,
    human: Values,
    statistic: Statistic,
    clusters: Keys | None = None,
    resampling: Resampling = DEFAULT,
) -> JudgeDifference:
    """Under the null hypothesis it does not matter which judge gave which value: whole clusters are swapped by chance.

    Where a statistic knows no common scale (correlations, AUC) the values are first put on one (mid-ranks, or standard
    deviations), without which swapping would mix two scales.
    """
    one, other, gold = as_floats(first), as_floats(second), as_floats(human)
    both = np.where(np.isfinite(one) & np.isfinite(other), gold, np.nan)
    left, right = build_pairs(one, both, clusters), build_pairs(other, both, clusters)
    tallies = [tally_pairs(left, statistic), tally_pairs(right, statistic)]
    difference = estimate(combine(tallies, lambda values: values[1] - values[0]), resampling)
    p_value = None
    if difference.value is not None and left.cluster_count > 1:
        p_value = _permute(left, right, statistic, resampling)
    return JudgeDifference(estimate(tallies[0], resampling), estimate(tallies[1], resampling), difference, p_value)


def _permute(left: Pairs, right: Pairs, statistic: Statistic, resampling: Resampling) -> float:
    """The share of swaps whose difference is at least as large, the observed one counting as one of them."""
    from scipy.sparse import csr_array

    scale = _SCALES.get(statistic, np.asarray)
    n, clusters = left.n, left.cluster_count
    table = CrossTable.of(np.concatenate([scale(left.judge), scale(right.judge)]), np.tile(left.human, 2))
    cells = table.cell_of_item
    made = statistic(table, table.count(cells) / 2)
    shape = (table.cell_count, clusters)
    mine, yours = (csr_array((np.ones(n), (part, left.clusters)), shape=shape) for part in (cells[:n], cells[n:]))

    def differ(swapped: Floats) -> Floats:
        crossed = (yours - mine) @ swapped
        return made.of_weights(table.count(cells[n:])[:, None] - crossed) - made.of_weights(
            table.count(cells[:n])[:, None] + crossed
        )

    observed = abs(float(differ(np.zeros((clusters, 1)))[0]))
    chance = np.random.default_rng(resampling.seed)
    size = max(1, _AT_ONCE // max(clusters, made.breadth, table.cell_count))
    larger = 0
    for start in range(0, resampling.rounds, size):
        swaps = chance.integers(0, 2, (clusters, min(size, resampling.rounds - start))).astype(np.float64)
        # A swap that leaves the statistic undefined speaks against nothing.
        larger += int(np.sum(~(np.abs(differ(swaps)) < observed - 1e-12)))
    return (1 + larger) / (1 + resampling.rounds)


def _rank(values: Floats) -> Floats:
    from scipy.stats import rankdata

    return np.asarray(rankdata(values) / len(values), dtype=np.float64)


def _standardise(values: Floats) -> Floats:
    return (values - float(values.mean())) / (float(values.std()) or 1.0)


_SCALES: dict[Statistic, Callable[[Floats], Floats]] = {
    spearman: _rank,
    kendall: _rank,
    auc: _rank,
    pearson: _standardise,
}
