import pytest

from assay.checks.determination import DETERMINATIONS
from assay.checks.eligibility_table import build_eligibility_table
from assay.checks.proportion import Proportion
from assay.checks.truth_labels import TRUTH_LABELS, match_determination, read_truth

LIKELY, NOT, NEEDS = "likely_eligible", "not_eligible", "needs_confirmation"


@pytest.mark.parametrize(
    ("label", "determination"),
    [
        ("Eligible", LIKELY), ("ELIGIBLE", LIKELY), ("Likely Eligible", LIKELY), ("likely_eligible", LIKELY),
        ("included", LIKELY), ("Include", LIKELY), ("2 - Eligible", LIKELY), ("2: eligible", LIKELY), ("2 (Eligible)", LIKELY),
        ("Excluded", NOT), ("exclude", NOT), ("Not Relevant", NOT), ("not-relevant", NOT), ("0 (Not Relevant)", NOT),
        ("1 (Excluded)", NOT), ("1 Excluded", NOT), ("0(not relevant)", NOT), ("Not Eligible", NOT), ("ineligible", NOT),
        (" Not  eligible. ", NOT), ("1. excluded", NOT),
        ("Needs Confirmation", NEEDS), ("needs_confirmation", NEEDS), ("Not enough information", NEEDS),
        ("0", None), ("1", None), ("2", None), ("", None), ("maybe", None), ("Recruiting", None), ("12", None),
    ],
)  # fmt: skip
def test_a_label_is_read_by_its_name(label, determination):
    assert read_truth(label, TRUTH_LABELS) == determination


def test_a_rubric_may_add_and_overrule_labels():
    table = {**TRUTH_LABELS, "Screen Fail": NOT, "Included": NEEDS}

    assert read_truth("screen fail", table) == NOT
    assert read_truth("included", table) == NEEDS
    assert read_truth("screen fail") is None


@pytest.mark.parametrize(
    ("found", "truth", "match"),
    [
        (LIKELY, LIKELY, "match"), (NOT, NOT, "match"), (NEEDS, NEEDS, "match"),
        (NEEDS, LIKELY, "partial"), (NEEDS, NOT, "partial"),
        (LIKELY, NOT, "mismatch"), (NOT, LIKELY, "mismatch"), (LIKELY, NEEDS, "mismatch"), (NOT, NEEDS, "mismatch"),
        (None, LIKELY, "undetermined"), (None, NOT, "undetermined"), (None, NEEDS, "undetermined"),
    ],
)  # fmt: skip
def test_only_asking_for_confirmation_is_half_right(found, truth, match):
    assert match_determination(found, truth) == match


@pytest.mark.parametrize(("label", "found"), [("Eligible", LIKELY), ("Excluded", NOT), ("Not Relevant", NOT)])
def test_trial_collection_labels_match_their_determination(label, found):
    truth = read_truth(label)
    assert truth is not None
    assert match_determination(found, truth) == "match"
    assert match_determination(NEEDS, truth) == "partial"


def test_the_table_counts_truth_down_and_determination_across():
    table = build_eligibility_table(
        [(LIKELY, LIKELY), (NOT, LIKELY), (NOT, NOT), (NOT, NOT), (NEEDS, NOT), (NOT, None)]
    )

    assert DETERMINATIONS == (LIKELY, NOT, NEEDS)
    assert table.rows == ((1, 0, 0), (1, 2, 0), (0, 1, 0))
    assert table.undetermined == 1


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
