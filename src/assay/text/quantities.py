"""Numbers in digits of any script and in English words, and quantities: with a scale and a unit, by units.toml."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, NamedTuple

from assay.domain.span import Span
from assay.text.dates import find_dates
from assay.text.word_lists import read_lists

# A pattern that ignores case takes the last four for s, i, i and k, and a table of names does not.
_SAME_SIGN: Final = str.maketrans("\u202f\u2009\u2007\u2010\u2011’ʼμ٪٫٬ſİı\u212a", "\u00a0\u00a0\u00a0--''µ%.,sIiK")
# Lengths are bounded so that a megabyte of digits costs no more than a megabyte of words.
NUMERAL: Final = (
    r"(?<![0-9])(?:[0-9]{1,3}(?:['\u00a0][0-9]{3}){1,8}(?:[.,][0-9]{1,20})?"
    r"|[0-9]{1,30}(?:[.,][0-9]{1,20}){0,8}|(?<![\w.)])\.[0-9]{1,20})(?![0-9])"
)
"""A pattern for a number printed in digits of a folded text."""
_GROUP_SIGN: Final = re.compile("[.,' \u00a0]")

SCALES: Final = {
    **dict.fromkeys(("lakh", "lakhs"), 10**5),
    **dict.fromkeys(("crore", "crores"), 10**7),
    "hundred": 100,
    "dozen": 12,
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
SHORT_SCALES: Final = {"k": 10**3, "m": 10**6, "mn": 10**6, "mln": 10**6, "b": 10**9, "bn": 10**9, "tn": 10**12}
_MULTIPLIERS: Final = frozenset({20.0, 144.0, *map(float, SCALES.values())})
_SUFFIXES: Final = ("", "s", "d", "th", "fold")
_JOINING: Final = frozenset({"and", "a", "an", "of"})
_LONGEST_PHRASE: Final = 10
_SMALLEST_SCALE: Final = 1000
_SMALLEST_PART: Final = 100
"""Hundredths are spelt out, and no smaller parts."""
_TOKEN: Final = re.compile(rf"{NUMERAL}|[^\W\d_]+")


class Numeral(NamedTuple):
    """A number as printed; `step` is the worth of its last printed place."""

    value: Fraction
    step: Fraction

    def times(self, factor: int) -> "Numeral":
        return Numeral(self.value * factor, self.step * abs(factor))


Readings = tuple[Numeral, ...]
"""All that a printed number may mean, the likeliest first."""


def fold_digits(text: str) -> str:
    """The text with ASCII digits and signs, exchanged one for one: offsets stay valid."""
    return text if text.isascii() else "".join(map(_fold_character, text))


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    return chr(ord(character) - 0xFEE0) if "！" <= character <= "～" else character.translate(_SAME_SIGN)


def find_spelled(text: str) -> Iterator[tuple[int, float]]:
    """Places and values of English number words in a folded text, alone or with others or digits (3 million).

    Every part of a phrase counts too, and a word such as "third" as 3 and as 1/3.
    """
    values = _read_words()
    phrase: list[tuple[int, float, bool]] = []
    end = 0
    for found in _TOKEN.finditer(text):
        word, start = found.group().lower(), found.start()
        if phrase and text[end:start].strip(" \u00a0-"):
            yield from _combine(phrase)
            phrase = []
        end = found.end()
        if word in values or (phrase and word in SHORT_SCALES):
            phrase.append((start, values.get(word) or float(SHORT_SCALES.get(word, 0)), True))
        elif word[0] in ".0123456789":
            phrase += [(start, float(numeral.value), False) for numeral in parse_numeral(word)[:1]]
        elif word not in _JOINING:
            yield from _combine(phrase)
            phrase = []
    yield from _combine(phrase)


def _combine(phrase: Sequence[tuple[int, float, bool]]) -> Iterator[tuple[int, float]]:
    for first, (place, opening, is_word) in enumerate(phrase):
        # In "3 million" there is no million.
        if is_word and (len(phrase) == 1 or opening < _SMALLEST_SCALE):
            yield place, opening
            if 0 < opening <= _SMALLEST_PART:
                yield place, 1 / opening
        total, current = 0.0, 0.0
        for number, (_, value, _) in enumerate(phrase[first : first + _LONGEST_PHRASE]):
            if number and 10 <= opening < 100 and current + value - opening < 100:
                yield place, 99 * opening + current + value  # nineteen eighty-four
            current = (current or 1) * value if value in _MULTIPLIERS else current + value
            if number:
                yield place, total + current
            if value in _MULTIPLIERS and value >= _SMALLEST_SCALE:
                total, current = total + current, 0.0


@cache
def _read_words() -> dict[str, float]:
    lists = read_lists("numbers")
    values = {word: float(number) for number, word in enumerate(lists["counted"].split())}
    values |= {word: 10.0 * number for number, word in enumerate(lists["tens"].split(), 2)}
    values |= {word[:-1] + "ie": value for word, value in values.items() if word.endswith("y")}
    values |= {word: float(number) for word, number in (SCALES | lists["others"]).items()}
    values |= {word: float(number) for number, word in enumerate(lists["ordinals"].split())}
    return {word + suffix: value for suffix in _SUFFIXES for word, value in values.items()} | values


def parse_numeral(printed: str) -> Readings:
    """Every reading of a number in digits: "1.299" may be a little more than one, or over a thousand.

    Empty if the signs between the digits make no number, as in "3,17,24".
    """
    parts, signs = _GROUP_SIGN.split(printed), _GROUP_SIGN.findall(printed)
    whole = Fraction(int("".join(parts)))
    readings = [Numeral(whole, Fraction(1))] if len(set(signs)) <= 1 and _is_grouped(parts) else []
    has_decimals = bool(signs) and signs[-1] in ".," and signs[-1] not in signs[:-1]
    if has_decimals and len(set(signs[:-1])) <= 1 and _is_grouped(parts[:-1]):
        step = Fraction(1, 10 ** len(parts[-1]))
        # A point is the decimal sign of English, and a comma groups thousands there.
        readings.insert(0 if signs[-1] == "." else len(readings), Numeral(whole * step, step))
    return tuple(readings)


def _is_grouped(parts: list[str]) -> bool:
    """Whether the parts are groups of three digits, or of two and then three as in India; so is a single part."""
    first, *others = parts
    if not others:
        return True
    return len(first) <= 3 and first not in {"", "0"} and len(others[-1]) == 3 and {*map(len, others)} <= {2, 3}


# Digits that name something instead of measuring it.
_IDENTIFIER: Final = re.compile(
    r"""
      (?:https?\s?:\s?//\s?|www\.)\S+
    | \[[0-9]{1,3}(?:\s?[,;–-]\s?[0-9]{1,3}){0,20}\]                                    # citation
    | ^[ \t]{0,8}(?:[0-9]{1,3}[.)]|\([0-9]{1,3}\))(?=\s)                                # list number
    | (?<![\w.,-])v?[0-9]{1,8}(?:\.(?![0-9]{3}(?![0-9]))[0-9]{1,8}){2,20}(?!\w)         # version
    | (?<![\w.,-])[0-9]{1,8}(?:-[0-9]{1,8}){2,20}(?!\w)
    | (?<![\w.,])[0-9]{1,4}(?::[0-9]{1,4}){1,4}(?:\s?[ap]\.?m\b\.?)?(?!\w)              # clock, ratio
    | (?<![\w$])(?P<letters>[^\W\d_]{1,40})-?[0-9][\w-]{0,80}                           # COVID-19, B12, H1N1
    | (?<![\w.,])[0-9]{1,3}(?:,[0-9]{3})?(?:st|nd|rd|th)(?!\w)                          # ordinal
    | (?<![\w.,])[12]?[0-9]?[0-9]0\ ?'?s(?!\w)                                          # decade
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
# What may be written against a number without making it a name.
_PREFIX: Final = re.compile(
    r"(?:Rs|INR|USD|EUR|GBP)[0-9]|(?:mid|pre|post|early|late|top|since|circa)-[0-9]", re.IGNORECASE
)

