from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.keywords import containment, keywords, stop_words


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The studies of treated patients", "en", {"studi", "treat", "patient"}),
        ("Die behandelten Patienten", "de", {"behandelt", "patient"}),
        ("bệnh nhân không đủ điều kiện", "vi", {"bệnh", "nhân", "đủ", "điều", "kiện"}),
        ("1,299.50 dollars", "en", {"1299.50", "dollar"}),
        ("1.299,50 Euro", "de", {"1299.50", "euro"}),
        ("5mg HER2-positive", "en", {"5", "mg", "her2", "posit"}),
        ("患者条件", "zh", {"患者", "者条", "条件"}),
        ("환자는", "ko", {"환자", "자는"}),
        ("", "en", set()),
        ("of the and", "en", set()),
    ],
)
def test_keywords_are_stems_numbers_and_pairs(text, language, expected):
    assert keywords(text, language) == expected


def test_an_elided_article_is_no_part_of_its_noun():
    assert keywords("l’étude", "fr") == keywords("étude", "fr")
    assert keywords("dell'età", "it") == keywords("età", "it")


def test_words_meet_across_inflection_and_case():
    assert keywords("Treatment TREATMENTS") == keywords("treatment")


def test_composed_and_decomposed_letters_are_one():
    assert keywords("cafe\u0301s", "fr") == keywords("cafés", "fr")


def test_a_mark_inside_a_word_does_not_cut_it():
    assert keywords("विद्यार्थी", "mr") == {"विद्यार्थी"}


def test_containment_is_the_share_of_the_part():
    whole = keywords("The trial enrols adults with asthma in Spain")

    assert containment("adults with asthma", whole) == 1
    assert containment("adults with diabetes", whole) == Fraction(1, 2)
    assert containment("the of", whole) is None


@pytest.mark.parametrize("language", ["en", "es", "fr", "de", "pt", "it", "vi", "nl"])
def test_stop_words_are_no_keywords(language):
    assert stop_words(language)
    assert keywords(" ".join(stop_words(language)), language) == frozenset()


def test_a_language_without_a_list_keeps_every_word():
    assert stop_words("sw") == frozenset()


@given(st.text(max_size=200), st.sampled_from(["en", "es", "fr", "de", "zh", "ko", "hi"]))
@settings(deadline=None, derandomize=True)
def test_a_text_contains_itself(text, language):
    own = keywords(text, language)

    assert containment(text, own, language) in (None, 1)
    assert all(own)


def test_a_huge_text_ends():
    keywords("1,1." * 30_000 + "a'a" * 30_000 + "药" * 30_000)
