"""Which figures of a text no source has under any reading.

A figure is called unsourced only if no parse of any source yields its value, whatever its unit. A number that a source
has with another unit is not proven absent: it is told apart as such, and `find_unsourced` leaves it out.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final

from assay.domain.span import Span
from assay.text.dates import Date, Dates, find_dates
from assay.text.keywords import stop_words
from assay.text.language import identify
from assay.text.numbers import NUMERAL, PARTS, fold_digits, parse_numeral
from assay.text.quantities import Quantity, Value, find_quantities
from assay.text.units import measure_of

LONGEST_SOURCE: Final = 300_000
"""Characters up to which a source is read. Nothing is unsourced where one is longer: it was not read whole."""
_LANGUAGE_SAMPLE: Final = 3_000
_SMALL: Final = 10
# How far an estimate ("about 50") may lie from the truth.
_ESTIMATE: Final = 0.1
_ROUNDING: Final = 1e-9
_NUMERAL: Final = re.compile(NUMERAL)
_YEAR: Final = re.compile(r"[12][0-9]{3}")
# Torn by a tokeniser (12, 000 and 98 . 7) or grouped by spaces (12 500). A list (100, 200) looks the same.
_TORN: Final = re.compile(
    r"(?<![\d.,])\d{1,4}(?:(?: ?,)?[ \u00a0]\d{3}| ?, \d{3}| ?[.] \d{1,2}| [.]\d{1,2}){1,4}(?!\d)"
)
_ONE: Final = re.compile(
    r"\b(?:an?|one|per|each|every|this|that|the|last|next|past)[ -]"
    r"(?P<unit>second|minute|hour|day|night|week|month|year|decade|century)\b"
    rf"|\b(?:an?|one)[ -](?P<part>{'|'.join(PARTS)})\b",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(r"[ \u00a0-](?P<word>[^\W\d_]{2,})")
_SEASON: Final = re.compile(r"(?P<century>[12][0-9])[0-9]{2}[–/-](?P<last>[0-9]{2})(?![0-9])")
# One search finds the leftmost phrase, so "no more than" is not taken for "more than".
_BOUND_BEFORE: Final = re.compile(
    r"(?:(?P<above>\b(?:at least|no (?:less|fewer) than|minimum(?: of)?|over|(?:more|greater|higher|longer|older) than"
    r"|above|exceed(?:s|ed|ing)?)|≥|>=|>)"
    r"|(?P<below>\b(?:at most|up to|no more than|maximum(?: of)?|as (?:many|much) as|under|below"
    r"|(?:less|fewer|lower|shorter|younger) than)|≤|<=|<)"
    r"|(?P<about>\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.|close to)|[~≈∼]))"
    r"\s?(?:an?\s|the\s|of\s)?$",
    re.IGNORECASE,
)
_BOUND_AFTER: Final = re.compile(
    r"(?P<above>\+(?![0-9])|\s(?:\w{1,12}\s)?(?:or|and) (?:more|above|over|older|higher|longer)\b)"
    r"|(?P<below>\s(?:\w{1,12}\s)?(?:or|and) (?:less|fewer|under|younger|lower|below)\b)",
    re.IGNORECASE,
)
# Figures that a sum or a difference may join stand so close together. With more of them one fits by accident.
_WINDOW: Final = 6
_DAYS_IN_A_YEAR: Final = 365.25

_Figure = tuple[str, float]
"""A dimension, and a number in its base unit."""


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

    Roundings, other units, sums and shares of neighbours, and other spellings of a number count as being there.
    Ordinals are left alone, and so are bare whole numbers under ten.
    """
    checked = check_figures(text, tuple(sources), language)
    return tuple(UnsourcedFigure(span, span.of(text)) for span, sourcing in checked if sourcing is Sourcing.ABSENT)


def check_figures(text: str, sources: tuple[str, ...], language: str = "en") -> list[tuple[Span, Sourcing]]:
    """Each figure of a text that must come from a source, with what the sources say of it, in reading order."""
    if any(len(source) > LONGEST_SOURCE for source in sources):
        return []
    folded = fold_digits(text)
    torn = [Span(*each.span()) for each in _TORN.finditer(folded)]
    quantities = [each for each in find_quantities(text, language) if _is_checkable(each)]
    quantities = [each for each in quantities if not any(each.span.overlaps(span) for span in torn)]
    dates = [(span, dates) for span, dates in find_dates(folded) if _NUMERAL.search(span.of(folded))]
    if not quantities and not dates:
        return []
    known = _read_sources(sources, language)
    found = [(each.span, known.look_up(each, folded)) for each in quantities]
    found += [(span, known.look_up_date(each, span.of(folded))) for span, each in dates]
    return sorted(found, key=lambda each: each[0])


