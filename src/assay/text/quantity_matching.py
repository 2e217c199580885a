"""Whether two quantities can both be true of one thing, judged at the precision in which they are printed."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from typing import Final

from assay.text.dates import DATE_UNIT, day_of_year
from assay.text.quantity import Bound, Kind, Quantity
from assay.text.units import measure_of

# How far an estimate ("about 50") may lie from the truth.
ESTIMATE: Final = Fraction(1, 10)
ABOVE: Final = (Bound.AT_LEAST, Bound.OVER)
BELOW: Final = (Bound.AT_MOST, Bound.UNDER)
_DOSES: Final = frozenset({"mass", "volume", "activity", "amount", "equivalents"})
_UNITLESS: Final = (Kind.COUNT, Kind.NUMBER)
_Stretch = tuple[Fraction, Fraction]


class Relation(StrEnum):
    """What follows for a claim if a source speaks of the same thing.

    Equal: one value. Compatible: the source's value can be printed or bounded as the claim's. Conflicting: it cannot.
    Incomparable: neither follows, for want of a common unit or because a bound leaves it open.
    """

    EQUAL = "equal"
    COMPATIBLE = "compatible"
    CONFLICTING = "conflicting"
    INCOMPARABLE = "incomparable"


def relate(claim: Quantity, source: Quantity) -> Relation:
    if claim.kind is Kind.DATE and source.kind is Kind.DATE:
        return _relate_dates(claim, source)
    aligned = _align(claim, source)
    if aligned is None:
        return Relation.CONFLICTING if _units_confused(claim, source) else Relation.INCOMPARABLE
    return _relate_values(*aligned)


def find_support(claim: Quantity, sources: Sequence[Quantity]) -> Quantity | None:
    """The first source that states the claim's value, or one that is printed or bounded as the claim is."""
    agreeing = (Relation.EQUAL, Relation.COMPATIBLE)
    return next((source for source in sources if relate(claim, source) in agreeing), None)


def percent_off(list_price: Fraction, sale_price: Fraction) -> Fraction:
    """How many percent below the list price the sale price lies; negative where it lies above."""
    if list_price == 0:
        raise ValueError("a list price of zero cannot be reduced; give a list price above zero")
    return 100 * (list_price - sale_price) / list_price


def find_dimension(quantity: Quantity) -> str:
    """What it measures; counts and bare numbers are one dimension."""
    if quantity.unit is not None:
        return measure_of(quantity.unit).dimension
    return "number" if quantity.kind in _UNITLESS else quantity.kind.value


def in_base_unit(quantity: Quantity) -> Quantity:
    """The same quantity in the base unit of its dimension."""
    factor = measure_of(quantity.unit).factor if quantity.unit else Fraction(1)
    return replace(quantity, low=quantity.low * factor, high=quantity.high * factor, value=quantity.value * factor)


def reach(quantity: Quantity) -> _Stretch:
    """The values that a quantity may stand for, one-sided bounds aside; an estimate reaches a tenth further."""
    if quantity.bound is not Bound.APPROXIMATE:
        return quantity.low, quantity.high
    slack = abs(quantity.value) * ESTIMATE
    return min(quantity.low, quantity.value - slack), max(quantity.high, quantity.value + slack)


def satisfies(value: Fraction, bounded: Quantity) -> bool:
    """Whether a value keeps to a one-sided bound."""
    if bounded.bound in ABOVE:
        return value > bounded.value or (bounded.bound is Bound.AT_LEAST and value == bounded.value)
    return value < bounded.value or (bounded.bound is Bound.AT_MOST and value == bounded.value)


def _align(claim: Quantity, source: Quantity) -> tuple[Quantity, Quantity] | None:
    """Both quantities in one unit, or nothing where they have none in common."""
    if _is_share(claim) and source.unit == "%":
        claim = _as_percentage(claim)
    if _is_share(source) and claim.unit == "%":
        source = _as_percentage(source)
    if find_dimension(claim) != find_dimension(source) or (claim.unit is None) != (source.unit is None):
        return None
    return in_base_unit(claim), in_base_unit(source)


def _is_share(quantity: Quantity) -> bool:
    return quantity.kind is Kind.NUMBER and quantity.unit is None and 0 < quantity.value < 1


def _as_percentage(share: Quantity) -> Quantity:
    low, high, value = (100 * number for number in (share.low, share.high, share.value))
    return replace(share, low=low, high=high, value=value, unit="%", kind=Kind.PERCENTAGE)


