"""Finds days and months of the calendar as a text prints them. A year alone is a number like any other."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from assay.domain.span import Span

_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Some texts print names in small letters; "may" and "march" are then names only after a word that dates have.
_MONTH: Final = (
    r"(?P<month>\b(?:(?i:January|February|April|June|July|August|September|October|November|December)\b|(?:March|May)\b"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?|(?:(?<=on )|(?<=the )|(?<=in )|(?<=of ))(?:march|may)\b))"
)
_DAY: Final = r"[0-3]?[0-9](?:st|nd|rd|th)?"
# A number after a word may count something ("through 15 states"), unless what follows it ends the date.
_ENDED: Final = r"(?=[.,;)]|$|\s(?:in|at|of|[12][0-9]{3})\b|\s[A-Z])"
_DAYS: Final = rf"(?P<day>{_DAY})(?:\s?[-–—]\s?(?P<last>{_DAY})|\s(?:to|through|and)\s(?P<end>{_DAY}){_ENDED})?"
_YEAR: Final = r"(?P<year>[12][0-9]{3})(?![0-9])"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        r"(?<![\w.,/-])(?P<year>[12][0-9]{3})(?P<sign>[-/])(?P<number>[01]?[0-9])(?P=sign)(?P<day>[0-3]?[0-9])(?![0-9])",
        r"(?<![\w.,/-])(?P<first>[0-3]?[0-9])(?P<sign>[/.-])(?P<second>[0-3]?[0-9])(?P=sign)" + _YEAR,
        rf"(?<![\w.,$€£₹-]){_DAYS}(?:\s+of)?[\s-]+{_MONTH}(?:\s?,?[\s-]+{_YEAR})?",
        rf"{_MONTH}[\s-]+{_DAYS}(?![\w:%]|[.,][0-9])(?:\s?,?\s+{_YEAR})?",
        rf"{_MONTH}[\s-]+(?P<day>{_DAY})(?![\w:%]|[.,][0-9])(?:\s?,?\s+{_YEAR})?",
        rf"{_MONTH}(?:\s?,?\s+(?:of\s+)?{_YEAR}(?!\w))?",
    )
)
_WEEKDAY: Final = re.compile(r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day")
_MONTH_OR_DIGIT: Final = re.compile(rf"(?<![0-9])[0-9]|{_MONTH}")


class Date(NamedTuple):
    """A day or a month, with all that is printed of it."""

    month: int
    day: int | None = None
    year: int | None = None


Dates = tuple[Date, ...]
"""All days of a printed range ("May 11-22"), or both readings of 03/04/2021."""


def find_dates(text: str) -> Iterator[tuple[Span, Dates]]:
    """Every date of a text whose digits are folded, in reading order."""
    position = 0
    while opening := _MONTH_OR_DIGIT.search(text, position):
        position = opening.end()
        for form in _FORMS:
            found = form.match(text, opening.start())
            dates = _build_dates(found) if found else ()
            if found and dates:
                yield Span(*found.span()), dates
                position = found.end()
                break


def find_missing_dates(text: str, source: str) -> list[Span]:
    """The days, months and weekdays of a text that a source does not have. Years are not compared."""
    known = [date for _, dates in find_dates(source) for date in dates]
    missing = [
        span
        for span, dates in find_dates(text)
        if not any(one.month == two.month and one.day in {None, two.day} for one in dates for two in known)
    ]
    said = {found.group() for found in _WEEKDAY.finditer(source)}
    return missing + [Span(*found.span()) for found in _WEEKDAY.finditer(text) if found.group() not in said]


def _build_dates(found: re.Match[str]) -> Dates:
    """The dates that a match may mean; empty if no calendar has the day."""
    parts = found.groupdict()
    year = int(parts["year"]) if parts["year"] else None
    if "first" in parts:
        first, second = int(parts["first"]), int(parts["second"])
        orders = [(second, first)] if parts["sign"] == "." else [(second, first), (first, second)]
        return tuple(Date(month, day, year) for month, day in orders if _exists(month, day))
    month = int(parts["number"]) if "number" in parts else _MONTHS.index(parts["month"][:3].lower()) + 1
    if "day" not in parts:
        return (Date(month, None, year),)
    printed = (parts["day"], parts.get("last") or parts.get("end") or parts["day"])
    first, last = (int(re.sub(r"\D", "", day)) for day in printed)
    return tuple(Date(month, day, year) for day in range(first, max(first, last) + 1) if _exists(month, day))


def _exists(month: int, day: int) -> bool:
    try:
        date(2000, month, day)
    except ValueError:
        return False
    return True
