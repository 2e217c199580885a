"""Parses one number: digits of any script under every reading of their points and commas, or English number words."""

import re
import unicodedata
from fractions import Fraction
from typing import Final, NamedTuple

# A pattern that ignores case takes the last four for s, i, i and k, and a table of names does not.
_SAME_SIGN: Final = str.maketrans("\u202f\u2009\u2007\u2010\u2011’ʼμ٪٫٬ſİı\u212a", "\u00a0\u00a0\u00a0--''µ%.,sIiK")
# Lengths are bounded so that a megabyte of digits costs no more than a megabyte of words.
NUMERAL: Final = (
    r"(?<![0-9])(?:[0-9]{1,3}(?:['\u00a0][0-9]{3}){1,8}(?:[.,][0-9]{1,20})?"
    r"|[0-9]{1,30}(?:[.,][0-9]{1,20}){0,8}|(?<![\w.)])\.[0-9]{1,20})(?![0-9])"
)
"""A pattern for a number printed in digits of a folded text."""
_GROUP_SIGN: Final = re.compile("[.,' \u00a0]")
VULGAR_FRACTIONS: Final = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_VULGAR: Final = re.compile(rf"(?:(?P<whole>[0-9]{{1,6}})[ \u00a0]?)?(?P<sign>[{VULGAR_FRACTIONS}])")
_FRACTION: Final = re.compile(r"(?:(?P<whole>[0-9]{1,3})[ -])?(?P<over>[1-9])/(?P<under>[23468]|16)(?![\w/.,-])")


class Numeral(NamedTuple):
    """A number as printed; `step` is the worth of its last printed place, zero where it is a fraction."""

    value: Fraction
    step: Fraction

    def times(self, factor: int) -> "Numeral":
        return Numeral(self.value * factor, self.step * abs(factor))


Readings = tuple[Numeral, ...]
"""All that a printed number may mean, the likeliest first."""


class _Folding(dict[int, int]):
    """Maps the digits and signs of other scripts to ASCII, and remembers what it has looked up."""

    def __missing__(self, code: int) -> int:
        char = chr(code)
        digit = unicodedata.decimal(char, None)
        if digit is not None:
            folded = ord("0") + digit
        elif 0xFF01 <= code <= 0xFF5E:
            folded = code - 0xFEE0
        else:
            folded = ord(char.translate(_SAME_SIGN))
        self[code] = folded
        return folded


_FOLDING: Final = _Folding()


def fold_digits(text: str) -> str:
    """The text with ASCII digits and signs, exchanged one for one: offsets stay valid."""
    return text if text.isascii() else text.translate(_FOLDING)


