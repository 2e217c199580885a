"""A quantity: what a stretch of text says about how much, how many, how long, when or in which place."""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

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
