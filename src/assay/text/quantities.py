"""Finds the quantities of a text: numbers with their sign, scale and unit."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from typing import Final, NamedTuple

from assay.domain.span import Span
from assay.text.dates import find_dates
from assay.text.keywords import stop_words
from assay.text.numbers import (
    NUMBER_WORD,
    NUMERAL,
    SCALES,
    VULGAR_FRACTIONS,
    Numeral,
    Readings,
    fold_digits,
    parse_fraction,
    parse_number_words,
    parse_numeral,
)
from assay.text.units import find_currency_before, measure_of, parse_rate, parse_unit

# Digits that name something instead of measuring it.
_IDENTIFIER: Final = re.compile(
    r"""
      (?:https?\s?:\s?//\s?|www\.)\S+
    | \[[0-9]{1,3}(?:\s?[,;–-]\s?[0-9]{1,3}){0,20}\]                                    # citation
    | ^[ \t]{0,8}(?:[0-9]{1,3}[.)]|\([0-9]{1,3}\))(?=\s)                                # list number
    | (?<![\w.,/-])(?:tel|phone|call|fax|mobile|helpline|whatsapp|dial)\b\W{1,3}[0-9(+][0-9() -]{5,18}[0-9]
    | \+[0-9]{1,3}[ .-]?(?:\([0-9]{1,4}\)[ .-]?)?[0-9]{2,5}(?:[ .-][0-9]{2,5}){1,4}(?!\w)
    | (?<![\w.,-])\(?[0-9]{3}\)?[ .-][0-9]{3}[ .-][0-9]{4}(?!\w)                        # telephone
    | (?<![\w.,$€£₹-])[0-9]{10,}(?![.,]?\w)                                             # account, barcode
    | (?<![\w.,-])v?[0-9]{1,8}(?:\.(?![0-9]{3}(?![0-9]))[0-9]{1,8}){2,20}(?!\w)         # version
    | (?<![\w.,-])[0-9]{1,8}(?:-[0-9]{1,8}){2,20}(?!\w)
    | (?<![\w.,])[0-9]{1,4}(?::[0-9]{1,4}){1,4}(?:\s?[ap]\.?m\b\.?)?(?!\w)              # clock, ratio
    | (?<![\w.,])[0-9]{1,2}(?:\.[0-9]{2})?\s?(?:[ap]m\b|[ap]\.m\.?|o'clock\b|noon\b)
    | (?<!\w)(?:24/7|9/11|50[/-]50)(?![\w/])
    | (?<=[0-9]{4}[–/-])[0-9]{2}(?![0-9])                                               # season 2019-20
    | (?<![\w$])(?P<letters>[^\W\d_]{1,40})-?[0-9][\w-]{0,80}                           # COVID-19, B12, H1N1
    | (?<![\w.,])[0-9][0-9,]{0,6}(?:\s?[-–]\s?[0-9][0-9,]{0,6})?\s(?-i:BCE?|AD|CE)\b
    | (?<![\w.,])[0-9]{1,3}(?:,[0-9]{3})?(?:st|nd|rd|th)(?!\w)                          # ordinal
    | (?<![\w.,])[12]?[0-9]?[0-9]0\ ?'?s(?!\w)                                          # decade
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
# What may be written against a number without making it a name.
_PREFIX: Final = re.compile(
    r"(?:Rs|INR|USD|EUR|GBP)[0-9]|(?:mid|pre|post|early|late|top|since|circa)-[0-9]", re.IGNORECASE
)
# A word before a bare number that makes it the number of something.
_LABEL: Final = re.compile(
    r"(?:\b(?:no|number|nos|pages?|pp|p|chapter|section|article|figure|fig|table|appendix|step|part|volume|vol|issue"
    r"|question|week|day|round|stage|phase|grade|level|season|episode|series|rank|ranked|place|match|game|category"
    r"|mile|class|year|ward|district|division|position|group|zone|tier|item|point|verse|version|model|flight|room"
    r"|gate|channel|route|highway|bus|apartment|suite|platform|terminal|type|release|code|id|unit|box|area)"
    r"[.:]?[ \u00a0]|#[ ]?)$",
    re.IGNORECASE,
)
# Capitals before a number mostly make a name (GPT 4), but these are what a clinician measures.
_MEASURED_LIST: Final = "age bmi gcs hr rr bp spo2 hb hba1c wbc ph ef lvef egfr tsh apgar nihss psa alt ast score total"
_NO_NAMES: Final = stop_words("en") | frozenset(_MEASURED_LIST.split())
_WORD_BEFORE: Final = re.compile(r"(?P<word>[^\W\d_][\w'&.-]*)[ \u00a0]$")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:;|\n\"'“”‘(*#>•–—-]\s*)$")
_YEAR: Final = re.compile("(?:19|20)[0-9]{2}")
_JOINED_TO_A_LETTER: Final = re.compile(r"\w|-[^\W\d_](?!\w)|['’]s\b")

_NUMERAL: Final = re.compile(NUMERAL)
_OPENING: Final = re.compile(rf"{NUMERAL}|[{VULGAR_FRACTIONS}]|{NUMBER_WORD}")
_DIGITS: Final = re.compile(r"[0-9](?:[0-9]|[.,'\u00a0](?=[0-9]))*")
_SCALE_WORD: Final = re.compile(rf"[ \u00a0-]?(?P<scale>{'|'.join(SCALES)}|mln|mn|bn|tn)\b", re.IGNORECASE)
_SCALE_LETTER: Final = re.compile(r"(?P<scale>[kK]|M)(?!\w)")
_MONEY_LETTER: Final = re.compile(r"[ \u00a0]?(?P<scale>[kKmMbBL]|[cC][rR])(?![\w/])")
_SHORT_SCALES: Final = {
    **dict.fromkeys(("m", "mn", "mln"), 10**6),
    **dict.fromkeys(("b", "bn"), 10**9),
    "k": 10**3,
    "tn": 10**12,
    "l": 10**5,
    "cr": 10**7,
}
_MINUS: Final = re.compile(r"(?:(?:^|(?<=[\s(\[|:=,]))[-−–]|(?<!\w)minus )$", re.IGNORECASE)
# Tokenised texts set spaces around every hyphen: "a 26 - year - old".
_GAP: Final = re.compile(r" - (?=(?:year|month|week|day|hour|minute|mile|foot|inch|pound)s?\b)|[ \u00a0\n-]?")
_OF_A: Final = re.compile(r" (?:of )?an? (?=[a-z])")
_MOST: Final = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_OUT_OF: Final = re.compile(
    rf"(?P<sign>\s?/\s?| out of | in )(?P<most>[0-9]{{1,3}}|{'|'.join(_MOST)})\b(?![.,/-]?[0-9])"
    r"(?P<stars>[ -]stars?\b)?(?P<word> [a-z]+)?",
    re.IGNORECASE,
)
_STARS: Final = re.compile(r"(?: - |[ -])?(?:stars?\b|★|⭐)", re.IGNORECASE)
_RATING_SCALES: Final = (5, 10, 100)
_RANGE: Final = re.compile(r"\s?(?:[-–—±]|\+/-)\s?|\s(?:to|through|or)\s")
_AND: Final = re.compile(r"\sand\s")
_BETWEEN: Final = re.compile(r"\bbetween(?: about| around)?\s+$", re.IGNORECASE)


class Value(NamedTuple):
    """A number in the base unit of a dimension; `step` is the worth of its last printed place."""

    dimension: str
    number: Fraction
    step: Fraction


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number under every reading of its digits. The span covers number, sign and unit, not words such as "about"."""

    readings: Readings
    unit: str | None
    span: Span
    scale: int = 1
    """What a word such as "million" after the digits multiplies them by."""

    @property
    def number(self) -> Fraction:
        """As most readers take it, in its own unit."""
        return self.readings[0].value

    def values(self) -> Iterator[Value]:
        """What it may measure; a rate also without its "per", since 6 hours a night are 6 hours."""
        unit = self.unit or ""
        for name in dict.fromkeys((unit, unit.partition("/")[0] or unit)):
            dimension, factor = measure_of(name) if name else ("number", Fraction(1))
            for numeral in self.readings:
                yield Value(dimension, numeral.value * factor, numeral.step * factor)


def find_quantities(text: str, language: str = "en") -> tuple[Quantity, ...]:
    """Every quantity in reading order, none overlapping. Time is linear in the length of the text.

    Digits are read in every language, number words in English. Dates, ordinals, names and numbering are left out.
    """
    page = _blank_names(fold_digits(text))
    found: list[Quantity] = []
    position = 0
    while opening := _OPENING.search(page, position):
        quantity = _parse_quantity(page, opening.start()) if _is_read(page, opening, language) else None
        digits = _DIGITS.match(page, opening.start())
        position = max(opening.end(), digits.end() if digits else 0, quantity.span.end if quantity else 0)
        if quantity is None or (quantity.unit is None and _names_something(page, quantity)):
            continue
        if not found or quantity.span.start >= found[-1].span.end:
            found.append(quantity)
    return tuple(_share_units(page, found))


def _is_read(page: str, opening: re.Match[str], language: str) -> bool:
    return not page[opening.start()].isalpha() or language.startswith("en")


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


def _parse_quantity(page: str, start: int) -> Quantity | None:
    """The number at `start` with all that belongs to it."""
    if page[start].isalpha():
        number = parse_number_words(page, start)
    else:
        digits = _NUMERAL.match(page, start)
        number = parse_fraction(page, start) or ((parse_numeral(digits[0]), digits.end()) if digits else None)
    if not number or not number[0]:
        return None
    sign = find_currency_before(page, start)
    bare = _parse_scale(page, Quantity(number[0], None, Span(start, number[1])), is_price=sign is not None)
    if sign:
        end = bare.span.end + 2 if page.startswith("/-", bare.span.end) else bare.span.end
        unit, end = parse_rate(page, end, sign[0])
        quantity = replace(bare, unit=unit, span=Span(sign[1], end))
    else:
        quantity = _parse_ratio(page, bare) or _parse_unit(page, bare)
    first, end = quantity.span
    minus = _MINUS.search(page[max(0, first - 7) : first])
    if not minus:
        return quantity
    negative = tuple(numeral.times(-1) for numeral in quantity.readings)
    return replace(quantity, readings=negative, span=Span(first - len(minus.group()), end))


def _parse_scale(page: str, bare: Quantity, *, is_price: bool) -> Quantity:
    end = bare.span.end
    found = _SCALE_WORD.match(page, end)
    if not found and not page[end - 1].isalpha():
        found = (_MONEY_LETTER if is_price else _SCALE_LETTER).match(page, end)
    if not found:
        return bare
    name = found["scale"].lower()
    scale = SCALES.get(name) or _SHORT_SCALES[name]
    # Nobody prints "1.299 million" for a thousand million.
    return Quantity((bare.readings[0].times(scale),), None, Span(bare.span.start, found.end()), scale)


def _parse_ratio(page: str, bare: Quantity) -> Quantity | None:
    """A rating ("4.2/5", "4 stars") or a share ("one in five", "9 out of 10 dentists")."""
    start, end = bare.span
    found = _OUT_OF.match(page, end)
    most = (_MOST.get(found["most"].lower()) or int(found["most"])) if found else 0
    if not found or not 0 < bare.number <= most:
        stars = _STARS.match(page, end)
        return replace(bare, unit="/5", span=Span(start, stars.end())) if stars and bare.number <= 5 else None
    sign, counts = found["sign"].strip(), bool(found["word"]) and not found["stars"]
    if most in _RATING_SCALES and (sign == "/" or (sign == "out of" and not counts)):
        return replace(bare, unit=f"/{most}", span=Span(start, found.end("stars" if found["stars"] else "most")))
    if sign == "out of" or (sign == "in" and (bare.number == 1 or most in {10, 100})):
        # Six in ten may be anything that rounds to it; one in five is told as it is.
        step = Fraction(1, most) if most in {10, 100} else Fraction(0)
        return Quantity((Numeral(bare.number / most, step),), None, Span(start, found.end("most")))
    return None


def _parse_unit(page: str, bare: Quantity) -> Quantity:
    start, end = bare.span
    gap = _GAP.match(page, end)
    position = gap.end() if gap else end
    if bare.readings[0].step == 0 and (of_a := _OF_A.match(page, end)):
        position = of_a.end()
    unit, end = parse_unit(page, position) or parse_rate(page, end, "")
    if unit == "lb" and bare.readings[0].step >= 1000:
        unit = "GBP"
    return replace(bare, unit=unit, span=Span(start, end)) if unit else bare


def _names_something(page: str, quantity: Quantity) -> bool:
    """Whether a bare number is part of a name, as in iPhone 15, flight 370 or Fantastic Four, or counts nothing."""
    start, end = quantity.span
    before = page[max(0, start - 40) : start]
    if page[start].isalpha():
        is_name = page[start].isupper() and not _SENTENCE_START.search(before[-4:])
        return is_name or quantity.number == 1
    if _LABEL.search(before) or _JOINED_TO_A_LETTER.match(page, end):
        return True
    found = _WORD_BEFORE.search(before)
    if not found or not page[start:end].isdecimal() or _YEAR.fullmatch(page, start, end):
        return False
    word = found["word"]
    if not any(map(str.isupper, word)) or word.rstrip(".").lower() in _NO_NAMES:
        return False
    return any(map(str.isupper, word[1:])) or not _SENTENCE_START.search(before[: found.start()])


def _share_units(page: str, quantities: list[Quantity]) -> Iterator[Quantity]:
    """In "10-12 mg" and "between 5 and 7 million" the first number has the unit and the scale of the second."""
    for first, second in zip_longest(quantities, quantities[1:]):
        if second is None or not _opens_range(page, first, second):
            yield first
            continue
        scale = second.scale if first.scale == 1 and first.number < 1000 else 1
        yield replace(
            first, unit=first.unit or second.unit, readings=tuple(each.times(scale) for each in first.readings)
        )


def _opens_range(page: str, first: Quantity, second: Quantity) -> bool:
    if not 0 <= first.number < second.number or (first.unit and second.unit and first.unit != second.unit):
        return False
    between = page[first.span.end : second.span.start][:10]
    after_between = _BETWEEN.search(page[max(0, first.span.start - 24) : first.span.start])
    return bool(_RANGE.fullmatch(between) or (after_between and _AND.fullmatch(between)))
