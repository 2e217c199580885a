from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.span import Span
from assay.text.sections import split_sections

SUMMARY = (
    "The U.S. firm sold 3.5 million phones in May. Shares rose. Its rival, e.g. Acme, sold only two million of them."
)


def sections(text: str, **options: bool | int | str) -> list[str]:
    return [span.of(text) for span in split_sections(text, **options)]


def test_sections_are_sentences_and_short_fragments_are_ignored():
    assert sections(SUMMARY) == [
        "The U.S. firm sold 3.5 million phones in May.",
        "Its rival, e.g. Acme, sold only two million of them.",
    ]


def test_the_shortest_section_has_exactly_the_least_words():
    assert sections("One two three four five. One two three four five six.") == ["One two three four five six."]
    assert sections("One two. One.", least_words=2) == ["One two."]


def test_list_items_are_sections_without_their_bullets():
    text = "- the battery lasts for two days\n- the screen is bright but small\n2. it costs 500 rupees or less"
    assert sections(text) == [
        "the battery lasts for two days",
        "the screen is bright but small",
        "it costs 500 rupees or less",
    ]


def test_a_bullet_is_no_word():
    assert sections("- one two three four five\n- one two three four five six") == ["one two three four five six"]


def test_where_all_fragments_are_short_the_whole_text_is_one_section():
    assert split_sections("  Cheap. Light. Strong. ") == (Span(2, 23),)


@pytest.mark.parametrize("blank", ["", "  \n", "\t"])
@pytest.mark.parametrize("literal", [True, False])
def test_a_blank_text_has_no_sections(blank, literal):
    assert split_sections(blank, literal=literal) == ()


def test_semicolons_split_only_on_request():
    text = "The price of the phone rose again; the price of the tablet fell at last."
    assert sections(text) == [text]
    assert sections(text, semicolons=True) == [
        "The price of the phone rose again",
        "the price of the tablet fell at last.",
    ]


def test_a_semicolon_inside_a_word_is_no_boundary():
    text = "The page at a.example/x;y=1 was gone by the next day."
    assert sections(text, semicolons=True) == [text]


def test_literal_sections_break_at_every_full_stop():
    assert sections(SUMMARY, literal=True, least_words=1) == [
        "The U",
        "S",
        "firm sold 3",
        "5 million phones in May",
        "Shares rose",
        "Its rival, e",
        "g",
        "Acme, sold only two million of them",
    ]


def test_literal_sections_ignore_line_breaks():
    text = "- one two three\n- four five six"
    assert sections(text, literal=True) == [text]


def test_literal_sections_can_break_at_semicolons_too():
    text = "one two three four five six; one two three four five six. end"
    assert len(sections(text, literal=True, semicolons=True)) == 2


def test_scripts_without_spaces_are_measured_by_their_letters():
    text = "这家公司在五月卖出了三百万部手机。涨了。它的对手只卖出了两百万部手机。"
    assert sections(text, language="zh") == ["这家公司在五月卖出了三百万部手机。", "它的对手只卖出了两百万部手机。"]


@settings(deadline=None, derandomize=True, max_examples=200)
@given(st.text(alphabet="ab .;\n-1。!", max_size=60), st.booleans(), st.booleans(), st.integers(0, 4))
def test_sections_are_ordered_trimmed_and_never_missing(text, semicolons, literal, least_words):
    spans = split_sections(text, semicolons=semicolons, literal=literal, least_words=least_words)
    assert bool(spans) == bool(text.strip())
    assert all(span.of(text) == span.of(text).strip() != "" for span in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))
