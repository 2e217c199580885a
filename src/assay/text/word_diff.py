"""Which words were deleted and inserted between two versions of a text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rapidfuzz.distance import Indel

from assay.domain.span import Span

EditKind = Literal["same", "deleted", "inserted"]

# Chinese, Japanese and Korean letters are words of their own: nothing separates them.
_CJK: Final = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD: Final = re.compile(rf"[{_CJK}]\s*|[^\W{_CJK}]+(?:[.,:'’/-][^\W{_CJK}]+)*\s*|[^\w\s]\s*|\s+")
_MOST_PAIRS: Final = 200_000_000
"""Pairs of words up to which two stretches are compared. They take one bit of memory each."""


@dataclass(frozen=True, slots=True)
class WordEdit:
    kind: EditKind
    text: str


def list_words(text: str) -> list[str]:
    """The words, signs and single letters that are compared, without white space."""
    return [word.rstrip() for word in _WORD.findall(text) if not word.isspace()]


def diff_words(first: str, second: str) -> tuple[WordEdit, ...]:
    """The second text with what was deleted from the first. Other white space alone is no change."""
    return tuple(edit for edit in _diff(_WORD.findall(first), _WORD.findall(second)) if edit.text)


def find_replaced(first: str, second: str) -> list[tuple[Span, Span]]:
    """Where words of the first text have others in their place in the second: pairs of places. One may be empty."""
    one, two = ([Span(*each.span()) for each in _WORD.finditer(text) if each[0].strip()] for text in (first, second))
    steps = _list_steps([each.of(first).rstrip() for each in one], [each.of(second).rstrip() for each in two])
    found: list[tuple[list[Span], list[Span]]] = []
    was_equal = True
    for kind, start, end, other_start, other_end in steps:
        if kind != "equal":
            if was_equal:
                found.append(([], []))
            found[-1][0].extend(one[start:end])
            found[-1][1].extend(two[other_start:other_end])
        was_equal = kind == "equal"
    return [(_cover(own, first), _cover(other, second)) for own, other in found]


def _cover(words: Sequence[Span], text: str) -> Span:
    """From the first word to the last, without white space behind it."""
    if not words:
        return Span(0, 0)
    whole = Span(words[0].start, words[-1].end)
    return Span(whole.start, whole.start + len(whole.of(text).rstrip()))


def clip_edits(edits: Sequence[WordEdit], context: int, most: int) -> tuple[tuple[WordEdit, ...], int]:
    """Only the changes with `context` characters around them, up to about `most` characters; and how many are left out.

    A change that is longer than that is cut too.
    """
    kept: list[WordEdit] = []
    room, changes = most, sum(edit.kind != "same" for edit in edits)
    for at, edit in enumerate(edits):
        if edit.kind == "same":
            kept.append(WordEdit("same", _clip_same(edit.text, context, at > 0, at + 1 < len(edits))))
            continue
        if room <= 0:
            break
        changes -= 1
        text = edit.text if len(edit.text) <= room else f"{edit.text[:room].rstrip()} … "
        kept.append(WordEdit(edit.kind, text))
        room -= len(text)
    return tuple(kept), changes


def _clip_same(text: str, context: int, is_behind: bool, is_before: bool) -> str:
    """The end of what precedes a change and the beginning of what follows one, cut between words."""
    if len(text) <= context * (is_behind + is_before) + 2:
        return text
    head, tail = (text[:context] if is_behind else ""), (text[-context:] if is_before else "")
    if " " in head and not text[context].isspace():
        head = head.rsplit(" ", 1)[0]
    if " " in tail and not text[-context - 1].isspace():
        tail = tail.split(" ", 1)[1]
    return f"{head} … {tail}"


def _diff(first: Sequence[str], second: Sequence[str]) -> Iterator[WordEdit]:
    """Compares by the longest common subsequence. Within a change the deleted words come first."""
    one, two = [word.rstrip() for word in first], [word.rstrip() for word in second]
    deleted = inserted = ""
    for kind, start, end, other_start, other_end in _list_steps(one, two):
        own, other = first[start:end], second[other_start:other_end]
        if kind == "equal":
            yield from (WordEdit("deleted", deleted), WordEdit("inserted", inserted))
            deleted = inserted = ""
            # The longer white space of the two, because a deleted word may follow.
            yield WordEdit("same", "".join(max(pair, key=len) for pair in zip(own, other, strict=True)))
        else:
            deleted, inserted = deleted + "".join(own), inserted + "".join(other)
    yield from (WordEdit("deleted", deleted), WordEdit("inserted", inserted))


def _list_steps(one: Sequence[str], two: Sequence[str]) -> Iterable[tuple[str, int, int, int, int]]:
    """Steps from one list to the other, as difflib's opcodes. The middle of very long lists is exchanged as a whole."""
    start = _count_alike(one, two)
    end = _count_alike(one[start:][::-1], two[start:][::-1])
    stop, other_stop = len(one) - end, len(two) - end
    if (stop - start) * (other_stop - start) <= _MOST_PAIRS:
        steps = Indel.opcodes(one, two)
        return [(each.tag, each.src_start, each.src_end, each.dest_start, each.dest_end) for each in steps]
    return [
        ("equal", 0, start, 0, start),
        ("replace", start, stop, start, other_stop),
        ("equal", stop, len(one), other_stop, len(two)),
    ]


def _count_alike(one: Sequence[str], two: Sequence[str]) -> int:
    """How many words both begin with."""
    pairs = enumerate(zip(one, two, strict=False))
    return next((at for at, (own, other) in pairs if own != other), min(len(one), len(two)))