def _units_confused(claim: Quantity, source: Quantity) -> bool:
    """One number with two dose units is the classic dosing error; a rate per day may restate a single dose."""
    if claim.unit is None or source.unit is None or claim.value != source.value:
        return False
    one, other = (measure_of(unit).dimension.removesuffix("/time") for unit in (claim.unit, source.unit))
    return one != other and all(dimension.partition("/")[0] in _DOSES for dimension in (one, other))


def _relate_values(claim: Quantity, source: Quantity) -> Relation:
    if (claim.bound, claim.value) == (source.bound, source.value) and (
        claim.bound is not Bound.BETWEEN or (claim.low, claim.high) == (source.low, source.high)
    ):
        return Relation.EQUAL
    if claim.bound in ABOVE + BELOW:
        return _relate_bounded_claim(claim, source)
    if source.bound in ABOVE + BELOW:
        return _relate_to_bounded_source(claim, source)
    if Bound.BETWEEN in (claim.bound, source.bound):
        return _relate_stretches(_ends(claim), _ends(source))
    claimed, found = reach(claim), reach(source)
    # The coarser print must hold the finer value; touching intervals alone (50 and 51) prove nothing.
    agree = claimed[0] <= source.value <= claimed[1] or found[0] <= claim.value <= found[1]
    return Relation.COMPATIBLE if agree else Relation.CONFLICTING


def _relate_stretches(claimed: _Stretch, found: _Stretch) -> Relation:
    """A range agrees with what lies in it and with what it lies in; ranges that merely overlap decide nothing."""
    if claimed[0] <= found[0] <= found[1] <= claimed[1] or found[0] <= claimed[0] <= claimed[1] <= found[1]:
        return Relation.COMPATIBLE
    apart = claimed[1] < found[0] or found[1] < claimed[0]
    return Relation.CONFLICTING if apart else Relation.INCOMPARABLE


def _ends(quantity: Quantity) -> _Stretch:
    if quantity.bound is Bound.BETWEEN:
        return quantity.low, quantity.high
    return reach(quantity) if quantity.bound is Bound.APPROXIMATE else (quantity.value, quantity.value)


def _relate_bounded_claim(claim: Quantity, source: Quantity) -> Relation:
    """The claim "over 50" holds where the source's value does; a source that is itself a bound must be the tighter."""
    if source.bound in ABOVE + BELOW:
        if (claim.bound in ABOVE) == (source.bound in ABOVE):
            tighter = source.value >= claim.value if claim.bound in ABOVE else source.value <= claim.value
            return Relation.COMPATIBLE if tighter else Relation.INCOMPARABLE
        return Relation.INCOMPARABLE if satisfies(source.value, claim) else Relation.CONFLICTING
    ends = (source.low, source.high) if source.bound is Bound.BETWEEN else (source.value,)
    held = [satisfies(end, claim) for end in ends]
    if all(held):
        return Relation.COMPATIBLE
    return Relation.INCOMPARABLE if any(held) else Relation.CONFLICTING


def _relate_to_bounded_source(claim: Quantity, source: Quantity) -> Relation:
    """A source that says "over 50" rules out 40, may be told as 50 or so, and leaves 70 open."""
    if abs(claim.value - source.value) <= abs(source.value) * ESTIMATE and claim.bound is not Bound.BETWEEN:
        near = claim.value == source.value or claim.bound is Bound.APPROXIMATE or satisfies(claim.value, source)
        return Relation.COMPATIBLE if near else Relation.CONFLICTING
    ends = (claim.low, claim.high) if claim.bound is Bound.BETWEEN else (claim.value,)
    return Relation.INCOMPARABLE if any(satisfies(end, source) for end in ends) else Relation.CONFLICTING


def _relate_dates(claim: Quantity, source: Quantity) -> Relation:
    """Dates agree where one lies within the other: a day in its month, a month in its year, May 19 in May 11–22."""
    if claim.unit != source.unit:
        yearless, dated = (source, claim) if claim.unit == DATE_UNIT else (claim, source)
        days = day_of_year(dated.low), day_of_year(dated.high)
        is_past_new_year = days[0] > days[1]
        if dated.high - dated.low > 31 or is_past_new_year:
            return Relation.INCOMPARABLE
        return _relate_stretches(days, (yearless.low, yearless.high))
    if (claim.low, claim.high, claim.bound) == (source.low, source.high, source.bound):
        return Relation.EQUAL
    if claim.bound in ABOVE + BELOW or source.bound in ABOVE + BELOW:
        return Relation.INCOMPARABLE
    return _relate_stretches(_around(claim), _around(source))


def _around(when: Quantity) -> _Stretch:
    """An estimated date ("around 1990") reaches as far again on either side."""
    slack = when.high - when.low + 1 if when.bound is Bound.APPROXIMATE else Fraction(0)
    return when.low - slack, when.high + slack
