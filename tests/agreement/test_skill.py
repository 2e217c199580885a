"""Skill, thresholds, repeats and cautions."""

import numpy as np
import pytest
from random_tables import both, draw_pairs, draw_ratings, same
from sklearn.metrics import r2_score

from assay.agreement.bootstrap import Resampling
from assay.agreement.cautions import caution_about_size, caution_about_values
from assay.agreement.pairs import build_pairs
from assay.agreement.ratings import build_ratings
from assay.agreement.repeats import estimate_consistency, estimate_flips
from assay.agreement.skill import estimate_advantage, estimate_skill, squared_skill
from assay.agreement.table import tally_pairs
from assay.agreement.threshold import choose_threshold
from assay.errors import InputError

FEW = Resampling(rounds=20)


def test_hundreds_of_tables_have_the_defined_skill_and_a_hundred_that_of_scikit_learn():
    for number, (judge, human) in enumerate(draw_pairs()):
        x, y = both(judge, human)
        expected = 1 - np.mean((x - y) ** 2) / np.var(y) if len(set(y)) > 1 else np.nan
        if number < 100 and len(set(y)) > 1:
            assert r2_score(y, x) == pytest.approx(expected)
        assert same(tally_pairs(build_pairs(judge, human), squared_skill).value, expected)


def test_a_constant_guess_has_no_skill():
    human = np.random.default_rng(1).random(50)
    assert estimate_skill(build_pairs(np.full(50, human.mean()), human)).value == pytest.approx(0)
    labels = (human > 0.3).astype(float)
    assert estimate_advantage(build_pairs(np.ones(50), labels)).value == pytest.approx(0)
    assert estimate_advantage(build_pairs(labels, labels)).value == pytest.approx(0.5)


def test_an_advantage_has_an_interval():
    chance = np.random.default_rng(1)
    labels = chance.integers(0, 2, 200).astype(float)
    judge = np.where(chance.random(200) < 0.8, labels, 1 - labels)
    low, high = estimate_advantage(build_pairs(judge, labels, np.arange(200) // 4)).interval
    assert 0.1 < low < high < 0.45


def test_the_threshold_is_the_best_of_all():
    chance = np.random.default_rng(9)
    for _ in range(100):
        labels = np.concatenate([[0.0, 1.0], chance.integers(0, 2, 30)])
        goodness = np.round(chance.random(32) + labels / 2, 1)
        found = choose_threshold(build_pairs(goodness, labels), FEW)

        def score(threshold, goodness=goodness, labels=labels):
            return ((goodness[labels == 1] >= threshold).mean() + (goodness[labels == 0] < threshold).mean()) / 2

        assert found.fitted == pytest.approx(max(score(each) for each in goodness))
        assert score(found.value) == pytest.approx(found.fitted)


def test_on_noise_a_cross_fitted_threshold_shows_no_skill_where_the_fitted_one_does():
    chance = np.random.default_rng(2)
    crossed, fitted = [], []
    for seed in range(60):
        labels = np.tile([0.0, 1.0], 30)
        found = choose_threshold(build_pairs(chance.random(60), labels, np.arange(60) // 2), Resampling(20, seed))
        crossed.append(found.balanced_accuracy.value)
        fitted.append(found.fitted)
    assert np.mean(fitted) > 0.55
    assert np.mean(crossed) == pytest.approx(0.5, abs=0.04)


def test_no_document_is_judged_by_a_threshold_that_saw_it():
    """Each document has its own level of goodness, so that only its own items could tell its threshold."""
    goodness = np.array([level + step for level in (0.0, 10.0, 20.0, 30.0) for step in (0.1, 0.2)])
    labels = np.tile([0.0, 1.0], 4)
    found = choose_threshold(build_pairs(goodness, labels, np.arange(8) // 2), FEW)
    assert len(found.folds) == 4
    assert found.balanced_accuracy.value == 0.5


@pytest.mark.parametrize(("labels", "documents"), [([1.0, 1.0], ["a", "b"]), ([0.0, 1.0], ["a", "a"])])
def test_a_threshold_needs_both_kinds_and_two_documents(labels, documents):
    with pytest.raises(InputError, match="more than one document"):
        choose_threshold(build_pairs([0.1, 0.9], labels, documents))


def test_a_threshold_needs_good_and_bad():
    with pytest.raises(ValueError, match="0 or 1"):
        choose_threshold(build_pairs([0.1, 0.9], [1, 5]))


def test_flips_are_pairs_on_different_sides_in_any_order():
    for values in draw_ratings(200):
        shares = []
        for row in values:
            given = row[np.isfinite(row)] >= 3
            if len(given) > 1:
                shares.append(np.mean([a != b for at, a in enumerate(given) for b in given[at + 1 :]]))
        found = estimate_flips(build_ratings(values), 3, FEW)
        assert same(found.value, np.mean(shares) if shares else np.nan)
        assert estimate_flips(build_ratings(values[:, ::-1]), 3, FEW).value == found.value


def test_consistency_is_over_items_with_two_samples():
    values = np.array([[1, 1, 1], [2, 2, np.nan], [1, 3, np.nan], [4, np.nan, np.nan]])
    found = estimate_consistency(build_ratings(values), "interval", FEW)
    assert found.alike.value == pytest.approx(2 / 3)
    assert found.deviation.value == pytest.approx(np.sqrt((0 + 0 + 2) / 3))
    assert (found.alpha.n, found.alike.n) == (3, 3)


def test_a_judge_that_always_says_the_same_is_consistent_but_has_no_alpha():
    found = estimate_consistency(build_ratings(np.full((30, 3), 4.0)), "ordinal")
    assert found.alike.value == 1
    assert found.alpha.value is None


def test_small_studies_are_told():
    assert caution_about_size(100, 30) == ()
    assert any("n is only 12" in each for each in caution_about_size(12, 12))
    assert any("400, 4 clusters" in each and "less than 93 %" in each for each in caution_about_size(400, 4))
    assert len(caution_about_size(99, 99)) == 1


def test_one_value_for_nearly_all_is_told():
    skewed = build_pairs([1.0] * 96 + [0.0] * 4, [1.0] * 90 + [0.0] * 5 + [1.0] * 5)
    sentences = caution_about_values(skewed)
    assert any("the judge gives 96%" in each for each in sentences)
    assert any("AC1" in each for each in sentences)
    assert caution_about_values(build_pairs([1.0, 2, 3, 4], [1.0, 2, 3, 4])) == ()
    assert caution_about_values(build_pairs([], [])) == ()
