"""Finds the stretches of a text that repeat another text word for word."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from assay.domain.span import Span

LEAST_WORDS: Final = 3
RUN_WORDS: Final = 6
_WORD: Final = re.compile(r"\w+")


def find_repeated(text: str, originals: Iterable[str]) -> tuple[Span, ...]:
    """Whole lines of an original from three words on, and any six words of one in a row; case and signs do not matter.

    Time is linear in the length of the texts.
    """
    places = [Span(*match.span()) for match in _WORD.finditer(text)]
    words = [place.of(text).casefold() for place in places]
    # Only the text's own word sequences are kept, so that a long original costs no memory.
    sequences = {size: _index(words, size) for size in range(LEAST_WORDS, RUN_WORDS + 1)}
    covered = bytearray(len(words))
    for line in _lines(originals):
        size = min(len(line), RUN_WORDS)
        if size < LEAST_WORDS:
            continue
        for at in range(len(line) - size + 1):
            # What is found once is never looked for again.
            for start in sequences[size].pop(tuple(line[at : at + size]), ()):
                covered[start : start + size] = b"\x01" * size
    return tuple(_join(covered, places))


def _lines(originals: Iterable[str]) -> Iterator[list[str]]:
    for original in originals:
        for line in original.splitlines():
            yield _WORD.findall(line.casefold())


def _index(words: Sequence[str], size: int) -> dict[tuple[str, ...], list[int]]:
    index: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(words) - size + 1):
        index.setdefault(tuple(words[at : at + size]), []).append(at)
    return index


def _join(covered: bytearray, places: Sequence[Span]) -> Iterator[Span]:
    start = covered.find(1)
    while start >= 0:
        end = covered.find(0, start)
        end = len(covered) if end < 0 else end
        yield Span(places[start].start, places[end - 1].end)
        start = covered.find(1, end)
