"""The table of determinations against the truth, and its false-eligible rate."""

import pytest

from assay.packs.trial_eligibility.determination import DETERMINATIONS
from assay.report.eligibility_table import Proportion, build_eligibility_table

LIKELY, NOT, NEEDS = DETERMINATIONS


def test_the_table_counts_truth_down_and_determination_across():
    table = build_eligibility_table(
        [(LIKELY, LIKELY), (NOT, LIKELY), (NOT, NOT), (NOT, NOT), (NEEDS, NOT), (NOT, None)]
    )

    assert table.rows == ((1, 0, 0), (1, 2, 0), (0, 1, 0))
    assert table.count(NOT, None) == 1


def test_false_eligible_is_counted_over_every_record_whose_truth_is_not_eligible():
    table = build_eligibility_table(
        [(NOT, LIKELY), (NOT, NOT), (NOT, NEEDS), (NOT, None), (LIKELY, LIKELY), (NEEDS, LIKELY)]
    )

    assert table.false_eligible == Proportion(1, 4)


def test_no_record_to_be_wrong_about_has_no_rate():
    rate = build_eligibility_table([(LIKELY, LIKELY)]).false_eligible

    assert (rate.share, rate.interval) == (None, None)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (1, 100, 0.0018, 0.0545)],
)
def test_the_interval_is_wilsons(count, total, low, high):
    assert Proportion(count, total).interval == pytest.approx((low, high), abs=5e-5)


def test_more_than_all_is_no_share():
    with pytest.raises(ValueError, match="3 of 2"):
        Proportion(3, 2)
