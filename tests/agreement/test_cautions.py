"""Cautions about small and one-sided studies."""

from assay.agreement.estimate import caution_about_size
from assay.agreement.figures import caution_about_values
from assay.agreement.pairs import build_pairs


def test_small_studies_are_told():
    assert caution_about_size(100, 30) == ()
    assert any("n is only 12" in each for each in caution_about_size(12, 12))
    assert any("400, 4 items" in each and "less than 93 %" in each for each in caution_about_size(400, 4))
    assert len(caution_about_size(99, 99)) == 1


def test_one_value_for_nearly_all_is_told():
    skewed = build_pairs([1.0] * 96 + [0.0] * 4, [1.0] * 90 + [0.0] * 5 + [1.0] * 5)
    sentences = caution_about_values(skewed)
    assert any("the judge gives 96%" in each for each in sentences)
    assert any("alpha can be low" in each for each in sentences)
    assert caution_about_values(build_pairs([1.0, 2, 3, 4], [1.0, 2, 3, 4])) == ()
    assert caution_about_values(build_pairs([], [])) == ()
