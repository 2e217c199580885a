"""Finds the figures of a text that no reading of any source yields.

The text is read strictly: only a plain figure in digits is looked up, one that states a single value. Bounds,
estimates, ranges, shares, ordinals, days of the calendar, small counts, numbers in words and cases that are only
supposed are left alone. The sources are read generously: every numeral and every word that may stand for a number is
one, in any unit that the sources name, alone or with another as a sum, difference, mean, product, ratio or change. What
is not there then is in no source.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise, permutations, product
from typing import Final
from unicodedata import numeric

from assay.domain.span import Span
from assay.text.dates import find_dates
from assay.text.language import identify
from assay.text.numbers import NUMERAL, Numeral, find_spelled, fold_digits, parse_numeral
from assay.text.quantities import Quantity, find_quantities
from assay.text.units import MeasureUnit, find_currency_before, find_units, list_meanings, parse_unit

LONGEST_SOURCE: Final = 300_000
"""Characters of a source that are read. Where one is longer, no figure is called unsourced."""
SMALL: Final = 10
"""Bare whole numbers below this may stand in any text."""
_LANGUAGE_SAMPLE: Final = 3_000
_NUMERAL: Final = re.compile(NUMERAL)
_YEAR: Final = re.compile(r"(?<![\d.,])[12]\d{3}(?![\d.,]?\d)")
_SHORT_YEAR: Final = re.compile(r"(?<=['/–A-Za-z-])\d{2}(?!\d)")
_CLOCK: Final = re.compile(r"\b\d{1,2}(?:[:.h]\d{2}\b|\s?(?:(?i:[ap])\.?m\b|o'clock))|\b(?:noon|midday|midnight)\b")
_NEXT: Final = re.compile(
    r"\b(?:next|last|previous|following|past)[ -](?:day|week|month|year)"
    r"|\b(?:day|week|month|year)s?[ ,]{1,2}(?:after|before|later|earlier|ago)\b",
    re.IGNORECASE,
)
_ROMAN: Final = re.compile(r"\b(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,4})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})\b")
_ROMAN_DIGITS: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
# Torn by a tokeniser (12, 000 and 98 . 7) or grouped by spaces (12 500). A list (100, 200) looks the same.
_TORN: Final = re.compile(
    r"(?<![\d.,])\d{1,4}(?:(?: ?,)?[ \u00a0]\d{3}| ?, \d{3}| ?[.] \d{1,2}| [.]\d{1,2}){1,4}(?!\d)"
)
_SENTENCE_END: Final = re.compile(r"[.!?]\s|\n")
_LIST_SIGN: Final = re.compile(r"[,;•]| and ")
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
_RATE: Final = re.compile(
    r"\b(?:per|each|every|annual|daily|weekly|monthly|yearly|hourly)\b|\d\s?/|\w/\w", re.IGNORECASE
)
_PER_AMOUNT: Final = re.compile(r"\bper\s\d|/\s?(?:\d|[dm]?[lL]\b)|\bper\s(?:mille|lit|deci|milli)")
# What a rate may be counted per instead: a day or an hour; a litre or a decilitre, a thousand or ten thousand.
_RATES: Final = (7, 12, 24, 30, 52, 60, 365)
_PARTS: Final = (10, 100, 1000)
# Words for millions and the like are read in English alone.
_POWERS: Final = tuple(10.0**power for power in range(3, 13))
_FEWEST_DIGITS: Final = 3
"""A number with more significant digits is hardly ever written in words."""
_MOST_NUMBERS: Final = 150
"""With more numbers than this, some pair of them gives nearly any value."""
_NEAR: Final = 200
"""Characters around a figure in which a text may say what it is counted per."""
_LONGEST_SUM: Final = 8
_EXACT: Final = 1e-9
_BARE: Final = "number"
_YEARS: Final = "year"


def find_unsourced(text: str, sources: tuple[str, ...], language: str = "en") -> list[Span]:
    """The plain figures of a text that no reading of any source yields, in reading order."""
    if any(len(source) > LONGEST_SOURCE for source in sources):
        return []
    folded = fold_digits(text)
    figures = _list_plain(folded)
    if not figures:
        return []
    known = _read_sources(sources, language)
    if not known.are_few:
        return []
    return [each.span for each in figures if not known.may_yield(each, folded, _list_rates(folded, each.span))]


def shares_value(text: str, source: str, language: str = "en") -> bool:
    """Whether a figure of a text, plain or not, may come from a source."""
    figures = _list_checkable(text)
    return bool(figures) and any(map(_read_sources((source,), language).yields, figures))


def _list_rates(text: str, span: Span) -> tuple[int, ...]:
    """What else the figure may be counted per: the text says that it is a rate, or names a time beside it."""
    before, after = text[max(0, span.start - _NEAR) : span.start], text[span.end : span.end + _NEAR]
    rest = f"{before} {after}"
    is_rate = _RATE.search(rest) is not None or any(unit.dimension == "time" for unit in find_units(rest))
    return (*(_RATES if is_rate else ()), *(_PARTS if _PER_AMOUNT.search(rest) else ()))


def _list_checkable(text: str) -> list[Quantity]:
    return [each for each in find_quantities(text) if each.unit is not None or each.number >= SMALL]


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
    """All numbers that some reading of the sources yields, and the units that are named.

    A number with a unit right beside it is kept by its dimension, as printed and in the base unit. Any other is bare
    and may measure anything.
    """

    def __init__(self, sources: tuple[str, ...], language: str) -> None:
        self._units = find_units(" \n".join(sources))
        self._in_english = True
        self._longest_list = SMALL
        self._moments = 0
        self._printed: dict[str, list[float]] = defaultdict(list)
        self._measured: dict[str, list[float]] = defaultdict(list)
        known = {1.0}
        self._in_order: list[float] = []
        for source in sources:
            self._in_english &= (identify(source[:_LANGUAGE_SAMPLE]) or language).startswith("en")
            text = fold_digits(source)
            lists = [len(_LIST_SIGN.findall(each)) for each in _SENTENCE_END.split(text)]
            self._longest_list = max(self._longest_list, len(lists), *(2 + each for each in lists))
            dates = [span for span, _ in find_dates(text)]
            years = [
                each for each in _YEAR.finditer(text) if not any(Span(*each.span()).overlaps(date) for date in dates)
            ]
            self._moments += len(dates) + len(years) + len(_CLOCK.findall(text))
            found = sorted(set(_read_numbers(text)))
            alike: dict[str, dict[int, float]] = defaultdict(dict)
            for place, value, dimension, factor in found:
                self._printed[dimension].append(value)
                self._measured[dimension] += (
                    [value * factor, 100 - value] if dimension == "percent" else [value * factor]
                )
                alike[dimension][place] = value
            self._in_order += {place: value for place, value, _, _ in found}.values()
            known.update(value for _, value, _, _ in found)
            known.update(value for numeral in _NUMERAL.findall(text) for value in _read_all(numeral))
            known.update(value for each in alike.values() for value in _add_runs(each, text))
        known.update(abs(one - two) for one, two in combinations(self._printed[_YEARS], 2))
        self._known = sorted(known)
        self._shares = [share / 100 for share in self._printed["percent"]]
        self._multipliers = {
            each for each in (*self._printed[_BARE], *self._printed["time"], *self._shares) if each > 0
        }

    @property
    def are_few(self) -> bool:
        return len(self._in_order) <= _MOST_NUMBERS

    def may_yield(self, figure: Quantity, text: str, rates: tuple[int, ...] = ()) -> bool:
        """False only where it is proven that the sources have no such value."""
        number, dimension = figure.number, figure.unit.dimension if figure.unit else _BARE
        if number == 0 or (dimension == "percent" and number == 100):
            return True
        # What lies between two dates or times of day is not computed.
        if dimension == "time" and self._moments > 1:
            return True
        is_year = dimension == _BARE and _YEAR.fullmatch(figure.span.of(text)) is not None
        if dimension == _BARE and not is_year and number.denominator == 1 and number < self._longest_list:
            return True
        if not self._in_english and len(str(number.numerator).rstrip("0")) < _FEWEST_DIGITS:
            return True
        return self.yields(figure, rates, is_year=is_year)

    def yields(self, figure: Quantity, rates: tuple[int, ...] = _RATES, *, is_year: bool = False) -> bool:
        """Whether the figure may come from a number of the sources, or from two of them."""
        if is_year:
            lags = [lag for dimension in (_BARE, "time") for lag in self._printed[dimension]]
            years = [year + lag * sign for year in self._printed[_YEARS] for lag in lags for sign in (1, -1)]
            return float(figure.number) in self._known or float(figure.number) in years
        units: tuple[MeasureUnit | None, ...] = list_meanings(figure.unit) if figure.unit else (None,)
        return self.prints(figure) or any(self._derives(unit, figure.readings[0], rates) for unit in units)

    def prints(self, figure: Quantity) -> bool:
        """Whether a source has the number, whatever it measures there."""
        return any(_has(self._known, *_find_bounds(numeral)) for numeral in figure.readings)

    def _derives(self, unit: MeasureUnit | None, numeral: Numeral, rates: tuple[int, ...]) -> bool:
        """Whether the value can be worked out from numbers of the sources."""
        low, high = _find_bounds(numeral)
        value, slack = (low + high) / 2, (high - low) / 2
        if unit is None:
            return self._derives_bare(value, slack, rates)
        base = float(unit.factor)
        factors = {base, *(float(each.factor) for each in self._units if each.dimension == unit.dimension)}
        # What was converted may have been cut off instead of rounded.
        value, slack = value * base, slack * base * (2 if len(factors) > 1 else 1)
        # One of a unit, as "for a day" says.
        if any(abs(value - factor) <= slack for factor in factors):
            return True
        if self._derives_measure(value, slack, unit.dimension, factors, rates):
            return True
        if unit.dimension in {"percent", "points"}:
            return self._derives_percentage(value, slack)
        if unit.dimension in {"celsius", "fahrenheit"}:
            converted = ((value * 1.8 + 32, slack * 1.8), ((value - 32) / 1.8, slack))
            return any(_has(self._known, each - width, each + width) for each, width in converted)
        return self._adds_up(value, slack, factors)

    def _derives_bare(self, value: float, slack: float, rates: tuple[int, ...]) -> bool:
        """A number without a unit, which may come from numbers of any one dimension."""
        scales = self._scales(rates) | ({100.0} if value < 1 else set())
        if any(_has(self._known, (value - slack) * scale, (value + slack) * scale) for scale in scales):
            return True
        pools = [sorted([*self._printed[_BARE], *self._printed[each]]) for each in (*self._printed, _BARE)]
        return any(self._holds(value, slack, pool) for pool in pools)

    def _derives_measure(
        self, value: float, slack: float, dimension: str, factors: set[float], rates: tuple[int, ...]
    ) -> bool:
        """From numbers of the same dimension, and from bare ones in any unit of it that the sources name."""
        for factor, scale in product(factors, self._scales(rates)):
            pool = sorted([*self._measured[dimension], *(each * factor for each in self._printed[_BARE])])
            low, high = (value - slack) * scale, (value + slack) * scale
            # A rate is counted per another time, or worked out from two numbers, but not both.
            if _has(pool, low, high) or (scale == 1 and self._holds(value, slack, pool)):
                return True
        return False

    def _derives_percentage(self, value: float, slack: float) -> bool:
        bare = self._printed[_BARE]
        if self._holds(value, slack, sorted([*self._shares, *self._printed["percent"], *bare])):
            return True
        pools = ([], [1.0], [100.0], *self._measured.values())
        return any(self._makes_share(value, slack, sorted([*pool, *bare])) for pool in pools)

    def _adds_up(self, value: float, slack: float, factors: set[float]) -> bool:
        """Whether two neighbouring numbers in different units make the value: 5 feet 4 inches."""
        neighbours = [pair for gap in (1, 2) for pair in zip(self._in_order, self._in_order[gap:], strict=False)]
        sums = (one * first + two * second for one, two in neighbours for first, second in permutations(factors, 2))
        return any(abs(each - value) <= slack for each in sums)

    def _scales(self, rates: tuple[int, ...]) -> set[float]:
        scales = {1.0, *(float(rate) ** power for rate in rates for power in (1, -1))}
        return scales if self._in_english else scales | {1 / power for power in _POWERS}

    def _holds(self, value: float, slack: float, pool: Sequence[float]) -> bool:
        """Whether one number, or two in one dimension, or one by a count, a time or a share, come to the value."""
        low, high = value - slack, value + slack
        if _has(pool, low, high):
            return True
        for one in pool:
            sums = ((low - one, high - one), (low + one, high + one), (2 * low - one, 2 * high - one))
            if any(_has(pool, *bounds, other_than=one) for bounds in sums):
                return True
        scaled = [scale for each in self._multipliers for scale in (each, 1 / each) if each != 1]
        scaled += [scale for each in self._shares for scale in (1 + each, 1 - each) if scale > 0]
        return any(_has(pool, low / scale, high / scale, other_than=scale) for scale in scaled)

    def _makes_share(self, value: float, slack: float, pool: Sequence[float]) -> bool:
        """Whether one number is this percentage of another, or differs from it by this percentage."""
        for one in (each / 100 for each in pool if each > 0):
            low, high, whole = (value - slack) * one, (value + slack) * one, 100 * one
            shares = ((low, high), (whole + low, whole + high), (whole - high, whole - low))
            if any(_has(pool, *bounds, other_than=whole) for bounds in shares):
                return True
        return False


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


_Number = tuple[int, float, str, float]
"""Its span, the number as printed, its dimension, and the factor of its unit to the base unit."""


def _read_numbers(text: str) -> Iterator[_Number]:
    """Every reading of every number in a text."""
    for found in _NUMERAL.finditer(text):
        printed, (start, end) = found.group(), found.span()
        beside = find_currency_before(text, start) or parse_unit(text, end + text.startswith((" ", "-"), end))
        kind = _YEARS if _YEAR.fullmatch(text, start, end) else _BARE
        for unit in list_meanings(beside[0]) if beside else (MeasureUnit(kind, Fraction(1)),):
            for numeral in parse_numeral(printed)[:1]:
                yield start, float(numeral.value), unit.dimension, float(unit.factor)
    yield from ((place, value, _BARE, 1.0) for place, value in _read_other_numbers(text))


def _read_other_numbers(text: str) -> Iterator[tuple[int, float]]:
    for found in _TORN.finditer(text):
        joined = parse_numeral(re.sub("[ \u00a0]", "", found.group()))
        yield from ((found.start(), float(each.value)) for each in joined)
    yield from find_spelled(text)
    for found in filter(re.Match.group, _ROMAN.finditer(text)):
        digits = [_ROMAN_DIGITS[letter] for letter in found.group()]
        yield found.start(), float(sum(-one if one < two else one for one, two in pairwise([*digits, 0])))
    for found in _SHORT_YEAR.finditer(text):
        yield from ((found.start(), float(f"{century}{found.group()}")) for century in (19, 20))
    yield from ((at, numeric(letter)) for at, letter in enumerate(text) if not letter.isascii() and letter.isnumeric())
    if shift := _NEXT.search(text):
        yield shift.start(), 1.0


def _add_runs(numbers: Mapping[int, float], text: str) -> Iterator[float]:
    """Sums and means of three or more numbers in a row in one sentence, by where they stand."""
    places = list(numbers)
    for at in range(len(places)):
        total = 0.0
        for count, (before, place) in enumerate(pairwise([places[at], *places[at : at + _LONGEST_SUM]]), 1):
            if _SENTENCE_END.search(text, before, place):
                break
            total += numbers[place]
            if count > 2:
                yield from (total, total / count)
