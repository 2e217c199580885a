"""A few words over and over: they tell a reader nothing, and drown what a judge was asked."""

import re
from collections.abc import Iterator

from assay.domain.span import Span
from assay.text.injections.patterns import Family

# So many words in a row that are only so few different ones.
_WINDOW, _DIFFERENT, _LEAST = 32, 6, 14
_WORD = re.compile(r"\S+")
# What is repeated in pages and lists, and in songs, has none of these.
_TELLING = frozenset(
    {
        "mark", "marks", "score", "scores", "grade", "grades", "rating", "answer", "summary", "supported", "best",
        "claim", "claims", "correct", "pass", "perfect", "top", "full", "5", "10", "100",
    }
)  # fmt: skip


def find_repeated(text: str) -> Iterator[tuple[Span, Family]]:
    """One stretch for all windows in a row."""
    tokens = text.split()
    if len(tokens) < _WINDOW:
        return
    found = [
        start
        for start in range(0, len(tokens) - _WINDOW + 1, _WINDOW // 2)
        # The first few words settle most windows.
        if len(set(tokens[start : start + _DIFFERENT + 1])) <= _DIFFERENT
        and len(set(tokens[start : start + _WINDOW])) <= _DIFFERENT
        and _is_drone(tokens[start : start + _WINDOW])
    ]
    if found:
        words = [match.span() for match in _WORD.finditer(text)]
        yield Span(words[found[0]][0], words[min(found[-1] + _WINDOW, len(words)) - 1][1]), "noise"


def _is_drone(tokens: list[str]) -> bool:
    words = [word for token in tokens if (word := token.strip(".,;:!?…*#|-\"'").casefold())]
    return len(words) >= _LEAST and not _TELLING.isdisjoint(words)
