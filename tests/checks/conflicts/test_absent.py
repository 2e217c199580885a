import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.checks.conflicts.absent import LONGEST, find_absent
from assay.checks.source_quantities import READ_WHOLE

SOURCE = (
    "Doctor Ana Ruiz of the Nordic Heart Institute said on 4 March 2019 that 1,250 patients in Italy took 40 mg a day. "
    "The trial cost $3.4 million, of which the Lund Foundation paid $1.2 million. São Pedro sent 20 nurses."
)


@pytest.mark.parametrize(
    ("claim", "words", "kind"),
    [
        ("The trial was led by Peter Falk in spring.", "Peter Falk", "name"),
        ("The trial was led by Ana Gomez in spring.", "Gomez", "name"),
        ("The trial took 1,300 patients.", "1,300", "number"),
        ("It was reported on 5 March 2019.", "5 March 2019", "date"),
        ("Patients took 80 mg a day.", "80 mg a day", "dose"),
        ("The trial cost $9 million.", "$9 million", "price"),
    ],
)
def test_what_no_source_has_is_absent(claim, words, kind):
    assert [(each.span.of(claim), each.kind) for each in find_absent(claim, [SOURCE])] == [(words, kind)]


@pytest.mark.parametrize(
    "claim",
    [
        "The trial was led by Ruiz.",
        "About 1,300 patients took part, said the NHI.",
        "Some 1.3 thousand Italian patients took part.",
        "It cost $3.4m, of which others paid $2.2 million.",
        "It was reported in March 2019.",
        "Nurses came from Sao Pedro.",
        "Nurses came from the Lundd Foundation.",
        "Three doctors and the 20th nurse came.",
        "Falk was not there.",
        "nobody heard of peter falk.",
        "The heroine is UNK.",
    ],
)
def test_other_forms_roundings_sums_small_counts_and_first_words_are_not_absent(claim):
    assert find_absent(claim, [SOURCE]) == ()


def test_small_counts_are_told_on_request():
    assert find_absent("The trial had seven sites.", [SOURCE]) == ()
    assert len(find_absent("The trial had seven sites.", [SOURCE], small=True)) == 1


def test_a_torn_number_in_a_source_is_still_that_number():
    assert find_absent("It drew 12,500 people.", ["It drew 12, 500 people."]) == ()


def test_numbers_of_a_long_source_are_worked_out_from_the_sentences_nearest_to_the_claim():
    filler = " ".join(f"House {number} has {number + 100} windows." for number in range(60))
    source = f"{filler} The choir sold 310 tickets at the door and 205 tickets online."
    assert find_absent("The choir sold 515 tickets at the door and online.", [source]) == ()
    assert find_absent("The choir sold 9,515 tickets at the door and online.", [source])


def test_numbers_of_several_long_sources_are_worked_out_from_the_sentences_nearest_to_the_claim():
    houses = " ".join(f"House {number} has {number + 100} windows." for number in range(60))
    choir = "The choir sold 310 tickets at the door. Nobody knows why. The choir sold 205 tickets online."
    assert find_absent("The choir sold 515 tickets at the door and online.", [houses, choir]) == ()
    assert find_absent("The choir sold 9,515 tickets at the door and online.", [houses, choir])


QUIET = "Nothing of note was seen on the ward that day. "


@pytest.mark.parametrize("claim", ["Patients took 5 mg a day.", "They took 0.005 g.", "Some 40 days had passed."])
def test_nothing_is_said_of_quantities_where_a_source_is_too_long_to_be_read_whole(claim):
    long = QUIET * (READ_WHOLE // len(QUIET) + 1) + "Each patient took 5 mg a day for 41 days."
    assert find_absent(claim, [long]) == ()
    assert find_absent(claim, [SOURCE, long]) == ()


def test_names_are_told_of_a_source_of_any_length():
    long = QUIET * (READ_WHOLE // len(QUIET) + 1)
    claim = "The ward was led by Peter Falk for 41 days."
    assert [each.span.of(claim) for each in find_absent(claim, [long])] == ["Peter Falk"]


def test_a_source_that_is_just_read_whole_is_held_against_a_claim():
    end = "Each patient took 5 mg a day."
    text = (QUIET * (READ_WHOLE // len(QUIET)))[: READ_WHOLE - len(end)] + end
    assert find_absent("Each patient took 5 mg a day.", [text]) == ()
    assert len(find_absent("Each patient took 15 mg a day.", [text])) == 1


def test_without_sources_everything_is_absent():
    assert [each.kind for each in find_absent("She met Peter Falk in 1998.", [])] == ["name", "date"]


def test_a_claim_as_long_as_a_page_is_left_alone():
    assert find_absent("It met Falk. " * LONGEST, [SOURCE]) == ()


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.text(alphabet="AbcDe 159.,$%'’\n-", max_size=80))
def test_nothing_of_a_source_is_absent_from_it(text):
    found = find_absent(text, ["other words", text], small=True)
    assert found == ()
