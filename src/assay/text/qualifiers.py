"""The words around a number that make it a bound or an estimate."""

import re
from typing import Final

from assay.text.quantity import Bound

_AT_LEAST: Final = (
    r"\b(?:at least|no (?:less|fewer) than|not (?:less|fewer) than|minimum(?: of)?|min\.?|starting (?:at|from))|≥|>="
)
_AT_MOST: Final = (
    r"\b(?:at most|up to|no more than|not more than|maximum(?: of)?|max\.?|as (?:many|much) as|not exceeding)|≤|<="
)
_OVER: Final = (
    r"\b(?:over|(?:more|greater|higher|longer|older|larger|bigger) than|above|exceed(?:s|ed|ing)?|in excess of"
    r"|upwards of)|>"
)
_UNDER: Final = r"\b(?:under|(?:less|fewer|lower|shorter|younger|smaller) than|below)|<"
_ESTIMATED: Final = (
    r"\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.|close to|estimated)|[~≈∼]"
)
# One search finds the leftmost phrase, so "no more than" is not taken for "more than".
_BEFORE: Final = re.compile(
    rf"(?:(?P<at_least>{_AT_LEAST})|(?P<at_most>{_AT_MOST})|(?P<over>{_OVER})|(?P<under>{_UNDER})"
    rf"|(?P<approximate>{_ESTIMATED}))\s?(?:an?\s|the\s|of\s)?$",
    re.IGNORECASE,
)
_AFTER: Final = tuple(
    (bound, re.compile(words, re.IGNORECASE))
    for bound, words in (
        (
            Bound.AT_LEAST,
            r"\+(?![0-9])|\s(?:\w{1,12}\s)?(?:or|and) (?:more|above|over|older|higher|greater|longer|up)\b",
        ),
        (Bound.AT_MOST, r"\s(?:\w{1,12}\s)?(?:or|and) (?:less|fewer|under|younger|lower|below|shorter)\b"),
        (Bound.APPROXIMATE, r"\s(?:\w{1,12}\s)?(?:or so|-?ish|approximately|approx)\b"),
    )
)


def read_bound(text: str, start: int, end: int) -> Bound:
    """The bound set by the words right before or right after a number that spans `start` to `end`."""
    before = _BEFORE.search(text, max(0, start - 32), start)
    if before and before.lastgroup:
        return Bound(before.lastgroup)
    for bound, words in _AFTER:
        if words.match(text, end):
            return bound
    return Bound.EXACT
