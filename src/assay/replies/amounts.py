"""A score as people write it: 4, 4/5, 4.0, four out of five, 80%."""

import re
from dataclasses import dataclass

from assay.replies.reading import Misreading, Reading

_WORDS = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
    )
}
_WORD = rf"(?:{'|'.join(_WORDS)})\b"
_DIGITS = r"\d{1,9}(?:[.,]\d{1,9})?"
NUMBER_START = rf"(?:[-−+.]?\d|{_WORD})"
_AMOUNT = re.compile(
    rf"(?P<number>[-−+]?(?:{_DIGITS}|\.\d{{1,9}})|{_WORD})(?P<half>\s+and\s+a\s+half\b)?"
    rf"(?:\s*(?P<percent>%|percent\b|per\s+cent\b)"
    rf"|\s*(?:/|out\s+of|of)\s*(?:a\s+(?:possible|maximum|total)\s+(?:of\s+)?)?(?P<scale>{_DIGITS}|{_WORD}))?"
    rf"(?P<span>\s*(?:[-–—~/]|to|or)\s*(?:\d|{_WORD}))?"
    r"(?!\w|[.,]\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with the scale it was written against, if any; `spans` where it is one end of a range such as 3-4."""

    value: float
    scale: float | None
    percent: bool
    spans: bool
    in_words: bool
    end: int


def parse_amount(text: str, start: int = 0) -> Amount | None:
    """The amount that begins exactly at `start`; the text must be in half-width forms."""
    match = _AMOUNT.match(text, start)
    if match is None:
        return None
    scale = match.group("scale")
    return Amount(
        value=_number(match.group("number")) + (0.5 if match.group("half") else 0.0),
        scale=_number(scale) if scale else None,
        percent=match.group("percent") is not None,
        spans=match.group("span") is not None,
        in_words=match.group("number").casefold() in _WORDS,
        end=match.end(),
    )


def _number(written: str) -> float:
    word = _WORDS.get(written.casefold())
    return float(word) if word is not None else float(written.replace(",", ".").replace("−", "-"))


def place_amount(amount: Amount, low: float, high: float) -> Reading[float] | Misreading:
    """Where the amount lies on the scale from low to high. Another scale is not converted: 8/10 is no 4 of 5."""
    if amount.spans:
        return Misreading("a range, not a number", "ambiguous")
    if amount.scale is not None and amount.scale != high:
        return Misreading(f"written against {amount.scale:g}, on a scale up to {high:g}", "ambiguous")
    if amount.percent and high not in {1, 100}:
        return Misreading(f"a percentage, on a scale up to {high:g}", "ambiguous")
    value = amount.value / 100 if amount.percent and high == 1 else amount.value
    if not low <= value <= high:
        return Misreading(f"{value:g} is not between {low:g} and {high:g}", "out_of_range")
    repairs = [
        repair
        for repair, needed in (
            ("number in words", amount.in_words),
            ("percentage", amount.percent),
            ("scale beside the number", amount.scale is not None),
        )
        if needed
    ]
    return Reading(value, ", ".join(repairs) or None)


def as_whole(reading: Reading[float] | Misreading) -> Reading[int] | Misreading:
    """A number between two grades is neither of them."""
    if isinstance(reading, Misreading):
        return reading
    if not reading.value.is_integer():
        return Misreading(f"{reading.value:g} is between two whole numbers", "ambiguous")
    return Reading(int(reading.value), reading.repaired)