_NUMERAL: Final = re.compile(NUMERAL)
_DIGITS: Final = re.compile(r"[0-9](?:[0-9]|[.,'\u00a0](?=[0-9]))*")
_SCALES: Final = {**SCALES, **SHORT_SCALES, "l": 10**5, "cr": 10**7}
_SCALE: Final = re.compile(rf"[ \u00a0-]?(?P<scale>(?i:{'|'.join(SCALES)}|mln|mn|bn|tn)\b|(?:[kK]|M)(?!\w))")
_MONEY_SCALE: Final = re.compile(rf"{_SCALE.pattern}|[ \u00a0]?(?P<letter>[kKmMbBL]|[cC][rR])(?![\w/])")
# Tokenised texts set spaces around every hyphen: "a 26 - year - old".
_GAP: Final = re.compile(r" - (?=(?:year|month|week|day|hour|minute|mile|foot|inch|pound)s?\b)|[ \u00a0\n-]?")


_LONG_NAME: Final = re.compile(r"[^\W\d_]{3,}")
# Parts of words that name a unit of time without a number before it.
_TIMES: Final = {
    "hourly": "hour",
    "dai": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "annual": "year",
}


class MeasureUnit(NamedTuple):
    """A dimension, and the factor to its base unit. Each currency is a dimension of its own, written in capitals."""

    dimension: str
    factor: Fraction


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number under every reading of its digits, the likeliest first. The span covers number, scale and unit."""

    span: Span
    readings: Readings
    unit: MeasureUnit | None = None

    @property
    def number(self) -> Fraction:
        """The likeliest reading, in the unit that is printed."""
        return self.readings[0].value


def find_quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity in digits in reading order, without dates, ordinals, names, numbering and minus signs."""
    page = _blank_names(fold_digits(text))
    found: list[Quantity] = []
    position = 0
    while digits := _NUMERAL.search(page, position):
        quantity = _parse_quantity(page, digits)
        run = _DIGITS.match(page, digits.start())
        position = max(digits.end(), run.end() if run else 0, quantity.span.end if quantity else 0)
        if quantity:
            found.append(quantity)
    return tuple(found)


