"""Single fields: what is read, what is repaired, and which failure each wrong form is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.replies.strict import Torn
from assay.replies.values import Misreading, Reading, read_label, read_level, read_number

COVERAGE = ("Fully", "Partial", "Not")
SUPPORT = ("Supported", "Partially", "Unsupported")
ANSWERED = ("full", "partial", "no")
ANSWERED_SYNONYMS = {"true": "full", "yes": "full", "partially": "partial", "false": "no"}


def status_of(reading: Reading[object] | Misreading) -> str | None:
    return reading.status if isinstance(reading, Misreading) else None


def value_of(reading: Reading[object] | Misreading) -> object:
    return reading.value if isinstance(reading, Reading) else None


any_json = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text()) | st.just({})


@pytest.mark.parametrize(
    ("value", "options", "read"),
    [
        ("Fully", COVERAGE, "Fully"),
        ("fully", COVERAGE, "Fully"),
        (" FULLY. ", COVERAGE, "Fully"),
        ("**Fully**", COVERAGE, "Fully"),
        ("Fully covered", COVERAGE, "Fully"),
        ("Not covered", COVERAGE, "Not"),
        ("Fully - the point is there, not in part", COVERAGE, "Fully"),
        ("Partially supported", SUPPORT, "Partially"),
        ("Unsupported", SUPPORT, "Unsupported"),
        ("bias-toxicity", ("bias_toxicity", "coverage"), "bias_toxicity"),
        ("Bias Toxicity", ("bias_toxicity", "coverage"), "bias_toxicity"),
        ("Not Eligible", ("not eligible", "likely eligible"), "not eligible"),
        ("not eligible at present", ("not", "not eligible"), "not eligible"),
    ],
)
def test_a_label_is_read_whatever_its_spelling(value, options, read):
    reading = read_label(value, options)
    assert isinstance(reading, Reading)
    assert reading.value == read
    assert (reading.repaired is None) == (value == read)


@pytest.mark.parametrize(
    ("value", "read"), [("partially", "partial"), (True, "full"), (False, "no"), ("Yes", "full"), ("No.", "no")]
)
def test_synonyms_stand_for_their_option(value, read):
    reading = read_label(value, ANSWERED, ANSWERED_SYNONYMS)
    assert isinstance(reading, Reading)
    assert reading.value == read
    assert reading.repaired


def test_the_ampersand_form_of_a_metric_is_a_synonym():
    reading = read_label("Bias & Toxicity", ("bias_toxicity",), {"bias & toxicity": "bias_toxicity"})
    assert reading == Reading("bias_toxicity", "synonym of a label")


@pytest.mark.parametrize("value", ["Mostly", "", "covered", "Notable", "Partially", 3, None, ["Fully"], {}, True])
def test_an_unknown_label_is_malformed(value):
    assert status_of(read_label(value, COVERAGE)) == "malformed"


@pytest.mark.parametrize(
    ("value", "options"),
    [
        ("Fully/Partial", COVERAGE),
        ("Not fully", COVERAGE),
        ("Fully, Partial", COVERAGE),
        ("Supported but partially", SUPPORT),
        ("High or Some", ("High", "Some", "None")),
        (Torn(), COVERAGE),
    ],
)
def test_a_label_that_names_two_options_is_ambiguous(value, options):
    assert status_of(read_label(value, options)) == "ambiguous"


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ("supported (not)", "ambiguous"),
        ("supported?", "ambiguous"),
        ("supported: S1.2 says so", "ambiguous"),
        ("probably supported", "ambiguous"),
        ("supported/absent", "ambiguous"),
        (["supported", "absent"], "ambiguous"),
        (["supported"], "malformed"),
        ("fine", "malformed"),
    ],
)
def test_a_label_that_must_stand_alone_has_no_words_around_it(value, status):
    assert status_of(read_label(value, ("supported", "partial", "absent"), alone=True)) == status


@pytest.mark.parametrize(
    "value", ["Supported", "supported.", '"supported"', "**supported**", "SUPPORTED!", "(supported)"]
)
def test_case_and_punctuation_around_a_lone_label_make_no_difference(value):
    assert value_of(read_label(value, ("supported", "partial", "absent"), alone=True)) == "supported"


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (4, 4), (4.0, 4), ("4", 4), ("4.0", 4), ("4/5", 4), ("4 / 5", 4), ("4 out of 5", 4), ("four", 4), ("Four out of five", 4),
        ("４", 4), ("４／５", 4), ("1 - Minor", 1), ("1 – Minor", 1), ("1: minor", 1), ("1 (minor)", 1), ("3 stars", 3), ("4 points out of 5", 4), ("4 - all but one", 4), ("4.\nMinor slips.", 4), ("Score: 4", 4), ("**4**", 4),
    ],
)  # fmt: skip
def test_a_whole_number_is_read_however_it_is_written(value, number):
    reading = read_level(value, 1, 5, whole=True)
    assert isinstance(reading, Reading)
    assert reading.value == number
    assert type(reading.value) is int
    assert (reading.repaired is not None) == isinstance(value, str)


@pytest.mark.parametrize(
    ("value", "status"),
    [
        (0, "out_of_range"), (6, "out_of_range"), (-1, "out_of_range"), ("6", "out_of_range"), ("0", "out_of_range"), ("-1", "out_of_range"), ("6/5", "out_of_range"),
        (4.5, "ambiguous"), ("4.5", "ambiguous"), ("4,5", "ambiguous"), ("4-5", "ambiguous"), ("3 to 4", "ambiguous"), ("3 or 4", "ambiguous"), ("4/10", "ambiguous"),
        ("8 out of 10", "ambiguous"), ("80%", "ambiguous"), ("four and a half", "ambiguous"),
        (True, "malformed"), (None, "malformed"), ("", "malformed"), ("high", "malformed"), ([4], "malformed"), ({}, "malformed"),
        (float("nan"), "malformed"), (float("inf"), "malformed"), ("NaN", "malformed"), ("the 4 claims", "malformed"), ("4th", "malformed"),
    ],
)  # fmt: skip
def test_a_wrong_whole_number_has_the_status_of_its_fault(value, status):
    assert status_of(read_level(value, 1, 5, whole=True)) == status


@pytest.mark.parametrize(
    "value",
    [
        "90-100", "90 – 100", "8 to 10", "8 or 10", "80-90%", "four point five", "5 but really 2", "5, or rather 2",
        "5 (maybe 2)", "5 - no, two", "4 supported", "5+", "8/100 to 10/100", "4 points out of 10", "1,000",
        "5" + " " * 300 + "but really 2",
    ],
)  # fmt: skip
def test_a_range_or_leftover_beside_a_number_is_ambiguous(value):
    assert status_of(read_level(value, 0, 100, whole=True)) == status_of(read_number(value, 0, 100)) == "ambiguous"


@pytest.mark.parametrize(
    ("value", "status"), [(4, "out_of_range"), (-1, "out_of_range"), ("1 - Minor", None), (3, None)]
)
def test_a_scale_may_start_at_zero(value, status):
    assert status_of(read_level(value, 0, 3, whole=True)) == status


@pytest.mark.parametrize(
    ("value", "low", "high", "number"),
    [
        (5.9, 0, 10, 5.9), ("5.9/10", 0, 10, 5.9), ("5.9", 0, 10, 5.9), (7, 0, 10, 7.0), ("80%", 0, 100, 80.0), ("80 percent", 0, 100, 80.0),
        ("80%", 0, 1, 0.8), ("0.42", 0, 1, 0.42), (".5", 0, 1, 0.5), ("7,4", 0, 10, 7.4),
    ],
)  # fmt: skip
def test_a_number_is_read_with_its_scale(value, low, high, number):
    assert value_of(read_number(value, low, high)) == pytest.approx(number)


@pytest.mark.parametrize(
    ("value", "status"),
    [
        (10.5, "out_of_range"),
        ("80%", "ambiguous"),
        ("59/100", "ambiguous"),
        (float("nan"), "malformed"),
        (True, "malformed"),
    ],
)
def test_a_wrong_number_is_not_converted(value, status):
    assert status_of(read_number(value, 0, 10)) == status


@pytest.mark.parametrize(
    ("value", "share"),
    [(0.42, 0.42), ("42%", 0.42), ("0.42", 0.42), (1, 1.0), ("100%", 1)],
)
def test_a_share_is_read_as_fraction_or_percentage(value, share):
    assert value_of(read_number(value, 0, 1)) == pytest.approx(share)


@pytest.mark.parametrize(
    ("value", "status"), [(42, "out_of_range"), ("142%", "out_of_range"), ("7/3", "ambiguous"), ("most", "malformed")]
)
def test_a_bare_42_is_not_taken_for_a_percentage(value, status):
    assert status_of(read_number(value, 0, 1)) == status


@settings(deadline=None, derandomize=True)
@given(any_json)
def test_no_value_breaks_a_field_reader(value):
    read_label(value, COVERAGE, ANSWERED_SYNONYMS)
    whole, number = read_level(value, 1, 5, whole=True), read_number(value, 0, 10)
    assert isinstance(whole, Misreading) or 1 <= whole.value <= 5
    assert isinstance(number, Misreading) or 0 <= number.value <= 10


@settings(deadline=None, derandomize=True)
@given(st.integers(-3, 9), st.sampled_from(["{}", "{}/5", "{} out of 5", " {} ", "{} - words"]))
def test_a_number_off_the_scale_is_never_pulled_onto_it(number, form):
    reading = read_level(form.format(number), 1, 5, whole=True)
    assert reading.value == number if isinstance(reading, Reading) else not 1 <= number <= 5
