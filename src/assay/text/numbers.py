"""Reads one number at a place of a text: digits of any script and common grouping, or English number words."""

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

# Where the comma is the decimal sign and the point groups thousands.
_DECIMAL_COMMA_LIST: Final = (
    "bg cs da de el es et fi fr hr hu id is it lt lv nb nl nn no pl pt ro ru sk sl sr sv tr uk vi"
)
DECIMAL_COMMA_LANGUAGES: Final = frozenset(_DECIMAL_COMMA_LIST.split())
VULGAR_FRACTIONS: Final = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
# A pattern that ignores case takes the last four for s, i, i and k, and a table of names does not.
_SAME_SIGN: Final = str.maketrans("\u202f\u2009\u2007\u2010\u2011’ʼμ٪٫٬ſİı\u212a", "\u00a0\u00a0\u00a0--''µ%.,sIiK")

# Lengths are bounded so that a megabyte of digits costs no more than a megabyte of words.
_D: Final = "[0-9]"
_END: Final = r"(?![0-9])"


def _grouped(sign: str, decimal: str, *, groups: str = "{1,8}", digits: str = "{3}") -> str:
    return rf"{_D}{{1,3}}(?:{sign}{_D}{digits}){groups}(?:{decimal}{_D}{{1,20}})?{_END}"


