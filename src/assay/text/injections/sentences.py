"""Sentences and lines of a normalised text, in which an order to an evaluator is looked for."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise

from assay.text.normal import Normal

# Marks of scripts that need no space after them.
_UNSPACED = "。！？।"
# The class comes first, so that texts are searched for it alone; a run of signs is read once, from its first.
_BREAK = re.compile(rf"[.!?;{_UNSPACED}](?:(?<=[{_UNSPACED}])|(?<=[.!?;])(?<![.!?;][.!?;])[.!?;]*+[\"')\]]*+(?= |$))")
_CELL_BREAK = re.compile(r"(?<=\|) (?=\|)")
# A longer one is cut at a space: an order must not drown in a sentence that never ends.
_LONGEST = 120


def cut_sentences(text: str, normal: Normal) -> Iterator[tuple[int, int]]:
    """Where sentences and lines stand in the normalised text; each character is in one of them."""
    for begun, end in pairwise([*_cut(text, normal), len(normal.text)]):
        start = begun
        while end - start > _LONGEST:
            space = normal.text.rfind(" ", start + 1, start + _LONGEST)
            middle = space if space > start else start + _LONGEST
            yield start, middle
            start = middle
        if start < end:
            yield start, end


def _cut(text: str, normal: Normal) -> list[int]:
    """Where sentences and lines of the normalised text begin; its lines are those of the original."""
    starts = {0, *(match.end() for match in _BREAK.finditer(normal.text))}
    if "| |" in normal.text:
        starts.update(match.end() for match in _CELL_BREAK.finditer(normal.text))
    breaks = _find_breaks(text)
    # Where each character stands for itself, so does a line break.
    starts.update(breaks if isinstance(normal.starts, range) else (bisect_left(normal.starts, at) for at in breaks))
    return sorted(starts)


def _find_breaks(text: str) -> Iterator[int]:
    at = text.find("\n")
    while at >= 0:
        yield at
        at = text.find("\n", at + 1)
