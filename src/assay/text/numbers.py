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