def parse_numeral(printed: str) -> Readings:
    """Every reading of a number in digits: "1.299" may be a little more than one, or over a thousand.

    None where the signs between the digits make no number, as in "3,17,24".
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
    """Whether the parts are thousands, or as in India a thousand and hundreds of them; so is a single part."""
    first, *others = parts
    if not others:
        return True
    return len(first) <= 3 and first not in {"", "0"} and len(others[-1]) == 3 and {*map(len, others)} <= {2, 3}


def parse_fraction(text: str, start: int) -> tuple[Readings, int] | None:
    """The fraction at `start`, with its whole number if it has one, and where it ends: ¾, 1½, 1/2, 1 1/2."""
    found = _VULGAR.match(text, start) or _FRACTION.match(text, start)
    if found is None:
        return None
    sign = found.groupdict().get("sign")
    if sign:
        part = Fraction(unicodedata.numeric(sign)).limit_denominator(16)
    else:
        part = Fraction(int(found["over"]), int(found["under"]))
    return ((Numeral(int(found["whole"] or 0) + part, Fraction(0)),), found.end()) if part < 1 else None


# Numbers and parts of one that English spells out

_UNITS_LIST: Final = "one two three four five six seven eight nine"
_TEENS_LIST: Final = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS_LIST: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES: Final = {word: number for number, word in enumerate(_UNITS_LIST.split(), 1)}
_TEENS: Final = {word: number for number, word in enumerate(_TEENS_LIST.split(), 10)}
_TENS: Final = {word: 10 * number for number, word in enumerate(_TENS_LIST.split(), 2)}
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
PARTS: Final = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10}
_SMALL: Final = _ONES | _TEENS | _TENS
_SCALE: Final = "|".join(sorted(SCALES, key=len, reverse=True))
_PART: Final = "|".join(PARTS)
_WORD: Final = re.compile(rf"(?P<joint>[ \u00a0\n-](?:and )?)?(?P<word>{'|'.join(_SMALL)}|{_SCALE})\b", re.IGNORECASE)
_A_SCALE: Final = re.compile(rf"an? (?=(?:{_SCALE})\b)", re.IGNORECASE)
_ORDINAL: Final = re.compile(r"-(?:first|second|third|fifth|ninth|(?:four|six|seven|eigh)th)\b", re.IGNORECASE)
_AND_PART: Final = re.compile(r" and (?:(?:a |one[ -])(?P<part>half|third|quarter)|three[ -]quarters)\b", re.IGNORECASE)
# "A third" may be one that follows the second, and "half" the first half of a match.
_SHARE: Final = re.compile(
    rf"(?P<many>{'|'.join(_ONES)})[ -](?:halves|(?P<parts>{_PART})s)\b|one[ -](?P<one>{_PART})\b"
    rf"|an? (?P<a>{_PART})(?= (?:of|off|less|more|larger|smaller|higher|lower|cheaper)\b)"
    r"|(?<!first[ -])(?<!second[ -])half(?= (?:of|the|an?|all|its|his|her|their|our|my|your|that|those|these|as)\b)"
    r"|(?<=by )half\b",
    re.IGNORECASE,
)
_OF_A_SCALE: Final = re.compile(rf"(?: of)? an? (?P<scale>{_SCALE})\b", re.IGNORECASE)
NUMBER_WORD: Final = rf"\b(?i:{'|'.join(_SMALL)}|half|an?(?= (?:{_SCALE}|{_PART})\b))\b"
"""A pattern for the words that a spelt number can begin with."""


def parse_number_words(text: str, start: int) -> tuple[Readings, int] | None:
    """The number spelt out from `start`, and where it ends: "two hundred and five", "half a million", "a dozen"."""
    share = _SHARE.match(text, start)
    if share:
        return _parse_share(text, share)
    opening = _A_SCALE.match(text, start)
    end = opening.end() if opening else start
    total, current, step = 0, 1 if opening else 0, 1
    previous = ""
    while found := _WORD.match(text, end):
        word = found["word"].lower()
        if bool(found["joint"]) is not bool(previous) or not _may_follow(word, previous, found["joint"] or ""):
            break
        if word in _SMALL:
            current, step = current + _SMALL[word], 1
        elif word == "hundred":
            current *= 100
        else:
            step = SCALES[word] if word != "dozen" else 1
            total, current = total + current * SCALES[word], 0
        previous, end = word, found.end()
    if not previous or _ORDINAL.match(text, end):
        return None
    numeral = Numeral(Fraction(total + current), Fraction(step))
    part = _AND_PART.match(text, end) if total == 0 else None
    if part:
        share_of_one = Fraction(1, PARTS[part["part"].lower()]) if part["part"] else Fraction(3, 4)
        numeral, end = Numeral(numeral.value + share_of_one, Fraction(1, 10)), part.end()
        scale = _WORD.match(text, end)
        if scale and scale["joint"] and SCALES.get(scale["word"].lower(), 0) >= 1000:
            numeral, end = numeral.times(SCALES[scale["word"].lower()]), scale.end()
    return (numeral,), end


def _may_follow(word: str, previous: str, joint: str) -> bool:
    """Whether a word goes on with a number: "twenty five" is one, "five six" are two."""
    if word in SCALES:
        return previous in _SMALL or previous in {"", "hundred"}
    if joint.endswith("and ") or previous not in _TENS:
        return previous in SCALES or not previous
    return word in _ONES


def _parse_share(text: str, share: re.Match[str]) -> tuple[Readings, int]:
    part = (share["parts"] or share["one"] or share["a"] or "half").lower()
    value = Fraction(_ONES[share["many"].lower()] if share["many"] else 1, PARTS[part])
    scale = _OF_A_SCALE.match(text, share.end())
    if scale:
        size = SCALES[scale["scale"].lower()]
        return (Numeral(value * size, Fraction(size, 10)),), scale.end()
    return (Numeral(value, Fraction(0)),), share.end()
