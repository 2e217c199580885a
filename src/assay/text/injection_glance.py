"""What a text's own words leave possible: the wordings, rules and tongues that are worth trying on it, mostly none.

Each word is weighed once and remembered: a bit for everything that needs it. A text's bits are those of its words.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from assay.text.injection_patterns import Pattern, injection_patterns
from assay.text.injection_sentences import open_rules, openings, split_words
from assay.text.injection_translations import TONGUES

# A longer run without a space is a line of a script that sets none, or made to fill the memory.
_LONGEST_WORD = 80
_REMEMBERED = 1 << 15


class Prospect(NamedTuple):
    """What is worth trying on a text, each in its order; rules by their position, and by which words they are open."""

    patterns: tuple[Pattern, ...] = ()
    rules: tuple[int, ...] = ()
    words: frozenset[str] = frozenset()
    tongues: tuple[str, ...] = ()


_NOTHING = Prospect()


class _Piece(NamedTuple):
    """What a single word must hold, for a need or for the longest part of one with spaces: there, at its edge."""

    text: str
    opens: bool
    closes: bool
    bits: int


@dataclass(frozen=True, slots=True)
class _Index:
    """All needs by what a word shows of them. From the lowest bit: gates, patterns, tongues, needs with spaces."""

    pieces: Mapping[str, tuple[_Piece, ...]]
    signs: tuple[_Piece, ...]
    phrases: tuple[tuple[str, int], ...]
    first_pattern: int
    first_tongue: int
    first_phrase: int


@cache
def _index() -> _Index:
    first_pattern = openings().count
    first_tongue = first_pattern + len(injection_patterns())
    first_phrase = first_tongue + len(TONGUES)
    needs = dict(openings().by_part)
    for place, words in enumerate(_needs(), start=first_pattern):
        for word in words:
            needs[word] = needs.get(word, 0) | 1 << place
    phrases = tuple((word, bits) for word, bits in needs.items() if " " in word)
    pieces = [_Piece(word, opens=False, closes=False, bits=bits) for word, bits in needs.items() if " " not in word]
    pieces += [_cut_piece(word, 1 << place) for place, (word, _) in enumerate(phrases, start=first_phrase)]
    by_start: dict[str, tuple[_Piece, ...]] = {}
    for piece in pieces:
        if len(piece.text) > 1:
            by_start[piece.text[:2]] = (*by_start.get(piece.text[:2], ()), piece)
    signs = tuple(piece for piece in pieces if len(piece.text) == 1)
    return _Index(by_start, signs, phrases, first_pattern, first_tongue, first_phrase)


def _needs() -> Iterator[tuple[str, ...]]:
    yield from (pattern.needs for pattern in injection_patterns())
    yield from (tongue.stems for tongue in TONGUES.values())


def _cut_piece(phrase: str, bits: int) -> _Piece:
    # Of parts of the same length the last: "an ai" is told by its noun.
    parts = phrase.split(" ")
    place = max(reversed(range(len(parts))), key=lambda at: len(parts[at]))
    return _Piece(parts[place], opens=place > 0, closes=place < len(parts) - 1, bits=bits)


def _weigh(word: str) -> int:
    """A bit for each thing that needs what this word holds, or that needs more words and may find them here."""
    index, by_word = _index(), openings().by_word
    bits = by_word.get(word, 0)
    if not word.isalpha():
        for each in split_words(word):
            bits |= by_word.get(each, 0)
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


def take_glance(text: str) -> Prospect:
    """What a normalised text must be searched for; nothing else can be found in it."""
    bits = 0
    heavy = []
    for word in set(text.split()) - _WEIGHTLESS:
        is_short = len(word) <= _LONGEST_WORD
        weight = _remember(word) if is_short else _weigh(word)
        if weight:
            bits |= weight
            heavy.append(word)
        elif is_short:
            _leave_out(word)
    if not bits:
        return _NOTHING
    index = _index()
    for place in _places(bits >> index.first_phrase):
        phrase, needing = index.phrases[place]
        if phrase in text:
            bits |= needing
    patterns, tongues = injection_patterns(), tuple(TONGUES)
    rules = open_rules(bits)
    return Prospect(
        tuple(patterns[place] for place in _places(_between(bits, index.first_pattern, index.first_tongue))),
        rules,
        frozenset(split_words(" ".join(heavy))) if rules else frozenset(),
        tuple(tongues[place] for place in _places(_between(bits, index.first_tongue, index.first_phrase))),
    )


def _leave_out(word: str) -> None:
    if len(_WEIGHTLESS) >= _REMEMBERED:
        _WEIGHTLESS.clear()
    _WEIGHTLESS.add(word)


def _between(bits: int, first: int, end: int) -> int:
    return (bits & ((1 << end) - 1)) >> first


def _places(bits: int) -> Iterator[int]:
    """Where the bits are set, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
