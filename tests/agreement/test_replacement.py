"""The human ceiling against its definition, the alternative annotator test against the paper's words and statsmodels."""

import numpy as np
import pytest
from random_tables import draw_ratings
from scipy import stats
from scipy.stats import ttest_1samp
from statsmodels.stats.multitest import multipletests

from assay.agreement import replacement
from assay.agreement.bootstrap import Resampling
from assay.agreement.correlation import pearson, spearman
from assay.agreement.pairs import build_ratings
from assay.agreement.replacement import assess_replacement, estimate_ceiling
from assay.errors import InputError

FEW = Resampling(rounds=20)


def define_ceiling(values, annotator, said):
    """What `said` has to do with the mean of those who are not this annotator, on the items he rated."""
    x, y = [], []
    for row, own in zip(values, said, strict=True):
        others = [each for at, each in enumerate(row) if at != annotator and np.isfinite(each)]
        if np.isfinite(row[annotator]) and np.isfinite(own) and others:
            x.append(own)
            y.append(np.mean(others))
    return stats.spearmanr(x, y).statistic if len(x) > 2 and len(set(x)) > 1 and len(set(y)) > 1 else np.nan


def test_each_annotator_is_compared_with_the_mean_of_the_others():
    chance = np.random.default_rng(1)
    for values in draw_ratings(60):
        judge = np.where(chance.random(len(values)) < 0.9, chance.integers(1, 6, len(values)), np.nan)
        found = estimate_ceiling(build_ratings(values), spearman, judge, FEW)
        people = [define_ceiling(values, each, values[:, each]) for each in range(values.shape[1])]
        seats = [define_ceiling(values, each, judge) for each in range(values.shape[1])]
        assert [each.value for each in found.annotators] == [None if np.isnan(p) else pytest.approx(p) for p in people]
        for figure, expected in ((found.mean, people), (found.judge, seats)):
            assert figure.undefined == np.isnan(expected).sum()
            assert figure.value == (None if np.isnan(expected).all() else pytest.approx(np.nanmean(expected)))


def test_a_judge_who_is_one_of_the_annotators_reaches_the_ceiling():
    chance = np.random.default_rng(3)
    truth = chance.normal(size=(200, 1))
    values = truth + chance.normal(size=(200, 4))
    found = estimate_ceiling(build_ratings(values[:, :3], np.arange(200) // 4), pearson, values[:, 3])
    assert found.mean.interval[0] < found.judge.value < found.mean.interval[1]
    assert found.mean.clusters == 50


def test_an_annotator_of_few_documents_has_an_interval_of_few_documents():
    chance = np.random.default_rng(3)
    values = chance.integers(1, 6, (100, 3)).astype(float)
    values[20:, 2] = np.nan
    found = estimate_ceiling(build_ratings(values, np.arange(100) // 2), spearman)
    assert [each.clusters for each in found.annotators] == [50, 50, 10]


def test_one_annotator_is_no_ceiling():
    with pytest.raises(ValueError, match="two annotators"):
        estimate_ceiling(build_ratings([[1.0], [2.0]]), spearman)


def test_means_that_tie_are_not_put_in_order_by_their_last_bits():
    """0.1 and 0.2 with 0.3 have the mean of three times 0.2, though a sum of them does not say so."""
    others = [[0.1, 0.2, 0.3], [0.2, 0.2, 0.2], [0.3, 0.2, 0.1], [0.7, 0.8, 0.9]]
    ratings = build_ratings([[own, *rest] for own, rest in zip([0.1, 0.2, 0.3, 0.4], others, strict=True)])
    means = ratings.mean_without(0)
    assert len(set(means[:3])) == 1
    found = estimate_ceiling(ratings, spearman, resampling=FEW)
    assert found.annotators[0].value == pytest.approx(
        stats.spearmanr([0.1, 0.2, 0.3, 0.4], [0.2, 0.2, 0.2, 0.8]).statistic
    )


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


def test_items_of_one_document_are_less_evidence():
    chance = np.random.default_rng(8)
    truth = np.repeat(chance.integers(1, 5, 12), 10)
    values = np.where(chance.random((120, 3)) < 0.7, truth[:, None], 5).astype(float)
    ratings = build_ratings(values, np.repeat(np.arange(12), 10))
    alone = build_ratings(values)
    by_item, by_document = (assess_replacement(truth, each, "equal", 0.1) for each in (alone, ratings))
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
        judge = (
            np.nan_to_num(np.nanmean(np.where(np.isfinite(values), values, np.nan), axis=1), nan=1.0)
            if np.isfinite(values).any(axis=1).all()
            else np.ones(len(values))
        )
        try:
            found = assess_replacement(judge, ratings, "near")
        except InputError:
            continue
        assert len(found.seats) + len(found.skipped) == ratings.annotators
        assert all(seat.judge_advantage + seat.human_advantage >= 1 for seat in found.seats)