def _blank_names(text: str) -> str:
    """The text without dates and identifiers, exchanged one for one: offsets stay valid."""
    parts, position = [], 0
    for span, _ in find_dates(text):
        parts += [text[position : span.start], "\x00" * (span.end - span.start)]
        position = span.end
    return _IDENTIFIER.sub(_blank, "".join([*parts, text[position:]]))


def _blank(found: re.Match[str]) -> str:
    if found["letters"]:
        before = found.string[max(0, found.start() - 2) : found.start()]
        # "10 mg-20 mg" is a range, not the code mg-20.
        if _PREFIX.match(found.group()) or (before[:1].isdecimal() and parse_unit(found["letters"], 0)):
            return found.group()
    return "\x00" * len(found.group())


def _parse_quantity(page: str, digits: re.Match[str]) -> Quantity | None:
    """The number with all that belongs to it."""
    readings = parse_numeral(digits.group())
    if not readings:
        return None
    start, end = digits.span()
    currency = find_currency_before(page, start)
    scale = (_MONEY_SCALE if currency else _SCALE).match(page, end)
    factor = 1
    if scale:
        factor, end = _SCALES[(scale["scale"] or scale["letter"]).lower()], scale.end()
        # Nobody prints "1.299 million" for a thousand million, and a dozen is twelve.
        scaled = readings[0].times(factor)
        readings = (scaled if factor >= 1000 else Numeral(scaled.value, Fraction(1)),)
    unit: MeasureUnit | None = None
    if currency:
        unit, start = currency
        end += 2 * page.startswith("/-", end)
    else:
        gap = _GAP.match(page, end)
        unit, end = parse_unit(page, gap.end() if gap else end) or (None, end)
    return Quantity(Span(start, end), readings, unit)


# Units


def parse_unit(text: str, start: int) -> tuple[MeasureUnit, int] | None:
    """The unit or currency named at `start`, and where its name ends."""
    found = _unit_pattern().match(text, start)
    return (_units()[_fold_name(found.group())], found.end()) if found else None


def find_currency_before(text: str, start: int) -> tuple[MeasureUnit, int] | None:
    """The currency whose sign ends where the number at `start` begins, and where that sign begins."""
    offset = max(0, start - 6)
    found = _sign_pattern().search(text[offset:start])
    return (MeasureUnit(_signs()[_fold_name(found["sign"])], Fraction(1)), offset + found.start()) if found else None


def find_units(text: str) -> frozenset[MeasureUnit]:
    """Every unit that a text names anywhere, also in words such as "daily"."""
    named = {_fold_name(found.group()) for found in re.finditer(rf"(?<![^\W\d_])(?:{_unit_pattern().pattern})", text)}
    named |= {unit for stem, unit in _TIMES.items() if stem in text}
    return frozenset(_units()[name] for name in named)


def parse_currency(text: str) -> str | None:
    """The currency, where the text is a currency's sign, code or name and nothing else."""
    name = _fold_name(text)
    unit = _units().get(name)
    return _signs().get(name) or (unit.dimension if unit and unit.factor == 1 and unit.dimension.isupper() else None)


@cache
def _units() -> dict[str, MeasureUnit]:
    """Units by their folded names."""
    return {
        _fold_name(name): MeasureUnit(dimension, Fraction(factor))
        for dimension, units in read_lists("units").items()
        if dimension != "signs"
        for factor, names in units.items()
        for name in names.split(", ")
    }


@cache
def _signs() -> dict[str, str]:
    """Currencies by their folded signs."""
    signs = read_lists("units")["signs"]
    return {_fold_name(sign): currency for currency, listed in signs.items() for sign in listed.split(", ")}


def _fold_name(name: str) -> str:
    plain = name.replace("\u00a0", " ")
    return plain.lower() if _LONG_NAME.match(plain) else plain


def _alternatives(names: Iterable[str], before: str = "", after: str = "") -> str:
    """A pattern for any of the folded names, longest first, with what a name of letters needs before and after it."""
    parts = []
    for name in sorted(names, key=len, reverse=True):
        part = re.escape(name).replace(r"\ ", "[ \u00a0]")
        part = f"(?i:{part})" if _LONG_NAME.match(name) else part
        parts.append((before if name[0].isalpha() else "") + part + (after if name[-1].isalnum() else ""))
    return "|".join(parts)


@cache
def _unit_pattern() -> re.Pattern[str]:
    signs, names = _alternatives(_signs(), before=r"(?<!\w)"), _alternatives(_units(), after=r"(?!\w)")
    # A currency sign before the next number is that number's.
    return re.compile(rf"(?!(?:{signs})\.? ?[0-9])(?:{names})")


@cache
def _sign_pattern() -> re.Pattern[str]:
    signs = _alternatives(_signs(), before=r"(?<!\w)")
    return re.compile(rf"(?P<sign>{signs})[ \u00a0]?\Z")
