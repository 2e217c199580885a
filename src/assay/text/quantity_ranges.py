"""Two numbers that share what only one of them prints: the ends of a range, the doses of a list."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from assay.domain.span import Span
from assay.text.amounts import Amount, read_amount
from assay.text.bare_numbers import stands_for
from assay.text.currencies import read_currency_opening
from assay.text.quantity import Bound, Kind, Quantity
from assay.text.quantity_differences import Difference

_DASH: Final = re.compile(r"\s?[-–—]\s?")
_TO: Final = re.compile(r"\s+(?:to|through)\s+")
_AND: Final = re.compile(r"\s+and\s+")
_BETWEEN: Final = re.compile(r"\bbetween(?: about| around)?\s+$", re.IGNORECASE)
_FROM: Final = re.compile(r"\bfrom(?: about| around)?\s+$", re.IGNORECASE)
_RANGING: Final = re.compile(
    r"\b(?:rang(?:e|es|ed|ing)|var(?:y|ies|ied|ying)|anywhere|aged?)\s+from\s+$", re.IGNORECASE
)
_CONTEST: Final = re.compile(
    r"\b(?:w[io]n\w*|beat\w*|defeat\w*|draw\w*|drew|loss|losing|los[et]\w*|victor\w*|lead\w*|led|ahead|trail\w*|against"
    r"|aggregate|scor\w*|thrash\w*|ties?|tied|stalemate|rout\w*|vs|v|goal\w*|sets?|advantage|down|final\w*|half-time"
    r"|over|home|away|record|vote\w*|voted|margin|penalt\w*)\b",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(r"\s?(?:/|x|×|or|and|to|[-–—]|, or|, and)\s?")
_LISTED_TIGHTLY: Final = re.compile(r"\s?(?:/|x|×|or|to|[-–—])\s?")
_LISTED_ON: Final = re.compile(r"\s?,\s?")
_SET_AGAINST: Final = re.compile(
    r"\s?[,(–—]\s?(?:or\s)?(?:(?:about|around|some|nearly|almost|roughly|approximately)\s)?"
)
# "20 million euros, 5 more than last year" are 5 million more.
_MILLION: Final = 1_000_000
_THOUSAND: Final = 1000
_COMPARED: Final = re.compile(
    r"\s(?:(?P<above>(?:more|higher) than|above|over)|(?:less|lower|cheaper) than|below|under)\b"
)


def read_range(text: str, first: Amount, language: str) -> Quantity | None:
    """Read the range that `first` opens: "10-12 mg", "Rs 500 to 700", "between 5 and 7 million"."""
    before = text[max(0, first.start - 24) : first.start]
    between = bool(_BETWEEN.search(before))
    joint = (
        (_AND.match(text, first.end) if between else None) or _DASH.match(text, first.end) or _TO.match(text, first.end)
    )
    if not joint or (_FROM.search(before) and not _RANGING.search(before) and first.kind is not Kind.DURATION):
        return None
    start = read_currency_opening(text, joint.end()) or joint.end()
    if not _opens_number(text, start):
        return None
    second = read_amount(text, start, language)
    if second is None or second.start < first.end:
        return None
    ends = None if _joins_pairs(text, first, second) else _agree(first, second)
    if ends is None or (_DASH.fullmatch(joint.group()) and _is_score(text, first, second)):
        return None
    low, high, unit, kind = ends
    if kind is None:
        kind, unit = stands_for(text, replace(second, start=first.start))
    span = Span(first.start, second.end)
    return Quantity(low, high, (low + high) / 2, unit, kind, Bound.BETWEEN, span)


def _joins_pairs(text: str, first: Amount, second: Amount) -> bool:
    """Whether two readings stand side by side: "from 142/91 to 131/84 mmHg" ranges from nothing to nothing."""
    return text[max(0, first.start - 1) : first.start] == "/" and text[second.end : second.end + 1] == "/"


def _opens_number(text: str, start: int) -> bool:
    return text[start : start + 1].isalnum() or text[start : start + 1] == "."


def _agree(first: Amount, second: Amount) -> tuple[Fraction, Fraction, str | None, Kind | None] | None:
    """The two ends in one unit, if they can be ends of one range: same unit or one unsaid, and rising."""
    low = first.value
    is_shared = second.scaled and not first.scaled and first.value < 1000 and not second.numeral.in_words
    if is_shared and not second.numeral.value:
        return None
    if is_shared:
        low = first.value * (second.value / second.numeral.value)
    units = {amount.unit for amount in (first, second) if amount.unit is not None}
    kinds = {amount.kind for amount in (first, second) if amount.kind is not None}
    unit_said_too_early = first.unit is not None and second.unit is None and not first.sign_before
    if len(units) > 1 or len(kinds) > 1 or unit_said_too_early or low >= second.value:
        return None
    return low, second.value, next(iter(units), None), next(iter(kinds), None)


def _is_score(text: str, first: Amount, second: Amount) -> bool:
    """Two bare numbers by a word of contest are the points of two sides, not a range."""
    if first.kind or second.kind or first.value > 200:
        return False
    around = text[max(0, first.start - 32) : first.start] + "  " + text[second.end : second.end + 32]
    return bool(_CONTEST.search(around))


def share_units(text: str, found: list[Quantity]) -> tuple[Quantity, ...]:
    """Give a bare number the unit of the next one where both stand in one list: "5 or 10 mg", "120/80 mmHg"."""
    shared = list(found)
    in_list = False
    for index in range(len(shared) - 2, -1, -1):
        here, after = shared[index], shared[index + 1]
        between = text[here.span.end : after.span.start]
        joint = _LISTED_TIGHTLY if after.kind is Kind.DURATION else _LISTED
        # A comma alone joins too much: "in 2, 5 mg" is a list only where an "and" or "or" has shown that it is one.
        listed = len(between) < 8 and bool(joint.fullmatch(between) or (in_list and _LISTED_ON.fullmatch(between)))
        in_list = listed and here.kind is Kind.NUMBER and _lends_unit(text, after)
        if in_list:
            shared[index] = replace(here, unit=after.unit, kind=after.kind)
    return tuple(_share_with_differences(text, shared))


def _share_with_differences(text: str, found: list[Quantity]) -> Iterator[Quantity]:
    """Give a bare difference the unit of the amount before it: "410 million euros, 60 million more than planned"."""
    before: Quantity | None = None
    for each in found:
        if (
            before is not None
            and before.kind in {Kind.PRICE, Kind.MEASURE}
            and each.kind in {Kind.COUNT, Kind.NUMBER}
            and before.unit is not None
            and "/" not in before.unit
            and not (before.value >= _MILLION and each.value < _THOUSAND)
            and _SET_AGAINST.fullmatch(text[before.span.end : each.span.start][:24])
            and (compared := _COMPARED.match(text, each.span.end))
        ):
            yield Difference.of(each, before, is_above=compared["above"] is not None)
        else:
            yield each
        before = each


def _lends_unit(text: str, quantity: Quantity) -> bool:
    """A unit printed after the number may serve the numbers before it; a sign before the number may not."""
    opening = text[quantity.span.start]
    if quantity.kind is Kind.PRICE:
        return opening.isdecimal()
    return quantity.kind in {Kind.MEASURE, Kind.PERCENTAGE, Kind.DURATION} and opening.isalnum()
