from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.quantities import find_quantities
from assay.text.quantity import Bound, Kind, Quantity

PRICE, PERCENTAGE, RATING, MEASURE = Kind.PRICE, Kind.PERCENTAGE, Kind.RATING, Kind.MEASURE
DURATION, DATE, COUNT, ORDINAL, NUMBER = Kind.DURATION, Kind.DATE, Kind.COUNT, Kind.ORDINAL, Kind.NUMBER


def only(text: str, language: str = "en") -> Quantity:
    found = find_quantities(text, language)
    assert len(found) == 1, [quantity.span.of(text) for quantity in found]
    return found[0]


@pytest.mark.parametrize(
    ("text", "printed", "value", "unit"),
    [
        ("It costs Rs 1,299 only", "Rs 1,299", "1299", "INR"),
        ("It costs Rs. 1,299.50 only", "Rs. 1,299.50", "1299.5", "INR"),
        ("Rs.500", "Rs.500", "500", "INR"),
        ("Rs500/- only", "Rs500/-", "500", "INR"),
        ("₹1,00,000", "₹1,00,000", "100000", "INR"),
        ("₹ 12,34,567.89", "₹ 12,34,567.89", "1234567.89", "INR"),
        ("₹1.2 lakh", "₹1.2 lakh", "120000", "INR"),
        ("Rs 5 cr", "Rs 5 cr", "50000000", "INR"),
        ("₹2L", "₹2L", "200000", "INR"),
        ("$1.3k", "$1.3k", "1300", "USD"),
        ("US$5 million", "US$5 million", "5000000", "USD"),
        ("a loss of -$5", "-$5", "-5", "USD"),
        ("twenty dollars", "twenty dollars", "20", "USD"),
        ("50 cents", "50 cents", "0.5", "USD"),
        ("half a million dollars", "half a million dollars", "500000", "USD"),
        ("€1.299,00", "€1.299,00", "1299", "EUR"),
        ("1 299,00 €", "1 299,00 €", "1299", "EUR"),
        ("1.299 €", "1.299 €", "1299", "EUR"),
        ("12,50 €", "12,50 €", "12.5", "EUR"),
        ("€112.875 million", "€112.875 million", "112875000", "EUR"),
        ("£2m", "£2m", "2000000", "GBP"),
        ("five million pounds", "five million pounds", "5000000", "GBP"),
        ("1'299 CHF", "1'299 CHF", "1299", "CHF"),
        ("₹50/kg", "₹50/kg", "50", "INR/kg"),
        ("$50 a month", "$50 a month", "50", "USD/month"),
        ("£100,000-a-week", "£100,000-a-week", "100000", "GBP/week"),
    ],
)
def test_a_price_has_its_currency_on_either_side(text, printed, value, unit):
    found = only(text)
    assert (found.span.of(text), found.kind, found.value, found.unit) == (printed, PRICE, Fraction(value), unit)


