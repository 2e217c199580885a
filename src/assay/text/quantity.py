"""The types of a quantity, the words around a number that bound it, and its value in a base unit."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from typing import Final

from assay.domain.span import Span
from assay.text.dates import DATE_UNIT, day_of_year
from assay.text.units import measure_of

# How far an estimate ("about 50") may lie from the truth.
ESTIMATE: Final = Fraction(1, 10)


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
    ABOVE = "above"
    BELOW = "below"
    BETWEEN = "between"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value together with everything it could have been before it was rounded for print.

    `low` and `high` enclose the values that print as this one ("4.2": 4.15 to 4.25), or are the ends of a printed
    range; they ignore the bound. Dates count days: their interval runs from the first to the last day meant. The span
    covers number, sign and unit, not words such as "about".
    """

    low: Fraction
    high: Fraction
    value: Fraction
    unit: str | None
    kind: Kind
    bound: Bound
    span: Span

    @property
    def dimension(self) -> str:
        """What it measures; counts and bare numbers are one dimension."""
        if self.unit is not None:
            return measure_of(self.unit).dimension
        return "number" if self.kind in (Kind.COUNT, Kind.NUMBER) else self.kind.value

    @property
    def reach(self) -> tuple[Fraction, Fraction]:
        """The values that it may stand for, one-sided bounds aside; an estimate reaches a tenth further."""
        if self.bound is not Bound.APPROXIMATE:
            return self.low, self.high
        slack = abs(self.value) * ESTIMATE
        return min(self.low, self.value - slack), max(self.high, self.value + slack)

    def times(self, factor: Fraction) -> "Quantity":
        return replace(self, low=self.low * factor, high=self.high * factor, value=self.value * factor)

    def in_base_unit(self) -> "Quantity":
        return self.times(measure_of(self.unit).factor) if self.unit else self


_ABOVE: Final = (
    r"\b(?:at least|no (?:less|fewer) than|not (?:less|fewer) than|minimum(?: of)?|min\.?|starting (?:at|from)|over"
    r"|(?:more|greater|higher|longer|older|larger|bigger) than|above|exceed(?:s|ed|ing)?|in excess of|upwards of)"
    r"|≥|>=|>"
)
_BELOW: Final = (
    r"\b(?:at most|up to|no more than|not more than|maximum(?: of)?|max\.?|as (?:many|much) as|not exceeding|under"
    r"|(?:less|fewer|lower|shorter|younger|smaller) than|below)|≤|<=|<"
)
_ESTIMATED: Final = (
    r"\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.|close to|estimated)|[~≈∼]"
)
# One search finds the leftmost phrase, so "no more than" is not taken for "more than".
_BEFORE: Final = re.compile(
    rf"(?:(?P<above>{_ABOVE})|(?P<below>{_BELOW})|(?P<approximate>{_ESTIMATED}))\s?(?:an?\s|the\s|of\s)?$",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    r"(?P<above>\+(?![0-9])|\s(?:\w{1,12}\s)?(?:or|and) (?:more|above|over|older|higher|greater|longer|up)\b)"
    r"|(?P<below>\s(?:\w{1,12}\s)?(?:or|and) (?:less|fewer|under|younger|lower|below|shorter)\b)"
    r"|(?P<approximate>\s(?:\w{1,12}\s)?(?:or so|-?ish|approximately|approx)\b)",
    re.IGNORECASE,
)


def read_bound(text: str, start: int, end: int) -> Bound:
    """The bound set by the words right before or right after a number that spans `start` to `end`."""
    found = _BEFORE.search(text, max(0, start - 32), start) or _AFTER.match(text, end)
    return Bound(found.lastgroup) if found and found.lastgroup else Bound.EXACT


def has_date(claim: Quantity, dates: Iterable[Quantity]) -> bool:
    """Whether a date lies within one of the others or holds it: a day in its month, May 19 in May 11–22.

    What bounds a date is left aside: "above 2019 levels" has the year 2019.
    """
    return any(_dates_agree(claim, other) for other in dates)


def _dates_agree(claim: Quantity, other: Quantity) -> bool:
    one, two = _around(claim), _around(other)
    if claim.unit != other.unit:
        # A day without its year agrees with that day of any year.
        dated, yearless = (one, two) if claim.unit == DATE_UNIT else (two, one)
        one, two = (day_of_year(dated[0]), day_of_year(dated[1])), yearless
        if dated[1] - dated[0] > 31 or one[0] > one[1]:
            return False
    return one[0] <= two[0] <= two[1] <= one[1] or two[0] <= one[0] <= one[1] <= two[1]


def _around(when: Quantity) -> tuple[Fraction, Fraction]:
    """An estimated date ("around 1990") reaches as far again on either side."""
    slack = when.high - when.low + 1 if when.bound is Bound.APPROXIMATE else Fraction(0)
    return when.low - slack, when.high + slack
