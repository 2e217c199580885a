"""Find the quantities of a text."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from assay.domain.span import Span
from assay.text import frequencies, number_words
from assay.text.amounts import Amount, read_amount
from assay.text.bare_numbers import is_place, is_pronoun, is_year, names_something, stands_for
from assay.text.calendar_dates import MONTH, Days, read_date, read_years, year_days
from assay.text.identifiers import blank_identifiers
from assay.text.numerals import VULGAR_FRACTIONS, fold_digits
from assay.text.qualifiers import read_bound
from assay.text.quantity import Bound, Kind, Quantity
from assay.text.quantity_ranges import read_range, share_units
from assay.text.quantity_spaces import harden_spaces

_PLACE_DIGITS: Final = re.compile(r"(?P<place>[0-9]{1,6}|[0-9]{1,3},[0-9]{3})(?:st|nd|rd|th)(?!\w)")
_TOKEN: Final = re.compile(r"\w+|.", re.DOTALL)
# What lies below the 2028 target or above 2019 levels lies there in no time: the year only says which.
_THE: Final = re.compile(r"\bthe\s$", re.IGNORECASE)
_COMPARED: Final = re.compile(
    r"\s(?:level|figure|target|goal|average|total|peak|high|low|baseline|result|price|budget|estimate|forecast)s?\b",
    re.IGNORECASE,
)


class _Reading(NamedTuple):
    """What was read at a place, and where to read on."""

    quantity: Quantity | None
    end: int


def find_quantities(text: str, language: str = "en") -> tuple[Quantity, ...]:
    """Every quantity in reading order, none overlapping. Time is linear in the length of the text.

    Digits are read in every language; `language` decides what comma and point mean. Number words, dates with month
    names and bounds ("at least") are read in English.
    """
    page = blank_identifiers(harden_spaces(fold_digits(text)))
    found: list[Quantity] = []
    position = 0
    while opening := _opening().search(page, position):
        reading = _read_at(page, opening.start(), language)
        position = max(reading.end, opening.start() + 1)
        if reading.quantity and (not found or reading.quantity.span.start >= found[-1].span.end):
            found.append(reading.quantity)
    return share_units(page, found)


@cache
def _opening() -> re.Pattern[str]:
    words = rf"{number_words.OPENINGS}|{frequencies.OPENINGS}"
    return re.compile(
        rf"(?<![0-9])[0-9]|(?<![\w.)])\.[0-9]|[{VULGAR_FRACTIONS}]|\b(?i:{words})\b|\b(?i:{frequencies.EVERY_HOURS_OPENING})|\b{MONTH}(?=\s?,?\s+(?:of\s+)?[0-9])"
    )


def _read_at(page: str, start: int, language: str) -> _Reading:
    days = read_date(page, start)
    if days:
        return _Reading(_dated(page, start, days), days.end)
    often = frequencies.read_frequency(page, start)
    if often:
        low, high, end = often
        bound = Bound.BETWEEN if low < high else read_bound(page, start, end)
        rate = Quantity(low, high, (low + high) / 2, frequencies.PER_DAY, Kind.MEASURE, bound, Span(start, end))
        return _Reading(rate, end)
    place = _read_place(page, start)
    if place:
        return place
    amount = read_amount(page, start, language)
    if amount is None:
        token = _TOKEN.match(page, start)
        return _Reading(None, token.end() if token else start + 1)
    return _read_amount_in_context(page, amount, language)


def _read_place(page: str, start: int) -> _Reading | None:
    digits = _PLACE_DIGITS.match(page, start)
    if digits:
        place, end = int(digits["place"].replace(",", "")), digits.end()
    else:
        words = number_words.read_place(page, start) if page[start].isalpha() else None
        if words is None or number_words.read_share(page, start):
            return None
        place, end = words
        if not is_place(page, start, end):
            return _Reading(None, end)
    value = Fraction(place)
    return _Reading(Quantity(value, value, value, None, Kind.ORDINAL, Bound.EXACT, Span(start, end)), end)


def _read_amount_in_context(page: str, amount: Amount, language: str) -> _Reading:
    if amount.kind is None and is_year(page, amount):
        bounds = page[max(0, amount.start - 8) : amount.start].lower()
        days = read_years(page, amount.start, between=bounds.endswith("between "))
        days = days or year_days(int(amount.value), amount.end)
        return _Reading(_dated(page, amount.start, days), days.end)
    if amount.kind is None and (names_something(page, amount) or is_pronoun(page, amount)):
        token = _TOKEN.match(page, amount.end)
        glued = token is not None and page[amount.end].isalnum()
        return _Reading(None, token.end() if token and glued else amount.end)
    ranged = read_range(page, amount, language)
    if ranged:
        return _Reading(ranged, ranged.span.end)
    if amount.kind is None:
        kind, unit = stands_for(page, amount)
        step = Fraction(0) if kind is Kind.ORDINAL else amount.step
        amount = replace(amount, kind=kind, unit=unit, step=step)
    return _Reading(_measured(page, amount), amount.end)


def _measured(page: str, amount: Amount) -> Quantity:
    half = amount.step / 2
    span = Span(amount.start, amount.end)
    bound = read_bound(page, *span)
    kind = amount.kind or Kind.NUMBER
    return Quantity(amount.value - half, amount.value + half, amount.value, amount.unit, kind, bound, span)


def _dated(page: str, start: int, days: Days) -> Quantity:
    bound = Bound.BETWEEN if days.ranged else _read_date_bound(page, start, days.end)
    middle = (days.first + days.last) / 2
    return Quantity(days.first, days.last, middle, days.unit, Kind.DATE, bound, Span(start, days.end))


def _read_date_bound(page: str, start: int, end: int) -> Bound:
    bound = read_bound(page, start, end)
    names = _THE.search(page, max(0, start - 5), start) or _COMPARED.match(page, end)
    return Bound.EXACT if names and bound in {Bound.OVER, Bound.UNDER} else bound
