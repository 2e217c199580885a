"""The quantities of a record's sources, kept so that the few that may bear out a claim are found at once."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Final

from assay.text.measures import measure_of
from assay.text.numerals import fold_digits
from assay.text.quantities import find_quantities
from assay.text.quantity import Bound, Kind, Quantity
from assay.text.quantity_relations import find_support, in_base_unit, reach

READ_WHOLE: Final = 300_000
"""Characters up to which a source's every number is read."""
_AROUND: Final = 60
_MOST_PLACES: Final = 1_500
_NEAREST: Final = 8
_MOST_BOUNDS: Final = 300
_MOST_DATES: Final = 2_000
_UNITLESS: Final = (Kind.COUNT, Kind.NUMBER)
_ONE_SIDED: Final = (Bound.AT_LEAST, Bound.AT_MOST, Bound.OVER, Bound.UNDER)
_NUMERAL: Final = re.compile(r"[0-9](?:[0-9]|[.,](?=[0-9]))*")
_SIGNS: Final = str.maketrans("", "", ".,")


@dataclass(frozen=True, slots=True)
class Reading:
    """`numerals` are the digits of every number, `loose` those of no quantity: "Age 45" may be read as a name."""

    quantities: tuple[Quantity, ...]
    numerals: frozenset[str]
    loose: frozenset[str]


def read_source(text: str, claims: str, language: str = "en") -> Reading:
    """The numbers of a source; of a very long one only those near a number that `claims` prints as well."""
    if len(text) <= READ_WHOLE:
        return _read(text, language)
    wanted = {plain(found[0]) for found in _NUMERAL.finditer(fold_digits(claims))}
    matches = (found for found in _NUMERAL.finditer(fold_digits(text)) if plain(found[0]) in wanted)
    near = dict.fromkeys(text[max(0, found.start() - _AROUND) : found.end() + _AROUND] for found in matches)
    parts = [_read(part, language) for part in islice(near, _MOST_PLACES)]
    return Reading(
        tuple(quantity for part in parts for quantity in part.quantities),
        frozenset(numeral for part in parts for numeral in part.numerals),
        frozenset(numeral for part in parts for numeral in part.loose),
    )


def _read(text: str, language: str) -> Reading:
    quantities = find_quantities(text, language)
    spans = iter([quantity.span for quantity in quantities])
    span = next(spans, None)
    numerals, loose = set(), set()
    for found in _NUMERAL.finditer(fold_digits(text)):
        numerals.add(plain(found[0]))
        while span is not None and span.end <= found.start():
            span = next(spans, None)
        if span is None or found.end() <= span.start:
            loose.add(plain(found[0]))
    return Reading(quantities, frozenset(numerals), frozenset(loose))


def plain(printed: str) -> str:
    """The digits of a number, whatever signs group or part them."""
    found = _NUMERAL.search(fold_digits(printed))
    return found[0].translate(_SIGNS) if found else ""


@dataclass(frozen=True, slots=True)
class _Group:
    """Quantities of one dimension: by value, with the widest of all that begin no later, and the one-sided bounds."""

    values: tuple[Fraction, ...]
    quantities: tuple[Quantity, ...]
    lows: tuple[Fraction, ...]
    widest: tuple[Quantity, ...]
    bounds: tuple[Quantity, ...]

    def near(self, claim: Quantity) -> Iterator[Quantity]:
        """The quantities that may print as the claim, hold it, or lie within it; the claim is in base units."""
        low, high = (claim.low, claim.high) if claim.bound is Bound.BETWEEN else reach(claim)
        at = bisect_left(self.values, low)
        for position in range(at, min(len(self.values), at + _NEAREST)):
            if self.values[position] <= high:
                yield self.quantities[position]
        opened = bisect_left(self.lows, claim.value)
        opened += opened < len(self.lows) and self.lows[opened] == claim.value
        if opened:
            yield self.widest[opened - 1]
        if self.quantities and claim.bound in _ONE_SIDED:
            yield self.quantities[0]
            yield self.quantities[-1]
        yield from self.bounds


