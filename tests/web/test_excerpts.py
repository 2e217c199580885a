"""What is shown of a long text: never more than allowed, and always what is marked first."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.span import Span
from assay.web.text_view import TextMark, build_text, choose_windows

SPANS = st.lists(
    st.tuples(st.integers(0, 49_000), st.integers(1, 900)).map(lambda each: Span(each[0], each[0] + each[1]))
)


def test_a_text_with_room_is_whole() -> None:
    assert choose_windows("a" * 50, [Span(3, 4)], 50) == [Span(0, 50)]
    assert choose_windows("", [], 50) == []


@settings(deadline=None, derandomize=True)
@given(spans=SPANS)
def test_windows_are_in_order_apart_and_within_the_limit(spans: list[Span]) -> None:
    windows = choose_windows("a" * 50_000, spans, 8_000)
    assert all(one.end < two.start for one, two in pairwise(windows))
    # Gaps too small to be worth one are shown as well.
    assert sum(window.end - window.start for window in windows) <= 8_000 + 200 * len(spans)


def test_a_gap_of_two_hundred_characters_is_worth_leaving_out_and_a_shorter_one_is_not() -> None:
    text, first = "a" * 50_000, Span(10_000, 10_010)
    assert choose_windows(text, [first, Span(11_009, 11_010)], 8_000)[1:] == [Span(9_600, 11_410)]
    assert choose_windows(text, [first, Span(11_010, 11_011)], 8_000)[1:] == [Span(9_600, 10_410), Span(10_610, 11_411)]


def test_the_neighbourhood_of_a_quote_far_down_is_kept() -> None:
    text = "a" * 4_000_000 + "the quote" + "b" * 1_000_000
    view = build_text(text, [TextMark("k", Span(4_000_000, 4_000_009))], 20_000)
    shown = [piece for piece in view.pieces if "k" in piece.keys]
    assert [piece.text for piece in shown] == ["the quote"]
    assert view.left_out == len(text) - sum(len(piece.text) for piece in view.pieces)
    assert sum(len(piece.text) for piece in view.pieces) < 20_000


@settings(deadline=None, derandomize=True)
@given(text=st.text(max_size=60), spans=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=8))
def test_a_marked_text_is_the_text_and_every_id_is_given_once(text: str, spans: list[tuple[int, int]]) -> None:
    marks = [TextMark(f"k{at}", Span(*span)) for at, span in enumerate(spans)]
    view = build_text(text, marks, 1_000)
    assert "".join(piece.text for piece in view.pieces) == text
    ids = [identifier for piece in view.pieces for identifier in piece.ids]
    assert len(ids) == len(set(ids))
