"""Bytes taken as decisions, so that a fuzzer that only knows bytes can build texts that mean something."""

from collections.abc import Sequence
from typing import TypeVar

Thing = TypeVar("Thing")

# Never part of UTF-8, so seeds can be written down and a text can hold any character all the same.
BORDER = b"\xfe\xff"


def as_text(data: bytes) -> str:
    """UTF-8 as it stands; every byte that is none becomes half a surrogate pair, which a text in memory may hold."""
    return data.decode("utf-8", "surrogateescape")


class Choices:
    """Takes decisions from the front; when the bytes are used up every decision is the first option."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self, below: int) -> int:
        if self._at >= len(self._data):
            return 0
        self._at += 1
        return self._data[self._at - 1] % below

    def pick(self, options: Sequence[Thing]) -> Thing:
        return options[self.number(len(options))]

    def text(self) -> str:
        """Up to the next border, or all that is left."""
        return as_text(self.bytes())

    def bytes(self) -> bytes:
        end = self._data.find(BORDER, self._at)
        piece = self._data[self._at : end if end >= 0 else len(self._data)]
        self._at = end + len(BORDER) if end >= 0 else len(self._data)
        return piece

    @property
    def left(self) -> int:
        return len(self._data) - self._at
