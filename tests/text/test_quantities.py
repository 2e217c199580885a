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
    ("text", "printed", "number", "unit"),
    [
        ("It costs Rs. 1,299.50 only", "Rs. 1,299.50", "1299.5", "INR"),
        ("Rs500/- only", "Rs500/-", "500", "INR"),
        ("₹ 12,34,567.89", "₹ 12,34,567.89", "1234567.89", "INR"),
        ("₹1.2 lakh", "₹1.2 lakh", "120000", "INR"),
        ("Rs 5 cr", "Rs 5 cr", "50000000", "INR"),
        ("$1.3k", "$1.3k", "1300", "USD"),
        ("US$5 million", "US$5 million", "5000000", "USD"),
        ("a loss of -$5", "-$5", "-5", "USD"),
        ("twenty dollars", "twenty dollars", "20", "USD"),
        ("half a million dollars", "half a million dollars", "500000", "USD"),
        ("€1.299,00", "€1.299,00", "1299", "EUR"),
        ("12,50 €", "12,50 €", "12.5", "EUR"),
        ("€112.875 million", "€112.875 million", "112875000", "EUR"),
        ("five million pounds", "five million pounds", "5000000", "GBP"),
        ("ten pounds", "ten pounds", "10", "lb"),
        ("1'299 CHF", "1'299 CHF", "1299", "CHF"),
        ("£100,000-a-week", "£100,000-a-week", "100000", "GBP/week"),
    ],
)
def test_a_price_has_its_currency_on_either_side(text, printed, number, unit):
    found = only(text)
    assert (found.span.of(text), found.number, found.unit) == (printed, Fraction(number), unit)


@pytest.mark.parametrize(
    ("text", "printed", "number", "unit"),
    [
        ("12.5 percent", "12.5 percent", "12.5", "%"),
        ("ten per cent", "ten per cent", "10", "%"),
        ("2 percentage points", "2 percentage points", "2", "pp"),
        ("-3%", "-3%", "-3", "%"),
        ("4.2/5", "4.2/5", "4.2", "/5"),
        ("4.2 out of 5", "4.2 out of 5", "4.2", "/5"),
        ("4.2 stars", "4.2 stars", "4.2", "/5"),
        ("one in five", "one in five", "1/5", None),
        ("9 out of 10 dentists", "9 out of 10", "9/10", None),
        ("three-quarters of it", "three-quarters", "3/4", None),
        ("¾ full", "¾", "3/4", None),
        (".5 mg", ".5 mg", "0.5", "mg"),
        ("10 µg", "10 µg", "10", "mcg"),
        ("10 mg/kg/day", "10 mg/kg/day", "10", "mg/kg/day"),
        ("88/min", "88/min", "88", "/minute"),
        ("6.1-inch", "6.1-inch", "6.1", "inch"),
        ("minus 5 °C", "minus 5 °C", "-5", "°C"),
        ("half a mile", "half a mile", "1/2", "mile"),
        ("1 1/2 inches", "1 1/2 inches", "3/2", "inch"),
        ("a 45-year-old man", "45-year", "45", "year"),
        ("the 26 - year - old", "26 - year", "26", "year"),
        ("two and a half hours", "two and a half hours", "2.5", "hour"),
        ("half an hour", "half an hour", "0.5", "hour"),
        ("two and a half million people", "two and a half million", "2500000", None),
        ("two hundred and five pages", "two hundred and five", "205", None),
        ("three lakh fifty thousand voters", "three lakh fifty thousand", "350000", None),
        ("a dozen eggs", "a dozen", "12", None),
        ("20k users", "20k", "20000", None),
        ("it fell to −5", "−5", "-5", None),
        ("in 1998", "1998", "1998", None),
        ("BMI 25", "25", "25", None),
    ],
)
def test_a_number_keeps_its_own_unit_or_has_none(text, printed, number, unit):
    found = only(text)
    assert (found.span.of(text), found.number, found.unit) == (printed, Fraction(number), unit)


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("won 2-1", [("2", None), ("1", None)]),
        ("five six", [("5", None), ("6", None)]),
        ("10-12 mg", [("10", "mg"), ("12", "mg")]),
        ("5 mg-10 mg", [("5", "mg"), ("10", "mg")]),
        ("5 ± 7 mg", [("5", "mg"), ("7", "mg")]),
        ("between 10 and 12 days", [("10", "day"), ("12", "day")]),
        ("$5-7 million", [("5000000", "USD"), ("7000000", None)]),
    ],
)
def test_the_ends_of_a_range_are_two_quantities_of_one_unit(text, readings):
    found = [(quantity.number, quantity.unit) for quantity in find_quantities(text)]
    assert found == [(Fraction(number), unit) for number, unit in readings]


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
        "as shown [2,3] and [4-6]", "1. Open it\n2. Close it", "version 1.2.3", "version 3.11 is out", "call 555-123-4567 now",
        "+91 98765 43210", "the new iPhone 15", "COVID-19 and H1N1", "a 3-D film", "at 10:30 or 5 pm", "https://example.org/5/10",
        "http : //example.org/2017/10/29/", "around 500 BC", "at first he ran", "one of the best", "the only one", "a one-sided game",
        "the Fantastic Four", "a second later", "24/7", "dozens of millions", "", "her 50th cap", "see chapter 4", "the 1990s",
        "12 March 2021", "the first half of it", "the twenty-first century", "the second-half goals",
    ],
)  # fmt: skip
def test_names_numbering_ordinals_and_dates_are_no_quantities(text):
    assert [quantity.span.of(text) for quantity in find_quantities(text)] == []


def test_number_words_are_read_in_english_alone():
    assert only("ten dni", "en").number == 10
    assert find_quantities("ten dni", "pl") == ()


def test_letters_that_only_ignoring_case_takes_for_others_are_read_without_an_error():
    assert [(each.number, each.unit) for each in find_quantities("5 mg TİD for ſix days")] == [(5, "mg"), (6, "day")]


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
        assert all(value.step >= 0 for value in quantity.values())
        position = quantity.span.end


@pytest.mark.parametrize("piece", ["1,", "1 ", "1-", "1/", "one hundred ", "[1", "5 mg/", "1.1.", "every 8 ", "May 1"])
def test_a_text_of_numbers_is_read_to_its_end(piece):
    assert isinstance(find_quantities(piece * 1_000), tuple)


@pytest.mark.parametrize("piece", ["1", "a", "$", " ", "-", "a-", ".", "[", "\n", "٤"])
def test_a_long_text_without_a_number_is_read_to_its_end(piece):
    assert find_quantities(piece * (100_000 // len(piece))) == ()
