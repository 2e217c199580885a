"""What a judge wrote becomes a bank: screened, counted, and held to the sources that raise it."""

import pytest

from assay.domain.ask import Written
from assay.domain.record import Source
from assay.files.rubrics import open_rubric
from assay.text.normal import fold_wording
from assay.units.banks import build_units, least_wanted, screen
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
    screened, _ = screen([Written(one), Written(other)], QUESTIONS, [LONG])
    assert texts(screened) == [one, other]
    assert screened.notices == ()


def test_the_same_text_but_for_case_space_and_punctuation_is_dropped_and_listed():
    screened, _ = screen(
        [Written("Which drug lowers uric acid?"), Written("which drug  lowers uric acid")], QUESTIONS, [LONG]
    )
    assert texts(screened) == ["Which drug lowers uric acid?"]
    assert [notice.check for notice in screened.notices] == ["repeated_unit"]


def test_repeated_units_are_listed_even_after_more_than_a_bank_may_have():
    rows = [f"Lamp {number} costs {number + 70_000} dollars in the store" for number in range(3_000)]
    screened, outside = screen([Written(row) for row in [*rows, rows[0], rows[-1]]], KEY_POINTS, [LONG])
    assert outside == "more than 7 key points"
    assert texts(screened) == rows[:7]
    assert [notice.note.rpartition(": ")[2] for notice in screened.notices] == [rows[0], rows[-1]]


def test_blank_units_vanish():
    assert screen([Written(" "), Written("")], KEY_POINTS, [LONG])[0].units == ()


NINE = ["wheat", "rain", "roads", "bread", "tax", "ships", "wool", "coal", "salt"]


def test_of_too_many_the_first_stay():
    screened, outside = screen([Written(f"The {name} is dear") for name in NINE], KEY_POINTS, [LONG])
    assert outside == "more than 7 key points"
    assert texts(screened) == [f"The {name} is dear" for name in NINE[:7]]


@pytest.mark.parametrize(
    ("count", "said"),
    [(2, "2 key points where at least 3 are wanted"), (3, None), (7, None), (8, "more than 7 key points")],
)
def test_a_bank_outside_its_limits_says_so(count, said):
    assert screen([Written(f"The {name} is dear") for name in NINE[:count]], KEY_POINTS, [LONG])[1] == said


def test_a_short_source_owes_no_fixed_number():
    assert least_wanted(QUESTIONS, [LONG]) == 6
    assert least_wanted(QUESTIONS, [Source("s1", "word " * 29)]) == 1
    assert least_wanted(QUESTIONS, [Source("s1", "word " * 30)]) == 6


def test_a_unit_knows_the_sources_its_sentences_stand_in():
    sources = [Source("s1", "Soft straps."), Source("s2", "Nice and soft straps.")]
    written = [Written(" Soft straps ", ("S2.1", "S1.1", "S2.1", "S7.1"))]
    [unit] = build_units(written, ITEMS, number_sources(sources), {"s1": "s1", "s2": "s2"})
    assert (unit.text, unit.sources) == ("Soft straps", ("s2", "s1"))


def test_a_unit_keeps_the_weight_and_the_direction_it_was_written_with():
    written = [Written("Heavy", ("S1.1",), "minor", "criticised"), Written("Soft straps", ("S1.1",))]
    units = build_units(written, ITEMS, number_sources([LONG]), {"s1": "s1"})
    assert [(unit.weight, unit.direction) for unit in units] == [("minor", "criticised"), ("main", "")]


def test_units_that_differ_in_a_sign_or_a_decimal_are_not_the_same_text() -> None:
    texts = ("The rate changed by -5%", "The rate changed by 5%", "The dose is 1.5 mg", "The dose is 1 5 mg")
    assert len({fold_wording(text) for text in texts}) == 4
    assert fold_wording("What is the dose?") == fold_wording("what is  the dose")
