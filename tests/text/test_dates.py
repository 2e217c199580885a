"""Days of the calendar as people write them: one day, or a first and a last."""

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.dates import DATE_UNIT, Days, read_date
from assay.text.quantities import find_quantities


def show(days: Days | None) -> tuple[str, str] | None:
    """First and last day without the year, which a leap year stands for where none is written."""
    if days is None:
        return None
    start = 0 if days.unit == DATE_UNIT else date(2000, 1, 1).toordinal() - 1
    first, last = (date.fromordinal(int(day) + start) for day in (days.first, days.last))
    return f"{first:%m-%d}", f"{last:%m-%d}"


@pytest.mark.parametrize(
    "text",
    [
        "May 11-22",
        "May 11 – 22",
        "May 11 through 22",
        "May 11 thru 22",
        "May 11th through 22nd",
        "May 11 through 22, 2021",
        "May 11 through 22 2021",
        "May 11 to 22, 2021",
        "May 11 and 22",
        "11-22 May 2021",
        "11 to 22 May",
        "11th to 22nd of May",
        "11 through 22 May 2021",
        "11 and 22 of May",
    ],
)
def test_two_days_of_a_month_are_its_first_and_its_last(text):
    days = read_date(text, 0)
    assert show(days) == ("05-11", "05-22")
    assert days.ranged
    assert days.end == len(text)
    assert (days.unit == DATE_UNIT) == ("2021" in text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("June 5 through 9 in Leeds", "June 5 through 9"),
        ("June 5 through 9.", "June 5 through 9"),
        ("June 5 through 15 states", "June 5"),
        ("June 5 through 9 mg", "June 5"),
        ("June 5 through 9:30", "June 5"),
        ("June 5 through 2019", "June 5"),
        ("June 5 through July 9", "June 5"),
        ("June 14 to 20 on June 30", "June 14"),
        ("June 1 to 3 pm", "June 1"),
        ("June 5 and 22 people", "June 5"),
    ],
)
def test_a_number_that_counts_something_is_no_last_day(text, read):
    days = read_date(text, 0)
    assert text[: days.end] == read
    assert days.ranged == ("through" in read)


@pytest.mark.parametrize("text", ["June 25 through 5.", "June 5 through 31.", "June 25-5"])
def test_a_last_day_that_cannot_be_leaves_the_first(text):
    days = read_date(text, 0)
    assert not days.ranged
    assert text[: days.end] == text.split()[0] + " " + text.split()[1].partition("-")[0]


def test_a_day_between_first_and_last_is_no_new_number():
    """`May 11 through 22` was once a day and the number 22."""
    (found,) = find_quantities("The fair runs from May 11 through 22.", "en")
    assert (found.high - found.low, found.unit) == (11, "day of year")


@settings(deadline=None, derandomize=True)
@given(
    first=st.integers(1, 30),
    last=st.integers(1, 30),
    word=st.sampled_from([" through ", "-", " and "]),
    year=st.sampled_from(["", ", 2021"]),
)
def test_what_is_read_lies_in_the_text_and_in_order(first, last, word, year):
    text = f"June {first}{word}{last}{year}"
    days = read_date(text, 0)
    assert days is not None
    assert days.end <= len(text)
    assert days.last - days.first == (last - first if last > first else 0)


@pytest.mark.parametrize("piece", ["May 1 through ", "1 to ", "May 1 and ", "1 - ", "May 1 to 2, "])
def test_a_long_hostile_text_is_read_to_its_end(piece):
    text = piece * 20_000
    assert all(read_date(text, at) is None or read_date(text, at).end <= len(text) for at in range(200))
