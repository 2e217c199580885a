"""Texts that are English beyond doubt: told by their function words, where a model of letters would take far longer."""

import re
from typing import Final

_WORDS: Final = frozenset(
    re.findall(
        r"\w+",
        """
        and are been but by can for from has have into its more not of only other than that the their there these they
        this to were when which who will with would
        """,
    )
)
"""Frequent in English, and rare or unknown as words of other languages."""
_FEWEST_WORDS: Final = 40
_WINDOW_WORDS: Final = 15
_LEAST_SHARE: Final = 0.15
_LEAST_ASCII: Final = 0.97
_MARKS: Final = ".,;:!?()[]\"'“”‘’"


def is_plainly_english(text: str) -> bool:
    """Whether every few words of a text that is long enough hold some of English's own; a foreign passage has none.

    A text that is not told so may well be English.
    """
    if len(text.encode("ascii", "ignore")) < _LEAST_ASCII * len(text):
        return False
    words = text.lower().split()
    if len(words) < _FEWEST_WORDS:
        return False
    told = [word.strip(_MARKS) in _WORDS for word in words]
    # The last window reaches back, so that a short end in another language is not overlooked.
    starts = (*range(0, len(told) - _WINDOW_WORDS, _WINDOW_WORDS), len(told) - _WINDOW_WORDS)
    is_dense = sum(told) >= _LEAST_SHARE * len(told)
    return is_dense and all(any(told[start : start + _WINDOW_WORDS]) for start in starts)
