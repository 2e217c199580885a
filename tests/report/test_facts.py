"""What outputs state against the truth, counted over a run, with a rate to watch."""

from dataclasses import replace

import pytest
from cards import card

from assay.domain.facts import Fact
from assay.domain.wilson import place_wilson
from assay.report.facts import FactCounts

LIKELY, NOT, NEEDS = "likely_eligible", "not_eligible", "needs_confirmation"


def count(*pairs: tuple[str | None, str | None]) -> FactCounts:
    """Truth and determination of each record."""
    plain = card("trial-eligibility", "a", {})
    counts = FactCounts.begin(plain.rubric)
    for truth, stated in pairs:
        counts.add(replace(plain, facts={"truth": Fact(truth), "determination": Fact(stated)}))
    return counts


def test_the_table_counts_truth_down_and_determination_across() -> None:
    counts = count((LIKELY, LIKELY), (NOT, LIKELY), (NOT, NOT), (NOT, NOT), (NEEDS, NOT), (NOT, None), (None, NOT))
    (table,) = counts.tables()
    assert table.columns == ("likely eligible", "not eligible", "needs confirmation", "not known")
    assert [row for _, row in table.rows] == [(1, 0, 0, 0), (1, 2, 0, 1), (0, 1, 0, 0)]
    assert "equals the truth in 3 of 6 records" in table.said
    assert "Always answering “not eligible” would be right in 4 of 6." in table.said


def test_false_eligible_is_counted_over_every_record_whose_truth_is_not_eligible() -> None:
    counts = count((NOT, LIKELY), (NOT, NOT), (NOT, NEEDS), (NOT, None), (LIKELY, LIKELY), (NEEDS, LIKELY))
    assert counts.sentences() == ("False-eligible rate: 1 of 4, 25 % (95 % interval 5 to 70 %).",)


def test_no_record_to_be_wrong_about_has_no_rate() -> None:
    assert count((LIKELY, LIKELY)).sentences() == ("False-eligible rate: 0 of 0.",)
    assert count((None, LIKELY)).tables() == ()


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (1, 100, 0.0018, 0.0545)],
)
def test_the_interval_is_wilsons(hits: int, total: int, low: float, high: float) -> None:
    assert place_wilson(hits / total, total, 1.959963984540054) == pytest.approx((low, high), abs=5e-5)
