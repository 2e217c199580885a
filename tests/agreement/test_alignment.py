"""Two halves of labels, the change of agreement between two runs, and the mapping of levels."""

from itertools import pairwise, product

import numpy as np
import pytest

from assay.agreement.alignment import AnswerPair, fit_mapping, is_hidden, measure_change, measure_error


def build(
    item: str, agreement: float | None, unit: str | None = None, levels: tuple[float, float] | None = None
) -> AnswerPair:
    return AnswerPair((item, None), item, "m", unit, "", "", "", "", "", agreement, levels)


def test_a_source_group_stays_in_its_half_and_the_halves_are_alike_in_size() -> None:
    halves = [is_hidden(f"item {number}") for number in range(2000)]
    assert 900 < sum(halves) < 1100
    assert halves[:5] == [is_hidden(f"item {number}") for number in range(5)]


def test_answers_about_one_source_group_count_as_one() -> None:
    """Ten better answers about one group are no ten independent ones."""
    before = [build("a", 0.0, f"c{number}") for number in range(10)] + [build(f"b{number}", 1.0) for number in range(6)]
    after = [build("a", 1.0, f"c{number}") for number in range(10)] + [build(f"b{number}", 1.0) for number in range(6)]
    change = measure_change("x", before, after, {"m"})
    assert (change.answers, change.difference.n) == (16, 7)
    assert change.difference.mean == pytest.approx(1 / 7)
    assert not change.is_better


def test_an_answer_that_failed_in_either_run_is_in_neither_mean() -> None:
    before = [build("a", None), build("b", 0.5), build("c", 0.5)]
    after = [build("a", 1.0), build("b", None), build("c", 1.0)]
    change = measure_change("x", before, after, {"m"})
    assert (change.answers, change.failed, change.before.value, change.after.value) == (1, 2, 0.5, 1.0)


def test_an_edit_without_effect_is_accepted_in_no_more_than_one_study_of_forty() -> None:
    """Judge answers of the same quality before and after, on thirty source groups."""
    chance = np.random.default_rng(7)
    better = 0
    for _ in range(400):
        before, after = (
            [build(f"i{at}", float(right)) for at, right in enumerate(chance.random(30) < 0.7)] for _ in (0, 1)
        )
        better += measure_change("x", before, after, {"m"}).is_better
    assert better / 400 < 0.04


def test_the_mapping_has_the_least_squared_error_of_all_increasing_ones() -> None:
    chance = np.random.default_rng(3)
    judge = chance.integers(1, 5, 60)
    people = np.clip(np.round(0.5 * judge + chance.normal(0, 1.2, 60)), 1, 5)
    pairs = [
        build(str(at), 1.0, levels=(float(p), float(j))) for at, (p, j) in enumerate(zip(people, judge, strict=True))
    ]
    mapped = dict(fit_mapping(pairs))
    own = sum((mapped[float(j)] - p) ** 2 for p, j in zip(people, judge, strict=True))
    grid = np.linspace(1, 5, 21)
    others = [
        sum((levels[j - 1] - p) ** 2 for p, j in zip(people, judge, strict=True))
        for levels in product(grid, repeat=4)
        if all(one <= two for one, two in pairwise(levels))
    ]
    assert own <= min(others) + 1e-3
    assert list(mapped.values()) == sorted(mapped.values())


def test_levels_that_are_people_s_already_need_no_mapping_and_a_bias_is_mapped_away() -> None:
    assert fit_mapping([build(str(level), 1.0, levels=(level, level)) for level in (1.0, 2.0, 5.0)]) == ()
    kind = [build(str(level), 1.0, levels=(level - 1, level)) for level in (2.0, 3.0, 5.0)]
    assert fit_mapping(kind) == ((2.0, 1.0), (3.0, 2.0), (5.0, 4.0))
    # 4 was never given: it lies between 3 and 5.
    assert measure_error([build("x", 1.0, levels=(3.0, 4.0))], fit_mapping(kind)) == (1.0, 0.0)