def _is_checkable(quantity: Quantity) -> bool:
    return quantity.unit is not None or quantity.number.denominator != 1 or abs(quantity.number) >= _SMALL


class _SourceFigures:
    """Everything that some reading of the sources yields: numbers as printed, values by dimension, and dates."""

    def __init__(self, sources: tuple[str, ...], language: str) -> None:
        self._printed: set[Fraction] = set()
        self._bare: set[Fraction] = set()
        self._dates: set[Date] = set()
        self._in_english = True
        self._figures: list[_Figure] = []
        self._likeliest: list[_Figure] = []
        for source in sources:
            self._in_english &= (identify(source[:_LANGUAGE_SAMPLE]) or language).startswith("en")
            text = fold_digits(source)
            self._read(text)
            if _TORN.search(text):
                self._read(_TORN.sub(lambda torn: re.sub("[ \u00a0]", "", torn.group()), text))
        singles = [figure for source in sources for figure in _find_singles(source)]
        self._values = _group([*self._figures, *singles])

    def _read(self, text: str) -> None:
        quantities = find_quantities(text)
        dates = list(find_dates(text))
        covered = bytearray(len(text) + 1)
        for span in (*(span for span, _ in dates), *(each.span for each in quantities if _is_measured(each, text))):
            covered[span.start : span.end] = b"\1" * (span.end - span.start)
        for found in _NUMERAL.finditer(text):
            numbers = _read_numbers(found.group())
            self._printed |= numbers
            if not covered[found.start()]:
                # A number that says nothing of what it measures: "Age: 45" may be 45 years.
                self._bare |= numbers
        self._printed.update(numeral.value for each in quantities for numeral in each.readings)
        self._printed.update(Fraction(int(each["century"] + each["last"])) for each in _SEASON.finditer(text))
        self._dates.update(day for _, days in dates for day in days)
        readings = [[(value.dimension, float(value.number)) for value in each.values()] for each in quantities]
        self._figures += [figure for each in readings for figure in each]
        self._figures += _find_delays([each[0] for _, each in dates])
        self._likeliest += [each[0] for each in readings]

    @cached_property
    def _derived(self) -> dict[str, list[float]]:
        return _group(_derive(self._likeliest))

    def look_up(self, claim: Quantity, text: str) -> Sourcing:
        words = claim.span.of(text)
        numbers = {numeral.value for numeral in claim.readings} | _read_all_numbers(words)
        printed = not numbers.isdisjoint(self._printed)
        if not numbers.isdisjoint(self._bare) or (printed and claim.unit is None):
            return Sourcing.SOURCED
        bound = _find_bound(text, claim.span)
        values = list(claim.values())
        values += [
            Value("percent", value.number * 100, value.step * 100)
            for value in values
            if value.dimension == "number" and 0 < value.number < 1
        ]
        if any(self._has(value, bound) for value in values):
            return Sourcing.SOURCED
        # No year is a sum of others.
        if not _YEAR.fullmatch(words) and any(_holds(self._derived, value, bound) for value in values):
            return Sourcing.SOURCED
        if not self._in_english and _may_be_spelt(claim.number):
            return Sourcing.SOURCED
        return Sourcing.OTHER_UNIT if printed else Sourcing.ABSENT

    def look_up_date(self, claim: Dates, words: str) -> Sourcing:
        if any(one.year in self._bare or any(one.agrees(other) for other in self._dates) for one in claim):
            return Sourcing.SOURCED
        return Sourcing.OTHER_UNIT if _read_all_numbers(words) <= self._printed else Sourcing.ABSENT

    def _has(self, claim: Value, bound: str | None) -> bool:
        values = self._values.get(claim.dimension)
        if values and bound in ("above", "below"):
            limit = float(claim.number)
            return values[-1] >= limit if bound == "above" else values[0] <= limit
        return _holds(self._values, claim, bound)


