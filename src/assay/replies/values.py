"""Reads single values of a reply against what is allowed: labels, numbers, shares and texts."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Generic, Literal, TypeVar

from assay.domain.json import JSON
from assay.replies.strict import Torn
from assay.replies.wrapping import to_half_width

Value_co = TypeVar("Value_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Reading(Generic[Value_co]):
    """A value a person would read too; `repaired` names what had to be overlooked, None where nothing had to."""

    value: Value_co
    repaired: str | None = None


@dataclass(frozen=True, slots=True)
class Misreading:
    """No value: it is absent, off its scale, or there is more than one. Never replaced by a default."""

    reason: str
    status: Literal["malformed", "out_of_range", "ambiguous"] = "malformed"


_TORN = Misreading("stands twice with different contents", "ambiguous")
NO_SYNONYMS: Mapping[str, str] = MappingProxyType({})
_SPACING = re.compile(r"[\s_\-‐‑–—]+")
_EDGES = " \t\n.,;:!?\"'“”‘’`*_()[]{}<>"
_QUESTIONED = re.compile(r"[?？]")
# What follows one of these explains the label and is no part of it.
_EXPLANATION = re.compile(r"\s[-–—]\s|[:;(\n,/]|\.\s")


def read_label(
    value: JSON, options: Sequence[str], synonyms: Mapping[str, str] = NO_SYNONYMS, *, alone: bool = False
) -> Reading[str] | Misreading:
    """The option the value names, whatever its case, spacing and punctuation, or the one that leads its words.

    An unknown label is malformed, and one that names a second option beside the first is ambiguous. Where a label has
    to stand `alone`, so is one with other words around it or a question mark: "supported (not)".
    """
    if isinstance(value, Torn):
        return _TORN
    if isinstance(value, bool):
        value = str(value).lower()
    if not isinstance(value, str):
        is_several = isinstance(value, list) and len(value) > 1
        return Misreading(f"a label must be text, not {_kind(value)}", "ambiguous" if is_several else "malformed")
    if value in options:
        return Reading(value)
    names = {_fold(synonym): option for synonym, option in synonyms.items()} | {_fold(name): name for name in options}
    folded = _fold(value)
    if folded in names and not (alone and _QUESTIONED.search(value)):
        is_option = folded in {_fold(option) for option in options}
        return Reading(names[folded], "label spelling" if is_option else "synonym of a label")
    leading = _read_leading_label(value[:200], names)
    if alone and (isinstance(leading, Reading) or any(f" {name} " in f" {folded} " for name in names)):
        return Misreading(f"{value[:60]!r} is more than a label: give the label alone", "ambiguous")
    return leading


def _fold(label: str) -> str:
    return _SPACING.sub(" ", to_half_width(label)).strip(_EDGES).casefold()


def _read_leading_label(value: str, names: Mapping[str, str]) -> Reading[str] | Misreading:
    folded = _fold(value)
    leading = max(
        (name for name in names if name and folded.startswith(name) and not folded[len(name) :][:1].isalnum()),
        key=len,
        default=None,
    )
    if leading is None:
        return Misreading(f"unknown label {value[:60]!r}")
    head = _fold(_EXPLANATION.split(to_half_width(value).strip(_EDGES), maxsplit=1)[0])
    beside = {names[name] for name in names if name and f" {name} " in f" {head[len(leading) :]} "}
    # A list of labels only, such as "High/Some" or "Fully, Partial".
    pieces = [_fold(piece) for piece in re.split(r"[/,|]|\bor\b|\band\b|\bbut\b", value)]
    beside |= {names[piece] for piece in pieces if piece in names}
    # An adverb leads its own adjective: "Partially supported" is Partially. "Not fully" could be either.
    is_adverb = leading.endswith("ly") and len(head.split()) == len(leading.split()) + 1
    if beside - {names[leading]} and not is_adverb:
        return Misreading(f"{value[:60]!r} names more than one label", "ambiguous")
    return Reading(names[leading], "words after the label")


_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORD = rf"(?:{'|'.join(_WORDS)})\b"
_DIGITS = r"\d{1,9}(?:[.,]\d{1,9})?"
_GROUPED = re.compile(r",\d{3}$")
_SCORE_WORD = re.compile(
    r"(?:(?:final|overall)\s+)?(?:score|rating|grade|level)\s*(?:[:=\-–]|is|of)?\s*", re.IGNORECASE
)
_AMOUNT = re.compile(
    rf"(?P<number>[-−+]?(?:{_DIGITS}|\.\d{{1,9}})|{_WORD})(?P<half>\s+and\s+a\s+half\b)?"
    rf"(?:\s*(?P<percent>%|percent\b|per\s+cent\b)|(?:\s*(?:points?|stars?)\b)?"
    rf"(?:\s*(?:/|out\s+of|of)\s*(?:a\s+(?:possible|maximum|total)\s+(?:of\s+)?)?(?P<scale>{_DIGITS}|{_WORD}))?)"
    rf"(?P<span>\s*(?:[-–—~/]|to|or|and)\s*(?:{_DIGITS}|\.\d|{_WORD}))?"
    r"(?!\w|[.,]\d)",
    re.IGNORECASE,
)
# An explanation behind a number stands apart from it and brings no other number: "4 - minor", not "5 but really 2".
# "One" is left out, because it is more often a pronoun.
_REMARK = re.compile(
    rf"\s*(?:[-–—:;.,(\n](?:(?!\d|\b(?:zero|{'|'.join(_WORDS[2:])})\b).)*)?", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with the scale it was written against, if any. Not `plain` in a range or before other words."""

    value: float
    scale: float | None
    percent: bool
    in_words: bool
    plain: bool


