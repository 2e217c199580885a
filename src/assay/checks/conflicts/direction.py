"""A word of a claim that stands where the passage has its opposite."""

from collections.abc import Iterator
from typing import Final

from assay.checks.conflicts.conflict import Conflict
from assay.checks.conflicts.context import after, before, compare
from assay.checks.conflicts.negation import is_cue
from assay.checks.conflicts.opposites import opposites, sides
from assay.checks.conflicts.reading import Reading
from assay.checks.conflicts.word_sets import word_set

_TURNING: Final = frozenset(
    {
        "without",
        "fail",
        "failed",
        "fails",
        "refused",
        "deny",
        "denied",
        "than",
        "reverse",
        "instead",
        "rather",
        "despite",
    }
)
# Deeds that are told with either side first: one wins where the other loses.
_CONVERSE: Final = word_set(
    "win won wins winning victory victories lose lost loses losing defeat loss buy buys bought buying purchase"
    " purchased sell sells sold selling lend lent borrow borrowed import imports imported export exports exported"
)
_DESCRIBING: Final = word_set(
    "north northern south southern east eastern west western northeast northwest southeast southwest male female public"
    " private major minor early late"
)
_COMPARING: Final = frozenset(
    {"more", "less", "fewer", "higher", "lower", "greater", "above", "below", "most", "least"}
)


def find_direction_conflicts(claim: Reading, passage: Reading) -> Iterator[Conflict]:
    if claim.language.partition("-")[0] != "en":
        return
    table, alike = opposites(), sides()
    for at, token in enumerate(claim.tokens):
        against = table.get(token.key)
        if not against or alike[token.key] & passage.keys or against & claim.keys:
            continue
        if token.key in _COMPARING and _before_number(claim, at):
            continue
        for place, other in enumerate(passage.tokens):
            if other.key not in against or _turned(claim, at) != _turned(passage, place):
                continue
            context = compare(claim, range(at, at + 1), passage, range(place, place + 1))
            if context.is_same() and _touch(claim, at, passage, place):
                yield Conflict.between("direction", claim, token.span, passage, other.span)
                break


def _touch(claim: Reading, at: int, passage: Reading, place: int) -> bool:
    """Whether the next content word is the same: before a deed, after what describes, on either side otherwise."""
    own, other = range(at, at + 1), range(place, place + 1)
    key = claim.tokens[at].key
    led = bool(before(claim, own, 1) & before(passage, other, 1))
    if key in _CONVERSE:
        return led
    followed = bool(after(claim, own, 1) & after(passage, other, 1))
    return followed if key in _DESCRIBING else led or followed


def _before_number(reading: Reading, at: int) -> bool:
    """A limit ("more than 50") is judged with its number."""
    return any(token.key[0].isdecimal() for token in reading.tokens[at + 1 : at + 4])


def _turned(reading: Reading, at: int) -> bool:
    own = reading.tokens[at]
    return any(
        is_cue(token.key) or token.key in _TURNING
        for token in reading.tokens[max(0, at - 5) : at]
        if token.sentence == own.sentence
    )
