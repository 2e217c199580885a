"""The stretches of a text that are in one script."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from assay.domain.span import Span
from assay.text.scripts import Run, find_runs

_TERM_WORDS: Final = 4
"""Up to this many Latin words in a row inside a sentence of another script are a technical term."""
_ASCII_LETTERS: Final = re.compile("[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one script within one sentence."""

    script: str
    text: str
    words: int
    letters: int


def _build_piece(text: str, runs: Sequence[Run]) -> Piece:
    span = Span(runs[0].span.start, runs[-1].span.end)
    letters = sum(run.span.end - run.span.start for run in runs)
    return Piece(runs[0].script, " ".join(span.of(text).split()), sum(run.words for run in runs), letters)


def _group_by_script(text: str) -> list[list[Run]]:
    groups: list[list[Run]] = []
    for run in find_runs(text):
        # A lone Greek letter is a symbol wherever the words are in another script.
        if run.script == "greek" and run.span.end - run.span.start == 1 and groups and groups[-1][0].script != "greek":
            continue
        if groups and groups[-1][0].script == run.script:
            groups[-1].append(run)
        else:
            groups.append([run])
    return groups


def cut_by_script(text: str) -> Iterator[Piece]:
    """The pieces of a sentence, without the Latin terms in one of another script."""
    groups = _group_by_script(text)
    weight: Counter[str] = Counter()
    for group in groups:
        weight[group[0].script] += sum(run.words for run in group)
    main = max(weight, key=lambda script: (weight[script], script != "latin"), default="latin")
    for group in groups:
        if main == "latin" or group[0].script != "latin" or len(group) > _TERM_WORDS:
            yield _build_piece(text, group)


def find_main_piece(words: str) -> Piece | None:
    """What a text has in the script that most of its words are in, each word once: a list says no more by repeating."""
    if words.isascii():
        # Most texts, and the plain case of the general one.
        distinct = " ".join(_distinct(words))
        runs = _ASCII_LETTERS.findall(distinct)
        return Piece("latin", distinct, len(runs), sum(map(len, runs))) if runs else None
    groups = _group_by_script(words)
    weight: Counter[str] = Counter()
    for group in groups:
        weight[group[0].script] += sum(run.words for run in group)
    if not weight:
        return None
    main = max(weight, key=lambda script: (weight[script], script != "latin"))
    piece = _build_piece(words, [run for group in groups if group[0].script == main for run in group])
    kept = _distinct(piece.text)
    return replace(piece, text=" ".join(kept), letters=sum(sum(map(str.isalpha, word)) for word in kept))


def _distinct(words: str) -> list[str]:
    return list(dict.fromkeys(words.split()))
