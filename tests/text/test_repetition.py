"""The first earlier text with four in five of all the stems of both, found without comparing each with each."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.repetition import Said


def said(*texts, over=False):
    heard = Said(over=over)
    for text in texts:
        heard.add(frozenset(text))
    return heard


@pytest.mark.parametrize(("over", "place"), [(False, 0), (True, None)])
def test_exactly_four_in_five_are_enough_unless_more_are_asked_for(over, place):
    assert said("abcd", over=over).find(frozenset("abcde")) == place
    assert said("abcde", over=over).find(frozenset("abcd")) == place


@pytest.mark.parametrize("over", [False, True])
def test_the_first_of_several_is_told(over):
    assert said("xyz", "abcdef", "fedcba", over=over).find(frozenset("abcdef")) == 1


@pytest.mark.parametrize("over", [False, True])
def test_texts_without_stems_say_nothing_twice(over):
    assert said("", "a", over=over).find(frozenset()) is None


def share(one, other):
    return Fraction(len(one & other), len(one | other)) if one | other else Fraction(0)


STEMS = st.frozensets(st.sampled_from("abcdefghijkl"), max_size=12)


@settings(deadline=None, derandomize=True, max_examples=300)
@given(st.lists(STEMS, max_size=30), STEMS, st.booleans())
def test_the_same_text_is_found_as_by_comparing_with_each(texts, asked, over):
    def is_same(other):
        return share(asked, other) > Fraction(4, 5) if over else share(asked, other) >= Fraction(4, 5)

    first = next((place for place, other in enumerate(texts) if is_same(other)), None)
    assert said(*texts, over=over).find(asked) == first


def test_among_ten_thousand_texts_of_one_pattern_each_finds_its_own():
    texts = [frozenset(f"the price of lamp {number} is {number + 70_000} now".split()) for number in range(10_000)]
    heard = said(*texts)
    assert [heard.find(text) for text in texts] == list(range(10_000))
