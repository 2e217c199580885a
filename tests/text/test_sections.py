from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.domain.span import Span
from assay.text.sentences import split_sections

SUMMARY = (
    "The U.S. firm sold 3.5 million phones in May. Shares rose. Its rival, e.g. Acme, sold only two million of them."
)


def sections(text: str, language: str = "en") -> list[str]:
    return [span.of(text) for span in split_sections(text, language)]


def test_sections_are_sentences_and_short_fragments_are_ignored():
    assert sections(SUMMARY) == [
        "The U.S. firm sold 3.5 million phones in May.",
        "Its rival, e.g. Acme, sold only two million of them.",
    ]


def test_the_shortest_section_has_six_words():
    assert sections("One two three four five. One two three four five six.") == ["One two three four five six."]


def test_list_items_are_sections_without_their_bullets():
    text = "- the battery lasts for two days\n- the screen is bright but small\n2. it costs 500 rupees or less"
    assert sections(text) == [
        "the battery lasts for two days",
        "the screen is bright but small",
        "it costs 500 rupees or less",
    ]


def test_where_all_fragments_are_short_the_whole_text_is_one_section():
    assert split_sections("  Cheap. Light. Strong. ") == (Span(2, 23),)


@pytest.mark.parametrize("blank", ["", "  \n", "\t"])
def test_a_blank_text_has_no_sections(blank):
    assert split_sections(blank) == ()


def test_scripts_without_spaces_are_measured_by_their_letters():
    text = "这家公司在五月卖出了三百万部手机。涨了。它的对手只卖出了两百万部手机。"
    assert sections(text, language="zh") == ["这家公司在五月卖出了三百万部手机。", "它的对手只卖出了两百万部手机。"]


@settings(deadline=None, derandomize=True, max_examples=80)
@given(st.text(alphabet="ab .;\n-1。!", max_size=60))
def test_sections_are_ordered_trimmed_and_never_missing(text):
    spans = split_sections(text)
    assert bool(spans) == bool(text.strip())
    assert all(span.of(text) == span.of(text).strip() != "" for span in spans)
    assert all(left.end <= right.start for left, right in pairwise(spans))
