"""Skill, consistency and cautions."""

import numpy as np
import pytest
from random_tables import both, draw_pairs, draw_ratings, same
from sklearn.metrics import r2_score

from assay.agreement.bootstrap import Resampling, resample_pairs
from assay.agreement.classification import estimate_consistency, squared_skill
from assay.agreement.estimate import caution_about_size
from assay.agreement.figures import caution_about_values
from assay.agreement.pairs import build_pairs, build_ratings

FEW = Resampling(rounds=20)


def test_hundreds_of_tables_have_the_defined_skill_and_a_hundred_that_of_scikit_learn():
    for number, (judge, human) in enumerate(draw_pairs()):
        x, y = both(judge, human)
        expected = 1 - np.mean((x - y) ** 2) / np.var(y) if len(set(y)) > 1 else np.nan
        if number < 100 and len(set(y)) > 1:
            assert r2_score(y, x) == pytest.approx(expected)
        assert same(resample_pairs(build_pairs(judge, human), squared_skill).value, expected)


def test_flips_are_pairs_on_different_sides_in_any_order():
    for values in draw_ratings(200):
        shares = []
        for row in values:
            given = row[np.isfinite(row)] >= 3
            if len(given) > 1:
                shares.append(np.mean([a != b for at, a in enumerate(given) for b in given[at + 1 :]]))
        found = estimate_consistency(build_ratings(values), 3, FEW).flips
        assert same(found.value, np.mean(shares) if shares else np.nan)
        assert estimate_consistency(build_ratings(values[:, ::-1]), 3, FEW).flips.value == found.value


def test_consistency_is_over_items_with_two_samples():
    values = np.array([[1, 1, 1], [2, 2, np.nan], [1, 3, np.nan], [4, np.nan, np.nan]])
    found = estimate_consistency(build_ratings(values), 3, FEW)
    assert found.alike.value == pytest.approx(2 / 3)
    assert (found.alpha.n, found.alike.n) == (3, 3)


def test_a_judge_that_always_says_the_same_is_consistent_but_has_no_alpha():
    found = estimate_consistency(build_ratings(np.full((30, 3), 4.0)), 3)
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
