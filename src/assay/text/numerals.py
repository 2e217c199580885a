"""Numbers written in digits, of any script and with any common grouping."""

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

_SAME_SIGN: Final = str.maketrans(
    {
        "\u202f": "\u00a0",
        "\u2009": "\u00a0",
        "\u2007": "\u00a0",
        "\u2010": "-",
        "\u2011": "-",
        "’": "'",
        "ʼ": "'",
        "μ": "µ",
        "٪": "%",
        "٫": ".",
        "٬": ",",
    }
)
# Lengths are bounded so that a megabyte of digits costs no more than a megabyte of words.
_D: Final = "[0-9]"
_END: Final = r"(?![0-9])"
_POINT_GROUPED: Final = re.compile(rf"{_D}{{1,3}}(?:\.{_D}{{3}}){{1,8}}(?:,{_D}{{1,20}})?{_END}")
# Nobody prints "1.299 million" for a thousand million.
_POINT_GROUPED_UNSCALED: Final = re.compile(_POINT_GROUPED.pattern + r"(?![ \u00a0-]?(?i:[kmb]|[mb]n|[mb]illion)\b)")
_POINT_GROUPED_SURELY: Final = re.compile(
    rf"{_D}{{1,3}}(?:(?:\.{_D}{{3}}){{2,8}}(?:,{_D}{{1,20}})?|\.{_D}{{3}},{_D}{{1,20}}){_END}"
)
_COMMA_GROUPED: Final = re.compile(rf"{_D}{{1,3}}(?:,{_D}{{3}}){{1,8}}(?:\.{_D}{{1,20}})?{_END}")
# With both signs printed the last one is the decimal sign, whatever the language.
_BOTH_SIGNS: Final = re.compile(rf"{_D}{{1,3}}(?:,{_D}{{3}}){{1,8}}\.{_D}{{1,20}}{_END}")
# Texts cut into words print 50 , 000 and 7 . 6 %; a space before a comma groups nothing else.
_CUT_GROUPED: Final = re.compile(rf"{_D}{{1,3}}(?: , {_D}{{3}}){{1,4}}{_END}(?! ?[.,]{_D})")
_CUT_DECIMAL: Final = re.compile(rf"{_D}{{1,4}} \. {_D}{{1,2}}(?= ?(?:%|per ?cent\b|million\b|billion\b))")
_INDIAN_GROUPED: Final = re.compile(rf"{_D}{{1,2}}(?:,{_D}{{2}}){{1,8}},{_D}{{3}}(?:\.{_D}{{1,20}})?{_END}")
_APOSTROPHE_GROUPED: Final = re.compile(rf"{_D}{{1,3}}(?:'{_D}{{3}}){{1,8}}(?:[.,]{_D}{{1,20}})?{_END}")
_HARD_SPACE_GROUPED: Final = re.compile(rf"{_D}{{1,3}}(?:\u00a0{_D}{{3}}){{1,8}}(?:[.,]{_D}{{1,20}})?{_END}")
_SOFT_SPACE_GROUPED: Final = re.compile(rf"{_D}{{1,3}}(?: {_D}{{3}}){{1,8}}(?:,{_D}{{1,20}})?{_END}(?![.,]?{_D})")
# In English a plain space groups thousands only where nothing else can be meant.
_SOFT_SPACE_GROUPED_SURELY: Final = re.compile(
    rf"{_D}{{1,3}}(?:(?: {_D}{{3}}){{2,8}}|(?: {_D}{{3}}){{1,8}}(?:,{_D}{{2}}(?!{_D})|(?= ?(?:€|EUR\b)))){_END}"
)
_DECIMAL_POINT: Final = re.compile(rf"{_D}{{0,30}}\.{_D}{{1,30}}{_END}")
_DECIMAL_COMMA: Final = re.compile(rf"{_D}{{1,30}},{_D}{{1,30}}{_END}(?!,{_D})")
_SHORT_DECIMAL_COMMA: Final = re.compile(rf"{_D}{{1,30}},{_D}{{1,2}}{_END}(?!,{_D})")
# Most numbers are nothing but digits; reading them at once spares every layout below.
_PLAIN: Final = re.compile(rf"{_D}{{1,30}}(?![0-9]|[.,' \u00a0-]{_D}| [.,] {_D}|[ \u00a0]?[{VULGAR_FRACTIONS}])")
_WHOLE: Final = re.compile(rf"{_D}{{1,30}}{_END}")
_VULGAR: Final = re.compile(rf"(?:({_D}{{1,6}})[ \u00a0]?)?([{VULGAR_FRACTIONS}])")
_MIXED: Final = re.compile(rf"({_D}{{1,3}})[ -]({_D})/({_D}{{1,2}})(?![0-9/.,])")


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
    """Learns, character by character, which ASCII sign another script's sign stands for."""

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
    """Every offset into the result is an offset into the text: signs are exchanged one for one."""
    return text if text.isascii() else text.translate(_FOLDING)


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


def _layouts(language: str, currency: str | None) -> list[tuple[re.Pattern[str], str]]:
    grouped = [(_INDIAN_GROUPED, "."), (_APOSTROPHE_GROUPED, "'"), (_HARD_SPACE_GROUPED, " ")]
    if language.partition("-")[0] in DECIMAL_COMMA_LANGUAGES:
        commas = [(_POINT_GROUPED, ","), (_SOFT_SPACE_GROUPED, " "), *grouped]
        return [(_BOTH_SIGNS, "."), *commas, (_DECIMAL_COMMA, ","), (_DECIMAL_POINT, "."), (_WHOLE, ".")]
    cut = [(_CUT_GROUPED, "."), (_CUT_DECIMAL, ".")]
    points = [*cut, (_COMMA_GROUPED, "."), *grouped, (_POINT_GROUPED_SURELY, ","), (_SOFT_SPACE_GROUPED_SURELY, ",")]
    if currency == "EUR":
        points.append((_POINT_GROUPED_UNSCALED, ","))
    if currency is not None:
        points.append((_SHORT_DECIMAL_COMMA, ","))
    return [*points, (_DECIMAL_POINT, "."), (_WHOLE, ".")]


def _decimal(printed: str, decimal: str, start: int) -> Numeral:
    if decimal in "' ":
        decimal = "," if "," in printed else "."
    whole, _, places = printed.rpartition(decimal) if decimal in printed else (printed, "", "")
    places = places.strip()
    digits = "".join(char for char in whole if char in "0123456789")
    step = Fraction(1, 10 ** len(places))
    value = int((digits + places) or "0") * step
    plain = printed.isdecimal()
    return Numeral(value, step, start, start + len(printed), plain=plain)


def _read_fraction(text: str, start: int) -> Numeral | None:
    vulgar = _VULGAR.match(text, start)
    if vulgar:
        part = Fraction(unicodedata.numeric(vulgar[2])).limit_denominator(16)
        return Numeral(int(vulgar[1] or 0) + part, Fraction(0), start, vulgar.end())
    mixed = _MIXED.match(text, start)
    if mixed and 0 < int(mixed[2]) < int(mixed[3]) and int(mixed[3]) in {2, 3, 4, 8, 16}:
        return Numeral(int(mixed[1]) + Fraction(int(mixed[2]), int(mixed[3])), Fraction(0), start, mixed.end())
    return None
