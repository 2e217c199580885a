"""The alternative annotator test against a naive second implementation, statsmodels and what must be refused."""

import numpy as np
import pytest
from random_tables import draw_ratings
from scipy.stats import ttest_1samp
from statsmodels.stats.multitest import multipletests

from assay.agreement import replacement
from assay.agreement.ratings import build_ratings
from assay.agreement.replacement import assess_replacement, reject_dependent
from assay.errors import InputError


def define(judge, values, closeness, epsilon):
    """Item by item, as the paper words it."""

    def score(answer, others):
        if closeness == "equal":
            return np.mean([answer == other for other in others])
        return -np.sqrt(np.mean([(answer - other) ** 2 for other in others]))

    p_values, advantages = [], []
    for out in range(values.shape[1]):
        mine, theirs = [], []
        for answer, row in zip(judge, values, strict=True):
            others = [each for at, each in enumerate(row) if at != out and np.isfinite(each)]
            if np.isfinite(answer) and np.isfinite(row[out]) and others:
                machine, person = score(answer, others), score(row[out], others)
                mine.append(machine > person or np.isclose(machine, person))
                theirs.append(person > machine or np.isclose(machine, person))
        leads = np.array(theirs, dtype=float) - np.array(mine, dtype=float)
        p_values.append(ttest_1samp(leads, epsilon, alternative="less").pvalue)
        advantages.append(np.mean(mine))
    won = multipletests(p_values, alpha=0.05, method="fdr_by")[0]
    return p_values, np.mean(won), np.mean(advantages)


@pytest.mark.parametrize("closeness", ["equal", "near"])
def test_it_is_the_test_of_the_paper(closeness):
    chance = np.random.default_rng(5)
    compared = 0
    for number in range(25):
        truth = chance.integers(1, 5, (60, 1))
        values = np.where(chance.random((60, 4)) < 0.6, truth, chance.integers(1, 5, (60, 4))).astype(float)
        values[chance.random((60, 4)) < 0.1] = np.nan
        judge = np.where(chance.random(60) < number / 25, truth[:, 0], chance.integers(1, 5, 60)).astype(float)
        judge[chance.random(60) < 0.05] = np.nan
        p_values, winning, advantage = define(judge, values, closeness, 0.15)
        found = assess_replacement(judge, build_ratings(values), closeness, 0.15)
        assert [seat.p_value for seat in found.seats] == pytest.approx(p_values)
        assert (found.winning_rate, found.advantage) == (winning, pytest.approx(advantage))
        assert found.passes == (winning >= 0.5)
        compared += found.passes
    assert 0 < compared < 25


def test_a_thousand_lists_are_rejected_as_statsmodels_rejects_them():
    chance = np.random.default_rng(2)
    for _ in range(1000):
        p_values = chance.random(int(chance.integers(1, 8))) ** 4
        expected = multipletests(p_values, alpha=0.05, method="fdr_by")[0]
        assert (reject_dependent(p_values, 0.05) == expected).all()


def test_items_of_one_document_are_less_evidence():
    chance = np.random.default_rng(8)
    truth = np.repeat(chance.integers(1, 5, 12), 10)
    values = np.where(chance.random((120, 3)) < 0.7, truth[:, None], 5).astype(float)
    ratings = build_ratings(values, np.repeat(np.arange(12), 10))
    by_item, by_document = (assess_replacement(truth, ratings, "equal", 0.1, by_cluster=by) for by in (False, True))
    assert by_item.advantage == by_document.advantage
    assert [s.p_value for s in by_item.seats] != [s.p_value for s in by_document.seats]


def test_a_judge_who_always_agrees_wins_without_any_variance():
    values = np.tile([1.0, 2.0], (40, 1)).T.reshape(-1, 1).repeat(3, axis=1)
    found = assess_replacement(values[:, 0], build_ratings(values), "equal")
    assert [seat.p_value for seat in found.seats] == [0, 0, 0]
    assert (found.winning_rate, found.advantage) == (1, 1)


def test_few_annotators_or_items_are_told():
    values = np.random.default_rng(1).integers(1, 4, (35, 2)).astype(float)
    found = assess_replacement(values[:, 0], build_ratings(values), "equal")
    assert len(found.warnings) == 2


def test_an_annotator_of_few_items_is_skipped_and_named():
    values = np.random.default_rng(1).integers(1, 4, (60, 3)).astype(float)
    values[20:, 1] = np.nan
    assert assess_replacement(values[:, 0], build_ratings(values), "equal").skipped == (1,)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [(np.ones((50, 1)), "at least two annotators"), (np.ones((29, 3)), "the most is 29")],
)
def test_too_little_is_refused_with_what_to_do(values, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        assess_replacement(values[:, 0], build_ratings(values), "equal")
    assert caught.value.remedy


def test_the_judge_needs_a_value_for_each_item():
    with pytest.raises(ValueError, match="for each item"):
        assess_replacement([1.0], build_ratings([[1.0, 2.0], [1.0, 2.0]]), "equal")


def test_random_tables_have_as_many_seats_as_enough_items(monkeypatch):
    monkeypatch.setattr(replacement, "_FEWEST_ITEMS", 3)
    for values in draw_ratings(100):
        ratings = build_ratings(values)
        judge = ratings.mean_without(None)
        try:
            found = assess_replacement(judge, ratings, "near")
        except InputError:
            continue
        assert len(found.seats) + len(found.skipped) == ratings.annotators
        assert all(seat.judge_advantage + seat.human_advantage >= 1 for seat in found.seats)
