"""Texts that quotes are looked for in, with their normal forms: each is worked out once for as long as it is kept."""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from weakref import WeakValueDictionary

from assay.text.normal import Normal, fold_plain, normalise

# Marks that a reader skips: emphasis, and the numbers of references, but not an interval such as "CI [2, 5]".
_MARKS = re.compile(r"(?<!\d)\*+|\*+(?!\d)|_{2,}|(?<=\S) ?\[\d{1,3}(?:[,-] ?\d{1,3})*\]")
_BEFORE_INTERVAL = re.compile(r"(?:\b(?:ci|range|ranges|interval|scale|of|from|to|is|was|in|at|between)|[=:,])$")


@dataclass(frozen=True, eq=False)
class QuotedText:
    """A form is worked out when it is first asked for."""

    text: str

    @cached_property
    def folded(self) -> str | None:
        return fold_plain(self.text)

    @cached_property
    def normal(self) -> Normal:
        return normalise(self.text)

    @cached_property
    def unmarked(self) -> Normal:
        return leave_out_marks(self.normal)


_kept: WeakValueDictionary[str, QuotedText] = WeakValueDictionary()
# Single sentences are looked in a few times in a row, and so is a text that nobody keeps.
_remember = lru_cache(maxsize=8)(QuotedText)


def keep(text: str) -> QuotedText:
    """The forms last as long as somebody holds what this returns; all who keep the same text share them."""
    quoted = _kept.get(text)
    if quoted is None:
        quoted = _kept[text] = QuotedText(text)
    return quoted


def recall(text: str) -> QuotedText:
    """The text as somebody keeps it, else as it was lately looked in."""
    return _kept.get(text) or _remember(text)


def leave_out_marks(normal: Normal) -> Normal:
    text = normal.text
    return normal.without(
        match.span()
        for match in _MARKS.finditer(text)
        if not (
            match.group().endswith("]") and _BEFORE_INTERVAL.search(text[max(0, match.start() - 12) : match.start()])
        )
    )
