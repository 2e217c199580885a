"""A stretch of a text, by character offsets into the text exactly as it was given."""

import re
from collections.abc import Iterable
from typing import NamedTuple

_WORD = re.compile(r"\S+")


class Span(NamedTuple):
    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def shifted(self, by: int) -> "Span":
        return Span(self.start + by, self.end + by)

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end


def merge_spans(spans: Iterable[Span], gap: int = 0) -> list[Span]:
    """In order, with one in place of those that overlap, touch, or have at most `gap` characters between them."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start - merged[-1].end <= gap:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def count_words(text: str, spans: Iterable[Span]) -> int:
    """How many words of a text touch any of the spans."""
    merged = merge_spans(spans)
    count, position = 0, 0
    for match in _WORD.finditer(text):
        while position < len(merged) and merged[position].end <= match.start():
            position += 1
        if position == len(merged):
            break
        count += merged[position].start < match.end()
    return count
