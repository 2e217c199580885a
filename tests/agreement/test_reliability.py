"""Alpha against the krippendorff package."""

import numpy as np
import pytest
from random_tables import draw_pairs, draw_ratings, same

from assay.agreement.bootstrap import estimate
from assay.agreement.pairs import build_pairs, build_ratings
from assay.agreement.statistics import krippendorff_alpha, nominal_alpha

NONE = float("nan")
# Krippendorff's own example, four observers and twelve units.
FOUR_RATERS = [
    [1, 1, NONE, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NONE, 5, 5, 5], [NONE, NONE, 1, 1], [NONE, NONE, 3, NONE],
]  # fmt: skip


def refer_alpha(values, level):
    import krippendorff

    pairable = values[np.isfinite(values).sum(axis=1) >= 2]
    if len(np.unique(pairable[np.isfinite(pairable)])) < 2:
        return np.nan
    return krippendorff.alpha(values.T, level_of_measurement=level)


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_hundreds_of_tables_have_the_alpha_of_the_package(level):
    for values in draw_ratings(150):
        assert same(krippendorff_alpha(build_ratings(values), level).value, refer_alpha(values, level))


def test_the_alpha_of_a_judge_and_a_person_is_that_of_two_annotators():
    for judge, human in draw_pairs(40, levels=3):
        expected = refer_alpha(np.column_stack([judge, human]), "nominal")
        assert same(nominal_alpha(build_pairs(judge, human)).value, expected)


def test_krippendorffs_own_example_comes_out():
    assert round(krippendorff_alpha(build_ratings(FOUR_RATERS), "nominal").value, 3) == 0.743


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_a_resample_of_alpha_is_that_of_the_repeated_items(level):
    values = next(each for each in draw_ratings() if len(each) > 20)[:20]
    counts = np.random.default_rng(1).integers(0, 3, (30, 10))
    tally = krippendorff_alpha(build_ratings(values, np.arange(20) // 2), level)
    expected = [refer_alpha(values[np.repeat(np.arange(20), np.repeat(row, 2))], level) for row in counts]
    assert tally.evaluate(counts) == pytest.approx(expected, nan_ok=True)


def test_alpha_has_an_interval_and_no_value_without_two_ratings():
    found = estimate(krippendorff_alpha(build_ratings(FOUR_RATERS), "nominal"))
    assert found.interval[0] < found.value < found.interval[1]
    assert found.n == 11
    for level in ("nominal", "interval"):
        assert krippendorff_alpha(build_ratings([[1, NONE], [NONE, 2]]), level).value is None


def test_ragged_rows_are_refused():
    with pytest.raises(ValueError, match="inhomogeneous"):
        build_ratings([[1, 2], [1]])
    with pytest.raises(ValueError, match="must match exactly"):
        build_pairs([1, 2], [1])
    with pytest.raises(ValueError, match="cluster for each"):
        build_pairs([1, 2], [1, 3], ["a"])
    with pytest.raises(ValueError, match="cluster for each"):
        build_ratings([[1, 2], [1, 3]], ["a"])