@pytest.mark.parametrize(
    ("text", "printed", "kind", "value", "unit"),
    [
        ("5%", "5%", PERCENTAGE, "5", "%"),
        ("12.5 percent", "12.5 percent", PERCENTAGE, "12.5", "%"),
        ("ten per cent", "ten per cent", PERCENTAGE, "10", "%"),
        ("2 percentage points", "2 percentage points", PERCENTAGE, "2", "pp"),
        ("12,5 %", "12,5 %", PERCENTAGE, "12.5", "%"),
        ("-3%", "-3%", PERCENTAGE, "-3", "%"),
        ("5% per year", "5% per year", PERCENTAGE, "5", "%/year"),
        ("4.2/5", "4.2/5", RATING, "4.2", "/5"),
        ("8/10", "8/10", RATING, "8", "/10"),
        ("4.2 stars", "4.2 stars", RATING, "4.2", "/5"),
        ("a five-star hotel", "five-star", RATING, "5", "/5"),
        ("4.2 out of 5", "4.2 out of 5", RATING, "4.2", "/5"),
        ("it is rated 4.2", "4.2", RATING, "4.2", "/5"),
        ("a rating of 8.1", "8.1", RATING, "8.1", "/10"),
        ("one in five", "one in five", NUMBER, "1/5", None),
        ("two out of three", "two out of three", NUMBER, "2/3", None),
        ("9 out of 10 dentists", "9 out of 10", NUMBER, "9/10", None),
    ],
)
def test_shares_and_ratings(text, printed, kind, value, unit):
    found = only(text)
    assert (found.span.of(text), found.kind, found.value, found.unit) == (printed, kind, Fraction(value), unit)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("5 mg", "5", "mg"),
        ("10 mcg", "10", "mcg"),
        ("10 µg", "10", "mcg"),
        (".5 mg", "0.5", "mg"),
        ("0.25 g", "0.25", "g"),
        ("5 mL", "5", "mL"),
        ("100 IU", "100", "IU"),
        ("5.6 mmol/L", "5.6", "mmol/L"),
        ("110 mg/dL", "110", "mg/dL"),
        ("80 mmHg", "80", "mmHg"),
        ("10 mg/kg", "10", "mg/kg"),
        ("10 mg/kg/day", "10", "mg/kg/day"),
        ("88/min", "88", "/minute"),
        ("6.3 x 10^9/L", "6300000000", "/L"),
        ("12 per hour", "12", "/hour"),
        ("10 mg per day", "10", "mg/day"),
        ("three miles", "3", "mile"),
        ("6.1-inch", "6.1", "inch"),
        ("128 GB", "128", "GB"),
        ("144Hz", "144", "Hz"),
        ("37.2 °C", "37.2", "°C"),
        ("-5 °C", "-5", "°C"),
        ("minus 5 °C", "-5", "°C"),
        ("80 km an hour", "80", "km/hour"),
        ("180,000 square feet", "180000", "sq ft"),
        ("10,5 kg", "10.5", "kg"),
        ("half a mile", "1/2", "mile"),
        ("1/2 inch", "1/2", "inch"),
        ("1 1/2 inches", "3/2", "inch"),
    ],
)
def test_a_measure_keeps_its_own_unit(text, value, unit):
    found = only(text)
    assert (found.span.of(text), found.kind, found.value, found.unit) == (text, MEASURE, Fraction(value), unit)


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("won 2-1", [("2", None), ("1", None)]),
        ("steps 1,2", [("1", None), ("2", None)]),
    ],
)
def test_numbers_in_a_row_stay_apart(text, readings):
    found = [(quantity.value, quantity.unit) for quantity in find_quantities(text)]
    assert found == [(Fraction(value), unit) for value, unit in readings]


@pytest.mark.parametrize(
    ("text", "printed", "value", "unit"),
    [
        ("10 days", "10 days", "10", "day"),
        ("two weeks", "two weeks", "2", "week"),
        ("a 45-year-old man", "45-year", "45", "year"),
        ("a man aged 45", "45", "45", "year"),
        ("two and a half hours", "two and a half hours", "2.5", "hour"),
        ("half an hour", "half an hour", "0.5", "hour"),
        ("1½ hours", "1½ hours", "1.5", "hour"),
        ("six-month", "six-month", "6", "month"),
        ("the 26 - year - old", "26 - year", "26", "year"),
    ],
)
def test_a_duration_is_a_number_of_time_units(text, printed, value, unit):
    found = only(text)
    assert (found.span.of(text), found.kind, found.value, found.unit) == (printed, DURATION, Fraction(value), unit)


@pytest.mark.parametrize(
    ("text", "printed", "kind", "value"),
    [
        ("two and a half million people", "two and a half million", COUNT, "2500000"),
        ("twenty-five goals", "twenty-five", COUNT, "25"),
        ("two hundred and five pages", "two hundred and five", COUNT, "205"),
        ("three lakh fifty thousand voters", "three lakh fifty thousand", COUNT, "350000"),
        ("a dozen eggs", "a dozen", COUNT, "12"),
        ("a hundred guests", "a hundred", COUNT, "100"),
        ("20k users", "20k", COUNT, "20000"),
        ("1.5m people", "1.5m", COUNT, "1500000"),
        ("10-man Arsenal", "10", COUNT, "10"),
        ("400 9th", "400", NUMBER, "400"),
        ("one man", "one", COUNT, "1"),
        ("two Su-25s", "two", COUNT, "2"),
        ("at mile 26", "26", ORDINAL, "26"),
        ("400 9th-grade pupils", "400", COUNT, "400"),
        ("half of them", "half", NUMBER, "1/2"),
        ("three-quarters of it", "three-quarters", NUMBER, "3/4"),
        ("2/3 of it", "2/3", NUMBER, "2/3"),
        ("¾ full", "¾", NUMBER, "3/4"),
        ("it is 3.14", "3.14", NUMBER, "3.14"),
        ("it fell to −5", "−5", NUMBER, "-5"),
        ("her 50th cap", "50th", ORDINAL, "50"),
        ("he came 3rd", "3rd", ORDINAL, "3"),
        ("see chapter 4", "4", ORDINAL, "4"),
        ("world No. 1", "1", ORDINAL, "1"),
        ("2000 soldiers marched", "2000", COUNT, "2000"),
    ],
)
def test_a_number_counts_ranks_or_stands_alone(text, printed, kind, value):
    found = find_quantities(text)[0]
    assert (found.span.of(text), found.kind, found.value, found.unit) == (printed, kind, Fraction(value), None)


