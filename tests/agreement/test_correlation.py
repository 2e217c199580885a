"""Rank correlation against scipy, over all records, within items and in resamples."""

import numpy as np
import pytest
from random_tables import both, draw_pairs, same

from assay.agreement.bootstrap import draw_counts, estimate
from assay.agreement.pairs import build_pairs
from assay.agreement.statistics import spearman


def refer(x, y):
    from scipy import stats

    if len(x) < 3 or len(set(x)) < 2 or len(set(y)) < 2:
        return np.nan
    return stats.spearmanr(x, y).statistic


def test_hundreds_of_tables_have_the_reference_value():
    for judge, human in draw_pairs(120):
        found = spearman(build_pairs(judge, human)).value
        assert same(found, refer(*both(judge, human)))


def test_a_resample_is_the_statistic_of_the_repeated_items():
    chance = np.random.default_rng(5)
    human = chance.integers(1, 6, 40).astype(float)
    judge = human + chance.integers(-1, 2, 40)
    clusters = np.arange(40) // 4
    tally = spearman(build_pairs(judge, human, clusters))
    counts = draw_counts(10, 60)
    items = [np.concatenate([np.flatnonzero(clusters == k) for k in np.repeat(np.arange(10), c)]) for c in counts]
    expected = [refer(judge[chosen], human[chosen]) for chosen in items]
    assert tally.evaluate(counts) == pytest.approx(expected, abs=1e-9)


def test_missing_values_are_left_out():
    found = build_pairs([1, None, 3, float("nan")], [1, 2, None, 4], clusters=["a", "b", "c", "d"])
    assert (found.n, found.cluster_count) == (1, 1)


@pytest.mark.parametrize(
    ("judge", "human"), [([], []), ([1, 2], [1, 2]), ([3, 3, 3], [1, 2, 3]), ([0.1, 0.1, 0.1], [1, 2, 3])]
)
def test_what_is_undefined_has_no_value_and_no_interval(judge, human):
    found = estimate(spearman(build_pairs(judge, human)))
    assert (found.value, found.interval) == (None, None)
