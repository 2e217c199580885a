"""Classes and values against their definitions and scikit-learn."""

import numpy as np
import pytest
from random_tables import both, draw_pairs, same

from assay.agreement.pairs import build_pairs
from assay.agreement.statistics import auc, balanced_accuracy, mean_error, quadratic_kappa

STATISTICS = {
    "balanced accuracy": balanced_accuracy,
    "quadratic kappa": quadratic_kappa,
    "mean error": mean_error,
    "auc": auc,
}


def quotient(numerator, denominator):
    return numerator / denominator if denominator else np.nan


def define(judge, human):
    """Every statistic by the words of its definition."""
    apart, by_chance = (judge - human) ** 2, np.subtract.outer(judge, human) ** 2
    return {
        "balanced accuracy": np.mean([np.mean(judge[human == each] == each) for each in np.unique(human)]),
        "quadratic kappa": 1 - quotient(np.mean(apart), np.mean(by_chance)),
        "mean error": np.mean(np.abs(judge - human)),
    }


def define_area(scores, labels):
    gaps = np.subtract.outer(scores[labels == 1], scores[labels == 0])
    return quotient(np.sum((gaps > 0) + (gaps == 0) / 2), gaps.size)


def refer(judge, human):
    """The same by others, for tables in which all of it is defined."""
    from sklearn import metrics

    found = {
        "quadratic kappa": metrics.cohen_kappa_score(judge, human, labels=np.arange(5), weights="quadratic"),
        "mean error": metrics.mean_absolute_error(human, judge),
    }
    if set(judge) <= set(human):
        found["balanced accuracy"] = metrics.balanced_accuracy_score(human, judge)
    if set(human) == {0, 1}:
        found["auc"] = metrics.roc_auc_score(human, judge)
    return found


@pytest.mark.parametrize("levels", [2, 5])
def test_hundreds_of_tables_of_two_and_of_five_classes_have_the_defined_values(levels):
    for judge, human in draw_pairs(150, levels=levels):
        pairs = build_pairs(judge, human)
        for name, expected in define(*both(judge, human)).items():
            assert same(STATISTICS[name](pairs).value, expected), name


def test_hundreds_of_tables_have_the_defined_area():
    for judge, human in draw_pairs():
        labels = np.where(np.isnan(human), np.nan, human > 0)
        found = auc(build_pairs(judge, labels)).value
        assert same(found, define_area(*both(judge, labels)))


@pytest.mark.parametrize("levels", [2, 5])
def test_thirty_tables_have_the_values_of_scikit_learn(levels):
    compared = set()
    for judge, human in draw_pairs(30, levels=levels):
        x, y = both(judge, human)
        if 1 in x and 1 in y and len(set(x) | set(y)) > 1:
            for name, expected in refer(x, y).items():
                compared.add(name)
                assert same(STATISTICS[name](build_pairs(judge, human)).value, expected), name
    assert compared >= set(STATISTICS) - {"auc"}


def test_every_statistic_of_a_resample_is_that_of_the_repeated_items():
    chance = np.random.default_rng(5)
    human = chance.integers(0, 2, 40).astype(float)
    judge = np.where(chance.random(40) < 0.7, human, 1 - human)
    pairs = build_pairs(judge, human, np.arange(40) // 4)
    counts = chance.integers(1, 4, (20, 10))
    items = [np.repeat(np.arange(40), np.repeat(row, 4)) for row in counts]
    for name, statistic in STATISTICS.items():
        expected = [statistic(build_pairs(judge[i], human[i])).value for i in items]
        assert statistic(pairs).evaluate(counts) == pytest.approx(expected), name


def test_the_area_needs_two_classes():
    with pytest.raises(ValueError, match="0 or 1"):
        auc(build_pairs([1, 2, 3], [1, 2, 3]))


def test_continuous_values_have_the_defined_kappa():
    chance = np.random.default_rng(9)
    judge = np.round(chance.random(150), 6)
    human = np.where(chance.random(150) < 0.2, judge, np.round(chance.random(150), 6))
    found = quadratic_kappa(build_pairs(judge, human)).value
    assert found == pytest.approx(define(judge, human)["quadratic kappa"], abs=1e-12)
    constant = np.full(9, 0.7)
    assert quadratic_kappa(build_pairs(constant, constant)).value is None
