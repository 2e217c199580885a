"""Numbers with their sign, scale and unit."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.quantities import Quantity, find_quantities


def only(text: str) -> Quantity:
    found = find_quantities(text)
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
        ("20k users", "20k", "number", "20000"),
        ("in 1998", "1998", "number", "1998"),
        ("BMI 25", "25", "number", "25"),
    ],
)
def test_a_quantity_has_its_value_in_the_base_unit(text, printed, dimension, number):
    found = find_quantities(text)[0]
    named, factor = found.unit or ("number", 1)
    assert (found.span.of(text), named, found.number * factor) == (printed, dimension, Fraction(number))


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
        "COVID-19 and H1N1", "at 10:30 pm", "https://example.org/5/10",
        "http : //example.org/2017/10/29/", "at first he ran",
        "the Fantastic Four", "half a million", "a second later", "dozens of millions", "", "her 50th cap", "the 1990s",
        "12 March 2021", "the first half of it", "the twenty-first century", "the second-half goals",
    ],
)  # fmt: skip
def test_names_numbering_ordinals_and_dates_are_no_quantities(text):
    assert [quantity.span.of(text) for quantity in find_quantities(text)] == []


def test_letters_that_only_ignoring_case_takes_for_others_are_read_without_an_error():
    assert [each.number for each in find_quantities("5 mg TİD for 6 dayſ")] == [5, 6]


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
)
def test_quantities_are_in_order_inside_the_text_and_measure_something(text):
    position = 0
    for quantity in find_quantities(text):
        assert position <= quantity.span.start < quantity.span.end <= len(text)
        assert all(numeral.step >= 0 for numeral in quantity.readings)
        position = quantity.span.end


@pytest.mark.parametrize("piece", ["1,", "1 ", "1-", "1/", "one hundred ", "[1", "5 mg/", "1.1.", "every 8 ", "May 1"])
def test_a_text_of_numbers_is_read_to_its_end(piece):
    assert isinstance(find_quantities(piece * 1_000), tuple)


@pytest.mark.parametrize("piece", ["1", "a", "$", " ", "-", "a-", ".", "[", "\n", "٤"])
def test_a_long_text_without_a_number_is_read_to_its_end(piece):
    assert find_quantities(piece * (100_000 // len(piece))) == ()