def days(first: tuple[int, int, int], last: tuple[int, int, int] | None = None) -> tuple[Fraction, Fraction]:
    return Fraction(date(*first).toordinal()), Fraction(date(*(last or first)).toordinal())


@pytest.mark.parametrize(
    ("text", "printed", "interval"),
    [
        ("2021-03-12", "2021-03-12", days((2021, 3, 12))),
        ("12 March 2021", "12 March 2021", days((2021, 3, 12))),
        ("the 12th of March 2021", "12th of March 2021", days((2021, 3, 12))),
        ("March 12, 2021", "March 12, 2021", days((2021, 3, 12))),
        ("on march 12 , 2021", "march 12 , 2021", days((2021, 3, 12))),
        ("March 12–15, 2021", "March 12–15, 2021", days((2021, 3, 12), (2021, 3, 15))),
        ("March 2021", "March 2021", days((2021, 3, 1), (2021, 3, 31))),
        ("in 1998", "1998", days((1998, 1, 1), (1998, 12, 31))),
        ("dates back to 1749", "1749", days((1749, 1, 1), (1749, 12, 31))),
        ("in 1865", "1865", days((1865, 1, 1), (1865, 12, 31))),
        ("the 1990s", "1990s", days((1990, 1, 1), (1999, 12, 31))),
        ("2012-2015", "2012-2015", days((2012, 1, 1), (2015, 12, 31))),
        ("the 2019–20 season", "2019–20", days((2019, 1, 1), (2020, 12, 31))),
        ("from 1997 to 2003.", "1997 to 2003", days((1997, 1, 1), (2003, 12, 31))),
        ("between 1998 and 2003", "1998 and 2003", days((1998, 1, 1), (2003, 12, 31))),
        ("03/04/2021", "03/04/2021", days((2021, 3, 4), (2021, 4, 3))),
        ("25/12/2021", "25/12/2021", days((2021, 12, 25))),
        ("03.04.2021", "03.04.2021", days((2021, 4, 3))),
    ],
)
def test_a_date_means_the_days_from_its_first_to_its_last(text, printed, interval):
    found = only(text)
    assert (found.span.of(text), found.kind, (found.low, found.high)) == (printed, DATE, interval)


def test_a_day_that_no_calendar_has_is_no_date():
    assert all(quantity.kind is not DATE for quantity in find_quantities("31 June"))


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("10-12 mg", "10", "12", "mg"),
        ("5 mg-10 mg", "5", "10", "mg"),
        ("10 to 12 days", "10", "12", "day"),
        ("between 10 and 12 people", "10", "12", None),
        ("Rs 500–700", "500", "700", "INR"),
        ("$5-7 million", "5000000", "7000000", "USD"),
        ("ranging from 10 to 12%", "10", "12", "%"),
        ("six to eight weeks", "6", "8", "week"),
    ],
)
def test_a_range_has_its_printed_ends(text, low, high, unit):
    found = only(text)
    assert (found.low, found.high, found.unit, found.bound) == (Fraction(low), Fraction(high), unit, Bound.BETWEEN)
    assert found.value == (found.low + found.high) / 2


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("about 50", Bound.APPROXIMATE),
        ("approx. 50 mg", Bound.APPROXIMATE),
        ("~50", Bound.APPROXIMATE),
        ("at least 50", Bound.ABOVE),
        ("50+", Bound.ABOVE),
        ("18 years or older", Bound.ABOVE),
        ("50 or more", Bound.ABOVE),
        ("up to 50%", Bound.BELOW),
        ("no more than 50", Bound.BELOW),
        ("over 50", Bound.ABOVE),
        ("more than half a million", Bound.ABOVE),
        ("under 50", Bound.BELOW),
        ("less than $50", Bound.BELOW),
        ("<50", Bound.BELOW),
        ("exactly 50", Bound.EXACT),
    ],
)
def test_the_words_around_a_number_set_its_bound(text, bound):
    assert only(text).bound is bound


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("$1.3k", "1250", "1350"),
        ("1,299", "1298.5", "1299.5"),
        ("4.2/5", "4.15", "4.25"),
        ("2 million", "1500000", "2500000"),
        ("two and a half million", "2450000", "2550000"),
        ("a third of them", "1/3", "1/3"),
        ("the 3rd", "3", "3"),
        ("5 ± 0.2 mg", "4.8", "5.2"),
    ],
)
def test_the_interval_holds_what_prints_as_the_value(text, low, high):
    found = only(text)
    assert (found.low, found.high) == (Fraction(low), Fraction(high))


