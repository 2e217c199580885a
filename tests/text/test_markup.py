from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.markup import as_seen, blot, find_markup, find_unseen, see
from assay.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Al\u00adder Val\u00adley", "Alder Valley"),
        ("It <!-- draft; by 9 people -->rained.", "It rained."),
        ("It <b>rained</b> in <a href='x'>May</a>.", "It rained in May."),
        ("One.<br>Two.<BR/>Three.", "One. Two. Three."),
        ("<\u00ad!-- unseen --> seen", " seen"),
        ("<!-- open", "<!-- open"),
        ("<person> and <blank>", "<person> and <blank>"),
    ],
)
def test_a_text_is_read_without_what_no_reader_sees(text, seen):
    assert as_seen(text) == seen


@pytest.mark.parametrize(
    "text",
    [
        "<p only ten died>",
        "Safe <i =and it cured ninety>.",
        "The drug <b caused two deaths> works.",
    ],
)
def test_words_in_angle_brackets_that_are_no_attributes_stay_in_sight(text):
    assert find_markup(text)
    assert find_unseen(text) == ()
    assert as_seen(text) == text


def test_a_plain_text_is_not_copied():
    text = "It rained. It was cold – very."
    assert see(text) is None
    assert as_seen(text) is text


def test_each_seen_character_has_its_place_in_the_original():
    text = "Al\u00adder <!-- x --><b>Val\u200bley</b>"
    seen = see(text)
    assert seen is not None
    assert seen.text == "Alder Valley"
    assert seen.span(0, 5).of(text) == "Al\u00adder"
    assert seen.span(6, 12).of(text) == "Val\u200bley"


def test_a_tag_in_a_table_row_is_left_to_the_row():
    assert find_markup("| a<br>b | c |") == ()
    assert len(find_markup("| a |\nb<br>c")) == 1


def test_a_row_goes_on_behind_a_comment():
    text = "| bag <!-- checked --> | soft<br>deep |\n| tent | wide |"
    assert [mark.kind for mark in find_markup(text)] == ["comment"]
    assert [span.of(text) for span in split_sentences(text)] == text.split("\n")


@pytest.mark.parametrize("text", ["<p<!-- x -->>Text</p>", "a <b <!-- c --> id='x'>bold</b>.", "<!-- x -->b>c<b>d</b>"])
def test_no_markup_overlaps_another(text):
    spans = [mark.span for mark in find_markup(text)]
    assert all(before.end <= after.start for before, after in pairwise(spans)), spans


def test_an_open_comment_hides_nothing():
    assert find_markup("<!-- a " * 3) == ()


PIECES = [
    "<br>",
    "<p class='x'>",
    "</p>",
    "<b>",
    "</b>",
    "<!--",
    "-->",
    "<",
    ">",
    "| ",
    "\n",
    " ",
    "a",
    ".",
    "\u00ad",
    "p",
]


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_markup_is_in_order_and_apart_and_blotting_keeps_the_length(text):
    done = 0
    for mark in find_markup(text):
        assert done <= mark.span.start < mark.span.end
        assert text[mark.span.start] == "<"
        assert text[mark.span.end - 1] == ">"
        done = mark.span.end
    assert len(blot(text, find_markup(text))) == len(text)


@pytest.mark.parametrize("unit", ["<p ", "<!--", "<br>", "<", "<p =", "| <", "<b a=", "<p\t", "</", "<!-- --> <p>"])
def test_long_hostile_markup_is_read_to_its_end(unit):
    text = unit * (60_000 // len(unit))
    assert len(blot(text, find_markup(text))) == len(text)
    assert len(as_seen(text)) <= len(text)
