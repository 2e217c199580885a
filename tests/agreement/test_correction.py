"""Corrected means and rates against ppi_py and the formulas of the papers; plans against the formula turned round."""

from math import sqrt

import numpy as np
import ppi_py
import pytest
from scipy import stats

from assay.agreement.correction import correct_mean
from assay.agreement.mean import estimate_mean
from assay.agreement.planning import Prospect, learn_prospect, plan_labels
from assay.agreement.prevalence import correct_rate
from assay.agreement.sample import build_sample
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
    chance = np.random.default_rng(19)
    for number in range(400):
        tuned = number % 2 == 0
        judge, labels, n = draw_sample(chance)
        found = correct_mean(build_sample(judge, labels), tuned=tuned)
        lists = (labels[:n], judge[:n], judge[n:])
        lam = None if tuned else 1
        low, high = ppi_py.ppi_mean_ci(*lists, alpha=0.05, lam=lam)
        assert found.corrected.value == pytest.approx(
            float(ppi_py.ppi_mean_pointestimate(*lists, lam=lam)[0]), abs=1e-9
        )
        # Theirs divides by n and reaches as far as the normal curve; ours by what is free, and Student's.
        freedom = n - 2 if tuned else n - 1
        assert found.error * sqrt(freedom / n) == pytest.approx(float(high[0] - low[0]) / 2 / stats.norm.ppf(0.975))
        assert found.corrected.half_width == pytest.approx(found.error * stats.t.ppf(0.975, freedom))


def test_the_order_of_items_and_those_without_a_judge_do_not_matter():
    chance = np.random.default_rng(1)
    judge, labels, n = draw_sample(chance)
    order = chance.permutation(len(judge) + 3)
    padded = np.concatenate([judge, [np.nan] * 3])[order], np.concatenate([labels, [1.0, np.nan, 2.0]])[order]
    sample = build_sample(*padded)
    assert (sample.labelled, sample.missing) == (n, 3)
    assert correct_mean(sample).corrected.value == pytest.approx(
        correct_mean(build_sample(judge, labels)).corrected.value
    )


def test_a_useless_judge_costs_nothing_and_a_perfect_one_spares_labels():
    chance = np.random.default_rng(5)
    human = chance.normal(size=2000)
    labels = np.where(np.arange(2000) < 400, human, np.nan)
    useless, perfect = (correct_mean(build_sample(judge, labels)) for judge in (chance.normal(size=2000), human))
    assert useless.gain == pytest.approx(1, abs=0.1)
    assert perfect.effective_labels > 1200
    assert perfect.trust == pytest.approx(1 / (1 + 400 / 1600), abs=0.1)


def test_labels_of_one_document_are_fewer_labels():
    chance = np.random.default_rng(5)
    human = np.repeat(chance.normal(size=100), 10)
    labels = np.where(np.arange(1000) < 200, human, np.nan)
    judge = human + chance.normal(size=1000)
    alone, together = (
        correct_mean(build_sample(judge, labels, keys)) for keys in (None, np.repeat(np.arange(100), 10))
    )
    assert together.corrected.value == pytest.approx(alone.corrected.value)
    assert together.corrected.clusters == 20
    assert together.corrected.half_width > 2 * alone.corrected.half_width


def test_documents_of_one_item_are_no_documents():
    judge, labels, _ = draw_sample(np.random.default_rng(3))
    keys = [f"d{number}" for number in range(len(judge))]
    assert correct_mean(build_sample(judge, labels, keys)) == correct_mean(build_sample(judge, labels))


def test_a_corrected_rate_stays_between_0_and_1():
    chance = np.random.default_rng(23)
    for _ in range(200):
        judge, labels, _ = draw_sample(chance, rate=True)
        labels = np.where(np.isnan(labels), labels, labels * (chance.random(len(labels)) < 0.1))
        for tuned in (True, False):
            found = correct_mean(build_sample(judge, labels), tuned=tuned).corrected
            assert 0 <= found.interval[0] <= found.value <= found.interval[1] <= 1


def test_a_rate_of_independent_labels_has_wilsons_interval():
    values = [1.0] * 8 + [0.0] * 32
    low, high = estimate_mean(values).interval
    n, reach = 40 * 39 / 40, stats.t.ppf(0.975, 39)
    ends = [
        (0.2 + reach**2 / (2 * n) + side * reach * sqrt(0.16 / n + reach**2 / (4 * n * n))) / (1 + reach**2 / n)
        for side in (-1, 1)
    ]
    assert (low, high) == pytest.approx(ends)


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
    found = correct_mean(build_sample(judge, np.where(np.arange(60) < 15, 0.7, np.nan)), (0, 1))
    assert (found.error, found.label_error, found.gain) == (0, 0, 1)
    assert found.corrected.half_width > 0.1


def test_a_mean_between_bounds_has_longer_arms_inwards():
    values = [5.0] * 45 + [1.0, 2.0, 3.0, 4.0, 4.0]
    bounded, free = estimate_mean(values, bounds=(1, 5)), estimate_mean(values)
    assert free.value - free.interval[0] == pytest.approx(free.interval[1] - free.value)
    assert bounded.value - bounded.interval[0] > bounded.interval[1] - bounded.value
    with pytest.raises(ValueError, match="outside"):
        estimate_mean(values, bounds=(1, 4))


