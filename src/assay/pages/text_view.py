"""A text with what is marked in it: pieces by offsets, each to be escaped by itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.domain.span import Span
from assay.pages.excerpts import choose_windows
from assay.pages.segments import cut_segments
from assay.pages.tones import NEUTRAL, Tone


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch that something is said about. `key` is ours and safe as an id; `shows` are the keys it points to.

    A mark with a tone is a claim that can be opened; one without is a quote that others point to.
    """

    key: str
    span: Span
    tone: Tone | None = None
    title: str = ""
    shows: tuple[str, ...] = ()
    unit: str = ""

    @property
    def gravity(self) -> int:
        return NEUTRAL.gravity + 1 if self.tone is None else self.tone.gravity


@dataclass(frozen=True, slots=True)
class Piece:
    """`lead` is the gravest claim over it, `keys` all marks over it, `ids` those that begin here; or a gap."""

    text: str
    lead: Mark | None = None
    leads: bool = False
    keys: str = ""
    ids: tuple[str, ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class TextView:
    pieces: tuple[Piece, ...]
    length: int
    left_out: int = 0


def build_text(text: str, marks: Sequence[Mark], most: int) -> TextView:
    """A text over `most` characters keeps its opening and what surrounds its gravest marks; gaps say their length."""
    windows = choose_windows(text, [mark.span for mark in sorted(marks, key=_rank)], most)
    pieces: list[Piece] = []
    seen: set[str] = set()
    end = 0
    for window in windows:
        if window.start > end:
            pieces.append(Piece("", left_out=window.start - end))
        inside = [mark for mark in marks if mark.span.overlaps(window)]
        for segment in cut_segments(text, [mark.span for mark in inside], window):
            under, opens = ([inside[at] for at in each] for each in (segment.under, segment.opens))
            pieces.append(_build_piece(segment.span.of(text), under, opens, seen))
        end = window.end
    if end < len(text):
        pieces.append(Piece("", left_out=len(text) - end))
    return TextView(tuple(pieces), len(text), sum(piece.left_out for piece in pieces))


def _rank(mark: Mark) -> tuple[int, Span]:
    return mark.gravity, mark.span


def _build_piece(text: str, under: Sequence[Mark], opens: Sequence[Mark], seen: set[str]) -> Piece:
    claims = [mark for mark in under if mark.tone is not None]
    lead = min(claims, key=lambda mark: mark.gravity) if claims else None
    ids = tuple(dict.fromkeys(mark.key for mark in opens if mark.key not in seen))
    seen.update(ids)
    keys = " ".join(dict.fromkeys(mark.key for mark in under))
    return Piece(text, lead, lead is not None and lead.key in ids, keys, ids)