def _build_group(quantities: Sequence[Quantity]) -> _Group:
    ends = [
        replace(each, low=end, high=end, value=end, bound=Bound.EXACT)
        for each in quantities
        if each.bound is Bound.BETWEEN
        for end in (each.low, each.high)
    ]
    distinct = {(each.low, each.high, each.value, each.unit, each.bound): each for each in (*quantities, *ends)}
    bounds = [each for each in distinct.values() if each.bound in _ONE_SIDED]
    free = [(in_base_unit(each), each) for each in distinct.values() if each.bound not in _ONE_SIDED]
    free.sort(key=lambda pair: pair[0].value)
    opening = sorted(((*_ends(based), each) for based, each in free), key=lambda ends: ends[0])
    widest: list[Quantity] = []
    farthest: Fraction | None = None
    for _, high, each in opening:
        if farthest is None or high >= farthest:
            farthest = high
            widest.append(each)
        else:
            widest.append(widest[-1])
    return _Group(
        values=tuple(based.value for based, _ in free),
        quantities=tuple(each for _, each in free),
        lows=tuple(low for low, _, _ in opening),
        widest=tuple(widest),
        bounds=tuple(bounds[:_MOST_BOUNDS]),
    )


def _ends(quantity: Quantity) -> tuple[Fraction, Fraction]:
    return (quantity.low, quantity.high) if quantity.bound is Bound.BETWEEN else reach(quantity)


@dataclass(frozen=True, slots=True)
class Shelf:
    """`alone` are the values of numbers that stand alone, `counted` those and the counts.

    `numerals` are the digits of every number, `loose` those of no quantity.
    """

    groups: dict[str, _Group]
    dates: tuple[Quantity, ...]
    alone: frozenset[Fraction]
    counted: frozenset[Fraction]
    numerals: frozenset[str]
    loose: frozenset[str]

    def bears_out(self, claim: Quantity, printed: str) -> bool:
        """Whether a source states the claim's value, or one that is printed or bounded as the claim is.

        Where one side says nothing of what it measures ("Age: 45" for "45 years") the bare number is enough.
        """
        digits = plain(printed)
        if digits in self.loose or (claim.kind is Kind.NUMBER and digits in self.numerals):
            return True
        if claim.kind is Kind.DATE:
            # "In 1240 adults" reads as a year.
            counted = printed.isdecimal() and Fraction(printed) in self.counted
            return counted or find_support(claim, self.dates) is not None
        if claim.value in self.alone:
            return True
        # A patient of 52 is not in the sources because the trial takes people from 18 to 65; only a range's ends are.
        ranged = claim.bound in {Bound.BETWEEN, Bound.APPROXIMATE}
        near = [each for each in self._candidates(claim) if ranged or each.bound is not Bound.BETWEEN]
        return find_support(claim, near) is not None

    def _candidates(self, claim: Quantity) -> Iterator[Quantity]:
        based = in_base_unit(claim)
        dimension = _dimension(claim)
        if dimension in self.groups:
            yield from self.groups[dimension].near(based)
        # A share of one may be told in percent, and a percentage as a share.
        if dimension == "percent" and "number" in self.groups:
            yield from self.groups["number"].near(_scaled(based, Fraction(1, 100)))
        if dimension == "number" and "percent" in self.groups and 0 < claim.value < 1:
            yield from self.groups["percent"].near(_scaled(based, Fraction(100)))


def build_shelf(readings: Sequence[Reading]) -> Shelf:
    quantities = [quantity for reading in readings for quantity in reading.quantities]
    grouped: dict[str, list[Quantity]] = {}
    for each in quantities:
        if each.kind is not Kind.DATE:
            grouped.setdefault(_dimension(each), []).append(each)
    dates = {(each.low, each.high, each.unit, each.bound): each for each in quantities if each.kind is Kind.DATE}
    return Shelf(
        groups={dimension: _build_group(members) for dimension, members in grouped.items()},
        dates=tuple(islice(dates.values(), _MOST_DATES)),
        alone=_values(each for each in quantities if each.kind is Kind.NUMBER),
        counted=_values(each for each in quantities if each.kind in _UNITLESS),
        numerals=frozenset(numeral for reading in readings for numeral in reading.numerals),
        loose=frozenset(numeral for reading in readings for numeral in reading.loose),
    )


def _values(quantities: Iterable[Quantity]) -> frozenset[Fraction]:
    """The printed values: of a range both ends."""
    ends = ((each.low, each.high) if each.bound is Bound.BETWEEN else (each.value,) for each in quantities)
    return frozenset(value for values in ends for value in values)


def _dimension(quantity: Quantity) -> str:
    if quantity.unit is not None:
        return measure_of(quantity.unit).dimension
    return "number" if quantity.kind in _UNITLESS else quantity.kind.value


def _scaled(quantity: Quantity, by: Fraction) -> Quantity:
    return replace(quantity, low=quantity.low * by, high=quantity.high * by, value=quantity.value * by)
