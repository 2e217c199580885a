"""Where in the input something stands, for the messages about it."""

from dataclasses import dataclass

from assay.errors import InputError


@dataclass(frozen=True, slots=True)
class Place:
    """A file and its line, or for a record in memory the words "record 3" in place of a file."""

    path: str | None
    line: int | None

    def fault(self, message: str, remedy: str | None = None) -> InputError:
        return InputError(message, path=self.path, line=self.line, remedy=remedy)

    def __str__(self) -> str:
        return f"line {self.line}" if self.line is not None else self.path or "the input"
