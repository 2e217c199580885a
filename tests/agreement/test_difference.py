"""Two runs and two judges compared: against all sign flips, and by how often a true null hypothesis is rejected."""

from itertools import product

import numpy as np
import pytest

from assay.agreement.difference import compare_paired, compare_pairings
from assay.agreement.pairs import build_pairs
from assay.agreement.statistics import balanced_accuracy, spearman


def test_no_difference_has_a_p_of_one_and_an_interval_of_zero_width():
    found = compare_paired([0.2, 0.5, 0.9] * 2, [0.2, 0.5, 0.9] * 2)
    assert found.mean == 0
    assert found.p_value == 1
    assert found.interval == (0, 0)


def test_the_p_value_is_that_of_all_sign_flips():
    chance = np.random.default_rng(3)
    first = chance.random(8)
    second = first + chance.normal(0.1, 0.2, 8)
    differences = second - first
    exact = np.mean(
        [
            abs(np.mean(differences * np.array(signs))) >= abs(differences.mean()) - 1e-12
            for signs in product((-1, 1), repeat=8)
        ]
    )
    assert compare_paired(first, second).p_value == pytest.approx(exact, abs=0.02)


def test_the_interval_holds_the_mean_and_shrinks_with_n():
    chance = np.random.default_rng(1)
    noise = chance.normal(0.05, 0.3, 400)
    small = compare_paired(np.zeros(40), noise[:40])
    large = compare_paired(np.zeros(400), noise)
    for found in (small, large):
        assert found.interval is not None
        assert found.interval[0] <= found.mean <= found.interval[1]
    assert large.interval[1] - large.interval[0] < small.interval[1] - small.interval[0]


def test_the_smallest_difference_to_be_seen_is_that_of_the_textbook():
    """A standard deviation of 0.3 over 283 pairs shows 0.05 four times in five."""
    differences = np.array([0.3, -0.3] * 141 + [0.3])
    found = compare_paired(np.zeros(283), differences)
    assert found.detectable == pytest.approx(0.05, abs=0.001)


@pytest.mark.parametrize("pairs", [0, 1])
def test_too_few_pairs_say_nothing_of_chance(pairs):
    found = compare_paired([0.5] * pairs, [0.7] * pairs)
    assert (found.interval, found.p_value, found.detectable) == (None, None, None)


def test_lists_of_two_lengths_are_no_pairs():
    with pytest.raises(ValueError, match="one length"):
        compare_paired([0.1], [])


def draw_table(chance: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Scores of 2 to 60 items on a scale of few or many levels, many of them the same in both runs."""
    n, levels = int(chance.integers(2, 61)), int(chance.choice([2, 5, 11, 1000]))
    first = chance.integers(0, levels, n) / (levels - 1)
    moved = np.clip(first + chance.normal(chance.choice([0, 0.1, -0.3]), 0.3, n), 0, 1)
    second = np.where(
        chance.random(n) < chance.choice([0.2, 0.9]), np.round(moved * (levels - 1)) / (levels - 1), first
    )
    return first, second


def test_p_is_below_5_percent_exactly_where_the_interval_excludes_0():
    chance = np.random.default_rng(5)
    seen = {True: 0, False: 0}
    for _ in range(300):
        found = compare_paired(*draw_table(chance))
        excludes = found.interval is not None and not found.interval[0] <= 0 <= found.interval[1]
        assert (found.p_value < 0.05) == excludes
        seen[excludes] += 1
    assert min(seen.values()) > 40


def test_swapping_the_runs_turns_the_interval_round_and_keeps_p():
    chance = np.random.default_rng(6)
    for _ in range(100):
        first, second = draw_table(chance)
        one, other = compare_paired(first, second), compare_paired(second, first)
        assert one.p_value == other.p_value
        assert one.interval == (None if other.interval is None else (-other.interval[1], -other.interval[0]))


@pytest.mark.parametrize("pairs", [6, 9])
def test_the_interval_holds_the_means_that_the_test_does_not_reject(pairs):
    """By the definition: every sign flip of the differences from a supposed mean."""
    differences = np.round(np.random.default_rng(pairs).normal(0.1, 0.2, pairs), 3)
    low, high = compare_paired(np.zeros(pairs), differences).interval
    signs = np.array(list(product((-1, 1), repeat=pairs)))
    for supposed, is_held in ((low, True), (high, True), (low - 0.002, False), (high + 0.002, False)):
        rest = differences - supposed
        p_value = np.mean(np.abs(signs @ rest) >= abs(rest.sum()) - 1e-9)
        assert (p_value >= 0.05) == is_held


@pytest.mark.parametrize("pairs", [6, 12, 30])
def test_the_interval_holds_the_truth_as_often_as_promised(pairs):
    chance = np.random.default_rng(0)
    held = 0
    for seed in range(400):
        low, high = compare_paired(np.zeros(pairs), chance.normal(0.1, 0.2, pairs), seed).interval
        held += low <= 0.1 <= high
    assert 0.92 <= held / 400 <= 0.98


@pytest.mark.parametrize(("pairs", "p_value"), [(3, 0.25), (5, 0.0625)])
def test_up_to_five_pairs_have_no_interval_however_equal_they_are(pairs, p_value):
    """0.1 to 0.4 and 0.5 to 0.8 differ by the same, though not to the last bit."""
    found = compare_paired(([0.1, 0.5] * pairs)[:pairs], ([0.4, 0.8] * pairs)[:pairs])
    assert (found.interval, found.p_value, found.detectable) == (None, p_value, None)


def test_differences_of_rounding_alone_are_none():
    found = compare_paired([0.1 + 0.2, 0.3, 0.3] * 2, [0.3, 0.1 + 0.2, 0.3] * 2)
    assert (str(found.mean), found.interval, found.p_value) == ("0.0", (0, 0), 1)


def test_many_equal_pairs_show_no_difference_and_many_equal_shifts_show_one():
    zeros = [0.5] * 3000
    assert compare_paired(zeros, zeros).p_value == 1.0
    shifted = compare_paired(zeros, [0.75] * 3000)
    assert shifted.p_value == pytest.approx(2 / 10_000)
    assert shifted.interval == pytest.approx((0.25, 0.25))


@pytest.mark.parametrize("statistic", [spearman, balanced_accuracy])
def test_the_difference_of_two_judges_is_that_of_their_figures(statistic):
    chance = np.random.default_rng(6)
    human = chance.integers(1, 5, 120).astype(float)
    first, second = (np.where(chance.random(120) < share, human, chance.integers(1, 5, 120)) for share in (0.3, 0.9))
    one, other = ([build_pairs(each, human, np.arange(120) // 3)] for each in (second, first))
    found = compare_pairings("", one, other, statistic)
    assert found.gap.value == pytest.approx(found.judge.value - found.beside.value)
    assert found.gap.interval[0] > 0
    assert found.gap.clusters == 40


def test_the_interval_of_a_true_null_hypothesis_leaves_0_out_as_seldom_as_promised():
    chance = np.random.default_rng(11)
    rejected = 0
    for _ in range(60):
        human = chance.normal(size=60)
        judges = [np.round(human + chance.normal(size=60)) for _ in range(2)]
        one, other = ([build_pairs(each, np.round(human), np.arange(60) // 2)] for each in judges)
        found = compare_pairings("", one, other, spearman)
        low, high = found.gap.interval
        rejected += low > 0 or high < 0
    assert rejected / 60 < 0.12
