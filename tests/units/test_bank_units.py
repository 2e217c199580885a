"""What a judge wrote becomes a bank: screened, counted, and held to the sources that raise it."""

import pytest

from assay.domain.ask import Written
from assay.domain.record import Record, Source
from assay.domain.units import Unit
from assay.files.rubrics import open_rubric
from assay.text.normal import fold_wording
from assay.units.banks import build_units, explain_limits, least_wanted, screen, weigh_units
from assay.units.passages import number_sources

QUESTIONS = open_rubric("search-summary").banks[0]
KEY_POINTS = open_rubric("article-audit").banks[0]
ITEMS = open_rubric("opinion-relevance").banks[0]
LONG = Source("s1", "word " * 40)


def texts(screened):
    return [each.text for each in screened.units]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Which patients should not receive aspirin?", "Which patients should receive aspirin?"),
        ("Germany beat France", "France beat Germany"),
        ("Sales rose by 5 percent", "Sales rose by 50 percent"),
    ],
)
def test_units_that_differ_in_a_word_or_in_its_place_both_stay(one, other):
    screened = screen([Written(one), Written(other)], QUESTIONS)
    assert texts(screened) == [one, other]
    assert screened.dropped == ()


def test_the_same_text_but_for_case_space_and_punctuation_is_dropped_and_listed():
    screened = screen([Written("Which drug lowers uric acid?"), Written("which drug  lowers uric acid")], QUESTIONS)
    assert texts(screened) == ["Which drug lowers uric acid?"]
    assert [notice.check for notice in screened.dropped] == ["repeated_unit"]


def test_repeated_units_are_listed_even_after_more_than_a_bank_may_have():
    rows = [f"Lamp {number} costs {number + 70_000} dollars in the store" for number in range(3_000)]
    screened = screen([Written(row) for row in [*rows, rows[0], rows[-1]]], KEY_POINTS)
    assert screened.too_many
    assert texts(screened) == rows[:7]
    assert [notice.note.rpartition(": ")[2] for notice in screened.dropped] == [rows[0], rows[-1]]


def test_blank_units_vanish():
    assert screen([Written(" "), Written("")], KEY_POINTS).units == ()


NINE = ["wheat", "rain", "roads", "bread", "tax", "ships", "wool", "coal", "salt"]


def test_of_too_many_the_first_stay():
    screened = screen([Written(f"The {name} is dear") for name in NINE], KEY_POINTS)
    assert screened.too_many
    assert texts(screened) == [f"The {name} is dear" for name in NINE[:7]]


@pytest.mark.parametrize(
    ("count", "said"),
    [(2, "2 key points where at least 3 are wanted"), (3, None), (7, None), (8, "more than 7 key points")],
)
def test_a_bank_outside_its_limits_says_so(count, said):
    assert (
        explain_limits(
            screen([Written(f"The {name} is dear") for name in NINE[:count]], KEY_POINTS), KEY_POINTS, [LONG]
        )
        == said
    )


def test_a_short_source_owes_no_fixed_number():
    assert least_wanted(QUESTIONS, [LONG]) == 6
    assert least_wanted(QUESTIONS, [Source("s1", "word " * 29)]) == 1
    assert least_wanted(QUESTIONS, [Source("s1", "word " * 30)]) == 6


def test_a_unit_knows_the_sources_its_sentences_stand_in():
    sources = [Source("s1", "Soft straps."), Source("s2", "Nice and soft straps.")]
    written = [Written(" Soft straps ", ("S2.1", "S1.1", "S2.1", "S7.1"))]
    [unit] = build_units(written, ITEMS, number_sources(sources), sources)
    assert (unit.text, unit.sources) == ("Soft straps", ("s2", "s1"))


def item(*sources):
    return Unit("", "item", f"raised by {sources}", sources=sources)


def record_with(reviews):
    title = Source("s1", "Dune backpack", input="product_title")
    voices = [Source(f"s{number}", "text", input="reviews") for number in range(2, 2 + reviews)]
    return Record("r", "i", "out", (title, *voices, Source("s9", "black", input="specifications")))


@pytest.mark.parametrize(
    ("reviews", "sources", "weight"),
    [
        (3, ("s2", "s3"), "main"),
        (3, ("s2",), "minor"),
        (1, ("s2",), "main"),
        (3, ("s1",), "main"),
        (3, ("s9",), "minor"),
        (3, (), "minor"),
        (3, ("s2", "s9"), "minor"),
    ],
    ids=["two reviews", "one of three", "one of one", "the title", "specifications", "nowhere", "one and data"],
)
def test_an_item_is_main_if_two_reviews_raise_it_or_the_title_states_it(reviews, sources, weight):
    [kept] = weigh_units([item(*sources)], ITEMS, record_with(reviews))
    assert kept.weight == weight


def test_the_units_of_other_banks_are_all_main():
    assert [unit.weight for unit in weigh_units([item()], KEY_POINTS, record_with(3))] == ["main"]


def test_units_that_differ_in_a_sign_or_a_decimal_are_not_the_same_text() -> None:
    texts = ("The rate changed by -5%", "The rate changed by 5%", "The dose is 1.5 mg", "The dose is 1 5 mg")
    assert len({fold_wording(text) for text in texts}) == 4
    assert fold_wording("What is the dose?") == fold_wording("what is  the dose")
