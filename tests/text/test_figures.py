"""Which figures of a text are in no source."""

import pytest

from assay.text.figures import LONGEST_SOURCE, find_unsourced


def unsourced(text: str, *sources: str) -> list[str]:
    return [span.of(text) for span in find_unsourced(text, sources)]


def test_six_hours_is_there_where_the_source_says_less_than_six_hours_a_night():
    assert unsourced("They slept six hours.", "Adults who sleep less than six hours a night are at risk.") == []


@pytest.mark.parametrize(
    "source", ["more than 3 million euros a year", "at least €3m", "EUR 3.0 million", "3 000 000 €"]
)
def test_3_million_euros_is_there_with_a_bound_a_rate_or_in_another_form(source):
    assert unsourced("It cost 3 million euros.", f"The bridge cost {source}.") == []


@pytest.mark.parametrize("source", ["$12 a month", "under $12", "twelve dollars each", "12.00 USD", "12 US dollars"])
def test_12_dollars_are_there_with_a_bound_a_rate_or_in_another_form(source):
    assert unsourced("It costs $12.", f"The plan is {source}.") == []


@pytest.mark.parametrize("source", ["for a day", "one day", "a 24-hour fast", "up to 24h", "1,440 minutes", "24/7"])
def test_24_hours_are_there_as_a_day_or_in_another_form(source):
    assert unsourced("It lasts 24 hours.", f"It lasts {source}.") == []


@pytest.mark.parametrize(
    "source", ["up to 40 L/min", "40 litres of water a minute", "forty litres each minute", "40 l"]
)
def test_40_litres_per_minute_are_there_with_a_bound_or_in_another_form(source):
    assert unsourced("It pumps 40 litres per minute.", f"It pumps {source}.") == []


@pytest.mark.parametrize("source", ["a decade", "the past decade", "10 years or more", "120 months", "ten-year"])
def test_ten_years_are_there_as_a_decade_or_in_another_form(source):
    assert unsourced("It took ten years.", f"It took {source}.") == []


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("20% off", "was Rs 500, now Rs 400"),
        ("Rs 900 together", "the bag costs Rs 500, the belt Rs 400"),
        ("80% of patients", "400 of 500 patients"),
        ("three percentage points", "from 12% to 15%"),
        ("five years", "founded in 2010, closed in 2015"),
        ("2 kg in all", "a 500 g bag and a 1.5 kg bag"),
        ("31,000 riders", "31 000 riders"),
        ("12 500 people", "12,500 people"),
        ("12,000 people", "12, 000 people"),
        ("above 10%", "7 to 10%"),
        ("0.38 of them", "38%"),
        ("57 years old", "Age 57. Grade 3."),
        ("fell by 10 percent", "it fell by only a tenth"),
        ("93% went on", "7% of patients stopped"),
        ("112 people were aboard", "each of the 14 boats had a crew of 8"),
        ("45 letters", "half of the 90 letters"),
        ("within a quarter of an hour", "over fifteen minutes"),
        ("not quite six in ten", "58 percent"),
        ("above 2019 levels", "in 2019"),
        ("seven months later", "on 3 April; it ended in November 2023"),
        ("five months later", "on 12 August; screening is on 15 January"),
        ("1.299 euros", "1,299 euros"),
        ("$500,000", "half a million dollars"),
        ("2.5 hours", "two and a half hours"),
        ("1.5 inches", "1½ inches"),
        ("67% of them", "two-thirds of them"),
        ("9 out of 10 dentists", "90% of dentists"),
        ("a 12½-inch screen", "a 12.5-inch screen"),
        ("five million pounds", "£5m"),
    ],
)
def test_what_a_source_yields_in_another_form_or_two_figures_come_to_is_there(text, source):
    assert unsourced(text, source) == []


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("Take 100 mg.", "Take 10 mg.", ["100 mg"]),
        ("30% off", "was Rs 500, now Rs 400", ["30%"]),
        ("It opened in 2017.", "It opened in March 2019.", ["2017"]),
        ("It opened on 17 May 2017.", "It opened on 18 May 2019.", ["2017"]),
        ("You are 30 years old.", "Adults from 18 to 65 years.", ["30 years"]),
        ("A mean of 17.3 was found.", "A mean of 13.7 was found.", ["17.3"]),
        ("Chapter 12 is about bees.", "Chapter XII is about bees.", ["12"]),
        ("It was 1,050 a week.", "It was 150 a day.", ["1,050"]),
    ],
)
def test_a_value_that_no_reading_yields_is_unsourced(text, source, expected):
    assert unsourced(text, source) == expected


@pytest.mark.parametrize(
    ("text", "source"), [("5 mcg", "5 mg"), ("10 mL", "10 mg"), ("17 May 2019", "17 June 2019"), ("over 90%", "95%")]
)
def test_another_unit_another_day_and_a_bound_are_left_to_the_judge(text, source):
    assert unsourced(text, source) == []


@pytest.mark.parametrize(
    "text", ["about 700 people", "700 people or more", "between 700 and 800 people", "7 in 700", "seven hundred people"]
)
def test_what_states_no_single_value_in_digits_is_not_looked_up(text):
    assert unsourced(text, "It rained.") == []


def test_small_counts_ordinals_and_decades_need_no_source():
    assert unsourced("In the 60's there were 3 arms, and the 21st came last.", "Nothing.") == []


def test_a_number_that_another_language_may_spell_is_not_proven_absent():
    source = "Die Behandlung dauerte nach Angaben der Klinik zwanzig Tage und kostete nichts."
    assert unsourced("It took 20 days.", source) == []
    assert unsourced("It took 1,234 days.", source) == ["1,234 days"]


def test_nothing_is_unsourced_where_a_source_is_too_long_to_be_read():
    assert unsourced("Take 77 mg.", "x " * LONGEST_SOURCE) == []


def test_nothing_is_unsourced_beside_a_page_of_nothing_but_numbers():
    page = " ".join(str(number * 7) for number in range(2_000, 4_000))
    assert unsourced(page.replace("0", "1"), page) == []
