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
    """`loose` are the numerals that stand in the text as part of no quantity: "Age 45" may be read as a name."""

    quantities: tuple[Quantity, ...]
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
        frozenset(numeral for part in parts for numeral in part.loose),
    )


def _read(text: str, language: str) -> Reading:
    quantities = find_quantities(text, language)
    spans = iter([quantity.span for quantity in quantities])
    span = next(spans, None)
    loose = set()
    for found in _NUMERAL.finditer(fold_digits(text)):
        while span is not None and span.end <= found.start():
            span = next(spans, None)
        if span is None or found.end() <= span.start:
            loose.add(plain(found[0]))
    return Reading(quantities, frozenset(loose))


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


def _build_group(quantities: Iterable[Quantity]) -> _Group:
    distinct = {(each.low, each.high, each.value, each.unit, each.bound): each for each in quantities}
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
    """`numbers` are the values that stand alone, `measured` those with a unit, `loose` the digits of neither."""

    groups: dict[str, _Group]
    dates: tuple[Quantity, ...]
    numbers: frozenset[Fraction]
    measured: frozenset[Fraction]
    loose: frozenset[str]

    def bears_out(self, claim: Quantity, printed: str) -> bool:
        """Whether a source states the claim's value, or one that is printed or bounded as the claim is.

        Where one side says nothing of what it measures ("Age: 45" for "45 years") the bare number is enough.
        """
        bare = claim.kind is Kind.NUMBER and claim.value in self.measured
        if bare or claim.value in self.numbers or plain(printed) in self.loose:
            return True
        if claim.kind is Kind.DATE:
            return find_support(claim, self.dates) is not None
        return find_support(claim, list(self._candidates(claim))) is not None

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
        numbers=frozenset(each.value for each in quantities if each.kind is Kind.NUMBER),
        measured=frozenset(each.value for each in quantities if each.unit is not None and each.kind is not Kind.DATE),
        loose=frozenset(numeral for reading in readings for numeral in reading.loose if numeral),
    )


def _dimension(quantity: Quantity) -> str:
    if quantity.unit is not None:
        return measure_of(quantity.unit).dimension
    return "number" if quantity.kind in _UNITLESS else quantity.kind.value


def _scaled(quantity: Quantity, by: Fraction) -> Quantity:
    return replace(quantity, low=quantity.low * by, high=quantity.high * by, value=quantity.value * by)
