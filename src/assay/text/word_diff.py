"""Which words were deleted and inserted between two versions of a text, in time that grows with their length."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal, TypeAlias

EditKind = Literal["same", "deleted", "inserted"]
_Step: TypeAlias = tuple[EditKind, str]

# Chinese, Japanese and Korean letters are words of their own: nothing separates them.
_CJK: Final = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD: Final = re.compile(rf"[{_CJK}]\s*|[^\W{_CJK}]+(?:[.,:'’/-][^\W{_CJK}]+)*\s*|[^\w\s]\s*|\s+")
# Stretches of up to so many words each are compared word by word; longer ones are first cut at words they share.
_MOST_WORDS = 250
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class WordEdit:
    kind: EditKind
    text: str


def list_words(text: str) -> list[str]:
    """The words, signs and single letters that are compared, without white space."""
    return [word.rstrip() for word in _WORD.findall(text) if not word.isspace()]


def diff_words(first: str, second: str) -> tuple[WordEdit, ...]:
    """The second text with what was deleted from the first. Other white space alone is no change."""
    steps = _diff(_WORD.findall(first), _WORD.findall(second), 0)
    return tuple(_join(steps))


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


def _diff(first: Sequence[str], second: Sequence[str], depth: int) -> Iterator[_Step]:
    one, two = [word.rstrip() for word in first], [word.rstrip() for word in second]
    start = 0
    while start < min(len(one), len(two)) and one[start] == two[start]:
        start += 1
    end = 0
    while end < min(len(one), len(two)) - start and one[-1 - end] == two[-1 - end]:
        end += 1
    yield from _keep(first[:start], second[:start])
    yield from _diff_middle(first[start : len(one) - end], second[start : len(two) - end], depth)
    yield from _keep(first[len(one) - end :], second[len(two) - end :])


def _keep(first: Sequence[str], second: Sequence[str]) -> Iterator[_Step]:
    """The longer white space of the two, because a deleted word may follow."""
    return (("same", max(pair, key=len)) for pair in zip(first, second, strict=True))


def _diff_middle(first: Sequence[str], second: Sequence[str], depth: int) -> Iterator[_Step]:
    if first and second and max(len(first), len(second)) <= _MOST_WORDS:
        yield from _diff_short(first, second)
        return
    anchors = _find_anchors(first, second) if first and second and depth < _DEEPEST else []
    if not anchors:
        yield from (("deleted", word) for word in first)
        yield from (("inserted", word) for word in second)
        return
    one = two = 0
    for here, there in (*anchors, (len(first), len(second))):
        yield from _diff(first[one:here], second[two:there], depth + 1)
        yield from _keep(first[here : here + 1], second[there : there + 1])
        one, two = here + 1, there + 1


def _diff_short(first: Sequence[str], second: Sequence[str]) -> Iterator[_Step]:
    """By a longest common subsequence."""
    one, two = [word.rstrip() for word in first], [word.rstrip() for word in second]
    longest = [[0] * (len(two) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one) - 1, -1, -1):
        row, below = longest[i], longest[i + 1]
        for j in range(len(two) - 1, -1, -1):
            row[j] = below[j + 1] + 1 if one[i] == two[j] else max(below[j], row[j + 1])
    i = j = 0
    while i < len(one) and j < len(two):
        if one[i] == two[j]:
            yield from _keep(first[i : i + 1], second[j : j + 1])
            i, j = i + 1, j + 1
        elif longest[i + 1][j] >= longest[i][j + 1]:
            yield "deleted", first[i]
            i += 1
        else:
            yield "inserted", second[j]
            j += 1
    yield from (("deleted", word) for word in first[i:])
    yield from (("inserted", word) for word in second[j:])


def _find_anchors(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """The places of words that both have exactly once, as many as stand in one order in both."""
    one, two = [word.rstrip() for word in first], [word.rstrip() for word in second]
    counts, others = Counter(one), Counter(two)
    places = {word: at for at, word in enumerate(two) if others[word] == 1}
    pairs = [(at, places[word]) for at, word in enumerate(one) if counts[word] == 1 and word in places]
    # The longest increasing run, by its smallest ends.
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, there) in enumerate(pairs):
        at = bisect_left(ends, there)
        before.append(last[at - 1] if at else -1)
        ends[at : at + 1], last[at : at + 1] = [there], [number]
    found = []
    number = last[-1] if last else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]


def _join(steps: Iterator[_Step]) -> Iterator[WordEdit]:
    """Neighbouring steps of one kind as one; within a change the deleted words first."""
    for is_same, group in groupby(steps, key=lambda step: step[0] == "same"):
        words: dict[EditKind, list[str]] = {"same": []} if is_same else {"deleted": [], "inserted": []}
        for kind, word in group:
            words[kind].append(word)
        yield from (WordEdit(kind, "".join(each)) for kind, each in words.items() if each)
