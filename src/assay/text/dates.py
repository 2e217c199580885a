"""Reads days, months, years and decades as a text prints them."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Final

DATE_UNIT: Final = "date"
# A day printed without its year counts from 1 January of a leap year.
DAY_OF_YEAR_UNIT: Final = "day of year"
_LEAP_YEAR: Final = 2000
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Some texts print names in small letters; "may" and "march" are then names only after a word that dates have.
MONTH: Final = (
    "(?:(?i:January|February|April|June|July|August|September|October|November|December)|March|May"
    "|(?:(?<=on )|(?<=the )|(?<=in )|(?<=by )|(?<=of )|(?<=from )|(?<=until )|(?<=since )|(?<=before )|(?<=after ))"
    "(?:march|may)"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_DAY: Final = r"(?P<day>[0-3]?[0-9])(?:st|nd|rd|th)?"
# A number after a word may count something, "through 15 states", unless what follows it ends the date.
_NO_COUNT: Final = (
    r"(?=[0-3]?[0-9](?:st|nd|rd|th)?"
    r"(?:\s?[.,;)]|\s(?:as|in|at|on|of|with|for|to|by|and|the|this)\b|\s[12][0-9]{3}\b|$))"
)
_BEFORE_YEAR: Final = r"(?=[0-3]?[0-9](?:st|nd|rd|th)?,?\s[12][0-9]{3}\b)"
_LAST_DAY: Final = (
    rf"(?:(?:\s?[-–—]\s?|\s(?:and|&|through|thru)\s{_NO_COUNT}|\sto\s{_BEFORE_YEAR})"
    r"(?P<last>[0-3]?[0-9])(?:st|nd|rd|th)?)?"
)
_LAST_DAY_BEFORE_MONTH: Final = (
    r"(?:(?:\s?[-–—]\s?|\s(?:to|through|thru)\s|\s(?:and|&)\s(?=[0-3]?[0-9](?:st|nd|rd|th)?\sof\s))"
    r"(?P<last>[0-3]?[0-9])(?:st|nd|rd|th)?)?"
)
_YEAR: Final = r"(?P<year>[12][0-9]{3})(?![0-9])"
_FORMS: Final = tuple(
    re.compile(form)
    for form in (
        r"(?P<year>[12][0-9]{3})-(?P<number>[01][0-9])-(?P<day>[0-3][0-9])(?![0-9])",
        r"(?P<year>[12][0-9]{3})/(?P<number>[01]?[0-9])/(?P<day>[0-3]?[0-9])(?![0-9])",
        r"(?P<first>[0-3]?[0-9])(?P<between>[/.-])(?P<second>[0-3]?[0-9])(?P=between)" + _YEAR,
        _DAY + _LAST_DAY_BEFORE_MONTH + rf"(?:\s+of)?[\s-]+(?P<month>{MONTH})(?:\s?,?[\s-]+{_YEAR})?(?!\w)",
        rf"(?P<month>{MONTH})\s+{_DAY}{_LAST_DAY}(?![\w:]|[.,][0-9])(?:\s?,?\s+{_YEAR})?",
        # For a last day that the month does not have, or that comes before the first.
        rf"(?P<month>{MONTH})\s+{_DAY}(?![\w:]|[.,][0-9])(?:\s?,?\s+{_YEAR})?",
        rf"(?P<month>{MONTH})\s?,?\s+(?:of\s+)?{_YEAR}(?!\w)",
    )
)
_DECADE: Final = re.compile(r"(?P<decade>[12][0-9]{2}0)'?s(?!\w)")
_SEASON: Final = re.compile(r"(?P<year>[12][0-9]{3})\s?[-–/]\s?(?P<last>[0-9]{4}|[0-9]{2})(?![0-9]|[-–/.,][0-9])")
_YEAR_RANGE: Final = re.compile(
    r"(?P<year>[12][0-9]{3}) (?:to|until|through) (?P<last>[12][0-9]{3})(?![0-9]|[.,][0-9])"
)
_BETWEEN_YEARS: Final = re.compile(r"(?P<year>[12][0-9]{3}) and (?P<last>[12][0-9]{3})(?![0-9]|[.,][0-9])")


@dataclass(frozen=True, slots=True)
class Days:
    """The days a date may mean, first and last; `ranged` where both ends were printed."""

    first: Fraction
    last: Fraction
    end: int
    unit: str = DATE_UNIT
    ranged: bool = False


def read_date(text: str, start: int) -> Days | None:
    """Read a day, a month with its year, or a decade. An ambiguous 03/04/2021 keeps both readings as its ends."""
    decade = _DECADE.match(text, start)
    if decade:
        year = int(decade["decade"])
        return Days(_first_day(year), _last_day(year + 9), decade.end())
    for form in _FORMS:
        found = form.match(text, start)
        if found:
            try:
                return _read_form(found)
            except ValueError:  # no such day in the calendar
                continue
    return None


def read_years(text: str, start: int, *, between: bool) -> Days | None:
    """Read two years as one stretch of time: 2012-2015, 2019-20, 2019/20, 2012 to 2015."""
    found = _SEASON.match(text, start) or (_BETWEEN_YEARS if between else _YEAR_RANGE).match(text, start)
    if not found:
        return None
    year, last = int(found["year"]), int(found["last"])
    if len(found["last"]) == 2:
        last += year // 100 * 100
    if not year < last <= year + 1000:
        return None
    return Days(_first_day(year), _last_day(last), found.end(), ranged=True)


def year_days(year: int, end: int) -> Days:
    return Days(_first_day(year), _last_day(year), end)


def _read_form(found: re.Match[str]) -> Days:
    parts = found.groupdict()
    if "first" in parts:
        return _either_order(found)
    month = int(parts["number"]) if "number" in parts else _MONTHS.index(parts["month"][:3].lower()) + 1
    if "day" not in parts:
        year = int(parts["year"])
        after = date(year + month // 12, month % 12 + 1, 1)
        return Days(_count(date(year, month, 1)), _count(after - timedelta(days=1)), found.end())
    year = int(parts["year"] or _LEAP_YEAR)
    first = date(year, month, int(parts["day"]))
    last = date(year, month, int(parts["last"])) if parts.get("last") else first
    if last < first:
        raise ValueError
    days = Days(_count(first), _count(last), found.end(), ranged=last > first)
    if parts["year"]:
        return days
    start_of_year = date(_LEAP_YEAR, 1, 1).toordinal() - 1
    return Days(days.first - start_of_year, days.last - start_of_year, days.end, DAY_OF_YEAR_UNIT, days.ranged)


def _either_order(found: re.Match[str]) -> Days:
    first, second, year = int(found["first"]), int(found["second"]), int(found["year"])
    orders = [(second, first)] if found["between"] == "." else [(second, first), (first, second)]
    days = sorted(_count(date(year, month, day)) for month, day in orders if 1 <= month <= 12)
    if not days:
        raise ValueError
    return Days(days[0], days[-1], found.end())


def _count(day: date) -> Fraction:
    return Fraction(day.toordinal())


def _first_day(year: int) -> Fraction:
    return _count(date(year, 1, 1))


def _last_day(year: int) -> Fraction:
    return _count(date(year, 12, 31))


def day_of_year(day: Fraction) -> Fraction:
    """Where a calendar day falls in a year, leap day included, so that days of different years can be compared."""
    shown = date.fromordinal(int(day))
    return _count(shown.replace(year=_LEAP_YEAR)) - _count(date(_LEAP_YEAR, 1, 1)) + 1