def define_lee(judge, labels, z=1.959963984540054):
    """The interval of the paper, from counts."""
    there = np.isfinite(labels)
    yes, no = judge[there & (labels == 1)], judge[there & (labels == 0)]
    n, m1, m0 = np.sum(~there) + z * z, len(yes) + 2, len(no) + 2
    p, q1, q0 = (judge[~there].sum() + z * z / 2) / n, (yes.sum() + 1) / m1, (np.sum(no == 0) + 1) / m0
    power = q0 + q1 - 1
    rate = (p + q0 - 1) / power
    shift = 2 * z * z * (-(1 - rate) * q0 * (1 - q0) / m0 + rate * q1 * (1 - q1) / m1)
    error = sqrt(p * (1 - p) / n + (1 - rate) ** 2 * q0 * (1 - q0) / m0 + rate**2 * q1 * (1 - q1) / m1) / power
    return np.clip([rate + shift - z * error, rate + shift + z * error], 0, 1)


def test_hundreds_of_rates_are_those_of_rogan_and_gladen_and_lee():
    chance = np.random.default_rng(31)
    compared = 0
    for _ in range(400):
        judge, labels, n = draw_sample(chance, rate=True)
        try:
            found = correct_rate(build_sample(judge, labels))
        except InputError:
            continue
        compared += 1
        sensitivity, specificity = judge[:n][labels[:n] == 1].mean(), 1 - judge[:n][labels[:n] == 0].mean()
        assert (found.sensitivity.value, found.specificity.value) == pytest.approx((sensitivity, specificity))
        if sensitivity + specificity > 1:
            plain = (judge[n:].mean() + specificity - 1) / (sensitivity + specificity - 1)
            assert found.corrected.value == pytest.approx(np.clip(plain, 0, 1))
        assert found.corrected.interval == pytest.approx(define_lee(judge, labels))
    assert compared > 280


def test_documents_widen_a_corrected_rate():
    chance = np.random.default_rng(5)
    human = np.repeat(chance.integers(0, 2, 60), 10).astype(float)
    judge = np.where(np.repeat(chance.random(60) < 0.85, 10), human, 1 - human)
    labels = np.where(np.arange(600) < 200, human, np.nan)
    alone, together = (
        correct_rate(build_sample(judge, labels, keys)).corrected for keys in (None, np.repeat(np.arange(60), 10))
    )
    assert together.half_width > 1.5 * alone.half_width


@pytest.mark.parametrize(
    ("judge", "labels", "sentence"),
    [
        ([1.0] * 30, [1.0] * 15 + [None] * 15, "all alike"),
        ([0.5] * 30, [1.0] * 5 + [0.0] * 10 + [None] * 15, "0 or 1"),
        ([0.0, 1.0] * 15, [1.0, 0.0] * 7 + [None] * 16, "no better than a coin"),
    ],
)
def test_a_rate_that_cannot_be_corrected_is_refused(judge, labels, sentence):
    with pytest.raises(InputError, match=sentence):
        correct_rate(build_sample(judge, labels))


@pytest.mark.parametrize(("labelled", "sentence"), [(9, "too few"), (30, "nothing to correct")])
def test_a_sample_of_too_few_or_all_labels_is_refused(labelled, sentence):
    with pytest.raises(InputError, match=sentence):
        build_sample(np.ones(30), [1.0] * labelled + [None] * (30 - labelled))


def reach(prospect, correlation, n):
    share = 1 - correlation**2 * (1 - n / prospect.pool)
    clusters = max(2, np.ceil(n / prospect.design_effect))
    return stats.t.ppf(0.975, clusters - 1) * prospect.deviation * sqrt(prospect.design_effect * share / n)


def test_a_plan_is_the_fewest_labels_that_do():
    chance = np.random.default_rng(3)
    for _ in range(100):
        prospect = Prospect(
            chance.random() + 0.1, chance.random(), int(chance.integers(100, 5000)), 1 + chance.random()
        )
        plan = plan_labels(prospect, 0.02 + chance.random() / 5)
        for labels, correlation in ((plan.labels_alone, 0.0), (plan.labels_with_judge, prospect.correlation)):
            if labels is None or labels <= 2:
                continue

            assert reach(prospect, correlation, labels) <= plan.half_width < reach(prospect, correlation, labels - 1)


def test_a_plan_follows_the_gain_of_a_judge():
    """On a large pool a correlation of .8 is worth 2.8 times the labels."""
    plan = plan_labels(Prospect(0.5, 0.8, 10_000_000), 0.02)
    assert plan.labels_alone / plan.labels_with_judge == pytest.approx(1 / (1 - 0.8**2), rel=0.01)
    assert plan_labels(Prospect(0.5, 0.5, 50), 0.02).labels_with_judge is None
    with pytest.raises(ValueError, match="above 0"):
        plan_labels(Prospect(0.5, 0.5, 50), 0)


def test_what_is_learned_from_labels_predicts_their_interval():
    chance = np.random.default_rng(2)
    human = chance.normal(size=3000)
    sample = build_sample(human + chance.normal(size=3000), np.where(np.arange(3000) < 150, human, np.nan))
    correction = correct_mean(sample)
    plan = plan_labels(learn_prospect(sample, correction), correction.corrected.half_width)
    assert plan.labels_with_judge == pytest.approx(150, rel=0.05)


@pytest.mark.parametrize("documents", [30, 10])
@pytest.mark.parametrize("value", [0.7, 1.0])
def test_equal_labels_plan_for_what_their_interval_leaves_open(value, documents):
    judge = np.random.default_rng(2).random(100)
    labels, keys = np.where(np.arange(100) < 30, value, np.nan), np.arange(100) % documents
    sample = build_sample(judge, labels, keys)
    correction = correct_mean(sample, (0, 1))
    plan = plan_labels(learn_prospect(sample, correction), correction.labels.half_width + 1e-12)
    assert (plan.labels_alone, plan.labels_with_judge) == (30, 30)
    free = correct_mean(build_sample(judge, labels * 3, keys))
    assert plan_labels(learn_prospect(build_sample(judge, labels * 3, keys), free), 0.05) is None
