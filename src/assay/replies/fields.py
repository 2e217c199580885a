"""Single fields of a reply, each read against what its schema allows."""

import math
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from assay.domain.json import JSON
from assay.replies.amounts import Amount, as_whole, parse_amount, place_amount
from assay.replies.reading import Misreading, Reading
from assay.replies.wrapping import to_half_width

_NO_SYNONYMS: Mapping[str, str] = MappingProxyType({})
_SPACING = re.compile(r"[\s_\-‐‑–—]+")
_EDGES = " \t\n.,;:!?\"'“”‘’`*_()[]{}<>"
# What follows one of these explains the label and is no part of it.
_EXPLANATION = re.compile(r"\s[-–—]\s|[:;(\n,/]|\.\s")
_SCORE_WORD = re.compile(
    r"(?:(?:final|overall)\s+)?(?:score|rating|grade|level)\s*(?:[:=\-–]|is|of)?\s*", re.IGNORECASE
)
_AFTER_NUMBER = re.compile(r"\s*(?:\Z|[-–—:;.,(\n]|points?\b|stars?\b|[^\W\d])", re.IGNORECASE)


def read_label(
    value: JSON, options: Sequence[str], synonyms: Mapping[str, str] = _NO_SYNONYMS
) -> Reading[str] | Misreading:
    """The option the value names, whatever its case, spacing and punctuation, or the one that leads its words.

    An unknown label is malformed, and one that names a second option beside the first is ambiguous.
    """
    if isinstance(value, bool):
        value = str(value).lower()
    if not isinstance(value, str):
        return Misreading(f"a label must be text, not {_kind(value)}")
    if value in options:
        return Reading(value)
    names = {_fold(synonym): option for synonym, option in synonyms.items()} | {_fold(name): name for name in options}
    folded = _fold(value)
    if folded in names:
        is_option = folded in {_fold(option) for option in options}
        return Reading(names[folded], "label spelling" if is_option else "synonym of a label")
    return _read_leading_label(value, names)


def _fold(label: str) -> str:
    return _SPACING.sub(" ", to_half_width(label)).strip(_EDGES).casefold()


def _read_leading_label(value: str, names: Mapping[str, str]) -> Reading[str] | Misreading:
    folded = _fold(value[:200])
    leading = max((name for name in names if name and _leads(name, folded)), key=len, default=None)
    if leading is None:
        return Misreading(f"unknown label {value[:60]!r}")
    head = _fold(_EXPLANATION.split(to_half_width(value[:200]).strip(_EDGES), maxsplit=1)[0])
    beside = {names[name] for name in names if name and f" {name} " in f" {head[len(leading) :]} "} - {names[leading]}
    beside |= {option for option in _listed(value, names) if option != names[leading]}
    # An adverb leads its own adjective: "Partially supported" is Partially. "Not fully" could be either.
    if beside and not (leading.endswith("ly") and len(head.split()) == len(leading.split()) + 1):
        return Misreading(f"{value[:60]!r} names more than one label", "ambiguous")
    return Reading(names[leading], "words after the label")


def _leads(name: str, folded: str) -> bool:
    rest = folded[len(name) :]
    return folded.startswith(name) and not rest[:1].isalnum()


def _listed(value: str, names: Mapping[str, str]) -> set[str]:
    """The options in a list of labels only, such as "High/Some" or "Fully, Partial"."""
    pieces = [_fold(piece) for piece in re.split(r"[/,|]|\bor\b|\band\b|\bbut\b", value[:200])]
    return {names[piece] for piece in pieces if piece in names}


def read_whole(value: JSON, low: int, high: int) -> Reading[int] | Misreading:
    """A whole number on the scale. Off the scale is never pulled onto it; 4.5 is neither 4 nor 5."""
    return as_whole(read_number(value, low, high))


def read_number(value: JSON, low: float, high: float) -> Reading[float] | Misreading:
    """A number on the scale, also written "5.9/10", "four out of five" or, up to 1 or 100, as a percentage."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return Misreading(f"a number is asked for, not {_kind(value)}")
    if isinstance(value, str):
        amount = _leading_amount(value)
        if amount is None:
            return Misreading(f"no number in {value[:60]!r}")
        return _with_note(place_amount(amount, low, high), "number as text")
    if not math.isfinite(value):
        return Misreading("not a finite number")
    if not low <= value <= high:
        return Misreading(f"{value} is not between {low} and {high}", "out_of_range")
    return Reading(float(value))


def read_share(value: JSON) -> Reading[float] | Misreading:
    """A fraction from 0 to 1, also written "42%" or "3/7". A bare 42 is off the scale, not a percentage."""
    if isinstance(value, str):
        amount = _leading_amount(value)
        if amount and amount.scale and 0 <= amount.value <= amount.scale and not amount.spans:
            return Reading(amount.value / amount.scale, "number as text, fraction")
    return read_number(value, 0.0, 1.0)


def _leading_amount(value: str) -> Amount | None:
    text = to_half_width(value[:200]).strip(" \t\n\"'“”`*_")
    label = _SCORE_WORD.match(text)
    amount = parse_amount(text, label.end() if label else 0)
    return amount if amount and _AFTER_NUMBER.match(text, amount.end) else None


def _with_note(reading: Reading[float] | Misreading, note: str) -> Reading[float] | Misreading:
    if isinstance(reading, Misreading):
        return reading
    return Reading(reading.value, f"{note}, {reading.repaired}" if reading.repaired else note)


def read_text(value: JSON) -> Reading[str] | Misreading:
    """Text with something in it; a lone number is taken as it stands."""
    if isinstance(value, str):
        return Reading(value) if value.strip() else Misreading("empty text")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return Reading(str(value), "number for text")
    return Misreading(f"text is asked for, not {_kind(value)}")


def _kind(value: JSON) -> str:
    if value is None:
        return "null"
    names = {bool: "a flag", int: "a number", float: "a number", str: "text", dict: "an object", list: "a list"}
    return names.get(type(value), "something else")
