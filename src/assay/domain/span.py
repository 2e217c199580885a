"""A stretch of a text, by character offsets into the text exactly as it was given."""

from typing import NamedTuple


class Span(NamedTuple):
    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def shifted(self, by: int) -> "Span":
        return Span(self.start + by, self.end + by)

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end
