"""Numbers with their sign, scale and unit."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.quantities import Quantity, find_quantities


def only(text: str, language: str = "en") -> Quantity:
    found = find_quantities(text, language)
    assert len(found) == 1, [quantity.span.of(text) for quantity in found]
    return found[0]


@pytest.mark.parametrize(
    ("text", "printed", "dimension", "number"),
    [
        ("It costs Rs. 1,299.50 only", "Rs. 1,299.50", "INR", "1299.5"),
        ("Rs500/- only", "Rs500/-", "INR", "500"),
        ("₹ 12,34,567.89", "₹ 12,34,567.89", "INR", "1234567.89"),
        ("₹1.2 lakh", "₹1.2 lakh", "INR", "120000"),
        ("$1.3k", "$1.3k", "USD", "1300"),
        ("US$5 million", "US$5 million", "USD", "5000000"),
        ("twenty dollars", "twenty dollars", "USD", "20"),
        ("50 cents", "50 cents", "USD", "0.5"),
        ("€1.299,00", "€1.299,00", "EUR", "1299"),
        ("€112.875 million", "€112.875 million", "EUR", "112875000"),
        ("1'299 CHF", "1'299 CHF", "CHF", "1299"),
        ("£100,000-a-week", "£100,000", "GBP", "100000"),
        ("12.5 percent", "12.5 percent", "percent", "12.5"),
        ("2 percentage points", "2 percentage points", "points", "2"),
        ("4.2/5", "4.2", "number", "4.2"),
        (".5 mg", ".5 mg", "mass", "0.0005"),
        ("10 µg", "10 µg", "mass", "0.00001"),
        ("10 mg/kg/day", "10 mg", "mass", "0.01"),
        ("a 45-year-old man", "45-year", "time", "16436.25"),
        ("the 26 - year - old", "26 - year", "time", "9496.5"),
        ("two hundred and five pages", "two hundred and five", "number", "205"),
        ("a dozen eggs", "a dozen", "number", "12"),
        ("20k users", "20k", "number", "20000"),
        ("in 1998", "1998", "number", "1998"),
        ("BMI 25", "25", "number", "25"),
    ],
)
def test_a_quantity_has_its_value_in_the_base_unit(text, printed, dimension, number):
    found = find_quantities(text)[0]
    value = found.values[0]
    assert (found.span.of(text), value.dimension, value.number) == (printed, dimension, Fraction(number))


def test_a_pound_is_a_weight_or_a_currency():
    assert {value.dimension for value in only("ten pounds").values} == {"mass", "GBP"}


@pytest.mark.parametrize("text", ["9 out of 10 dentists", "six in ten", "3/4", "4.2 out of 5"])
def test_both_numbers_of_a_share_are_marked(text):
    assert [each.is_share for each in find_quantities(text)] == [True, True]


@pytest.mark.parametrize(
    ("text", "dimensions", "numbers"),
    [
        ("won 2-1", {"number"}, {"2"}),
        ("10-12 mg", {"mass"}, {"0.010"}),
        ("5 mg-10 mg", {"mass"}, {"0.005"}),
        ("between 10 and 12 days", {"time"}, {"10"}),
        ("$5-7 million", {"USD"}, {"5", "5000000"}),
    ],
)
def test_the_first_number_of_a_range_may_have_the_unit_and_scale_of_the_second(text, dimensions, numbers):
    first, _ = find_quantities(text)
    assert {value.dimension for value in first.values} == dimensions
    assert {value.number for value in first.values} == {Fraction(number) for number in numbers}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1.299", ["1.299", "1299"]),
        ("1,299 euros", ["1299", "1.299"]),
        ("1.299.000", ["1299000"]),
        ("1,299.50", ["1299.5"]),
        ("1,00,000", ["100000"]),
        ("12,5 kg", ["12.5"]),
        ("1.299 million", ["1299000"]),
    ],
)
def test_comma_and_point_are_read_in_every_way_they_can_be(text, values):
    assert [numeral.value for numeral in only(text).readings] == [Fraction(value) for value in values]


@pytest.mark.parametrize(
    ("text", "number"), [("５００ mg", "500"), ("٤٢ kg", "42"), ("४२ kg", "42"), ("٣٫٥ kg", "3.5"), ("５％", "5")]
)
def test_digits_of_any_script_are_digits(text, number):
    assert only(text).number == Fraction(number)


@pytest.mark.parametrize(
    "text",
    [
        "as shown [2,3] and [4-6]", "1. Open it\n2. Close it", "version 1.2.3", "call 555-123-4567 now",
        "+91 98765 43210", "the new iPhone 15", "COVID-19 and H1N1", "a 3-D film", "at 10:30 or 5 pm", "https://example.org/5/10",
        "http : //example.org/2017/10/29/", "around 500 BC", "at first he ran",
        "the Fantastic Four", "half a million", "12½ inches", "a second later", "24/7", "dozens of millions", "", "her 50th cap", "the 1990s",
        "12 March 2021", "the first half of it", "the twenty-first century", "the second-half goals",
    ],
)  # fmt: skip
def test_names_numbering_ordinals_and_dates_are_no_quantities(text):
    assert [quantity.span.of(text) for quantity in find_quantities(text)] == []


def test_number_words_are_read_in_english_alone():
    assert only("ten dni", "en").number == 10
    assert find_quantities("ten dni", "pl") == ()


def test_letters_that_only_ignoring_case_takes_for_others_are_read_without_an_error():
    assert [each.number for each in find_quantities("5 mg TİD for ſix days")] == [5, 6]


WORDS = (
    "Rs ₹ $ € £ 1,299 1.299,00 .5 5 10 12 2021 03/04/2021 - – to and between about mg mcg /kg % stars / k million lakh"
    " two half twenty hundred a third first March May every 8 hours daily q6h [1] . , ( ) ± ½ ٤ Ｒ ' in the of"
)
PIECES = st.sampled_from(WORDS.split())


@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "\n"])), max_size=30).map(
            lambda pairs: "".join(piece + gap for piece, gap in pairs)
        ),
    ),
    st.sampled_from(["en", "hi"]),
)
def test_quantities_are_in_order_inside_the_text_and_measure_something(text, language):
    position = 0
    for quantity in find_quantities(text, language):
        assert position <= quantity.span.start < quantity.span.end <= len(text)
        assert all(value.step >= 0 for value in quantity.values)
        position = quantity.span.end


@pytest.mark.parametrize("piece", ["1,", "1 ", "1-", "1/", "one hundred ", "[1", "5 mg/", "1.1.", "every 8 ", "May 1"])
def test_a_text_of_numbers_is_read_to_its_end(piece):
    assert isinstance(find_quantities(piece * 1_000), tuple)


@pytest.mark.parametrize("piece", ["1", "a", "$", " ", "-", "a-", ".", "[", "\n", "٤"])
def test_a_long_text_without_a_number_is_read_to_its_end(piece):
    assert find_quantities(piece * (100_000 // len(piece))) == ()
