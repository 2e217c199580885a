"""The types of a quantity, and the words around a number that bound it."""

import re
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final

from assay.domain.span import Span


class Kind(StrEnum):
    """What a number measures; a count stands before the word it counts, a number stands alone."""

    PRICE = "price"
    PERCENTAGE = "percentage"
    RATING = "rating"
    MEASURE = "measure"
    DURATION = "duration"
    DATE = "date"
    COUNT = "count"
    ORDINAL = "ordinal"
    NUMBER = "number"


class Bound(StrEnum):
    """How the words around a number limit it; `between` marks a range whose two ends are printed."""

    EXACT = "exact"
    APPROXIMATE = "approximate"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    OVER = "over"
    UNDER = "under"
    BETWEEN = "between"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value together with everything it could have been before it was rounded for print.

    `low` and `high` enclose the values that print as this one ("4.2": 4.15 to 4.25), or are the ends of a printed
    range; they ignore the bound, which is judged when two quantities are compared. Dates count days: their interval
    runs from the first to the last day meant. The span covers number, sign and unit, not words such as "about".
    """

    low: Fraction
    high: Fraction
    value: Fraction
    unit: str | None
    kind: Kind
    bound: Bound
    span: Span


_AT_LEAST: Final = (
    r"\b(?:at least|no (?:less|fewer) than|not (?:less|fewer) than|minimum(?: of)?|min\.?|starting (?:at|from))|≥|>="
)
_AT_MOST: Final = (
    r"\b(?:at most|up to|no more than|not more than|maximum(?: of)?|max\.?|as (?:many|much) as|not exceeding)|≤|<="
)
_OVER: Final = (
    r"\b(?:over|(?:more|greater|higher|longer|older|larger|bigger) than|above|exceed(?:s|ed|ing)?|in excess of"
    r"|upwards of)|>"
)
_UNDER: Final = r"\b(?:under|(?:less|fewer|lower|shorter|younger|smaller) than|below)|<"
_ESTIMATED: Final = (
    r"\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.|close to|estimated)|[~≈∼]"
)
# One search finds the leftmost phrase, so "no more than" is not taken for "more than".
_BEFORE: Final = re.compile(
    rf"(?:(?P<at_least>{_AT_LEAST})|(?P<at_most>{_AT_MOST})|(?P<over>{_OVER})|(?P<under>{_UNDER})"
    rf"|(?P<approximate>{_ESTIMATED}))\s?(?:an?\s|the\s|of\s)?$",
    re.IGNORECASE,
)
_AFTER: Final = tuple(
    (bound, re.compile(words, re.IGNORECASE))
    for bound, words in (
        (
            Bound.AT_LEAST,
            r"\+(?![0-9])|\s(?:\w{1,12}\s)?(?:or|and) (?:more|above|over|older|higher|greater|longer|up)\b",
        ),
        (Bound.AT_MOST, r"\s(?:\w{1,12}\s)?(?:or|and) (?:less|fewer|under|younger|lower|below|shorter)\b"),
        (Bound.APPROXIMATE, r"\s(?:\w{1,12}\s)?(?:or so|-?ish|approximately|approx)\b"),
    )
)


def read_bound(text: str, start: int, end: int) -> Bound:
    """The bound set by the words right before or right after a number that spans `start` to `end`."""
    before = _BEFORE.search(text, max(0, start - 32), start)
    if before and before.lastgroup:
        return Bound(before.lastgroup)
    for bound, words in _AFTER:
        if words.match(text, end):
            return bound
    return Bound.EXACT
