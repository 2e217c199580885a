"""Numbers in digits of any script, under every reading of their points and commas, and in English words."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Final, NamedTuple

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