_read_sources = lru_cache(maxsize=64)(_SourceFigures)


def _group(figures: Iterable[_Figure]) -> dict[str, list[float]]:
    """The numbers of each dimension in order. One between zero and one is a percentage too."""
    grouped: dict[str, set[float]] = defaultdict(set)
    for dimension, number in figures:
        grouped[dimension].add(number)
        if dimension == "number" and 0 < number < 1:
            grouped["percent"].add(100 * number)
    return {dimension: sorted(numbers) for dimension, numbers in grouped.items()}


def _holds(figures: Mapping[str, Sequence[float]], claim: Value, bound: str | None) -> bool:
    """Whether one lies where the claim's value may have lain before it was rounded for print."""
    ordered = figures.get(claim.dimension, ())
    number = float(claim.number)
    slack = max(float(claim.step) / 2, abs(number) * (_ESTIMATE if bound == "about" else _ROUNDING))
    at = bisect_left(ordered, number - slack)
    return at < len(ordered) and ordered[at] <= number + slack


def _is_measured(quantity: Quantity, text: str) -> bool:
    """Whether it has a unit, or counts what the word after it names."""
    counted = _COUNTED.match(text, quantity.span.end)
    return quantity.unit is not None or (counted is not None and counted["word"].lower() not in stop_words("en"))


def _find_singles(source: str) -> Iterator[_Figure]:
    """What is told without a number: "a decade" is ten years, "a tenth" a share."""
    for found in _ONE.finditer(source):
        if found["part"]:
            yield "number", 1 / PARTS[found["part"].lower()]
        else:
            dimension, factor = measure_of(found["unit"].lower().replace("night", "day"))
            yield dimension, float(factor)


def _find_delays(dates: Sequence[Date]) -> Iterator[_Figure]:
    """The time between any two dates that stand close together; without a year it may run over a new year."""
    for at, one in enumerate(dates):
        for other in dates[at + 1 : at + 1 + _WINDOW]:
            days = float(abs(one.count_days(other)))
            yield "time", days
            if one.year is None or other.year is None:
                yield "time", _DAYS_IN_A_YEAR - days


def _derive(figures: Sequence[_Figure]) -> Iterator[_Figure]:
    """What a reader can work out from two figures that stand close together, or from one percentage."""
    for at, (dimension, one) in enumerate(figures):
        if dimension == "percent":
            yield dimension, 100 - one
        for other_dimension, other in figures[at + 1 : at + 1 + _WINDOW]:
            if dimension == other_dimension:
                yield from _combine(dimension, one, other)


def _combine(dimension: str, one: float, other: float) -> Iterator[_Figure]:
    difference = abs(one - other)
    yield from ((dimension, one + other), (dimension, difference))
    if dimension == "percent":
        yield "points", difference
        return
    if dimension == "number" and min(one, other) >= 1000 and max(one, other) < 2100:
        yield "time", _DAYS_IN_A_YEAR * difference
    for over, under in ((one, other), (other, one)):
        if under > 0:
            yield from (("percent", 100 * over / under), ("percent", 100 * abs(over - under) / under))


def _find_bound(text: str, span: Span) -> str | None:
    """Whether the words right before or after a number make it a least, a most or an estimate."""
    found = _BOUND_BEFORE.search(text, max(0, span.start - 32), span.start) or _BOUND_AFTER.match(text, span.end)
    return found.lastgroup if found else None


def _read_all_numbers(text: str) -> set[Fraction]:
    return {value for found in _NUMERAL.findall(text) for value in _read_numbers(found)}


@lru_cache(maxsize=4096)
def _read_numbers(printed: str) -> frozenset[Fraction]:
    """A numeral under every reading; numbers may also be listed without spaces: 3,17,24."""
    readings = {numeral.value for numeral in parse_numeral(printed)}
    parts = printed.split(",")
    listed = (
        {Fraction(int(part)) for part in parts} if all(part.isdecimal() and len(part) < 3 for part in parts) else set()
    )
    return frozenset(readings | listed)


def _may_be_spelt(value: Fraction) -> bool:
    """Number words are read in English alone; elsewhere such a number may stand there in words."""
    return value.denominator == 1 and (value <= 20 or (value <= 100 and value % 10 == 0) or value in {200, 500, 1000})
