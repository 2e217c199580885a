"""Texts that are English beyond doubt: told by their function words, where a model of letters would take far longer."""

import re
from typing import Final

_WORDS: Final = frozenset(
    re.findall(
        r"\w+",
        """
        and are because been but can could from has had how into its more most not only other our she should some such
        than that the their them there these they this those through was were what when where which while who will with
        would you your
        """,
    )
)
"""Frequent in English, and rare or unknown as words of other languages: Polish has "to" and "by", Danish "for"."""
_FEWEST_WORDS: Final = 40
_FEWEST_KINDS: Final = 7
_WINDOW_WORDS: Final = 15
_LEAST_SHARE: Final = 0.15
_LEAST_ASCII: Final = 0.97
_MARKS: Final = ".,;:!?()[]\"'“”‘’"


def is_plainly_english(text: str) -> bool:
    """Whether every few words of a text that is long enough hold some of English's own, and the whole several of them.

    A foreign passage has none, and a label in front of every line is always the same. A text that is not told so may
    well be English.
    """
    if len(text.encode("ascii", "ignore")) < _LEAST_ASCII * len(text):
        return False
    words = text.lower().split()
    if len(words) < _FEWEST_WORDS:
        return False
    bare = [word.strip(_MARKS) for word in words]
    if len(_WORDS.intersection(bare)) < _FEWEST_KINDS:
        return False
    told = [word in _WORDS for word in bare]
    # The last window reaches back, so that a short end in another language is not overlooked.
    starts = (*range(0, len(told) - _WINDOW_WORDS, _WINDOW_WORDS), len(told) - _WINDOW_WORDS)
    is_dense = sum(told) >= _LEAST_SHARE * len(told)
    return is_dense and all(any(told[start : start + _WINDOW_WORDS]) for start in starts)
