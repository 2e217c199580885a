"""Two judges compared: against all swaps, and by how often a true null hypothesis is rejected."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from assay.agreement import correlation
from assay.agreement.bootstrap import Resampling
from assay.agreement.classification import CLASSIFICATIONS
from assay.agreement.correlation import CORRELATIONS
from assay.agreement.permutation import compare_judges

MANY = Resampling(rounds=4000)


def swap_all(first, second, human, clusters, statistic):
    """The share of all ways to swap whole clusters whose difference is as large."""
    observed = abs(statistic(second, human) - statistic(first, human))
    hits = []
    for swaps in product((False, True), repeat=clusters.max() + 1):
        swapped = np.array(swaps)[clusters]
        one, other = np.where(swapped, second, first), np.where(swapped, first, second)
        hits.append(abs(statistic(other, human) - statistic(one, human)) >= observed - 1e-12)
    return np.mean(hits)


@pytest.mark.parametrize(
    ("name", "scale", "reference"),
    [
        ("spearman", stats.rankdata, lambda x, y: stats.pearsonr(stats.rankdata(x), stats.rankdata(y)).statistic),
        ("kendall", stats.rankdata, lambda x, y: stats.kendalltau(x, y).statistic),
        ("pearson", stats.zscore, lambda x, y: stats.pearsonr(x, y).statistic),
        ("accuracy", np.asarray, lambda x, y: np.mean(x == y)),
    ],
)
def test_the_p_value_is_that_of_all_swaps(name, scale, reference):
    chance = np.random.default_rng(6)
    human = chance.integers(1, 5, 24).astype(float)
    first = np.where(chance.random(24) < 0.8, human, chance.integers(1, 5, 24))
    second = np.where(chance.random(24) < 0.4, human, chance.integers(1, 5, 24))
    clusters = np.arange(24) // 3
    statistic = {**CORRELATIONS, **CLASSIFICATIONS}[name]
    found = compare_judges(first, second, human, statistic, clusters, MANY)
    exact = swap_all(scale(first), scale(second), human, clusters, reference)
    assert found.p_value == pytest.approx(exact, abs=0.03)
    assert found.difference.value == pytest.approx(found.second.value - found.first.value)


@pytest.mark.parametrize("name", ["spearman", "kendall"])
def test_the_projection_gives_the_same_p_value_on_many_values(name, monkeypatch):
    chance = np.random.default_rng(4)
    human = chance.normal(size=70)
    first, second = human + chance.normal(size=70), human + chance.normal(0, 1.3, 70)
    found = []
    for limit in (10**6, 0):
        monkeypatch.setattr(correlation, "FULL_TABLE", limit)
        found.append(
            compare_judges(first, second, human, CORRELATIONS[name], resampling=Resampling(rounds=500)).p_value
        )
    assert found[0] == pytest.approx(found[1], abs=0.03)


def test_a_judge_on_another_scale_is_no_different():
    """Tripling every value changes no correlation, and must not change what swapping finds."""
    chance = np.random.default_rng(7)
    human = chance.integers(1, 6, 60).astype(float)
    judge = np.clip(human + chance.integers(-2, 3, 60), 1, 5)
    for name in CORRELATIONS:
        found = compare_judges(judge, 3 * judge, human, CORRELATIONS[name])
        assert found.difference.value == pytest.approx(0)
        assert found.p_value == 1


def test_a_judge_that_uses_the_top_of_the_scale_alone_is_compared_by_ranks():
    """Squeezing a judge's values changes no area under its curve, and must not change what swapping finds."""
    chance = np.random.default_rng(5)
    human = (chance.random(120) < 0.5).astype(float)
    better, worse = (1 / (1 + np.exp(-(gap * human + chance.normal(size=120)))) for gap in (2.6, 1.0))
    found = [compare_judges(each, better, human, CLASSIFICATIONS["auc"]).p_value for each in (worse, 0.9 + 0.1 * worse)]
    assert found[0] == found[1] < 0.02


def test_a_true_null_hypothesis_is_rejected_as_often_as_promised():
    chance = np.random.default_rng(11)
    rejected = 0
    for seed in range(200):
        human = chance.normal(size=60)
        judges = [np.round(human + chance.normal(size=60)) for _ in range(2)]
        found = compare_judges(
            *judges, np.round(human), CORRELATIONS["spearman"], np.arange(60) // 2, Resampling(99, seed)
        )
        rejected += found.p_value <= 0.05
    assert 0.02 < rejected / 200 < 0.09


def test_items_that_one_judge_left_out_are_left_out_for_both():
    found = compare_judges([1, 2, None, 4, 5, 1], [1, 2, 3, None, 5, 1], [1, 2, 3, 4, 5, 1], CORRELATIONS["pearson"])
    assert (found.first.n, found.second.n) == (4, 4)


def test_one_document_cannot_be_swapped():
    found = compare_judges([1, 2, 3, 4], [4, 3, 2, 1], [1, 2, 3, 4], CORRELATIONS["pearson"], ["a"] * 4)
    assert found.p_value is None
