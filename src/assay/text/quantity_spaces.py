"""Thousands that a plain space parts: 31 000."""

import re
from typing import Final

# After a year another number may begin.
_GROUPED: Final = re.compile(
    r"(?<![\w.,'’/+])(?:(?<![0-9] )|(?<=[12][0-9]{3} ))[1-9][0-9]{0,2}(?: [0-9]{3}){1,8}(?![0-9]|[:/][0-9]| [0-9])"
)
# After these a number begins, and none ends.
_BEGINS: Final = re.compile(
    r"(?:[$€£₹¥] ?|\b(?:about|around|approximately|roughly|nearly|almost|some|estimated|total of|eur|usd|gbp|rs\.?) )$",
    re.IGNORECASE,
)
_DIALLED: Final = re.compile(r"\b(?:tel|phone|call|fax|mobile|helpline|whatsapp|dial)\W{1,3}$", re.IGNORECASE)
_LONGEST_OPENING: Final = 16
_UNIT: Final = (
    r"[ -]?(?:mg|mcg|[µμ]g|g|kg|ml|cl|l|iu|m|km|cm|mm|ft"
    r"|(?:milli|kilo)?gram|(?:milli)?lit(?:re|er)|(?:kilo)?met(?:re|er))"
)
# Several things of one size: "12 500 mg tablets", "3 100 m races". Not every word in -s is one of them.
_SIZED: Final = re.compile(
    rf"{_UNIT} (?!(?:is|was|has|as|across|less|its|his|this|plus|thus|always|(?:to|up|down|in|out|after)wards)\b)"
    r"[a-z-]{2,30}s\b",
    re.IGNORECASE,
)
_DOSED: Final = re.compile(r"[ -]?(?:mg|mcg|[µμ]g|ml|iu)\b", re.IGNORECASE)
# Tablets and vials come in such steps.
_DOSE_STEP: Final = 25


def harden_spaces(text: str, *, sure: bool = True) -> str:
    """The text with a hard space for each that groups digits, so every offset stays.

    A space is sure to group where three zeros follow ("31 000 riders") or a word for an estimate or a currency stands
    before ("about 12 500 people"). Else two numbers may meet, as in "rooms 12 300" and "about 12 500 mg tablets".
    """
    return _GROUPED.sub(lambda found: _harden(found) if not sure or _is_sure(found) else found.group(), text)


def find_loose_groups(text: str) -> list[tuple[int, int]]:
    """Where groups of digits may be one number or several."""
    return [found.span() for found in _GROUPED.finditer(text) if not _is_sure(found)]


def _harden(found: re.Match[str]) -> str:
    return found.group().replace(" ", "\u00a0")


def _is_sure(found: re.Match[str]) -> bool:
    text, start = found.string, found.start()
    earliest = max(0, start - _LONGEST_OPENING)
    if " 000" in found.group():
        return not _DIALLED.search(text, earliest, start)
    return _BEGINS.search(text, earliest, start) is not None and not _ends_in_a_size(found)


def _ends_in_a_size(found: re.Match[str]) -> bool:
    """Whether the last group may be the size or the dose of what the groups before it count."""
    text, end = found.string, found.end()
    is_usual = int(found.group()[-3:]) % _DOSE_STEP == 0
    return _SIZED.match(text, end) is not None or (is_usual and _DOSED.match(text, end) is not None)
