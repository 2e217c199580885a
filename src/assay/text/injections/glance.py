"""What a text's own words leave possible: the wordings that are worth trying on it, mostly none.

Each word is weighed once and remembered: a bit for everything that needs it. A text's bits are those of its words.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from assay.text.injections.patterns import Pattern, injection_patterns

# A longer run without a space is a line of a script that sets none, or made to fill the memory.
_LONGEST_WORD = 80
_REMEMBERED = 1 << 15


class _Piece(NamedTuple):
    """What a single word must hold, for a need or for the longest part of one with spaces: there, at its edge."""

    text: str
    opens: bool
    closes: bool
    bits: int


@dataclass(frozen=True, slots=True)
class _Index:
    """All needs by what a word shows of them. From the lowest bit: patterns, needs with spaces."""

    pieces: Mapping[str, tuple[_Piece, ...]]
    signs: tuple[_Piece, ...]
    phrases: tuple[tuple[str, int], ...]
    first_phrase: int


@cache
def _index() -> _Index:
    needs: dict[str, int] = {}
    for place, pattern in enumerate(injection_patterns()):
        for word in pattern.needs:
            needs[word] = needs.get(word, 0) | 1 << place
    first_phrase = len(injection_patterns())
    phrases = tuple((word, bits) for word, bits in needs.items() if " " in word)
    pieces = [_Piece(word, opens=False, closes=False, bits=bits) for word, bits in needs.items() if " " not in word]
    pieces += [_cut_piece(word, 1 << place) for place, (word, _) in enumerate(phrases, start=first_phrase)]
    by_start: dict[str, tuple[_Piece, ...]] = {}
    for piece in pieces:
        if len(piece.text) > 1:
            by_start[piece.text[:2]] = (*by_start.get(piece.text[:2], ()), piece)
    signs = tuple(piece for piece in pieces if len(piece.text) == 1)
    return _Index(by_start, signs, phrases, first_phrase)


def _cut_piece(phrase: str, bits: int) -> _Piece:
    # Of parts of the same length the last: "an ai" is told by its noun.
    parts = phrase.split(" ")
    place = max(reversed(range(len(parts))), key=lambda at: len(parts[at]))
    return _Piece(parts[place], opens=place > 0, closes=place < len(parts) - 1, bits=bits)


def _weigh(word: str) -> int:
    """A bit for each thing that needs what this word holds, or that needs more words and may find them here."""
    index = _index()
    bits = 0
    if not word.isalpha():
        for sign in index.signs:
            if sign.text in word:
                bits |= sign.bits
    pieces, size = index.pieces, len(word)
    for at in range(size - 1):
        for text, opens, closes, piece_bits in pieces.get(word[at : at + 2], ()):
            if word.startswith(text, at) and not ((opens and at) or (closes and at + len(text) < size)):
                bits |= piece_bits
    return bits


_remember = lru_cache(maxsize=_REMEMBERED // 4)(_weigh)
# Most words weigh nothing: those that were found so are left out all at once, and never asked for again.
_WEIGHTLESS: set[str] = set()


def take_glance(text: str) -> tuple[Pattern, ...]:
    """What a normalised text must be searched for, in its order; nothing else can be found in it."""
    bits = 0
    for word in set(text.split()) - _WEIGHTLESS:
        is_short = len(word) <= _LONGEST_WORD
        weight = _remember(word) if is_short else _weigh(word)
        bits |= weight
        if is_short and not weight:
            _leave_out(word)
    if not bits:
        return ()
    index = _index()
    for place in _places(bits >> index.first_phrase):
        phrase, needing = index.phrases[place]
        if phrase in text:
            bits |= needing
    patterns = injection_patterns()
    return tuple(patterns[place] for place in _places(bits & ((1 << index.first_phrase) - 1)))


def _leave_out(word: str) -> None:
    if len(_WEIGHTLESS) >= _REMEMBERED:
        _WEIGHTLESS.clear()
    _WEIGHTLESS.add(word)


def _places(bits: int) -> Iterator[int]:
    """Where the bits are set, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
