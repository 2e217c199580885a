"""Finds the quantities of a text."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from assay.domain.span import Span
from assay.text.amounts import Amount, read_amount
from assay.text.dates import MONTH, Days, read_date, read_years, year_days
from assay.text.keywords import stop_words
from assay.text.numbers import NUMBER_WORD_OPENINGS, VULGAR_FRACTIONS, fold_digits, join_groups
from assay.text.quantity import Bound, Kind, Quantity, read_bound
from assay.text.units import read_currency_opening, read_unit

# Digits that name something instead of measuring it. Each is blanked, one for one, so that offsets stay valid.
_IDENTIFIER: Final = re.compile(
    r"""
      (?:https?\s?:\s?//\s?|www\.)\S+
    | \[[0-9]{1,3}(?:\s?[,;–-]\s?[0-9]{1,3}){0,20}\]                                    # citation
    | ^[ \t]{0,8}(?:[0-9]{1,3}[.)]|\([0-9]{1,3}\))(?=\s)                                # list number
    | (?<![\w.,/-])(?:tel|phone|call|fax|mobile|helpline|whatsapp)\b\W{1,3}[0-9(+][0-9() -]{5,18}[0-9]
    | \+[0-9]{1,3}[ .-]?(?:\([0-9]{1,4}\)[ .-]?)?[0-9]{2,5}(?:[ .-][0-9]{2,5}){1,4}(?![\w])
    | (?<![\w.,-])\(?[0-9]{3}\)?[ .-][0-9]{3}[ .-][0-9]{4}(?!\w)                        # telephone
    | (?<![\w.,-])0[0-9]{2,5}(?:[ -][0-9]{2,6}){1,5}(?!\w)
    | (?<![\w.,$€£₹-])[0-9]{10,}(?![.,]?\w)                                             # account, barcode
    | (?<![\w.,-])v?[0-9]{1,8}(?:\.[0-9]{1,8}){2,20}(?!\w)                              # version
    | (?<![\w.,-])[0-9]{1,8}(?:-[0-9]{1,8}){2,20}(?!\w)
    | (?<![\w.,])[0-9]{1,4}(?::[0-9]{1,4}){1,4}(?:\s?[ap]\.?m\b\.?)?(?!\w)              # clock, ratio
    | (?<![\w.,])[0-9]{1,2}(?:\.[0-9]{2})?\s?(?:[ap]m\b|[ap]\.m\.?|o'clock\b|noon\b|GMT\b)
    | (?<!\w)(?:24/7|9/11|50[/-]50)(?![\w/])
    | (?<![\w$])(?P<letters>[^\W\d_]{1,40})-?[0-9][\w-]{0,80}                           # COVID-19, B12, H1N1
    | (?<![\w.,])[0-9][0-9,]{0,6}(?:\s?[-–]\s?[0-9][0-9,]{0,6})?\s(?-i:BCE?|AD|CE)\b
    """,
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_GROUPED: Final = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3}){2,8}$")
# What may be written against a number without making it a name.
_PREFIX: Final = re.compile(
    r"(?:Rs|INR|USD|EUR|GBP|AUD|CAD|JPY|CNY|CHF)[0-9]|(?:mid|pre|post|early|late|top|since|circa)-[0-9]|q[0-9]"
    rf"|{MONTH}-[0-9]",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(r"(?P<place>[0-9]{1,6}|[0-9]{1,3},[0-9]{3})(?:st|nd|rd|th)(?!\w)")
_TOKEN: Final = re.compile(r"\w+|.", re.DOTALL)

_MORE_FUNCTION_WORDS: Final = """
    against ago almost although among around behind either else even every except following however including last
    later least less many may might much must nearly neither next onto others per please plus rather s said says scored
    see set since still t though throughout thus today total toward towards unto upon us using well whereas whether
    whose within without won yes yet
"""
_FUNCTION_WORDS: Final = stop_words("en") | frozenset(_MORE_FUNCTION_WORDS.split())
_LABEL: Final = re.compile(
    r"(?:\b(?:no|number|nos|pages?|pp|p|chapter|section|article|figure|fig|table|appendix|step|part|volume|vol|issue"
    r"|question|week|day|round|stage|phase|grade|level|season|episode|series|rank|ranked|place|match|game|category"
    r"|mile|class|year|ward|district|division|position|group|zone|tier|item|point|verse)\.?[ \u00a0]|#[ ]?)$",
    re.IGNORECASE,
)
_NAME_LABEL: Final = re.compile(
    r"\b(?:dial(?:led|ling)?|version|model|flight|room|gate|channel|route|highway|interstate|bus|apartment|apt|suite"
    r"|platform|terminal|type|build|release|code|id|isbn|issn|doi|pmid|unit|box|bay|area|boeing|airbus|falcon"
    r"|iphone|ipad|windows|xbox|playstation|apollo|formula)[ :#]{1,2}$",
    re.IGNORECASE,
)
# Capitals before a number mostly make a name (GPT 4), but these are what a clinician measures.
_MEASURED_LIST: Final = "age bmi gcs hr rr bp spo2 hb hba1c wbc ph ef lvef egfr tsh apgar nihss psa alt ast score total"
_MEASURED: Final = frozenset(_MEASURED_LIST.split())
_WORD_BEFORE: Final = re.compile(r"(?P<word>[^\W\d_][\w'&.-]*)[ \u00a0]$")
_WORD_AFTER: Final = re.compile(r"(?: |-| - )(?:[0-9]{1,3}(?:st|nd|rd|th)[ -])?(?P<word>[^\W\d_]+|\x00+)")
_JOINED_TO_A_LETTER: Final = re.compile(r"\w|-[^\W\d_](?!\w)|['’]s\b")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:;|\n\"'“”‘(*#>•–—-]\s*)$")
_YEAR_BEFORE: Final = re.compile(
    r"(?:\b(?:in|since|until|till|by|from|during|of|before|after|between|early|late|mid|the|year|years|summer|winter"
    r"|spring|autumn|fall|season|circa|around|about|to|and|for|at|born|ca\.|c\.|as of"
    rf"|{MONTH})[ \u00a0-]|[(\[/–-]|, ?|['’]s )$",
    re.IGNORECASE,
)
_SURE_YEAR_BEFORE: Final = re.compile(
    r"(?:\b(?:in|since|until|till|during|early|late|mid|year|summer|winter|spring|autumn|fall|circa|born|by"
    r"|c\.|ca\.|dat(?:e|es|ed|ing)(?: back)? (?:to|from))[ \u00a0-]"
    rf"|{MONTH},? )$",
    re.IGNORECASE,
)
_RATED: Final = re.compile(r"\brat(?:ed|es?|ing)s?(?: of| is| was|:)?(?: it| at| an?| as)? ?$", re.IGNORECASE)
_AGED: Final = re.compile(r"\b(?:aged?|ages|age of)[ \u00a0]$", re.IGNORECASE)
_PRONOUN_BEFORE: Final = re.compile(
    r"\b(?:the|this|that|any|no|each|every|another|which|only|some|latest|last|first|next|new|old|good|great|big"
    r"|right|wrong|loved|anyone|square|day|number)[ -]$",
    re.IGNORECASE,
)
_SCORE_BEFORE: Final = re.compile(r"[0-9]\s?[-–]\s?$")

_DASH: Final = re.compile(r"\s?[-–—]\s?")
_TO: Final = re.compile(r"\s+(?:to|through)\s+")
_AND: Final = re.compile(r"\s+and\s+")
_BETWEEN: Final = re.compile(r"\bbetween(?: about| around)?\s+$", re.IGNORECASE)
_FROM: Final = re.compile(r"\bfrom(?: about| around)?\s+$", re.IGNORECASE)
_RANGING: Final = re.compile(
    r"\b(?:rang(?:e|es|ed|ing)|var(?:y|ies|ied|ying)|anywhere|aged?)\s+from\s+$", re.IGNORECASE
)


class _Reading(NamedTuple):
    """What was read at a place, and where to read on."""

    quantity: Quantity | None
    end: int


def find_quantities(text: str, language: str = "en") -> tuple[Quantity, ...]:
    """Every quantity in reading order, none overlapping. Time is linear in the length of the text.

    Digits are read in every language; `language` decides what comma and point mean. Number words, dates with month
    names and bounds ("at least") are read in English.
    """
    page = _IDENTIFIER.sub(_blank_unless_quantity, join_groups(fold_digits(text)))
    found: list[Quantity] = []
    position = 0
    while opening := _opening().search(page, position):
        reading = _read_at(page, opening.start(), language)
        position = max(reading.end, opening.start() + 1)
        if reading.quantity and (not found or reading.quantity.span.start >= found[-1].span.end):
            found.append(reading.quantity)
    return tuple(found)


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![0-9])[0-9]|(?<![\w.)])\.[0-9]|[{VULGAR_FRACTIONS}]|\b(?i:(?:{NUMBER_WORD_OPENINGS})\b)"
        rf"|\b{MONTH}(?=\s?,?\s+(?:of\s+)?[0-9])"
    )


def _blank_unless_quantity(found: re.Match[str]) -> str:
    code = found.group()
    if found["letters"]:
        measured = found.string[max(0, found.start() - 2) : found.start()]
        # "10 mg-20 mg" is a range, not the code mg-20.
        if _PREFIX.match(code) or (measured[:1].isdecimal() and read_unit(found["letters"], 0)):
            return code
    elif code[0].isdecimal() and (_GROUPED.match(code) or read_date(found.string, found.start())):
        return code
    return "\x00" * len(code)


def _read_at(page: str, start: int, language: str) -> _Reading:
    days = read_date(page, start)
    if days:
        return _Reading(_dated(page, start, days), days.end)
    place = _PLACE.match(page, start)
    if place:
        value, span = Fraction(place["place"].replace(",", "")), Span(*place.span())
        return _Reading(Quantity(value, value, value, None, Kind.ORDINAL, Bound.EXACT, span), span.end)
    amount = read_amount(page, start, language)
    if amount is None:
        token = _TOKEN.match(page, start)
        return _Reading(None, token.end() if token else start + 1)
    return _read_amount_in_context(page, amount, language)


def _read_amount_in_context(page: str, amount: Amount, language: str) -> _Reading:
    if amount.kind is None and _is_year(page, amount):
        bounds = page[max(0, amount.start - 8) : amount.start].lower()
        days = read_years(page, amount.start, between=bounds.endswith("between "))
        days = days or year_days(int(amount.value), amount.end)
        return _Reading(_dated(page, amount.start, days), days.end)
    if amount.kind is None and (_names_something(page, amount) or _is_pronoun(page, amount)):
        token = _TOKEN.match(page, amount.end)
        glued = token is not None and page[amount.end].isalnum()
        return _Reading(None, token.end() if token and glued else amount.end)
    ranged = _read_range(page, amount, language)
    if ranged:
        return _Reading(ranged, ranged.span.end)
    kind, unit, step = amount.kind, amount.unit, amount.step
    if kind is None:
        kind, unit = _stands_for(page, amount)
        step = Fraction(0) if kind is Kind.ORDINAL else step
    span = Span(amount.start, amount.end)
    value, half = amount.value, step / 2
    return _Reading(Quantity(value - half, value + half, value, unit, kind, read_bound(page, *span), span), amount.end)


def _dated(page: str, start: int, days: Days) -> Quantity:
    bound = Bound.BETWEEN if days.ranged else read_bound(page, start, days.end)
    middle = (days.first + days.last) / 2
    return Quantity(days.first, days.last, middle, days.unit, Kind.DATE, bound, Span(start, days.end))


def _names_something(text: str, amount: Amount) -> bool:
    """Whether a bare number is part of a name, as in iPhone 15, flight 370 or Fantastic Four."""
    before = text[max(0, amount.start - 40) : amount.start]
    if amount.numeral.in_words:
        return text[amount.start].isupper() and not _SENTENCE_START.search(before[-4:])
    if _NAME_LABEL.search(before):
        return True
    if _LABEL.search(before):
        return False
    if _JOINED_TO_A_LETTER.match(text, amount.end):
        return True
    found = _WORD_BEFORE.search(before)
    if not found or not amount.numeral.plain or amount.scaled:
        return False
    word = found["word"]
    if not any(char.isupper() for char in word) or word.rstrip(".").lower() in _FUNCTION_WORDS | _MEASURED:
        return False
    if any(char.isupper() for char in word[1:]):
        return True
    opens = _SENTENCE_START.search(before[: found.start()])
    return not (opens and _follower(text, amount.end).endswith("s"))


def _is_year(text: str, amount: Amount) -> bool:
    """Four plain digits from 1900 to 2099 are a year unless they count something; older ones need a word for it."""
    if not amount.numeral.plain or amount.end - amount.start != 4 or not 1000 <= amount.value <= 2099:
        return False
    before = text[max(0, amount.start - 24) : amount.start]
    if amount.value < 1900:
        bracketed = before.endswith("(") and text[amount.end : amount.end + 1] == ")"
        return bracketed or bool(_SURE_YEAR_BEFORE.search(before))
    if _YEAR_BEFORE.search(before):
        return True
    follower = _follower(text, amount.end)
    return not (follower in {"people", "men", "women", "children"} or (follower.endswith("s") and len(follower) > 4))


def _stands_for(text: str, amount: Amount) -> tuple[Kind, str | None]:
    """The kind, and the unit that goes without saying, of a bare number that names nothing."""
    before = text[max(0, amount.start - 24) : amount.start]
    if _RATED.search(before) and 0 <= amount.value <= 10:
        return Kind.RATING, "/5" if amount.value <= 5 else "/10"
    if _AGED.search(before) and 0 < amount.value < 120:
        return Kind.DURATION, "year"
    whole = amount.value.denominator == 1 and amount.value >= 0
    if whole and not amount.numeral.in_words and _LABEL.search(before):
        return Kind.ORDINAL, None
    follower = _follower(text, amount.end)
    counts = len(follower) > 1 and (follower not in _FUNCTION_WORDS or follower in {"of", "more", "other", "others"})
    return (Kind.COUNT if whole and counts and not _SCORE_BEFORE.search(before) else Kind.NUMBER), None


def _is_pronoun(text: str, amount: Amount) -> bool:
    """Whether "one" stands for a thing instead of counting it: "the only one", "one of the best", "one-sided"."""
    if text[amount.start : amount.end].lower() != "one":
        return False
    follower = _follower(text, amount.end)
    hyphened = text[amount.end : amount.end + 1] == "-"
    before = text[max(0, amount.start - 16) : amount.start]
    return bool(_PRONOUN_BEFORE.search(before)) or follower in _FUNCTION_WORDS or not follower or hyphened


def _follower(text: str, end: int) -> str:
    found = _WORD_AFTER.match(text[end : end + 24])
    return found["word"].lower() if found else ""


def _read_range(text: str, first: Amount, language: str) -> Quantity | None:
    """Read the range that `first` opens: "10-12 mg", "Rs 500 to 700", "between 5 and 7 million"."""
    before = text[max(0, first.start - 24) : first.start]
    between = _AND.match(text, first.end) if _BETWEEN.search(before) else None
    joint = between or _DASH.match(text, first.end) or _TO.match(text, first.end)
    if not joint or (_FROM.search(before) and not _RANGING.search(before) and first.kind is not Kind.DURATION):
        return None
    start = read_currency_opening(text, joint.end()) or joint.end()
    if not (text[start : start + 1].isalnum() or text[start : start + 1] == "."):
        return None
    second = read_amount(text, start, language)
    if second is None or second.start < first.end:
        return None
    # "From 142/91 to 131/84 mmHg" ranges from nothing to nothing.
    joins_pairs = text[max(0, first.start - 1) : first.start] == "/" and text[second.end : second.end + 1] == "/"
    ends = None if joins_pairs else _agree(first, second)
    if ends is None:
        return None
    low, high, unit, kind = ends
    if kind is None:
        kind, unit = _stands_for(text, replace(second, start=first.start))
    return Quantity(low, high, (low + high) / 2, unit, kind, Bound.BETWEEN, Span(first.start, second.end))


def _agree(first: Amount, second: Amount) -> tuple[Fraction, Fraction, str | None, Kind | None] | None:
    """The two ends in one unit, if they can be ends of one range: same unit or one unsaid, and rising."""
    low = first.value
    if second.scaled and not first.scaled and first.value < 1000 and not second.numeral.in_words:
        if not second.numeral.value:
            return None
        low = first.value * (second.value / second.numeral.value)
    units = {amount.unit for amount in (first, second) if amount.unit is not None}
    kinds = {amount.kind for amount in (first, second) if amount.kind is not None}
    unit_said_too_early = first.unit is not None and second.unit is None and not first.sign_before
    if len(units) > 1 or len(kinds) > 1 or unit_said_too_early or low >= second.value:
        return None
    return low, second.value, next(iter(units), None), next(iter(kinds), None)
