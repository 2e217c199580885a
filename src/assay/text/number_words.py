"""Reads numbers and shares that English spells out."""

import re
from fractions import Fraction
from typing import Final

from assay.text.numbers import Numeral

_SMALL_LIST: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_SMALL: Final = {word: number for number, word in enumerate(_SMALL_LIST.split())}
_TENS_LIST: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS: Final = {word: 10 * number for number, word in enumerate(_TENS_LIST.split(), 2)}
SCALES: Final = {
    **dict.fromkeys(("lakh", "lakhs", "lac", "lacs"), 10**5),
    **dict.fromkeys(("crore", "crores"), 10**7),
    "thousand": 10**3,
    "million": 10**6,
    "billion": 10**9,
    "trillion": 10**12,
}
_PARTS: Final = {"third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "tenth": 10}

_GAP: Final = r"[ \u00a0\n-]"
_ORDINAL: Final = r"(?:first|second|third|fifth|ninth|(?:four|six|seven|eigh)th)\b"
_UNDER_20: Final = "|".join(sorted(_SMALL, key=len, reverse=True))
_UNDER_100: Final = (
    rf"(?:(?:{'|'.join(_TENS)})(?:{_GAP}(?:{'|'.join(list(_SMALL)[1:10])})\b|(?!{_GAP}{_ORDINAL}))|{_UNDER_20})\b"
)
_UNDER_1000: Final = (
    rf"(?:(?:{_UNDER_100}|an?){_GAP}hundred\b(?:{_GAP}(?:and{_GAP})?{_UNDER_100}(?!{_GAP}hundred))?|{_UNDER_100})"
)
_SCALE: Final = rf"(?:{'|'.join(sorted(SCALES, key=len, reverse=True))})\b"
_MORE: Final = rf"(?:{_GAP}(?:and{_GAP})?{_UNDER_1000}(?:{_GAP}{_SCALE})?){{0,3}}"
_AND_PART: Final = r" and (?:an? |one[ -])(?:half|third|quarter)\b| and three[ -]quarters\b"
_SPELT: Final = re.compile(
    rf"(?:(?P<lead>{_UNDER_1000})(?P<part>{_AND_PART})?|an?(?={_GAP}(?:{_SCALE}|dozen\b)))"
    rf"(?:{_GAP}(?:(?P<dozen>dozen\b)|(?P<scale>{_SCALE})(?P<more>{_MORE})))?",
    re.IGNORECASE,
)
_SHARE: Final = re.compile(
    rf"(?P<many>{_UNDER_20})[ -](?P<parts>halves|(?:{'|'.join(_PARTS)})s)\b"
    rf"|one[ -](?P<one>half|{'|'.join(_PARTS)})\b"
    rf"|an? (?P<a>{'|'.join(_PARTS)})(?= (?:of|off|less|more|larger|smaller|higher|lower|cheaper)\b)"
    r"|(?<!first[ -])(?<!second[ -])half(?= (?:of|the|an?|all|its|his|her|their|our|my|your|that|those|these|as)\b)"
    r"|(?<=by )half\b",
    re.IGNORECASE,
)
_OF_A_SCALE: Final = re.compile(
    r"(?: of)? an? (hundred|thousand|million|billion|trillion|lakh|crore|dozen)\b", re.IGNORECASE
)
OPENINGS: Final = (
    rf"{_UNDER_20}|{'|'.join(_TENS)}|half|an?(?= (?:hundred|dozen|{'|'.join(SCALES)}|{'|'.join(_PARTS)})\b)"
)
"""A pattern for the words that a spelt number can begin with."""


def read_number_words(text: str, start: int) -> Numeral | None:
    """Read the longest number spelt out from `start`: "two hundred and five", "two and a half million", "a dozen"."""
    found = _SPELT.match(text, start)
    if not found:
        return None
    value, step = _add_up(found["lead"]) if found["lead"] else (Fraction(1), Fraction(1))
    if found["part"]:
        share, step = _share_of_one(found["part"].lower())
        value += share
    if found["dozen"]:
        value *= 12
    if found["scale"]:
        scale = SCALES[found["scale"].lower()]
        value, step = value * scale, step * scale
    if found["more"]:
        more, step = _add_up(found["more"])
        value += more
    return Numeral(value, step, start, found.end(), in_words=True)


def read_share(text: str, start: int) -> Numeral | None:
    """Read a part of one: "half", "two thirds", "a quarter of", "half a million". A share is exact: no step."""
    found = _SHARE.match(text, start)
    if not found:
        return None
    if found["many"]:
        part = found["parts"].lower()
        value = Fraction(_SMALL[found["many"].lower()], 2 if part == "halves" else _PARTS[part[:-1]])
    else:
        value = Fraction(1, _PARTS.get((found["one"] or found["a"] or "half").lower(), 2))
    end, step = found.end(), Fraction(0)
    scale = _OF_A_SCALE.match(text, end)
    if scale:
        name = scale[1].lower()
        size = {"hundred": 100, "dozen": 12}.get(name) or SCALES[name]
        value, step, end = value * size, Fraction(size, 10), scale.end()
    return Numeral(value, step, start, end, in_words=True)


def _add_up(words: str) -> tuple[Fraction, Fraction]:
    total, current, step = Fraction(0), Fraction(0), Fraction(1)
    for word in re.findall("[a-z]+", words.lower()):
        if word in SCALES:
            step = Fraction(SCALES[word])
            total += current * step
            current = Fraction(0)
        elif word == "hundred":
            current = (current or Fraction(1)) * 100
        elif word in _SMALL or word in _TENS:
            current += _SMALL.get(word, 0) + _TENS.get(word, 0)
            step = Fraction(1)
    return total + current, step


def _share_of_one(part: str) -> tuple[Fraction, Fraction]:
    """A half and a quarter print as 0.5 and 0.25, so they have a step; a third has none."""
    if "three" in part:
        return Fraction(3, 4), Fraction(1, 100)
    if "half" in part:
        return Fraction(1, 2), Fraction(1, 10)
    return (Fraction(1, 4), Fraction(1, 100)) if "quarter" in part else (Fraction(1, 3), Fraction(0))
