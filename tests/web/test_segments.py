"""A text cut at the borders of spans: whatever the spans, every character is there once and in order."""

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.span import Span
from assay.web.text_view import cut_segments

SPANS = st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)).map(lambda pair: Span(*pair)), max_size=12)


@settings(deadline=None, derandomize=True)
@given(text=st.text(max_size=30), spans=SPANS)
def test_the_pieces_are_the_text(text: str, spans: list[Span]) -> None:
    segments = cut_segments(text, spans)
    assert "".join(segment.span.of(text) for segment in segments) == text
    assert all(segment.span.start < segment.span.end for segment in segments)


@settings(deadline=None, derandomize=True)
@given(text=st.text(min_size=1, max_size=30), spans=SPANS.filter(lambda spans: len(spans) <= 6))
def test_a_piece_lies_under_exactly_the_spans_that_cover_it(text: str, spans: list[Span]) -> None:
    for segment in cut_segments(text, spans):
        for at in range(segment.span.start, segment.span.end):
            assert set(segment.under) == {index for index, span in enumerate(spans) if span.start <= at < span.end}


@settings(deadline=None, derandomize=True)
@given(text=st.text(min_size=1, max_size=30), spans=SPANS)
def test_every_span_opens_once(text: str, spans: list[Span]) -> None:
    opened = [index for segment in cut_segments(text, spans) for index in segment.opens]
    inside = [index for index, span in enumerate(spans) if max(0, span.start) < min(len(text), span.end)]
    assert sorted(opened) == inside


def test_a_window_holds_only_its_own_text() -> None:
    segments = cut_segments("abcdefghij", [Span(0, 4), Span(3, 9)], Span(2, 6))
    assert [(segment.span, segment.under) for segment in segments] == [
        (Span(2, 3), (0,)),
        (Span(3, 4), (1, 0)),
        (Span(4, 6), (1,)),
    ]


def test_an_inner_span_is_on_top_of_one_that_begins_with_it() -> None:
    assert cut_segments("abcdef", [Span(0, 2), Span(0, 6)])[0].under == (0, 1)


def test_ten_thousand_spans_over_one_word_do_not_cost_their_square() -> None:
    text = "x" * 20_001
    segments = cut_segments(text, [Span(at, 20_001 - at) for at in range(10_000)])
    assert "".join(segment.span.of(text) for segment in segments) == text
    assert max(len(segment.under) for segment in segments) == 6
