"""Corrected means against ppi_py, plans against intervals, and the clustered mean."""

from math import sqrt

import numpy as np
import pytest
from random_tables import half_width

from assay.agreement.correction import correct_mean, tune_trust
from assay.agreement.estimate import estimate_mean, student
from assay.errors import InputError


def draw_sample(chance, *, rate=False):
    n, total = int(chance.integers(10, 60)), int(chance.integers(20, 200))
    human = chance.integers(0, 2, n + total).astype(float) if rate else chance.normal(size=n + total)
    noise = chance.random()
    if rate:
        judge = np.where(chance.random(n + total) < 0.5 + noise / 2, human, 1 - human)
    else:
        judge = noise * human + chance.normal(size=n + total)
    return judge, np.where(np.arange(n + total) < n, human, np.nan), n


def test_hundreds_of_samples_have_the_value_and_error_of_ppi_py():
    import ppi_py
    from scipy import stats

    chance = np.random.default_rng(19)
    for _ in range(200):
        judge, labels, n = draw_sample(chance)
        found = correct_mean(judge, labels)
        lists = (labels[:n], judge[:n], judge[n:])
        low, high = ppi_py.ppi_mean_ci(*lists, alpha=0.05)
        assert found.value == pytest.approx(float(ppi_py.ppi_mean_pointestimate(*lists)[0]), abs=1e-9)
        # Theirs divides by n and uses the normal distribution; ours by the degrees of freedom, and Student's.
        error = float(high[0] - low[0]) / 2 / stats.norm.ppf(0.975) * sqrt(n / (n - 2))
        assert half_width(found) == pytest.approx(error * stats.t.ppf(0.975, n - 2), rel=1e-5)


def test_the_order_of_items_and_those_without_a_judge_do_not_matter():
    chance = np.random.default_rng(1)
    judge, labels, n = draw_sample(chance)
    order = chance.permutation(len(judge) + 3)
    padded = np.concatenate([judge, [np.nan] * 3])[order], np.concatenate([labels, [1.0, np.nan, 2.0]])[order]
    found = correct_mean(*padded)
    assert found.n == n
    assert found.value == pytest.approx(correct_mean(judge, labels).value)


def test_a_useless_judge_costs_nothing_and_a_perfect_one_spares_labels():
    chance = np.random.default_rng(5)
    human = chance.normal(size=2000)
    labels = np.where(np.arange(2000) < 400, human, np.nan)
    alone = half_width(estimate_mean(human[:400]))
    useless, perfect = (half_width(correct_mean(judge, labels)) for judge in (chance.normal(size=2000), human))
    assert useless == pytest.approx(alone, rel=0.05)
    assert 3 * perfect**2 < alone**2
    assert tune_trust(human[:400], human[:400], human[400:]) == pytest.approx(1 / (1 + 400 / 1600), abs=0.1)


def test_labels_of_one_document_are_fewer_labels():
    chance = np.random.default_rng(5)
    human = np.repeat(chance.normal(size=100), 10)
    labels = np.where(np.arange(1000) < 200, human, np.nan)
    judge = human + chance.normal(size=1000)
    alone, together = (correct_mean(judge, labels, keys) for keys in (None, np.repeat(np.arange(100), 10)))
    assert together.value == pytest.approx(alone.value)
    assert together.clusters == 20
    assert half_width(together) > 2 * half_width(alone)


def test_documents_of_one_item_are_no_documents():
    judge, labels, _ = draw_sample(np.random.default_rng(3))
    keys = [f"d{number}" for number in range(len(judge))]
    assert correct_mean(judge, labels, keys) == correct_mean(judge, labels)


def test_a_corrected_rate_stays_between_0_and_1():
    chance = np.random.default_rng(23)
    for _ in range(200):
        judge, labels, _ = draw_sample(chance, rate=True)
        labels = np.where(np.isnan(labels), labels, labels * (chance.random(len(labels)) < 0.1))
        found = correct_mean(judge, labels)
        assert 0 <= found.interval[0] <= found.value <= found.interval[1] <= 1


def test_a_rate_of_independent_labels_has_wilsons_interval():
    from scipy import stats

    values = [1.0] * 8 + [0.0] * 32
    low, high = estimate_mean(values).interval
    n, reach = 40 * 39 / 40, stats.t.ppf(0.975, 39)
    ends = [
        (0.2 + reach**2 / (2 * n) + side * reach * sqrt(0.16 / n + reach**2 / (4 * n * n))) / (1 + reach**2 / n)
        for side in (-1, 1)
    ]
    assert (low, high) == pytest.approx(ends, rel=1e-5)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_rate_without_any_exception_still_has_an_interval(value):
    low, high = estimate_mean([value] * 40).interval
    assert 0.03 < high - low < 0.15


@pytest.mark.parametrize("value", [0.7, 0.1, 5 / 9])
def test_equal_values_that_are_no_round_numbers_have_the_interval_of_a_rate(value):
    """Their mean differs from each by the last bits, which is no spread."""
    low, high = estimate_mean([value] * 15, bounds=(0, 1)).interval
    assert 0.2 < high - low < 0.6
    assert estimate_mean([value] * 15).interval is None


def test_equal_labels_are_not_worth_more_with_a_judge():
    judge = np.random.default_rng(2).random(60)
    found = correct_mean(judge, np.where(np.arange(60) < 15, 0.7, np.nan), bounds=(0, 1))
    assert half_width(found) > 0.1


def test_a_mean_between_bounds_has_longer_arms_inwards():
    values = [5.0] * 45 + [1.0, 2.0, 3.0, 4.0, 4.0]
    bounded, free = estimate_mean(values, bounds=(1, 5)), estimate_mean(values)
    assert free.value - free.interval[0] == pytest.approx(free.interval[1] - free.value)
    assert bounded.value - bounded.interval[0] > bounded.interval[1] - bounded.value
    with pytest.raises(ValueError, match="outside"):
        estimate_mean(values, bounds=(1, 4))


@pytest.mark.parametrize(("labelled", "sentence"), [(9, "too few"), (30, "nothing to correct")])
def test_a_sample_of_too_few_or_all_labels_is_refused(labelled, sentence):
    with pytest.raises(InputError, match=sentence):
        correct_mean(np.ones(30), [1.0] * labelled + [None] * (30 - labelled))


def test_students_quantile_is_that_of_scipy():
    from scipy import stats

    for freedom in (*range(1, 60), 100, 1000, 100_000):
        assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=5e-6)
