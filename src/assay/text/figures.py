"""Which figures of a text no source has under any reading, and whether two texts have a value in common.

A figure is called unsourced only if no parse of any source yields its value, whatever its unit. A number that a source
has with another unit is not proven absent: it is told apart as such, and `find_unsourced` leaves it out.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Final

from assay.domain.span import Span
from assay.text.language import identify
from assay.text.numbers import fold_digits
from assay.text.quantities import find_quantities
from assay.text.quantity import Bound, Kind, Quantity, has_date
from assay.text.units import measure_of
from assay.text.working_out import work_out

LONGEST_SOURCE: Final = 300_000
"""Characters up to which a source is read. Nothing is unsourced where one is longer: it was not read whole."""
_LANGUAGE_SAMPLE: Final = 3_000
_SMALL: Final = 10
_HUNDRED: Final = Fraction(100)
_NUMERAL: Final = re.compile(r"[0-9](?:[0-9]|[.,](?=[0-9])){0,60}")
# Torn by a tokeniser (12, 000 and 98 . 7) or grouped by spaces (12 500). A list (100, 200) looks the same.
_TORN: Final = re.compile(
    r"(?<![\d.,])\d{1,4}(?:(?: ?,)?[ \u00a0]\d{3}| ?, \d{3}| ?[.] \d{1,2}| [.]\d{1,2}){1,4}(?!\d)"
)
# "The 60's" are a decade.
_DECADE: Final = re.compile(r" ?['’]s\b")
_ONE_UNIT: Final = re.compile(
    r"\b(?:an?|per|each|every|this|that|the|last|next|past)[ -]"
    r"(?P<unit>second|minute|hour|day|night|week|fortnight|month|year|decade|century)\b",
    re.IGNORECASE,
)
_PARTS: Final = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_ONE_PART: Final = re.compile(rf"\b(?:an?|one)[ -](?P<part>{'|'.join(_PARTS)})\b", re.IGNORECASE)
_TIMES: Final = re.compile(
    r"\b(?:(?P<word>once|twice)|(?P<count>\d|three|four) times) (?:daily|(?:a|per|each|every) day)\b", re.IGNORECASE
)
_COUNTED: Final = {"once": 1, "twice": 2, "three": 3, "four": 4}
_JOINT: Final = re.compile(r",?\s(?:and\s)?")
_COINS: Final = re.compile(r"(?:cents?|pence|paise)$", re.IGNORECASE)

Value = tuple[str, Fraction]
"""A dimension and a value in its base unit; a number as printed has no dimension."""


class Sourcing(Enum):
    """What the sources say of a figure: they have it, they have its number with another unit, or neither."""

    SOURCED = auto()
    OTHER_UNIT = auto()
    ABSENT = auto()


@dataclass(frozen=True, slots=True)
class UnsourcedFigure:
    """A stretch of a text whose value no parse of any source yields."""

    span: Span
    words: str


def find_unsourced(text: str, sources: Sequence[str], language: str = "en") -> tuple[UnsourcedFigure, ...]:
    """The figures of a text that are in none of the sources, in reading order.

    Roundings, other units, sums, shares and other spellings of a number count as being there. Ordinals are left alone,
    and so are bare whole numbers under ten.
    """
    checked = check_figures(text, tuple(sources), language)
    return tuple(UnsourcedFigure(span, span.of(text)) for span, sourcing in checked if sourcing is Sourcing.ABSENT)


def check_figures(text: str, sources: tuple[str, ...], language: str = "en") -> Iterator[tuple[Span, Sourcing]]:
    """Each figure of a text that must come from a source, with what the sources say of it."""
    if any(len(source) > LONGEST_SOURCE for source in sources):
        return
    found = [each for each in find_quantities(text, language) if _is_checkable(each)]
    if not found:
        return
    known = _read_sources(sources, language)
    torn = [Span(*each.span()) for each in _TORN.finditer(text)]
    wholes = _find_compounds(text, found)
    for each in found:
        if not any(each.span.overlaps(span) for span in torn) and not _DECADE.match(text, each.span.end):
            readings = [each, *(whole for whole in wholes if whole.span.overlaps(each.span))]
            yield each.span, min((known.look_up(reading, text) for reading in readings), key=lambda one: one.value)


def figures_of(text: str, language: str = "en") -> frozenset[Value]:
    """Every value that some reading of the text yields: numbers as printed, and quantities in base units."""
    quantities = _read_all(text, language)
    printed = {("", value) for value in _printed_values(text, quantities)}
    based = {
        (dimension, measured.value)
        for each in quantities
        if each.unit is not None and each.bound is not Bound.BETWEEN
        for dimension, measured in _measure(each)
    }
    return frozenset(printed | based)


def shares_value(one: str, other: str, language: str = "en") -> bool:
    """Whether two texts have a figure in common: "0.1 g" and "100 mg", but not "100 mg" and "10 mg"."""
    return not figures_of(one, language).isdisjoint(figures_of(other, language))


def _is_checkable(quantity: Quantity) -> bool:
    if quantity.kind is Kind.ORDINAL:
        return False
    return quantity.unit is not None or quantity.value.denominator != 1 or abs(quantity.value) >= _SMALL


class _Values:
    """Values of one dimension, to find one that is near, or a coarser print or a range that holds one."""

    def __init__(self, quantities: Sequence[Quantity]) -> None:
        points = [each for each in quantities if each.bound is not Bound.BETWEEN]
        ranges = [(float(each.low), float(each.high)) for each in quantities if each.bound is Bound.BETWEEN]
        self._values = sorted([*(float(each.value) for each in points), *(end for ends in ranges for end in ends)])
        prints = sorted((float(low), float(high)) for low, high in (each.reach for each in points))
        self._prints = _Stretches(prints)
        self._ranges = _Stretches(sorted(ranges))

    def have(self, claim: Quantity) -> bool:
        """Whether one is printed or bounded as the claim is; a point is not there because a range holds it."""
        low, high = map(float, claim.reach)
        if _have(self._values, low, high):
            return True
        if claim.bound is Bound.BETWEEN or claim.bound is Bound.APPROXIMATE:
            return self._ranges.hold(low, high)
        value = float(claim.value)
        if claim.bound in (Bound.ABOVE, Bound.BELOW) and self._values:
            return self._values[-1] >= value if claim.bound is Bound.ABOVE else self._values[0] <= value
        return self._prints.hold(value, value)


class _Stretches:
    """Stretches in order of their beginnings, with how far any that begins so early reaches."""

    def __init__(self, ordered: Sequence[tuple[float, float]]) -> None:
        self._lows = [low for low, _ in ordered]
        self._farthest = list(accumulate((high for _, high in ordered), max))

    def hold(self, low: float, high: float) -> bool:
        at = bisect_right(self._lows, low + _slack(low))
        return at > 0 and self._farthest[at - 1] >= high - _slack(high)


def _have(ordered: Sequence[float], low: float, high: float) -> bool:
    at = bisect_left(ordered, low - _slack(low))
    return at < len(ordered) and ordered[at] <= high + _slack(high)


def _slack(value: float) -> float:
    return abs(value) * 1e-9


class _SourceFigures:
    """Everything that some reading of the sources yields."""

    def __init__(self, sources: tuple[str, ...], language: str) -> None:
        self._quantities: list[Quantity] = []
        self._printed: set[Fraction] = set()
        self._bare: set[Fraction] = set()
        self._in_english = True
        for text in sources:
            spoken = identify(text[:_LANGUAGE_SAMPLE]) or language
            self._in_english &= spoken.startswith("en")
            found = _read_all(text, spoken)
            self._quantities += found
            self._printed |= _printed_values(text, found)
            self._bare |= _bare_values(text, found)
        grouped: dict[str, list[Quantity]] = defaultdict(list)
        for each in self._quantities:
            for dimension, measured in _measure(each):
                grouped[dimension].append(measured)
        grouped["percent"] += [each.times(_HUNDRED) for each in grouped["number"] if 0 < each.value < 1]
        self._values = {dimension: _Values(members) for dimension, members in grouped.items()}
        self._dates = [each for each in self._quantities if each.kind is Kind.DATE]
        self._worked_out: Mapping[str, list[float]] | None = None

    def look_up(self, claim: Quantity, text: str) -> Sourcing:
        ends = {claim.low, claim.high} if claim.bound is Bound.BETWEEN else {claim.value}
        readings = _numeral_values(claim.span.of(text)) | (set() if claim.kind is Kind.DATE else ends)
        if claim.kind is Kind.DATE:
            if has_date(claim, self._dates):
                return Sourcing.SOURCED
            return Sourcing.OTHER_UNIT if readings <= self._printed else Sourcing.ABSENT
        printed = not readings.isdisjoint(self._printed)
        if self._has(claim) or not readings.isdisjoint(self._bare) or (printed and claim.unit is None):
            return Sourcing.SOURCED
        if self._follows(claim) or (not self._in_english and _may_be_spelt(claim)):
            return Sourcing.SOURCED
        return Sourcing.OTHER_UNIT if printed else Sourcing.ABSENT

    def _has(self, claim: Quantity) -> bool:
        measured = _measure(claim)
        if claim.unit is None and 0 < claim.value < 1:
            measured.append(("percent", claim.times(_HUNDRED)))
        return any(dimension in self._values and self._values[dimension].have(each) for dimension, each in measured)

    def _follows(self, claim: Quantity) -> bool:
        """Whether two figures that stand close enough together come to it."""
        if self._worked_out is None:
            self._worked_out = work_out(self._quantities)
        low, high = claim.in_base_unit().reach
        return _have(self._worked_out.get(claim.dimension, []), float(low), float(high))


_read_sources = lru_cache(maxsize=64)(_SourceFigures)


def _read_all(text: str, language: str) -> list[Quantity]:
    """The quantities of a text, with torn numbers and amounts in two units joined, and single units ("a decade")."""
    found = list(find_quantities(text, language))
    found += _find_compounds(text, found)
    if _TORN.search(text):
        found += find_quantities(_TORN.sub(lambda torn: torn.group().replace(" ", ""), text), language)
    for each in _ONE_UNIT.finditer(text):
        found.append(_exact(Fraction(1), each["unit"].lower(), Kind.DURATION, each))
    for each in _ONE_PART.finditer(text):
        found.append(_exact(Fraction(1, _PARTS[each["part"].lower()]), None, Kind.NUMBER, each))
    for each in _TIMES.finditer(text):
        count = (each["word"] or each["count"]).lower()
        found.append(_exact(Fraction(_COUNTED.get(count) or int(count)), "/day", Kind.MEASURE, each))
    return found


def _exact(value: Fraction, unit: str | None, kind: Kind, found: re.Match[str]) -> Quantity:
    return Quantity(value, value, value, unit, kind, Bound.EXACT, Span(*found.span()))


def _find_compounds(text: str, quantities: Sequence[Quantity]) -> list[Quantity]:
    """What two neighbours come to: 2 euros and 80 cents, 1 hour 30 minutes."""
    found = []
    for first, second in pairwise(quantities):
        if _JOINT.fullmatch(text[first.span.end : second.span.start][:8]):
            extra = _worth(text, first, second)
            if extra is not None:
                value, span = first.value + extra, Span(first.span.start, second.span.end)
                found.append(replace(first, low=value, high=value, value=value, span=span))
    return found


def _worth(text: str, first: Quantity, second: Quantity) -> Fraction | None:
    """The second in the unit of the first, if it is less than one of them; cents are of the currency named first."""
    if first.unit is None or second.unit is None or first.value.denominator != 1 or second.value < 0:
        return None
    if first.kind is second.kind is Kind.PRICE:
        return second.value if second.value < 1 and _COINS.search(second.span.of(text)) else None
    one, other = measure_of(first.unit), measure_of(second.unit)
    extra = second.value * other.factor / one.factor
    return extra if first.unit != second.unit and one.dimension == other.dimension and extra < 1 else None


def _printed_values(text: str, quantities: Iterable[Quantity]) -> set[Fraction]:
    values = {end for each in quantities for end in (each.low, each.high) if each.bound is Bound.BETWEEN}
    values |= {each.value for each in quantities if each.kind is not Kind.DATE}
    return values | _numeral_values(text)


def _bare_values(text: str, quantities: Sequence[Quantity]) -> set[Fraction]:
    """Of numbers that say nothing of what they measure: "Age: 45" may be 45 years."""
    covered = bytearray(len(text) + 1)
    for each in quantities:
        covered[each.span.start : each.span.end] = b"\1" * (each.span.end - each.span.start)
    folded = fold_digits(text)
    loose = (found.group() for found in _NUMERAL.finditer(folded) if not covered[found.start()])
    values = {value for numeral in loose for value in _read_numeral(numeral)}
    return values | {each.value for each in quantities if each.kind is Kind.NUMBER and each.bound is not Bound.BETWEEN}


def _numeral_values(text: str) -> set[Fraction]:
    return {value for found in _NUMERAL.findall(fold_digits(text)) for value in _read_numeral(found)}


@lru_cache(maxsize=4096)
def _read_numeral(printed: str) -> tuple[Fraction, ...]:
    """A numeral under every reading of its points and commas: 1.299 may be a thousand or one and a bit."""
    parts = re.split(r"[.,]", printed)
    whole = Fraction(int("".join(parts)))
    if len(parts) == 1:
        return (whole,)
    decimal = whole / 10 ** len(parts[-1])
    grouped = all(len(part) in {2, 3} for part in parts[1:-1]) and len(parts[-1]) == 3 and len(parts[0]) <= 3
    found = [whole] if grouped else []
    if len(parts) == 2 or "." in printed:
        found.append(decimal)
    # Numbers may be listed without spaces: 3,17,24.
    if "." not in printed and not grouped:
        found += [Fraction(int(part)) for part in parts]
    return tuple(found)


def _measure(quantity: Quantity) -> list[tuple[str, Quantity]]:
    """What it measures, in the base unit, and what it measures without its "per": 6 hours a night are 6 hours."""
    measured = [(quantity.dimension, quantity.in_base_unit())]
    amount = (quantity.unit or "").partition("/")[0]
    if amount and amount != quantity.unit:
        without = replace(quantity, unit=amount)
        measured.append((without.dimension, without.in_base_unit()))
    return measured


def _may_be_spelt(quantity: Quantity) -> bool:
    """Number words are read in English alone; elsewhere such a number may stand there in words."""
    value = quantity.value
    return value.denominator == 1 and (value <= 20 or (value <= 100 and value % 10 == 0) or value in {200, 500, 1000})
