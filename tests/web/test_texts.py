"""Texts on pages: every character once and in order, nothing hidden, only web addresses as links."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.cli.demo import judge_example
from assay.domain.span import Span
from assay.packs import list_packs
from assay.report.display import show_hidden
from assay.web.record_view import build_record_view
from assay.web.rendering import find_link
from assay.web.text_view import TextMark, build_text, choose_windows, cut_pieces

TEXTS = st.text("ab \n", max_size=30)
SHORT_SPANS = st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)).map(lambda pair: Span(*pair)), max_size=12)


def mark(spans: list[Span]) -> list[TextMark]:
    return [TextMark(f"k{at}", span) for at, span in enumerate(spans)]


@settings(deadline=None, derandomize=True)
@given(text=TEXTS, spans=SHORT_SPANS)
def test_the_pieces_are_the_text_under_the_marks_that_cover_them_and_each_mark_opens_once(
    text: str, spans: list[Span]
) -> None:
    marks, end = mark(spans), 0
    pieces = list(cut_pieces(text, marks, Span(0, len(text))))
    assert "".join(piece.text for piece in pieces) == text
    for piece in pieces:
        assert piece.text
        start, end = end, end + len(piece.text)
        for at in range(start, end):
            covering = {each for each in marks if each.span.start <= at < each.span.end}
            assert set(piece.marks) <= covering
            assert len(piece.marks) == min(6, len(covering))
    opened = [each for piece in pieces for each in piece.opens]
    assert sorted(opened, key=marks.index) == [
        each for each in marks if max(0, each.span.start) < min(len(text), each.span.end)
    ]


def test_a_window_holds_only_its_own_text() -> None:
    pieces = list(cut_pieces("abcdefghij", mark([Span(0, 4), Span(3, 9)]), Span(2, 6)))
    assert [(piece.text, piece.keys) for piece in pieces] == [("c", "k0"), ("d", "k1 k0"), ("ef", "k1")]


def test_a_mark_over_two_windows_opens_in_the_first() -> None:
    (piece,) = cut_pieces("abcdefghij", mark([Span(2, 9), Span(4, 9)]), Span(5, 8), shown=3)
    assert (piece.keys, [each.key for each in piece.opens]) == ("k1 k0", ["k1"])


def test_an_inner_mark_is_on_top_of_one_that_begins_with_it() -> None:
    assert next(cut_pieces("abcdef", mark([Span(0, 2), Span(0, 6)]), Span(0, 6))).keys == "k0 k1"


def test_two_thousand_marks_over_one_word_do_not_cost_their_square() -> None:
    text = "x" * 4_001
    pieces = list(cut_pieces(text, mark([Span(at, 4_001 - at) for at in range(2_000)]), Span(0, 4_001)))
    assert "".join(piece.text for piece in pieces) == text
    assert max(len(piece.marks) for piece in pieces) == 6


SPANS = st.lists(
    st.tuples(st.integers(0, 49_000), st.integers(1, 900)).map(lambda each: Span(each[0], each[0] + each[1]))
)


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
    pieces = build_text(text, mark([Span(4_000_000, 4_000_009)]), 20_000)
    assert [piece.text for piece in pieces if piece.marks] == ["the quote"]
    shown = sum(len(piece.text) for piece in pieces)
    assert (shown < 20_000, sum(piece.left_out for piece in pieces)) == (True, len(text) - shown)


@settings(deadline=None, derandomize=True)
@given(text=TEXTS, spans=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=8))
def test_a_marked_text_is_the_text_and_every_id_is_given_once(text: str, spans: list[tuple[int, int]]) -> None:
    pieces = build_text(text, mark([Span(*span) for span in spans]), 1_000)
    assert "".join(piece.text for piece in pieces) == text
    ids = [each.key for piece in pieces for each in piece.opens]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\u202eb\u202c", "a‹U+202E›b‹U+202C›"),
        ("\u2066x\u2069", "‹U+2066›x‹U+2069›"),
        ("nul\x00", "nul␀"),
        ("lone \ud800", "lone \ufffd"),
        ("tag\U000e0041", "tag‹U+E0041›"),
        ("line\r\nnext\ttab", "line\nnext\ttab"),
        ("soft\u00adhyphen", "softhyphen"),
        ("zero\u200bwidth", "zero‹U+200B›width"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🔬", "👩\u200d🔬"),
    ],
)
def test_hidden_characters_are_shown(text: str, shown: str) -> None:
    assert show_hidden(text) == shown


@settings(deadline=None, derandomize=True)
@given(st.text(st.integers(0, 0x10FFFF).map(chr)))
def test_every_shown_text_is_utf8_without_overrides(text: str) -> None:
    shown = show_hidden(text)
    shown.encode("utf-8")
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\x00\x1b")
    assert show_hidden(shown) == shown


@pytest.mark.parametrize("address", ["https://example.org/a?b=c#d", "HTTP://example.org", " https://example.org/x "])
def test_a_web_address_is_a_link(address: str) -> None:
    assert find_link(address) == address.strip()


@pytest.mark.parametrize(
    "address",
    [
        None,
        "",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "\x01javascript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "//example.org/x",
        "/local",
        "https:",
        "https:///path",
        "http://[broken",
        "https://exam ple.org",
        "https:\\\\example.org",
        "mailto:someone@example.org",
        "https://example.org/" + "x" * 2_000,
    ],
)
def test_everything_else_is_text(address: str | None) -> None:
    assert find_link(address) is None


def test_words_of_the_source_that_correct_a_fault_are_marked() -> None:
    cards = judge_example(list_packs()["comparison-faithfulness"], scripted=True)
    card = next(card for card in cards if card.record.id == "swapped-price")
    texts = build_record_view(card).texts
    marked = {source: [piece.text for piece in pieces if piece.fault == "right"] for source, pieces in texts.items()}
    assert {source: words for source, words in marked.items() if words} == {"s1": ["1,999"], "s2": ["2,400"]}