@pytest.mark.parametrize(
    "text",
    [
        "as shown [2,3] and [4-6]", "1. Open it\n2. Close it", "version 1.2.3", "version 3.11 is out", "call 555-123-4567 now",
        "+91 98765 43210", "the new iPhone 15", "COVID-19 and H1N1", "a 3-D film", "at 10:30 or 5 pm", "https://example.org/5/10",
        "http : //example.org/2017/10/29/", "around 500 BC", "at first he ran", "one of the best", "the only one", "a one-sided game",
        "the Fantastic Four", "a second later", "24/7", "dozens of millions", "",
    ],
)  # fmt: skip
def test_names_and_numbering_are_no_quantities(text):
    assert [quantity.span.of(text) for quantity in find_quantities(text)] == []


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("1.299", "de", "1299"),
        ("1.299", "en", "1.299"),
        ("1,299", "de", "1.299"),
        ("1,299", "en", "1299"),
        ("12,5 kg", "fr", "12.5"),
        ("1 299 km", "fr", "1299"),
        ("1,299.50", "de", "1299.5"),
        ("1.299.000", "en", "1299000"),
    ],
)
def test_the_language_decides_what_comma_and_point_mean(text, language, value):
    assert only(text, language).value == Fraction(value)


@pytest.mark.parametrize(
    ("text", "value"), [("５００ mg", "500"), ("٤٢ kg", "42"), ("४२ kg", "42"), ("٣٫٥ kg", "3.5"), ("５％", "5")]
)
def test_digits_of_any_script_are_digits(text, value):
    assert only(text).value == Fraction(value)


@pytest.mark.parametrize("text", ["BMI 25", "GCS 15", "Age 45"])
def test_a_clinical_label_before_a_number_does_not_make_it_a_name(text):
    assert only(text).kind is NUMBER or only(text).unit == "year"


@pytest.mark.parametrize("text", ["the first half of it", "the twenty-first century", "the second-half goals"])
def test_ordinals_in_words_are_no_quantities(text):
    assert find_quantities(text) == ()


def test_letters_that_only_ignoring_case_takes_for_others_are_read_without_an_error():
    assert [(each.value, each.unit) for each in find_quantities("5 mg TİD for ſix days")] == [(5, "mg"), (6, "day")]


def test_a_pound_without_its_sign_is_a_weight():
    assert only("ten pounds").unit == "lb"


WORDS = (
    "Rs ₹ $ € £ 1,299 1.299,00 .5 5 10 12 2021 03/04/2021 - – to and between about mg mcg /kg % stars / k million lakh"
    " two half twenty hundred a third first March May every 8 hours daily q6h [1] . , ( ) ± ½ ٤ Ｒ ' in the of"
)
PIECES = st.sampled_from(WORDS.split())


@settings(deadline=None, derandomize=True, max_examples=300)
@given(
    st.one_of(
        st.text(max_size=200),
        st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "\n"])), max_size=30).map(
            lambda pairs: "".join(piece + gap for piece, gap in pairs)
        ),
    ),
    st.sampled_from(["en", "de", "hi"]),
)
def test_quantities_are_in_order_inside_the_text_and_hold_their_value(text, language):
    position = 0
    for quantity in find_quantities(text, language):
        assert position <= quantity.span.start < quantity.span.end <= len(text)
        assert quantity.low <= quantity.value <= quantity.high
        position = quantity.span.end


@pytest.mark.parametrize("piece", ["1,", "1 ", "1-", "1/", "one hundred ", "[1", "5 mg/", "1.1.", "every 8 ", "May 1"])
def test_a_text_of_numbers_is_read_to_its_end(piece):
    assert isinstance(find_quantities(piece * 1_000), tuple)


@pytest.mark.parametrize("piece", ["1", "a", "$", " ", "-", "a-", ".", "[", "\n", "٤"])
def test_a_long_text_without_a_number_is_read_to_its_end(piece):
    assert find_quantities(piece * (100_000 // len(piece))) == ()
