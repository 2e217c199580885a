"""Skill and cautions."""

import numpy as np
import pytest
from random_tables import both, draw_pairs, same
from sklearn.metrics import r2_score

from assay.agreement.classification import squared_skill
from assay.agreement.estimate import caution_about_size
from assay.agreement.figures import caution_about_values
from assay.agreement.pairs import build_pairs


def test_hundreds_of_tables_have_the_defined_skill_and_a_hundred_that_of_scikit_learn():
    for number, (judge, human) in enumerate(draw_pairs()):
        x, y = both(judge, human)
        expected = 1 - np.mean((x - y) ** 2) / np.var(y) if len(set(y)) > 1 else np.nan
        if number < 100 and len(set(y)) > 1:
            assert r2_score(y, x) == pytest.approx(expected)
        assert same(squared_skill(build_pairs(judge, human)).value, expected)


def test_small_studies_are_told():
    assert caution_about_size(100, 30) == ()
    assert any("n is only 12" in each for each in caution_about_size(12, 12))
    assert any("400, 4 items" in each and "less than 93 %" in each for each in caution_about_size(400, 4))
    assert len(caution_about_size(99, 99)) == 1


def test_one_value_for_nearly_all_is_told():
    skewed = build_pairs([1.0] * 96 + [0.0] * 4, [1.0] * 90 + [0.0] * 5 + [1.0] * 5)
    sentences = caution_about_values(skewed)
    assert any("the judge gives 96%" in each for each in sentences)
    assert any("kappa can be low" in each for each in sentences)
    assert caution_about_values(build_pairs([1.0, 2, 3, 4], [1.0, 2, 3, 4])) == ()
    assert caution_about_values(build_pairs([], [])) == ()