_Layout = tuple[re.Pattern[str], str]
# With both signs printed the last one is the decimal sign, whatever the language.
_BOTH_SIGNS: Final[_Layout] = (re.compile(rf"{_D}{{1,3}}(?:,{_D}{{3}}){{1,8}}\.{_D}{{1,20}}{_END}"), ".")
_POINT_GROUPED: Final[_Layout] = (re.compile(_grouped(r"\.", ",")), ",")
_POINT_GROUPED_SURELY: Final[_Layout] = (
    re.compile(rf"{_D}{{1,3}}(?:(?:\.{_D}{{3}}){{2,8}}(?:,{_D}{{1,20}})?|\.{_D}{{3}},{_D}{{1,20}}){_END}"),
    ",",
)
# Nobody prints "1.299 million" for a thousand million.
_POINT_GROUPED_UNSCALED: Final[_Layout] = (
    re.compile(_POINT_GROUPED[0].pattern + r"(?![ \u00a0-]?(?i:[kmb]|[mb]n|[mb]illion)\b)"),
    ",",
)
_COMMA_GROUPED: Final[_Layout] = (re.compile(_grouped(",", r"\.")), ".")
_INDIAN_GROUPED: Final[_Layout] = (
    re.compile(rf"{_D}{{1,2}}(?:,{_D}{{2}}){{1,8}},{_D}{{3}}(?:\.{_D}{{1,20}})?{_END}"),
    ".",
)
_APOSTROPHE_GROUPED: Final[_Layout] = (re.compile(_grouped("'", "[.,]")), " ")
_HARD_SPACE_GROUPED: Final[_Layout] = (re.compile(_grouped("\u00a0", "[.,]")), " ")
_SOFT_SPACE_GROUPED: Final[_Layout] = (re.compile(_grouped(" ", ",") + rf"(?![.,]?{_D})"), " ")
# In English a plain space groups thousands only where nothing else can be meant.
_SOFT_SPACE_GROUPED_SURELY: Final[_Layout] = (
    re.compile(
        rf"{_D}{{1,3}}(?:(?: {_D}{{3}}){{2,8}}|(?: {_D}{{3}}){{1,8}}(?:,{_D}{{2}}(?!{_D})|(?= ?(?:€|EUR\b)))){_END}"
    ),
    ",",
)
_DECIMAL_POINT: Final[_Layout] = (re.compile(rf"{_D}{{0,30}}\.{_D}{{1,30}}{_END}"), ".")
_DECIMAL_COMMA: Final[_Layout] = (re.compile(rf"{_D}{{1,30}},{_D}{{1,30}}{_END}(?!,{_D})"), ",")
_SHORT_DECIMAL_COMMA: Final[_Layout] = (re.compile(rf"{_D}{{1,30}},{_D}{{1,2}}{_END}(?!,{_D})"), ",")
_WHOLE: Final[_Layout] = (re.compile(rf"{_D}{{1,30}}{_END}"), ".")
_GROUPED_ANYWHERE: Final = (_INDIAN_GROUPED, _APOSTROPHE_GROUPED, _HARD_SPACE_GROUPED)
_COMMA_LAYOUTS: Final = (
    *(_BOTH_SIGNS, _POINT_GROUPED, _SOFT_SPACE_GROUPED),
    *_GROUPED_ANYWHERE,
    *(_DECIMAL_COMMA, _DECIMAL_POINT, _WHOLE),
)
_POINT_LAYOUTS: Final = (
    _COMMA_GROUPED,
    *_GROUPED_ANYWHERE,
    *(_POINT_GROUPED_SURELY, _SOFT_SPACE_GROUPED_SURELY),
)
# Most numbers are nothing but digits; reading them at once spares every layout above.
_PLAIN: Final = re.compile(rf"{_D}{{1,30}}(?![0-9]|[.,' \u00a0-]{_D}| [.,] {_D}|[ \u00a0]?[{VULGAR_FRACTIONS}])")
_VULGAR: Final = re.compile(rf"(?:({_D}{{1,6}})[ \u00a0]?)?([{VULGAR_FRACTIONS}])")
_MIXED: Final = re.compile(rf"({_D}{{1,3}})[ -]({_D})/({_D}{{1,2}})(?![0-9/.,])")
# Thousands parted by a plain space, where three zeros or a word before the number show that it is one number.
_SPACED: Final = re.compile(
    r"(?<![\w.,'’/+])(?:(?<![0-9] )|(?<=[12][0-9]{3} ))[1-9][0-9]{0,2}(?: [0-9]{3}){1,8}(?![0-9]|[:/][0-9]| [0-9])"
)
_BEGINS: Final = re.compile(
    r"(?:[$€£₹¥] ?|\b(?:about|around|approximately|roughly|nearly|almost|some|estimated|total of|eur|usd|gbp|rs\.?) )$",
    re.IGNORECASE,
)
_DIALLED: Final = re.compile(r"\b(?:tel|phone|call|fax|mobile|helpline|whatsapp|dial)\W{1,3}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as printed; `step` is the worth of its last printed place, zero where it is a fraction."""

    value: Fraction
    step: Fraction
    start: int
    end: int
    in_words: bool = False
    plain: bool = False


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


def join_groups(text: str) -> str:
    """The text with a hard space for each that groups digits ("31 000"), so that offsets stay valid.

    Two numbers that may merely stand side by side ("rooms 12 300") are left apart.
    """
    return _SPACED.sub(_harden, text)


def _harden(found: re.Match[str]) -> str:
    earliest = max(0, found.start() - 16)
    if " 000" in found.group():
        joins = not _DIALLED.search(found.string, earliest, found.start())
    else:
        joins = _BEGINS.search(found.string, earliest, found.start()) is not None
    return found.group().replace(" ", "\u00a0") if joins else found.group()


def read_numeral(text: str, start: int, language: str = "en", currency: str | None = None) -> Numeral | None:
    """Read the number whose first digit (or leading point) is at `start` of a folded text."""
    plain = _PLAIN.match(text, start)
    if plain:
        return Numeral(Fraction(int(plain.group())), Fraction(1), start, plain.end(), plain=True)
    fraction = _read_fraction(text, start)
    if fraction is not None:
        return fraction
    for pattern, decimal in _layouts(language, currency):
        found = pattern.match(text, start)
        if found:
            return _decimal(found.group(), decimal, start)
    return None


def _layouts(language: str, currency: str | None) -> tuple[_Layout, ...]:
    if language.partition("-")[0] in DECIMAL_COMMA_LANGUAGES:
        return _COMMA_LAYOUTS
    euro = (_POINT_GROUPED_UNSCALED,) if currency == "EUR" else ()
    money = (_SHORT_DECIMAL_COMMA,) if currency is not None else ()
    return (*_POINT_LAYOUTS, *euro, *money, _DECIMAL_POINT, _WHOLE)


def _decimal(printed: str, decimal: str, start: int) -> Numeral:
    if decimal == " ":
        decimal = "," if "," in printed else "."
    whole, _, places = printed.rpartition(decimal) if decimal in printed else (printed, "", "")
    places = places.strip()
    digits = "".join(char for char in whole if char in "0123456789")
    step = Fraction(1, 10 ** len(places))
    value = int((digits + places) or "0") * step
    return Numeral(value, step, start, start + len(printed), plain=printed.isdecimal())


def _read_fraction(text: str, start: int) -> Numeral | None:
    vulgar = _VULGAR.match(text, start)
    if vulgar:
        part = Fraction(unicodedata.numeric(vulgar[2])).limit_denominator(16)
        return Numeral(int(vulgar[1] or 0) + part, Fraction(0), start, vulgar.end())
    mixed = _MIXED.match(text, start)
    if mixed and 0 < int(mixed[2]) < int(mixed[3]) and int(mixed[3]) in {2, 3, 4, 8, 16}:
        return Numeral(int(mixed[1]) + Fraction(int(mixed[2]), int(mixed[3])), Fraction(0), start, mixed.end())
    return None


# Numbers and shares that English spells out

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
_SHARES: Final = {"third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "tenth": 10}

_SEP: Final = r"[ \u00a0\n-]"
_ORDINAL: Final = r"(?:first|second|third|fifth|ninth|(?:four|six|seven|eigh)th)\b"
_UNDER_20: Final = "|".join(sorted(_SMALL, key=len, reverse=True))
_UNDER_100: Final = (
    rf"(?:(?:{'|'.join(_TENS)})(?:{_SEP}(?:{'|'.join(list(_SMALL)[1:10])})\b|(?!{_SEP}{_ORDINAL}))|{_UNDER_20})\b"
)
_UNDER_1000: Final = (
    rf"(?:(?:{_UNDER_100}|an?){_SEP}hundred\b(?:{_SEP}(?:and{_SEP})?{_UNDER_100}(?!{_SEP}hundred))?|{_UNDER_100})"
)
_SCALE: Final = rf"(?:{'|'.join(sorted(SCALES, key=len, reverse=True))})\b"
_FURTHER: Final = rf"(?:{_SEP}(?:and{_SEP})?{_UNDER_1000}(?:{_SEP}{_SCALE})?){{0,3}}"
_AND_PART: Final = r" and (?:an? |one[ -])(?:half|third|quarter)\b| and three[ -]quarters\b"
_SPELT: Final = re.compile(
    rf"(?:(?P<lead>{_UNDER_1000})(?P<part>{_AND_PART})?|an?(?={_SEP}(?:{_SCALE}|dozen\b)))"
    rf"(?:{_SEP}(?:(?P<dozen>dozen\b)|(?P<scale>{_SCALE})(?P<more>{_FURTHER})))?",
    re.IGNORECASE,
)
_SHARE: Final = re.compile(
    rf"(?P<many>{_UNDER_20})[ -](?P<parts>halves|(?:{'|'.join(_SHARES)})s)\b"
    rf"|one[ -](?P<one>half|{'|'.join(_SHARES)})\b"
    rf"|an? (?P<a>{'|'.join(_SHARES)})(?= (?:of|off|less|more|larger|smaller|higher|lower|cheaper)\b)"
    r"|(?<!first[ -])(?<!second[ -])half(?= (?:of|the|an?|all|its|his|her|their|our|my|your|that|those|these|as)\b)"
    r"|(?<=by )half\b",
    re.IGNORECASE,
)
_OF_A_SCALE: Final = re.compile(
    r"(?: of)? an? (hundred|thousand|million|billion|trillion|lakh|crore|dozen)\b", re.IGNORECASE
)
NUMBER_WORD_OPENINGS: Final = (
    rf"{_UNDER_20}|{'|'.join(_TENS)}|half|an?(?= (?:hundred|dozen|{'|'.join(SCALES)}|{'|'.join(_SHARES)})\b)"
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
        value = Fraction(_SMALL[found["many"].lower()], 2 if part == "halves" else _SHARES[part[:-1]])
    else:
        value = Fraction(1, _SHARES.get((found["one"] or found["a"] or "half").lower(), 2))
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
