"""Alpha against the krippendorff package, AC1 and AC2 against Gwet's worked examples and the definition."""

from itertools import permutations

import krippendorff
import numpy as np
import pytest
from random_tables import draw_ratings, same

from assay.agreement.bootstrap import Resampling, estimate
from assay.agreement.pairs import build_ratings
from assay.agreement.reliability import gwet_ac, krippendorff_alpha

NONE = float("nan")
# Krippendorff's own example, four observers and twelve units; Gwet's handbook (4th edition) takes it up again.
FOUR_RATERS = [
    [1, 1, NONE, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NONE, 5, 5, 5], [NONE, NONE, 1, 1], [NONE, NONE, 3, NONE],
]  # fmt: skip
# Table 3.5 of the handbook, classes A, B and C as 1, 2 and 3.
TWO_RATERS = [[1, NONE], [2, 3], [3, 3], [3, 3], [2, 2], [2, NONE], [1, 1], [1, 2], [2, 2], [2, 2], [NONE, 3]]


def refer_alpha(values, level):
    pairable = values[np.isfinite(values).sum(axis=1) >= 2]
    if len(np.unique(pairable[np.isfinite(pairable)])) < 2:
        return np.nan
    return krippendorff.alpha(values.T, level_of_measurement=level)


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_hundreds_of_tables_have_the_alpha_of_the_package(level):
    for values in draw_ratings(150):
        assert same(krippendorff_alpha(build_ratings(values), level).value, refer_alpha(values, level))


def refer_gwet(values, weights, categories):
    """Gwet's definition, item by item and pair by pair of raters."""
    agreed, rates = [], []
    for row in values:
        given = [categories.index(each) for each in row if np.isfinite(each)]
        if given:
            rates.append([given.count(each) / len(given) for each in range(len(categories))])
        if len(given) > 1:
            agreed.append(np.mean([weights[a][b] for a, b in permutations(given, 2)]))
    if not agreed or len(categories) < 2:
        return np.nan
    rate = np.mean(rates, axis=0)
    chance = np.sum(weights) / (len(categories) * (len(categories) - 1)) * np.sum(rate * (1 - rate))
    return (np.mean(agreed) - chance) / (1 - chance)


@pytest.mark.parametrize(("distance", "power"), [("nominal", 0), ("linear", 1), ("quadratic", 2)])
def test_hundreds_of_tables_have_gwets_coefficient(distance, power):
    for values in draw_ratings(150):
        categories = sorted(set(values[np.isfinite(values)]))
        gaps = np.array([[0 if a == b else abs(a - b) ** power for b in categories] for a in categories], dtype=float)
        weights = 1 - gaps / max(gaps.max(initial=0), 1e-300)
        assert same(gwet_ac(build_ratings(values), distance).value, refer_gwet(values, weights, categories))


def test_gwets_worked_examples_come_out():
    assert round(gwet_ac(build_ratings(FOUR_RATERS)).value, 5) == 0.77544
    assert round(gwet_ac(build_ratings(TWO_RATERS), "quadratic").value, 4) == 0.8261
    assert round(krippendorff_alpha(build_ratings(FOUR_RATERS), "nominal").value, 3) == 0.743


def test_a_class_that_could_be_chosen_lowers_chance():
    ratings = build_ratings([[1, 1], [1, 2], [2, 2], [1, 1]])
    assert gwet_ac(ratings, categories=[1, 2, 3]).value > gwet_ac(ratings).value
    with pytest.raises(ValueError, match="not among"):
        gwet_ac(ratings, categories=[1, 3])


def test_skewed_classes_lower_kappa_like_alpha_but_not_ac1():
    ratings = build_ratings([[1, 1]] * 96 + [[1, 0], [0, 1], [1, 0], [0, 1]])
    assert krippendorff_alpha(ratings, "nominal").value < 0
    assert gwet_ac(ratings).value > 0.9


@pytest.mark.parametrize("level", ["nominal", "interval"])
def test_a_resample_of_alpha_is_that_of_the_repeated_items(level):
    values = next(each for each in draw_ratings() if len(each) > 20)[:20]
    counts = np.random.default_rng(1).integers(0, 3, (30, 10))
    tally = krippendorff_alpha(build_ratings(values, np.arange(20) // 2), level)
    expected = [refer_alpha(values[np.repeat(np.arange(20), np.repeat(row, 2))], level) for row in counts]
    assert tally.evaluate(counts) == pytest.approx(expected, nan_ok=True)


def test_alpha_has_an_interval_and_no_value_without_two_ratings():
    found = estimate(krippendorff_alpha(build_ratings(FOUR_RATERS), "nominal"), Resampling(rounds=300))
    assert found.interval[0] < found.value < found.interval[1]
    assert found.n == 11
    for level in ("nominal", "ordinal", "interval"):
        assert krippendorff_alpha(build_ratings([[1, NONE], [NONE, 2]]), level).value is None


def test_ragged_rows_are_refused():
    with pytest.raises(ValueError, match="inhomogeneous"):
        build_ratings([[1, 2], [1]])
    with pytest.raises(ValueError, match="cluster for each"):
        build_ratings([[1, 2], [1, 3]], ["a"])
