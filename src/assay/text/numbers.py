"""Numbers in digits of any script, under every reading of their points and commas, and in English words."""

import re
import unicodedata
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

# A pattern that ignores case takes the last four for s, i, i and k, and a table of names does not.
_SAME_SIGN: Final = str.maketrans("\u202f\u2009\u2007\u2010\u2011’ʼμ٪٫٬ſİı\u212a", "\u00a0\u00a0\u00a0--''µ%.,sIiK")
_PAD: Final = "\x1f"
"""Fills up a number word that is written in digits, so that offsets stay."""
# Lengths are bounded so that a megabyte of digits costs no more than a megabyte of words.
NUMERAL: Final = (
    rf"(?<![0-9]){_PAD}*+(?:[0-9]{{1,3}}(?:['\u00a0][0-9]{{3}}){{1,8}}(?:[.,][0-9]{{1,20}})?"
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
_ONES_LIST: Final = "one two three four five six seven eight nine"
_TEENS_LIST: Final = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS_LIST: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES: Final = {word: number for number, word in enumerate(_ONES_LIST.split(), 1)}
_TEENS: Final = {word: number for number, word in enumerate(_TEENS_LIST.split(), 10)}
_TENS: Final = {word: 10 * number for number, word in enumerate(_TENS_LIST.split(), 2)}
_SMALL: Final = _ONES | _TEENS | _TENS
_ONE: Final = "|".join(_ONES)
_BELOW_100: Final = rf"(?:(?:{'|'.join(_TENS)})(?:[ -](?:{_ONE}))?|{'|'.join(_TEENS)}|{_ONE})\b"
# "Million" is left in words, to be read as after digits. "Half a million" is no million.
_NUMBER_WORDS: Final = re.compile(
    rf"(?<![\w-])(?:(?P<a>(?<!half )(?<!of )an?(?= (?:{'|'.join(SCALES)})\b))"
    rf"|(?P<hundreds>{_BELOW_100}) hundred(?: and)?(?: (?P<rest>{_BELOW_100}))?|(?P<small>{_BELOW_100}))"
    r"(?!-(?:first|second|third|fifth|ninth|(?:four|six|seven|eigh)th)\b)",
    re.IGNORECASE,
)
_OPENS_A_SENTENCE: Final = re.compile(r"(?:^|[.!?:;|\n\"'“”‘(*#>•–—-]\s*)$")


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


def fold_number_words(text: str) -> str:
    """English number words in digits, at the same length. A capital inside a sentence makes a name: Fantastic Four."""
    return _NUMBER_WORDS.sub(_write_in_digits, text.replace(_PAD, " "))


def _write_in_digits(found: re.Match[str]) -> str:
    words, start = found.group(), found.start()
    if words[0].isupper() and not _OPENS_A_SENTENCE.search(found.string[max(0, start - 4) : start]):
        return words
    hundreds, rest = found["hundreds"], found["rest"] or found["small"] or ""
    number = 1 if found["a"] else 100 * _add(hundreds or "") + _add(rest)
    return str(number).rjust(len(words), _PAD)


def _add(words: str) -> int:
    return sum(_SMALL[word] for word in re.split("[ -]", words.lower()) if word)


def parse_numeral(printed: str) -> Readings:
    """Every reading of a number in digits: "1.299" may be a little more than one, or over a thousand.

    None where the signs between the digits make no number, as in "3,17,24".
    """
    printed = printed.lstrip(_PAD)
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
    """Whether the parts are thousands, or as in India a thousand and hundreds of them; so is a single part."""
    first, *others = parts
    if not others:
        return True
    return len(first) <= 3 and first not in {"", "0"} and len(others[-1]) == 3 and {*map(len, others)} <= {2, 3}
