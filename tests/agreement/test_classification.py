"""Classes against their definitions, scikit-learn and statsmodels."""

import numpy as np
import pytest
from random_tables import both, draw_pairs, same
from sklearn import metrics
from statsmodels.stats.inter_rater import cohens_kappa

from assay.agreement.classification import (
    accuracy,
    auc,
    balanced_accuracy,
    f1,
    kappa,
    precision,
    quadratic_kappa,
    recall,
)
from assay.agreement.pairs import build_pairs

CLASSIFICATIONS = {
    "accuracy": accuracy,
    "balanced accuracy": balanced_accuracy,
    "kappa": kappa,
    "quadratic kappa": quadratic_kappa,
    "precision": precision,
    "recall": recall,
    "f1": f1,
    "auc": auc,
}


def quotient(numerator, denominator):
    return numerator / denominator if denominator else np.nan


def define_kappa(judge, human, distance):
    by_chance = np.mean([[distance(a, b) for b in human] for a in judge])
    return 1 - quotient(np.mean([distance(a, b) for a, b in zip(judge, human, strict=True)]), by_chance)


def define(judge, human):
    """Every statistic by the words of its definition; the last three detect class 1."""
    true = np.sum((judge == 1) & (human == 1))
    return {
        "accuracy": np.mean(judge == human),
        "balanced accuracy": np.mean([np.mean(judge[human == each] == each) for each in np.unique(human)]),
        "kappa": define_kappa(judge, human, lambda a, b: a != b),
        "quadratic kappa": define_kappa(judge, human, lambda a, b: (a - b) ** 2),
        "precision": quotient(true, np.sum(judge == 1)),
        "recall": quotient(true, np.sum(human == 1)),
        "f1": quotient(2 * true, np.sum(judge == 1) + np.sum(human == 1)),
    }


def define_area(scores, labels):
    gaps = np.subtract.outer(scores[labels == 1], scores[labels == 0])
    return quotient(np.sum((gaps > 0) + (gaps == 0) / 2), gaps.size)


def refer(judge, human):
    """The same by others, for tables in which all of it is defined."""
    labels = np.arange(5)
    table = metrics.confusion_matrix(judge, human, labels=labels)
    precision, recall, f1, _ = metrics.precision_recall_fscore_support(human, judge, labels=[1])
    found = {
        "accuracy": metrics.accuracy_score(human, judge),
        "kappa": cohens_kappa(table, return_results=False),
        "quadratic kappa": metrics.cohen_kappa_score(judge, human, labels=labels, weights="quadratic"),
        "precision": precision[0],
        "recall": recall[0],
        "f1": f1[0],
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
            assert same(CLASSIFICATIONS[name](pairs).value, expected), name


def test_hundreds_of_tables_have_the_defined_area():
    for judge, human in draw_pairs():
        labels = np.where(np.isnan(human), np.nan, human > 0)
        found = CLASSIFICATIONS["auc"](build_pairs(judge, labels)).value
        assert same(found, define_area(*both(judge, labels)))


@pytest.mark.parametrize("levels", [2, 5])
def test_thirty_tables_have_the_values_of_scikit_learn_and_statsmodels(levels):
    compared = set()
    for judge, human in draw_pairs(30, levels=levels):
        x, y = both(judge, human)
        if 1 in x and 1 in y and len(set(x) | set(y)) > 1:
            for name, expected in refer(x, y).items():
                compared.add(name)
                assert same(CLASSIFICATIONS[name](build_pairs(judge, human)).value, expected), name
    assert compared >= set(CLASSIFICATIONS) - {"auc"}


def test_every_statistic_of_a_resample_is_that_of_the_repeated_items():
    chance = np.random.default_rng(5)
    human = chance.integers(0, 2, 40).astype(float)
    judge = np.where(chance.random(40) < 0.7, human, 1 - human)
    pairs = build_pairs(judge, human, np.arange(40) // 4)
    counts = chance.integers(1, 4, (20, 10))
    items = [np.repeat(np.arange(40), np.repeat(row, 4)) for row in counts]
    for name, statistic in CLASSIFICATIONS.items():
        expected = [statistic(build_pairs(judge[i], human[i])).value for i in items]
        assert statistic(pairs).evaluate(counts) == pytest.approx(expected), name


def test_an_unused_class_does_not_change_a_weighted_kappa():
    pairs = build_pairs([1, 1, 5, 5, 1], [1, 5, 5, 5, 1])
    values = [CLASSIFICATIONS[name](pairs).value for name in ("kappa", "quadratic kappa")]
    assert max(values) - min(values) < 1e-12


def test_the_area_needs_two_classes():
    with pytest.raises(ValueError, match="0 or 1"):
        CLASSIFICATIONS["auc"](build_pairs([1, 2, 3], [1, 2, 3]))


@pytest.mark.parametrize("name", ["kappa", "quadratic kappa"])
def test_continuous_values_have_the_defined_kappa(name):
    chance = np.random.default_rng(9)
    judge = np.round(chance.random(150), 6)
    human = np.where(chance.random(150) < 0.2, judge, np.round(chance.random(150), 6))
    found = CLASSIFICATIONS[name](build_pairs(judge, human)).value
    assert found == pytest.approx(define(judge, human)[name], abs=1e-12)
    constant = np.full(9, 0.7)
    assert CLASSIFICATIONS[name](build_pairs(constant, constant)).value is None
