"""Quantities that a reader can work out from two others: sums, differences, ratios, percentages off."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final

from assay.text.calendar_dates import DATE_UNIT
from assay.text.measures import measure_of
from assay.text.quantity import Bound, Kind, Quantity
from assay.text.quantity_differences import Difference
from assay.text.quantity_relations import in_base_unit, reach

# Pairs grow with the square of the sources, and so does the chance that one fits by accident.
MOST_SOURCES: Final = 40
_UNITLESS: Final = (Kind.COUNT, Kind.NUMBER)
_WHOLES: Final = (Kind.COUNT, Kind.PRICE, Kind.MEASURE)


def percent_off(list_price: Fraction, sale_price: Fraction) -> Fraction:
    """How many percent below the list price the sale price lies; negative where it lies above."""
    if list_price == 0:
        raise ValueError("a list price of zero cannot be reduced; give a list price above zero")
    return 100 * (list_price - sale_price) / list_price


def derived(claim: Quantity, sources: Sequence[Quantity]) -> tuple[Quantity, Quantity] | None:
    """The first pair of sources from which the claim follows at its printed precision; 40 sources are looked at.

    Sources must come from one passage: among many unrelated numbers some pair fits any claim.
    """
    low, high = reach(claim) if claim.bound is not Bound.BETWEEN else (claim.low, claim.high)
    for one, other in combinations(sources[:MOST_SOURCES], 2):
        if any(low <= value <= high for value in _outcomes(claim, one, other)):
            return one, other
    return None


def _outcomes(claim: Quantity, one: Quantity, other: Quantity) -> Iterator[Fraction]:
    """What the claim's kind of number can come to, worked out from two quantities of one dimension."""
    if Bound.BETWEEN in (one.bound, other.bound):
        return
    if claim.unit == "%" and {one.unit, other.unit} == {"%", "pp"}:
        share, points = (one, other) if one.unit == "%" else (other, one)
        yield from (share.value + points.value, share.value - points.value)
    yield from _parts(claim, one, other)
    if _dimension(one) != _dimension(other):
        return
    if one.kind is Kind.DATE:
        yield from _time_between(claim, one, other)
        return
    if Kind.ORDINAL in (one.kind, other.kind, claim.kind):
        return
    first, second = in_base_unit(one).value, in_base_unit(other).value
    if claim.kind is Kind.PERCENTAGE and claim.unit == "%" and _dimension(one) != "percent":
        yield from _percentages(first, second)
    elif claim.kind in _UNITLESS and one.kind not in _UNITLESS:
        yield from (over / under for over, under in ((first, second), (second, first)) if under)
    elif _dimension(claim) == _dimension(one):
        factor = measure_of(claim.unit).factor if claim.unit else Fraction(1)
        yield from (value / factor for value in _sums(one, other))
        if claim.kind in _UNITLESS:
            yield from (over / under for over, under in ((first, second), (second, first)) if under)
    elif claim.unit == "pp" and _dimension(one) == "percent":
        yield abs(first - second)


def _sums(one: Quantity, other: Quantity) -> tuple[Fraction, ...]:
    """Sum and differences; of an amount and how far it lies above another, that other alone."""
    first, second = in_base_unit(one).value, in_base_unit(other).value
    for told, amount in ((one, other), (other, one)):
        if isinstance(told, Difference) and told.is_told_of(amount):
            return (abs(first - second),) if told.is_above else (first + second,)
    return first + second, first - second, second - first


def _parts(claim: Quantity, one: Quantity, other: Quantity) -> Iterator[Fraction]:
    """What a share of an amount comes to: 5% of 18,200 people, a quarter of $72 million."""
    if claim.kind not in _WHOLES:
        return
    for share, whole in ((one, other), (other, one)):
        part = share.value / 100 if share.unit == "%" else share.value
        is_share = share.unit == "%" or (share.kind is Kind.NUMBER and share.unit is None)
        if is_share and 0 < part < 1 and whole.kind in _WHOLES and _dimension(whole) == _dimension(claim):
            factor = measure_of(claim.unit).factor if claim.unit else Fraction(1)
            yield part * in_base_unit(whole).value / factor


def _percentages(first: Fraction, second: Fraction) -> Iterator[Fraction]:
    """How much more, how much less, and what part, in percent."""
    for whole, part in ((first, second), (second, first)):
        if whole > 0:
            yield abs(percent_off(whole, part))
            yield 100 * part / whole


def _time_between(claim: Quantity, one: Quantity, other: Quantity) -> Iterator[Fraction]:
    if claim.kind is Kind.DURATION and claim.unit and one.unit == other.unit == DATE_UNIT:
        yield abs(one.value - other.value) / measure_of(claim.unit).factor


def _dimension(quantity: Quantity) -> str:
    if quantity.unit is not None:
        return measure_of(quantity.unit).dimension
    return "number" if quantity.kind in _UNITLESS else quantity.kind.value
