"""Drawings that add up: every score is under one bar, every mean in its place."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.scale import Scale
from assay.web.charts import draw_histogram, draw_interval


@settings(deadline=None, derandomize=True)
@given(scores=st.lists(st.floats(0, 100)))
def test_every_score_is_counted_once(scores: list[float]) -> None:
    chart = draw_histogram(scores, Scale(Fraction(0), Fraction(100)))
    assert sum(bar.count for bar in chart.bars) == len(scores)
    assert all(0 <= bar.y <= chart.height and bar.x + bar.width <= chart.width for bar in chart.bars)


def test_a_short_scale_has_a_bar_per_level() -> None:
    chart = draw_histogram([0, 0, 3], Scale(Fraction(0), Fraction(3), best="low"))
    assert [(bar.label, bar.count, bar.tone) for bar in chart.bars] == [
        ("0", 2, "high"),
        ("1", 0, "middle"),
        ("2", 0, "low"),
        ("3", 1, "low"),
    ]
    assert chart.said == "0: 2; 3: 1"


def test_the_best_score_of_a_long_scale_is_in_the_last_bar() -> None:
    chart = draw_histogram([100], Scale(Fraction(0), Fraction(100)))
    assert (chart.bars[-1].label, chart.bars[-1].count) == ("90–100", 1)


@pytest.mark.parametrize(("mean", "interval"), [(0.5, (0.2, 0.9)), (0.0, None), (1.0, (1.0, 1.0))])
def test_a_dot_stands_inside_its_interval(mean: float, interval: tuple[float, float] | None) -> None:
    dot = draw_interval(mean, interval)
    assert dot.low <= dot.x <= dot.high
    assert 0 < dot.x < dot.width
    assert dot.has_interval == (interval is not None)
