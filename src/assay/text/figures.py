"""Finds the figures of a text that no source has.

The text is read strictly: only a figure in digits that states a single value is looked up. Left alone are bounds,
estimates, ranges, shares, ordinals, days of the calendar, small counts, numbers in words and supposed cases. The
sources are read generously: a number in digits or words counts in any unit that the sources name, and so does what
two numbers come to. bench/rules.py measures how often this is right.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise, permutations
from typing import Final, NamedTuple
from unicodedata import numeric

from assay.domain.span import Span
from assay.text.dates import find_dates
from assay.text.language import identify
from assay.text.quantities import (
    NUMERAL,
    MeasureUnit,
    Numeral,
    Quantity,
    find_currency_before,
    find_quantities,
    find_spelled,
    find_units,
    fold_digits,
    parse_numeral,
    parse_unit,
)

LONGEST_SOURCE: Final = 300_000
"""Characters of a source that are read. Where one is longer, no figure is called unsourced."""
SMALL: Final = 10
"""Bare whole numbers below this may stand in any text."""
_LANGUAGE_SAMPLE: Final = 3_000
_NUMERAL: Final = re.compile(NUMERAL)
_YEAR: Final = re.compile(r"(?<![\d.,])[12]\d{3}(?![\d.,]?\d)")
_SHORT_YEAR: Final = re.compile(r"(?<=['/–A-Za-z-])\d{2}(?!\d)")
# Torn by a tokeniser (12, 000 and 98 . 7) or grouped by spaces (12 500). A list (100, 200) looks the same.
_TORN: Final = re.compile(
    r"(?<![\d.,])\d{1,4}(?:(?: ?,)?[ \u00a0]\d{3}| ?, \d{3}| ?[.] \d{1,2}| [.]\d{1,2}){1,4}(?!\d)"
)
_SENTENCE_END: Final = re.compile(r"[.!?]\s|\n")
_PRINTED: Final = re.compile(r"[\d.,]+|[^\W\d_]+")
# Words before or after a number that make it a bound or an estimate, or no single value.
_HEDGE_BEFORE: Final = re.compile(
    r"(?:\b(?:about|around|approx\w*|rough\w*|near\w*|almost|some|circa|ca|close|over|under|above|below|than|least|most|as"
    r"|many|much|max\w*|min\w*|up|upwards?|exceed\w*|within|between|shy|short|north|south|beyond|past|top\w*|estimat\w*"
    r"|region|order|barely|typical\w*|virtual\w*|practical\w*|before|after|early|late|mid|good|per|each|every)"
    r"|[<>≤≥~≈∼±])(?:\W{1,2}[\w]{1,4}){0,2}\W{0,3}$",
    re.IGNORECASE,
)
_HEDGE_AFTER: Final = re.compile(
    r"\W{0,2}\+|[ -]?(?:\w{1,12} )?(?:odd\b|plus\b|(?:or|and) (?:so|more|less|over|under|above|below|up|\w+er)\b)",
    re.IGNORECASE,
)
# A case that is only supposed brings its own figures.
_SUPPOSED: Final = re.compile(r"\b(?:would|if|suppos\w*|imagine|example|say)\b", re.IGNORECASE)
# Between two numbers that only mean something together: a range, a share, a rating, a ratio, a score.
_JOINED: Final = re.compile(
    r"\s?(?:[-–—±/:x×]|\+/-)\s?|\s(?:to|through|or|and|in|of|out of|in every|of every|of the|for every)\s",
    re.IGNORECASE,
)
_POWERS: Final = tuple(10.0**power for power in range(3, 13))
_FEWEST_DIGITS: Final = 3
"""A number with more significant digits is hardly ever written in words."""
_MOST_NUMBERS: Final = 150
"""With more numbers than this, some pair of them gives nearly any value."""
_EXACT: Final = 1e-9
_BARE: Final = "number"


def find_unsourced(text: str, sources: tuple[str, ...], language: str = "en") -> list[Span]:
    """The plain figures of a text that no reading of any source yields, in reading order."""
    if any(len(source) > LONGEST_SOURCE for source in sources):
        return []
    folded = fold_digits(text)
    figures = _list_plain(folded)
    if not figures:
        return []
    known = _read_sources(sources, language)
    if known.count > _MOST_NUMBERS:
        return []
    return [each.span for each in figures if not known.may_yield(each, folded)]


class Derived(NamedTuple):
    """A figure that no source states, and two figures of one sentence or table that come to it."""

    span: Span
    one: str
    other: str


def find_unstated(text: str, sources: tuple[str, ...], language: str = "en") -> tuple[list[Span], list[Derived]]:
    """The plain figures of a text that no source states, and those of them that two figures of one sentence come to."""
    folded = fold_digits(text)
    figures = _list_plain(folded)
    if not figures or any(len(source) > LONGEST_SOURCE for source in sources):
        return [], []
    known = _read_sources(sources, language)
    unstated = [each for each in figures if not known.may_yield(each, folded, derived=False)]
    blocks = [block for source in sources for block in _split_blocks(fold_digits(source))] if unstated else []
    derived = [next(found, None) for found in (_derive(each, blocks) for each in unstated)]
    return [each.span for each in unstated], [each for each in derived if each is not None]


def _split_blocks(text: str) -> Iterator[str]:
    """Sentences; lines of a table that follow each other are one block."""
    for is_table, lines in groupby(text.splitlines(), key=lambda line: "|" in line or "\t" in line):
        block = "\n".join(lines)
        yield from [block] if is_table else _SENTENCE_END.split(block)


def _derive(figure: Quantity, blocks: Sequence[str]) -> Iterator[Derived]:
    factor = float(figure.unit.factor) if figure.unit else 1.0
    low, high = (bound * factor for bound in _find_bounds(figure.readings[0]))
    for block in blocks:
        numbers = sorted({(each.place, each.value * each.factor) for each in _read_numbers(block)})
        if len(numbers) > _MOST_NUMBERS:
            continue
        for (at, one), (place, other) in permutations(numbers, 2):
            results = [one + other, one - other, one * other]
            results += [one / other, 100 * one / other, 100 * (one - other) / other] if other else []
            if any(low <= abs(each) <= high for each in results):
                yield Derived(figure.span, *(_print_number(block, start) for start in (at, place)))


def _print_number(text: str, start: int) -> str:
    found = _PRINTED.match(text, start)
    return found.group().rstrip(".,") if found else text[start : start + 1]


def shares_value(text: str, source: str, language: str = "en") -> bool:
    """Whether a figure of a text, plain or not, may come from a source."""
    figures = [each for each in find_quantities(text) if each.unit is not None or each.number >= SMALL]
    return bool(figures) and any(map(_read_sources((source,), language).yields, figures))


def _list_plain(text: str) -> list[Quantity]:
    """Figures that state a single value. For a date, that is its year."""
    torn = [Span(*each.span()) for each in _TORN.finditer(text)]
    quantities = find_quantities(text)
    joined = [
        any(
            _JOINED.fullmatch(text[one.span.end : two.span.start][:12])
            for one, two in pairwise(quantities[at : at + 2])
        )
        for at in range(len(quantities))
    ]
    plain = [
        each
        for at, each in enumerate(quantities)
        if not (joined[at] or (at and joined[at - 1]))
        and not any(each.span.overlaps(span) for span in torn)
        and not _HEDGE_BEFORE.search(text, max(0, each.span.start - 40), each.span.start)
        and not _HEDGE_AFTER.match(text, each.span.end)
        and not _SUPPOSED.search(text, max(0, each.span.start - 100), each.span.end + 60)
    ]
    for span, dates in find_dates(text):
        years = [found for found in _YEAR.finditer(text, *span) if dates[0].year is not None]
        plain += [Quantity(Span(*found.span()), parse_numeral(found.group())) for found in years]
    return sorted(plain, key=lambda each: each.span)


class _SourceNumbers:
    """The numbers that the sources have under any reading, and the units that they name.

    A number without a unit right beside it is bare and may measure anything.
    """

    def __init__(self, sources: tuple[str, ...], language: str) -> None:
        self._units = find_units(" \n".join(sources))
        self._in_english = True
        self._moments = 0
        self.count = 0
        self._printed: dict[str, list[float]] = defaultdict(list)
        self._in_base_unit: dict[str, list[float]] = defaultdict(list)
        known = {1.0}
        for source in sources:
            self._in_english &= (identify(source[:_LANGUAGE_SAMPLE]) or language).startswith("en")
            text = fold_digits(source)
            self._moments += _count_moments(text)
            numbers = set(_read_numbers(text))
            self.count += len({number.place for number in numbers})
            for number in numbers:
                self._printed[number.dimension].append(number.value)
                self._in_base_unit[number.dimension].append(number.value * number.factor)
            known.update(number.value for number in numbers)
            known.update(value for numeral in _NUMERAL.findall(text) for value in _read_all(numeral))
        # What is left of a whole: 93% went on where 7% stopped.
        self._in_base_unit["percent"] += [100 - value for value in self._printed["percent"]]
        self._known = sorted(known)
        counts = {*self._printed[_BARE], *self._printed["time"], *(share / 100 for share in self._printed["percent"])}
        self._scales = [scale for count in counts - {1.0} if count > 0 for scale in (count, 1 / count)]

    def may_yield(self, figure: Quantity, text: str, *, derived: bool = True) -> bool:
        """False only where the sources surely have no such value: none printed, or with `derived` none at all."""
        number, dimension = figure.number, figure.unit.dimension if figure.unit else _BARE
        if number == 0 or (dimension == "percent" and number == 100):
            return True
        # Temperatures are not converted, and what lies between two dates is not computed.
        if dimension in {"celsius", "fahrenheit"} or (dimension == "time" and self._moments > 1):
            return True
        if dimension == _BARE and _YEAR.fullmatch(figure.span.of(text)):
            return float(number) in self._known
        if dimension == _BARE and number.denominator == 1 and number < SMALL:
            return True
        if not self._in_english and len(str(number.numerator).rstrip("0")) < _FEWEST_DIGITS:
            return True
        return self.yields(figure, derived=derived)

    def yields(self, figure: Quantity, *, derived: bool = True) -> bool:
        """Whether a source has the number, whatever it measures there, or with `derived` it follows from others."""
        if any(self._prints(numeral) for numeral in figure.readings):
            return True
        low, high = _find_bounds(figure.readings[0])
        if figure.unit is None:
            return derived and self._derives_bare(low, high)
        find = self._derives_measure if derived else self._converts
        return find(low, high, figure.unit)

    def _prints(self, numeral: Numeral) -> bool:
        low, high = _find_bounds(numeral)
        # Words for thousands and millions are read in English alone.
        scales = (1.0,) if self._in_english else (1.0, *_POWERS)
        return any(_has(self._known, low / scale, high / scale) for scale in scales)

    def _converts(self, low: float, high: float, unit: MeasureUnit) -> bool:
        base, slack = float(unit.factor), (high - low) * float(unit.factor) / 2
        return _has(sorted([1.0, *self._in_base_unit[unit.dimension]]), low * base - slack, high * base + slack)

    def _derives_bare(self, low: float, high: float) -> bool:
        """A number without a unit: a share of one, or what two numbers of one dimension come to."""
        if high < 1 and _has(self._known, 100 * low, 100 * high):
            return True
        bare = self._printed[_BARE]
        return any(self._follows([*bare, *pool], low, high) for pool in self._printed.values())

    def _derives_measure(self, low: float, high: float, unit: MeasureUnit) -> bool:
        """A number with a unit, from numbers of its dimension and from bare ones in any unit that the sources name."""
        dimension, base = unit.dimension, float(unit.factor)
        factors = {base, *(float(each.factor) for each in self._units if each.dimension == dimension)}
        # What was converted may have been cut off instead of rounded.
        slack = (high - low) * base / 2 if len(factors) > 1 else 0.0
        low, high = low * base - slack, high * base + slack
        bare = self._printed[_BARE]
        # The 1 stands for one of a unit, as in "for a day".
        pool = [*self._in_base_unit[dimension], *(number * factor for number in (1.0, *bare) for factor in factors)]
        if dimension not in {"percent", "points"}:
            return self._follows(pool, low, high)
        if self._follows([*pool, *self._printed["percent"]], low, high):
            return True
        return any(_makes_share([*whole, *bare], low, high) for whole in ([1.0], [100.0], *self._in_base_unit.values()))

    def _follows(self, numbers: Sequence[float], low: float, high: float) -> bool:
        """Whether a number, the sum or difference of two, or a multiple or part by a count is in the range."""
        ordered = sorted(numbers)
        return (
            _has(ordered, low, high)
            or any(_has(ordered, low - one, high - one, other_than=one) for one in ordered)
            or any(_has(ordered, low + one, high + one, other_than=one) for one in ordered)
            or any(_has(ordered, low / scale, high / scale, other_than=scale) for scale in self._scales)
        )


def _makes_share(numbers: Sequence[float], low: float, high: float) -> bool:
    """Whether one number is a percentage of another in the range, or differs from it by one."""
    ordered = sorted(numbers)
    for whole in (number for number in ordered if number > 0):
        least, most = low * whole / 100, high * whole / 100
        shares = ((least, most), (whole + least, whole + most), (whole - most, whole - least))
        if any(_has(ordered, *bounds, other_than=whole) for bounds in shares):
            return True
    return False


def _count_moments(text: str) -> int:
    """How many dates and years a text has."""
    dates = [span for span, _ in find_dates(text)]
    years = (Span(*found.span()) for found in _YEAR.finditer(text))
    alone = sum(not any(year.overlaps(date) for date in dates) for year in years)
    return len(dates) + alone


_read_sources = lru_cache(maxsize=64)(_SourceNumbers)


def _has(numbers: Sequence[float], low: float, high: float, other_than: float | None = None) -> bool:
    """Whether an ordered list has a number between two others. The one it is combined with counts once."""
    slack = abs(high) * _EXACT
    at = bisect_left(numbers, low - slack)
    if at < len(numbers) and numbers[at] == other_than:
        at += 1
    return at < len(numbers) and numbers[at] <= high + slack


def _find_bounds(numeral: Numeral) -> tuple[float, float]:
    """The range of values that round to this number, at its last printed place or at the second digit of 4,000."""
    value, step = numeral
    while step >= 1 and step * 100 < value and value % (step * 10) == 0:
        step *= 10
    return float(value - step / 2), float(value + step / 2)


def _read_all(printed: str) -> Iterator[float]:
    """A numeral under every reading; numbers may also be listed without spaces: 3,17,24."""
    yield from (float(numeral.value) for numeral in parse_numeral(printed))
    yield from (float(part) for part in printed.split(",") if part.isdecimal())


class _Number(NamedTuple):
    """A number of a source: where it stands, its value as printed, its dimension, and the factor to the base unit."""

    place: int
    value: float
    dimension: str = _BARE
    factor: float = 1.0


def _read_numbers(text: str) -> Iterator[_Number]:
    """Every number of a text, in digits or in words."""
    for found in _NUMERAL.finditer(text):
        printed, (start, end) = found.group(), found.span()
        beside = find_currency_before(text, start) or parse_unit(text, end + text.startswith((" ", "-"), end))
        unit = beside[0] if beside else MeasureUnit(_BARE, Fraction(1))
        for numeral in parse_numeral(printed)[:1]:
            yield _Number(start, float(numeral.value), unit.dimension, float(unit.factor))
    for found in _TORN.finditer(text):
        joined = parse_numeral(re.sub("[ \u00a0]", "", found.group()))
        yield from (_Number(found.start(), float(numeral.value)) for numeral in joined)
    for found in _SHORT_YEAR.finditer(text):
        yield from (_Number(found.start(), float(f"{century}{found.group()}")) for century in (19, 20))
    yield from (_Number(place, value) for place, value in find_spelled(text))
    fractions = ((at, letter) for at, letter in enumerate(text) if not letter.isascii() and letter.isnumeric())
    yield from (_Number(at, numeric(letter)) for at, letter in fractions)
