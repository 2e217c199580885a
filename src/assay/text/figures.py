"""Which figures of a text no source has under any reading.

The text is read strictly and the sources generously: what can't be read in the text is not looked up, and what may be
read in a source in any way is there. A figure is absent only if no reading of any source yields its value, whatever its
unit. A number that a source has with another unit is not proven absent: it is told apart as such.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final
from unicodedata import numeric

from assay.domain.span import Span
from assay.text.dates import Date, Dates, find_dates
from assay.text.language import identify
from assay.text.numbers import NUMERAL, fold_digits, fold_number_words, parse_numeral
from assay.text.quantities import Quantity, Value, find_quantities

LONGEST_SOURCE: Final = 300_000
"""Characters up to which a source is read. Nothing is absent where one is longer: it was not read whole."""
_LANGUAGE_SAMPLE: Final = 3_000
SMALL: Final = 10
"""Bare whole numbers below it are in any text."""
# How far an estimate ("about 50") may lie from the truth.
_ESTIMATE: Final = 0.1
_ROUNDING: Final = 1e-9
_NUMERAL: Final = re.compile(NUMERAL)
_YEAR: Final = re.compile(r"[12][0-9]{3}")
# Torn by a tokeniser (12, 000 and 98 . 7) or grouped by spaces (12 500). A list (100, 200) looks the same.
_TORN: Final = re.compile(
    r"(?<![\d.,])\d{1,4}(?:(?: ?,)?[ \u00a0]\d{3}| ?, \d{3}| ?[.] \d{1,2}| [.]\d{1,2}){1,4}(?!\d)"
)
# What a source tells in words or without a number: half a million, 1½, two-thirds, the past decade.
_NAME_CHARACTERS: Final = 24
_PARTS: Final = {"hal": 2, "thi": 3, "qua": 4, "fou": 4, "fif": 5, "six": 6, "eig": 8, "ten": 10}
_FRACTION: Final = re.compile(
    r"(?:(?:(?P<whole>\d{1,6}) and )?(?:(?P<many>\d|an?)[ -])?\b"
    r"(?P<part>hal(?:f|ves)|thirds?|quarters?|fourths?|fifths?|sixths?|eighths?|tenths?)\b"
    r"|(?:(?P<before>\d{1,6})[ \u00a0-]?)?"
    r"(?:(?P<sign>[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])|(?P<over>\d)/(?P<under>[23468]|16)(?![\w/.,-])))"
    r"(?: of)?(?: an?(?= ))?",
    re.IGNORECASE,
)
_ONE: Final = re.compile(
    r"\b(?:an?|per|each|every|this|that|the|last|next|past)"
    r"(?=[ -](?:minute|hour|day|night|week|month|year|decade|century)\b)",
    re.IGNORECASE,
)
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
# What a rate may be counted per instead: a day or an hour, a litre or a decilitre.
_RATES: Final = (7, 10, 12, 24, 30, 52, 60, 100, 365, 1000)

_Figure = tuple[str, float]
"""A dimension, and a number in its base unit."""


class Sourcing(Enum):
    """What the sources say of a figure: they have it, they have its number with another unit, or neither."""

    SOURCED = auto()
    OTHER_UNIT = auto()
    ABSENT = auto()


def check_figures(text: str, sources: tuple[str, ...], language: str = "en") -> list[tuple[Span, Sourcing]]:
    """Each figure of a text that must come from a source, with what the sources say of it, in reading order.

    Roundings, other units, sums and shares of neighbours, and other spellings of a number count as being there.
    """
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
    is_whole = quantity.number.denominator == 1
    if quantity.is_share:
        return not is_whole
    return quantity.unit is not None or not is_whole or quantity.number >= SMALL


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
            self._likeliest += self._read(text)
            # Another way to read a text may hide what the first one shows.
            if _TORN.search(text):
                self._likeliest += self._read(_TORN.sub(lambda torn: re.sub("[ \u00a0]", "", torn.group()), text))
            self._read("\n".join(_write_out(fold_number_words(text))))
        self._values = _group(self._figures)

    def _read(self, text: str) -> list[_Figure]:
        """Adds all that a text yields. Returns the likeliest figures in reading order."""
        quantities = find_quantities(text)
        dates = list(find_dates(text))
        covered = bytearray(len(text) + 1)
        for span in (*(span for span, _ in dates), *(each.span for each in quantities if each.unit)):
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
        readings = [[(value.dimension, float(value.number)) for value in each.values] for each in quantities]
        self._figures += [figure for each in readings for figure in each]
        self._figures += _find_delays([each[0] for _, each in dates])
        return [each[0] for each in readings]

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
        values = list(_vary(claim))
        if any(_holds(self._values, value, bound) for value in values):
            return Sourcing.SOURCED
        # No year is a sum of others, and some sum is above any bound.
        closeness = bound if bound == "about" else None
        if not _YEAR.fullmatch(words) and any(_holds(self._derived, value, closeness) for value in values):
            return Sourcing.SOURCED
        if not self._in_english and _may_be_spelt(claim.number):
            return Sourcing.SOURCED
        return Sourcing.OTHER_UNIT if printed else Sourcing.ABSENT

    def look_up_date(self, claim: Dates, words: str) -> Sourcing:
        if any(one.year in self._bare or any(one.agrees(other) for other in self._dates) for one in claim):
            return Sourcing.SOURCED
        return Sourcing.OTHER_UNIT if _read_all_numbers(words) <= self._printed else Sourcing.ABSENT


_read_sources = lru_cache(maxsize=64)(_SourceFigures)


def _write_out(text: str) -> Iterator[str]:
    """Fractions as decimals, and "1" for "each" in "each day", each with the words after it that may name a unit."""
    for found in _FRACTION.finditer(text):
        yield f"{_find_value(found):.4f}".rstrip("0").rstrip(".") + text[found.end() : found.end() + _NAME_CHARACTERS]
    for found in _ONE.finditer(text):
        yield "1" + text[found.end() : found.end() + _NAME_CHARACTERS]


def _find_value(found: re.Match[str]) -> float:
    if found["sign"]:
        return int(found["before"] or 0) + numeric(found["sign"])
    if found["over"]:
        return int(found["before"] or 0) + int(found["over"]) / int(found["under"])
    many = int(found["many"]) if (found["many"] or "").isdecimal() else 1
    return int(found["whole"] or 0) + many / _PARTS[found["part"][:3].lower()]


def _vary(claim: Quantity) -> Iterator[Value]:
    """The values of a claim; a number between zero and one is a percentage too, and a rate may be told per another."""
    for value in claim.values:
        yield value
        if value.dimension == "number" and 0 < value.number < 1:
            yield Value("percent", value.number * 100, value.step * 100)
        if claim.is_rate:
            for factor in _RATES:
                yield Value(value.dimension, value.number * factor, value.step * factor)
                yield Value(value.dimension, value.number / factor, value.step / factor)


def _group(figures: Iterable[_Figure]) -> dict[str, list[float]]:
    """The numbers of each dimension in order. One between zero and one is a percentage too."""
    grouped: dict[str, set[float]] = defaultdict(set)
    for dimension, number in figures:
        grouped[dimension].add(number)
        if dimension == "number" and 0 < number < 1:
            grouped["percent"].add(100 * number)
    return {dimension: sorted(numbers) for dimension, numbers in grouped.items()}


def _holds(figures: Mapping[str, Sequence[float]], claim: Value, bound: str | None) -> bool:
    """Whether one lies within the claim's bound, or where its value may have lain before it was rounded for print."""
    ordered = figures.get(claim.dimension)
    if not ordered:
        return False
    number = float(claim.number)
    if bound in ("above", "below"):
        return ordered[-1] >= number if bound == "above" else ordered[0] <= number
    slack = max(float(claim.step) / 2, abs(number) * (_ESTIMATE if bound == "about" else _ROUNDING))
    at = bisect_left(ordered, number - slack)
    return at < len(ordered) and ordered[at] <= number + slack


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
    parts = printed.split(",")
    is_list = all(part.isdecimal() and len(part) < 3 for part in parts)
    listed = (Fraction(int(part)) for part in parts) if is_list else ()
    return frozenset([*(numeral.value for numeral in parse_numeral(printed)), *listed])


def _may_be_spelt(value: Fraction) -> bool:
    """Number words are read in English alone; elsewhere such a number may stand there in words."""
    return value.denominator == 1 and (value <= 20 or (value <= 100 and value % 10 == 0) or value in {200, 500, 1000})
