"""Drawings that add up: every score is under one bar, every value in its place, every word of data is text."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markup import Page
from runs import run_row

from assay.domain.listed import MetricScore
from assay.domain.scale import Scale
from assay.report.mean import Mean
from assay.store.runs import RunRow
from assay.web.drawing import count_scores
from assay.web.rendering import build_environment

HUNDRED = Scale(Fraction(0), Fraction(100))
DRAW = build_environment().get_template("drawings.html").module


def place(page: Page, tag: str, *names: str) -> list[tuple[float, ...]]:
    return [tuple(float(each.attributes[name]) for name in names) for each in page.of(tag)]


@settings(deadline=None, derandomize=True)
@given(scores=st.lists(st.floats(0, 100)))
def test_every_score_is_counted_once_and_every_bar_stands_in_its_frame(scores: list[float]) -> None:
    assert sum(count for _, count, _ in count_scores(Counter(scores), HUNDRED)) == len(scores)
    page = Page(DRAW.histogram(Counter(scores), HUNDRED, "Coverage"))
    assert (page.open, page.misnested) == ([], [])
    bars = place(page, "rect", "x", "y", "width", "height")
    assert all(x >= 0 and x + width <= 260 and y >= 0 and y + height <= 72.01 for x, y, width, height in bars)


def test_a_short_scale_has_a_bar_per_level() -> None:
    scale = Scale(Fraction(0), Fraction(3), best="low")
    assert count_scores(Counter([0, 0, 3]), scale) == [
        ("0", 2, "high"),
        ("1", 0, "middle"),
        ("2", 0, "low"),
        ("3", 1, "low"),
    ]
    assert "records by score. 0: 2; 3: 1" in DRAW.histogram(Counter([0, 0, 3]), scale, "Faults")


def test_the_best_score_of_a_long_scale_is_in_the_last_bar() -> None:
    assert count_scores(Counter([100]), HUNDRED)[-1] == ("90–100", 1, "high")


@pytest.mark.parametrize(("mean", "interval"), [(0.5, (0.2, 0.9)), (0.0, None), (1.0, (1.0, 1.0))])
def test_a_dot_stands_inside_its_interval(mean: float, interval: tuple[float, float] | None) -> None:
    page = Page(DRAW.interval(mean, interval, "said"))
    ((x,),) = place(page, "circle", "cx")
    ranges = [each for each in page.of("line") if each.attributes["class"] == "range"]
    assert len(ranges) == (interval is not None)
    assert all(float(each.attributes["x1"]) <= x <= float(each.attributes["x2"]) for each in ranges)
    assert 0 < x < 200


def test_a_difference_of_nothing_stands_in_the_middle() -> None:
    assert place(Page(DRAW.interval(0, None, "said", low=-1)), "circle", "cx") == [(100,)]


def place_run(at: int, *values: float, name: str = "r") -> tuple[int, RunRow, Mean]:
    mean = Mean()
    for number, value in enumerate(values):
        mean.add(f"i{number}", MetricScore("metric", "ok", goodness=value))
    return at, run_row("search-summary", id=name), mean


def test_points_stand_in_the_order_of_runs_and_lines_lead_through_those_that_can_be_compared() -> None:
    courses = [[place_run(0, 0.0), place_run(2, 0.5, 1.0, 1.0, 0.5)], [place_run(1, 0.5)]]
    page = Page(DRAW.plot("said", courses, ("first", "last"), 3, "/root"))
    (low, high, middle) = place(page, "circle", "cx", "cy")
    assert (low[0] + high[0]) / 2 == middle[0]
    assert low[1] > middle[1] > high[1]
    line, _ = page.of("polyline")
    assert line.attributes["points"] == " ".join(",".join(f"{each:g}" for each in one) for one in (low, high))
    assert [each.text for each in page.of("text")] == ["0", "0.5", "1", "first", "last"]
    assert {each.attributes["href"] for each in page.of("a")} == {"/root/runs/r"}
    assert all(0 < x < 320 and 0 < y < 170 for x, y in (low, middle, high))


def test_a_value_beyond_its_axis_stands_at_the_end_of_it() -> None:
    assert place(Page(DRAW.interval(7, None, "said")), "circle", "cx") == [(194,)]


def test_words_of_data_are_text_in_a_picture() -> None:
    evil = "<script>x</script>\"'&\u202e"
    page = Page(DRAW.plot(evil, [[place_run(0, 0.5, name=evil)]], (evil, ""), 2, "/a?b=1&c=2"))
    assert (page.open, page.misnested) == ([], [])
    assert not page.of("script")
    assert page.of("a")[0].attributes["href"].startswith("/a?b=1&c=2/runs/")
    assert page.of("svg")[0].attributes["aria-label"] == "<script>x</script>\"'&‹U+202E›"
    assert page.text.count("‹U+202E›") == 2
