"""Where something stands in an input, for messages; and which known name was probably meant."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from assay.domain.json import JSON
from assay.errors import InputError


@dataclass(frozen=True, slots=True)
class Place:
    """A file and its line, or for a record in memory the words "record 3" in place of a file.

    With `is_row` the number is that of a row: a file that is not text has no lines to look up.
    """

    path: str | None
    line: int | None
    is_row: bool = False

    def fault(self, message: str, remedy: str | None = None) -> InputError:
        if self.is_row:
            return InputError(f"{self}: {message}", path=self.path, remedy=remedy)
        return InputError(message, path=self.path, line=self.line, remedy=remedy)

    def __str__(self) -> str:
        if self.is_row:
            return f"row {self.line}"
        return f"line {self.line}" if self.line is not None else self.path or "the input"


# What stands at a place: the JSON there, or why it can't be read.
Row: TypeAlias = tuple[Place, JSON | InputError]


def nearest(name: str, known: Iterable[str]) -> str:
    """A remedy: the known name that was probably meant, or all of them."""
    names = list(dict.fromkeys(known))
    return find_near(name, names) or f"Known are: {', '.join(names)}."


def find_near(name: str, known: Iterable[str]) -> str:
    """A question that names the known name that was probably meant; empty if none was."""
    close = get_close_matches(name, list(known), n=1, cutoff=0.7)
    return f"Did you mean {close[0]!r}?" if close else ""
