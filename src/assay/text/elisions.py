"""Quotes that show what they leave out: "A … B", and "A [the drug] B" with words of the quoter's own."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from assay.domain.span import Span
from assay.text.guarded_words import Guard
from assay.text.occurrences import SPACELESS, is_long_enough, occurrences
from assay.text.wording import guarded_word

FARTHEST_IN_CHARACTERS = 400
FARTHEST_IN_SENTENCES = 3
INSERTED_FOR_WORDS = 4

_GAP = re.compile(r" ?(?:(?P<dots>\[ ?\.{3,} ?\]|\( ?\.{3,} ?\)|\.{3,}|\. \. \.)|\[(?P<words>[^\[\]]{1,80})\]) ?")
_CAPITAL_CHANGED = re.compile(r"\[([^\W\d_])\](?=[^\W\d_])")
_SENTENCE_END = re.compile(r"[.!?] |[。！？]")
# From the front of a word only: tried from each of its letters, a long one would cost the square of its length.
_TWO_WORDS = re.compile(rf"(?<!\S)[^\s\w]*\w\S*\s+\S*\w|[{SPACELESS}]{{4}}")
_EDGE = " ,;:.\"'"


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands between two pieces: dots, or the quoter's words in brackets."""

    inserted: str | None


@dataclass(frozen=True, slots=True)
class Elided:
    pieces: tuple[str, ...]
    gaps: tuple[Gap, ...]


def split_elided(quote: str) -> Elided:
    """The pieces of a normalised quote; one piece where it leaves nothing out."""
    quote = _CAPITAL_CHANGED.sub(r"\1", quote)
    pieces: list[str] = []
    gaps: list[Gap] = []
    pending: Gap | None = None
    at = 0
    for match in [*_GAP.finditer(quote), None]:
        piece = quote[at : match.start() if match else len(quote)].strip(_EDGE)
        if piece:
            if pending and pieces:
                gaps.append(pending)
            pieces.append(piece)
            pending = None
        if match:
            at = match.end()
            # Where dots and brackets meet, the dots give the wider room and the brackets the words to check.
            if match["words"] is not None or pending is None:
                pending = Gap(match["words"])
    return Elided(tuple(pieces), tuple(gaps))


def inserted_fault(quote: str) -> str | None:
    """A quoter's brackets may explain, but not deny, count or weigh."""
    for match in _GAP.finditer(_CAPITAL_CHANGED.sub(r"\1", quote)):
        guarded = guarded_word(match["words"] or "")
        if guarded:
            return _fault(guarded, "added")
    return None


def find_elided(elided: Elided, text: str) -> Span | str:
    """The first place with all pieces in order and near each other, or what is wrong in words."""
    long_enough = is_long_enough(" ".join(elided.pieces))
    if any(gap.inserted is None for gap in elided.gaps) and not all(map(_TWO_WORDS.search, elided.pieces)):
        return "too short for an inexact match"
    reach: list[Span] = []
    fault = "not in the text"
    for number, piece in enumerate(elided.pieces):
        places = [Span(at, at + len(piece)) for at in occurrences(piece, text)]
        if number == 0:
            reach = places
            continue
        gap = elided.gaps[number - 1]
        ends = [chain.end for chain in reach]
        following: list[Span] = []
        for place in places:
            # The nearest earlier piece leaves out the least, so no other can do better.
            before = bisect_right(ends, place.start) - 1
            if before < 0:
                continue
            problem = _gap_fault(text[ends[before] : place.start], gap, long_enough=long_enough)
            if problem is None:
                following.append(Span(reach[before].start, place.end))
            elif problem:
                fault = problem
        reach = following
    return min(reach) if reach else fault


def _gap_fault(left_out: str, gap: Gap, *, long_enough: bool) -> str | None:
    """Nothing where the gap is fair, else why not; an empty reason where the pieces are merely too far apart."""
    if gap.inserted is not None:
        if len(left_out.split()) > (INSERTED_FOR_WORDS if long_enough else 0):
            return ""
        guarded = guarded_word(left_out)
        return _fault(guarded, "left out") if guarded else None
    ends = len(_SENTENCE_END.findall(left_out[: FARTHEST_IN_CHARACTERS + 1]))
    if len(left_out) > FARTHEST_IN_CHARACTERS or ends > FARTHEST_IN_SENTENCES:
        return ""
    # Inside one sentence the dots may stand for the very word that denies it.
    guarded = guarded_word(left_out, frozenset({Guard.NEGATION})) if ends == 0 else None
    return _fault(guarded, "left out") if guarded else None


def _fault(guarded: tuple[Guard, str], how: str) -> str:
    kind, word = guarded
    return f"a {kind} was {how}: {word}"
