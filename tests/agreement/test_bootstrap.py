"""Intervals: what they hold, when there is none, that they can be had again, and cautions about small studies."""

import numpy as np
import pytest
from random_tables import half_width

from assay.agreement.bootstrap import (
    accelerate,
    combine,
    divide,
    draw_counts,
    estimate,
    expand,
    resample_sums,
)
from assay.agreement.estimate import caution_about_size
from assay.agreement.figures import caution_about_values
from assay.agreement.pairs import build_pairs
from assay.agreement.statistics import mean_error, spearman


def tally_mean(values, clusters):
    codes = np.asarray(clusters)
    contributions = np.column_stack([np.ones(len(values)), values])
    return resample_sums(contributions, codes, int(codes.max()) + 1, lambda sums: divide(sums[1], sums[0]))


def resample(statistic, rounds=1000):
    return statistic.evaluate(draw_counts(statistic.cluster_count, rounds))


def test_a_resample_draws_as_many_clusters_as_there_are():
    counts = draw_counts(70, 30)
    assert counts.shape == (30, 70)
    assert (counts.sum(axis=1) == 70).all()


def test_one_table_gives_one_interval():
    tally = tally_mean(np.random.default_rng(1).random(60), np.arange(60) // 2)
    assert estimate(tally) == estimate(tally)


def test_the_spread_of_resampled_means_is_that_of_the_cluster_formula():
    values = np.random.default_rng(1).random(300) + np.repeat(np.random.default_rng(2).random(60), 5)
    tally = tally_mean(values, np.arange(300) // 5)
    sums = np.bincount(np.arange(300) // 5, values - values.mean())
    assert np.std(resample(tally, 4000)) == pytest.approx(np.sqrt(np.sum(sums**2)) / 300, rel=0.05)


def test_items_of_one_document_widen_the_interval():
    values = np.repeat(np.random.default_rng(3).random(40), 10)
    alone, together = (estimate(tally_mean(values, codes)) for codes in (np.arange(400), np.arange(400) // 10))
    assert half_width(together) > 2 * half_width(alone)
    assert (together.n, together.clusters) == (400, 40)


def test_few_clusters_are_given_wider_percentiles():
    reaches = [expand(clusters) for clusters in (100_000, 30, 10, 5)]
    assert reaches == sorted(reaches)
    assert reaches[0] == pytest.approx(1.96, abs=1e-3)


def test_the_interval_is_scipys_bca_where_clusters_are_many():
    from scipy import stats

    values = np.random.default_rng(2).exponential(size=400)
    expected = stats.bootstrap((values,), np.mean, n_resamples=4000, rng=np.random.default_rng(1)).confidence_interval
    found = estimate(tally_mean(values, np.arange(400))).interval
    assert found == pytest.approx((expected.low, expected.high), abs=0.01)


def test_leaving_out_blocks_of_many_clusters_finds_the_skewness_of_single_ones():
    from scipy import stats

    values = np.random.default_rng(4).exponential(size=4000)
    skewness = stats.skew(values) / (6 * np.sqrt(4000))
    assert accelerate(tally_mean(values, np.arange(4000))) == pytest.approx(skewness, abs=0.008)
    assert accelerate(tally_mean(values[:150], np.arange(150))) == pytest.approx(
        stats.skew(values[:150]) / (6 * np.sqrt(150))
    )


@pytest.mark.parametrize(
    ("values", "clusters", "sentence"),
    [
        (np.arange(8.0), np.arange(8) // 2, "too few source groups for an interval: 4, at least 5 are needed"),
        (np.ones(50), np.arange(50), "every resample gives the same value: no interval"),
    ],
)
def test_where_resampling_tells_nothing_there_is_no_interval(values, clusters, sentence):
    found = estimate(tally_mean(values, clusters))
    assert found.value is not None
    assert found.interval is None
    assert sentence in found.warnings


def test_resamples_without_a_value_are_told():
    human = np.array([1.0] * 57 + [2, 3, 4])
    found = estimate(spearman(build_pairs(np.arange(60.0), human)))
    assert any("resamples" in each for each in found.warnings)
    assert found.interval is not None


def test_combined_tallies_share_their_resamples():
    """A judge less itself is 0 in every resample, which it would not be if each side drew its own clusters."""
    chance = np.random.default_rng(0)
    pairs = build_pairs(chance.integers(0, 2, 50), chance.integers(0, 2, 50))
    tallies = [mean_error(pairs)] * 2
    assert not resample(combine(tallies, lambda values: values[1] - values[0])).any()


def test_tallies_of_other_clusters_cannot_be_combined():
    with pytest.raises(ValueError, match="same clusters"):
        combine(
            [tally_mean(np.ones(4), np.arange(4)), tally_mean(np.ones(4), np.arange(4) // 2)], lambda values: values[0]
        )


def test_small_studies_are_told():
    assert caution_about_size(100, 30) == ()
    assert any("400, 4 source groups" in each and "less than 93 %" in each for each in caution_about_size(400, 4))
    assert len(caution_about_size(99, 99)) == 1


def test_one_value_for_nearly_all_is_told():
    skewed = build_pairs([1.0] * 96 + [0.0] * 4, [1.0] * 90 + [0.0] * 5 + [1.0] * 5)
    sentences = caution_about_values(skewed)
    assert any("the judge gives 96%" in each for each in sentences)
    assert caution_about_values(build_pairs([1.0, 2, 3, 4], [1.0, 2, 3, 4])) == ()
    assert caution_about_values(build_pairs([], [])) == ()
