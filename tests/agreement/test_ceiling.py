"""The human ceiling against its definition."""

import numpy as np
import pytest
from random_tables import draw_ratings

from assay.agreement.difference import compare_pairings, pair_with_others
from assay.agreement.pairs import build_ratings
from assay.agreement.statistics import spearman


def define_ceiling(values, annotator, said):
    """What `said` has to do with the mean of those who are not this annotator, on the items he rated."""
    from scipy import stats

    x, y = [], []
    for row, own in zip(values, said, strict=True):
        others = [each for at, each in enumerate(row) if at != annotator and np.isfinite(each)]
        if np.isfinite(row[annotator]) and np.isfinite(own) and others:
            x.append(own)
            y.append(np.mean(others))
    return stats.spearmanr(x, y).statistic if len(x) > 2 and len(set(x)) > 1 and len(set(y)) > 1 else np.nan


def test_each_annotator_is_compared_with_the_mean_of_the_others():
    chance = np.random.default_rng(1)
    for values in draw_ratings(15):
        judge = np.where(chance.random(len(values)) < 0.9, chance.integers(1, 6, len(values)), np.nan)
        pairings = pair_with_others(build_ratings(values), judge)
        found = compare_pairings("ceiling", *pairings, spearman)
        people = [define_ceiling(values, each, values[:, each]) for each in range(values.shape[1])]
        seats = [define_ceiling(values, each, judge) for each in range(values.shape[1])]
        alone = [spearman(pairs).value for pairs in pairings[1]]
        assert alone == [None if np.isnan(p) else pytest.approx(p) for p in people]
        for figure, expected in ((found.beside, people), (found.judge, seats)):
            assert figure.value == (None if np.isnan(expected).all() else pytest.approx(np.nanmean(expected)))


def test_a_judge_who_is_one_of_the_annotators_reaches_the_ceiling():
    chance = np.random.default_rng(3)
    truth = chance.normal(size=(200, 1))
    values = truth + chance.normal(size=(200, 4))
    pairings = pair_with_others(build_ratings(values[:, :3], np.arange(200) // 4), values[:, 3])
    found = compare_pairings("ceiling", *pairings, spearman)
    assert found.beside.interval[0] < found.judge.value < found.beside.interval[1]
    assert found.gap.interval[0] < 0 < found.gap.interval[1]
    assert found.beside.clusters == 50


def test_means_that_tie_are_not_put_in_order_by_their_last_bits():
    """0.1 and 0.2 with 0.3 have the mean of three times 0.2, though a sum of them does not say so."""
    from scipy import stats

    others = [[0.1, 0.2, 0.3], [0.2, 0.2, 0.2], [0.3, 0.2, 0.1], [0.7, 0.8, 0.9]]
    ratings = build_ratings([[own, *rest] for own, rest in zip([0.1, 0.2, 0.3, 0.4], others, strict=True)])
    means = ratings.mean_without(0)
    assert len(set(means[:3])) == 1
    _, people = pair_with_others(ratings, np.arange(4.0))
    assert spearman(people[0]).value == pytest.approx(
        stats.spearmanr([0.1, 0.2, 0.3, 0.4], [0.2, 0.2, 0.2, 0.8]).statistic
    )
