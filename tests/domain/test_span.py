"""Stretches of a text, taken together."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.span import Span, merge_spans

spans = st.lists(st.builds(lambda start, length: Span(start, start + length), st.integers(0, 40), st.integers(1, 9)))


def cover(found: list[Span]) -> set[int]:
    return {place for span in found for place in range(span.start, span.end)}


@settings(deadline=None, derandomize=True, max_examples=200)
@given(spans)
def test_merged_spans_cover_the_same_characters_each_once_and_in_order(given_spans: list[Span]):
    merged = merge_spans(given_spans)
    assert cover(merged) == cover(given_spans)
    assert all(one.end < other.start for one, other in pairwise(merged))


def test_spans_that_touch_become_one():
    assert merge_spans([Span(4, 7), Span(0, 4)]) == [Span(0, 7)]
    assert merge_spans([Span(5, 7), Span(0, 4)]) == [Span(0, 4), Span(5, 7)]


def test_a_span_inside_another_does_not_shorten_it():
    assert merge_spans([Span(0, 9), Span(2, 3), Span(8, 12)]) == [Span(0, 12)]


def test_a_gap_is_closed_up_to_the_width_that_is_given():
    apart = [Span(0, 4), Span(7, 9)]
    assert merge_spans(apart, gap=2) == apart
    assert merge_spans(apart, gap=3) == [Span(0, 9)]
