"""Days and months of the calendar as people write them."""

import pytest

from assay.text.dates import Date, find_dates
from assay.text.quantities import find_quantities


@pytest.mark.parametrize(
    ("text", "printed", "dates"),
    [
        ("on 2021-03-12.", "2021-03-12", [Date(3, 12, 2021)]),
        ("the 12th of March 2021", "12th of March 2021", [Date(3, 12, 2021)]),
        ("on march 12 , 2021", "march 12 , 2021", [Date(3, 12, 2021)]),
        ("12 March", "12 March", [Date(3, 12)]),
        ("in March 2021", "March 2021", [Date(3, None, 2021)]),
        ("in March", "March", [Date(3)]),
        ("03/04/2021", "03/04/2021", [Date(4, 3, 2021), Date(3, 4, 2021)]),
        ("25/12/2021", "25/12/2021", [Date(12, 25, 2021)]),
        ("03.04.2021", "03.04.2021", [Date(4, 3, 2021)]),
    ],
)
def test_a_date_has_all_that_is_printed_of_it(text, printed, dates):
    ((span, found),) = find_dates(text)
    assert (span.of(text), list(found)) == (printed, dates)


@pytest.mark.parametrize(
    "text", ["May 11-13", "May 11 – 13", "May 11th through 13th", "11-13 May", "11 to 13 May", "11 and 13 of May"]
)
@pytest.mark.parametrize("year", ["", " 2021"])
def test_two_days_of_a_month_are_its_first_and_its_last(text, year):
    ((span, found),) = find_dates(text + year)
    assert span.of(text + year) == text + year
    assert list(found) == [Date(5, day, 2021 if year else None) for day in (11, 12, 13)]


@pytest.mark.parametrize(
    "text",
    ["June 5 through 15 states", "June 5 through 9 mg", "June 5 through 9:30", "June 1 to 3 pm", "June 5 and 22 men"],
)
def test_a_number_that_counts_something_is_no_last_day(text):
    ((span, found),) = find_dates(text)
    assert len(found) == 1
    assert span.end == len("June 5")


def test_a_day_between_first_and_last_is_no_new_number():
    """`May 11 through 22` was once a day and the number 22."""
    text = "The fair runs from May 11 through 22."
    ((span, _),) = find_dates(text)
    assert span.of(text) == "May 11 through 22"
    assert find_quantities(text) == ()


def test_a_day_that_no_calendar_has_is_no_date():
    assert all(date.day is None for _, dates in find_dates("31 June") for date in dates)


@pytest.mark.parametrize("piece", ["May 1 through ", "1 to ", "May 1 and ", "1 - ", "May 1 to 2, "])
def test_a_long_hostile_text_is_read_to_its_end(piece):
    text = piece * 5_000
    assert all(span.end <= len(text) for span, _ in find_dates(text))