def parse_amount(text: str) -> Amount | None:
    """The amount that a text in half-width forms begins with."""
    match = _AMOUNT.match(text)
    if match is None:
        return None
    number, scale = match["number"], match["scale"]
    return Amount(
        value=_to_number(number) + (0.5 if match["half"] else 0.0),
        scale=_to_number(scale) if scale else None,
        percent=match["percent"] is not None,
        in_words=number.casefold() in _WORDS,
        # 1,000 is a thousand to some and one to others.
        plain=match["span"] is None
        and not _GROUPED.search(number)
        and _REMARK.fullmatch(text, match.end()) is not None,
    )


def _to_number(written: str) -> float:
    folded = written.casefold()
    return float(_WORDS.index(folded) if folded in _WORDS else written.replace(",", ".").replace("−", "-"))


def read_level(value: JSON, low: float, high: float, *, whole: bool) -> Reading[int | float] | Misreading:
    """A number on the scale; 4.0 is 4. Off the scale is never pulled onto it; 4.5 is no `whole` number, not even 5."""
    reading = read_number(value, low, high)
    if isinstance(reading, Misreading):
        return reading
    if reading.value.is_integer():
        return Reading(int(reading.value), reading.repaired)
    return Misreading(f"{reading.value:g} is between two whole numbers", "ambiguous") if whole else reading


def read_number(value: JSON, low: float, high: float) -> Reading[float] | Misreading:
    """A number on the scale, also written "5.9/10", "four out of five" or, up to 1 or 100, as a percentage."""
    if isinstance(value, Torn):
        return _TORN
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return Misreading(f"a number is asked for, not {_kind(value)}")
    if isinstance(value, str):
        amount = _find_amount(value)
        return Misreading(f"no number in {value[:60]!r}") if amount is None else _place(amount, low, high)
    if not math.isfinite(value):
        return Misreading("not a finite number")
    if not low <= value <= high:
        return Misreading(f"{value} is not between {low} and {high}", "out_of_range")
    return Reading(float(value))


def _find_amount(value: str) -> Amount | None:
    text = to_half_width(value).strip(" \t\n\"'“”`*_")
    label = _SCORE_WORD.match(text)
    return parse_amount(text[label.end() :] if label else text)


def _place(amount: Amount, low: float, high: float) -> Reading[float] | Misreading:
    """Where the amount lies on the scale from low to high. Another scale is not converted: 8/10 is no 4 of 5."""
    if not amount.plain:
        return Misreading(f"more than the number {amount.value:g}", "ambiguous")
    if amount.scale is not None and amount.scale != high:
        return Misreading(f"written against {amount.scale:g}, on a scale up to {high:g}", "ambiguous")
    if amount.percent and high not in {1, 100}:
        return Misreading(f"a percentage, on a scale up to {high:g}", "ambiguous")
    value = amount.value / 100 if amount.percent and high == 1 else amount.value
    if not low <= value <= high:
        return Misreading(f"{value:g} is not between {low:g} and {high:g}", "out_of_range")
    repairs = ["number as text"]
    repairs += ["number in words"] if amount.in_words else []
    repairs += ["percentage"] if amount.percent else []
    repairs += ["scale beside the number"] if amount.scale is not None else []
    return Reading(value, ", ".join(repairs))


def _kind(value: JSON) -> str:
    if value is None:
        return "null"
    names = {bool: "a flag", int: "a number", float: "a number", str: "text", dict: "an object", list: "a list"}
    return names.get(type(value), "something else")
