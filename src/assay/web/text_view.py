"""A text cut into pieces at the borders of its marks; of a long text only windows around the marks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from assay.domain.span import Span, merge_spans
from assay.report.display import NEUTRAL, Tone

_OPENING = 2_000
_AROUND = 400
_LONGEST_MARK = 2_000
# A shorter gap costs the reader more than it saves.
_LEAST_GAP = 200
# More marks over one piece can't be told apart, and ten thousand spans over one word must not cost their square.
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class TextMark:
    """A marked stretch. `key` is made by us and safe as an id; `shows` are the keys it points to.

    A mark with a tone is a claim that can be opened; one without is a quote that others point to. `fault` is the
    severity of words at fault.
    """

    key: str
    span: Span
    tone: Tone | None = None
    title: str = ""
    shows: tuple[str, ...] = ()
    unit: str = ""
    fault: str = ""

    @property
    def gravity(self) -> int:
        return NEUTRAL.gravity + 1 if self.tone is None else self.tone.gravity


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a text, or a gap. `lead` is its most serious claim, `keys` are its marks, `ids` those that begin.

    `fault` is the severity of words at fault, or empty.
    """

    text: str
    lead: TextMark | None = None
    leads: bool = False
    keys: str = ""
    ids: tuple[str, ...] = ()
    left_out: int = 0
    fault: str = ""


@dataclass(frozen=True, slots=True)
class TextView:
    pieces: tuple[TextPiece, ...]
    length: int
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Segment:
    """`under` are the spans that cover the segment, the latest first; `opens` are those that begin with it."""

    span: Span
    under: tuple[int, ...] = ()
    opens: tuple[int, ...] = ()


def build_text(text: str, marks: Sequence[TextMark], most: int) -> TextView:
    """A text over `most` characters keeps its opening and the surroundings of its most serious marks."""
    ranked = sorted(marks, key=lambda mark: (mark.gravity, mark.span))
    pieces: list[TextPiece] = []
    seen: set[str] = set()
    end = 0
    for window in choose_windows(text, [mark.span for mark in ranked], most):
        if window.start > end:
            pieces.append(TextPiece("", left_out=window.start - end))
        inside = [mark for mark in marks if mark.span.overlaps(window)]
        for segment in cut_segments(text, [mark.span for mark in inside], window):
            under, opens = ([inside[at] for at in each] for each in (segment.under, segment.opens))
            pieces.append(_build_piece(segment.span.of(text), under, opens, seen))
        end = window.end
    if end < len(text):
        pieces.append(TextPiece("", left_out=len(text) - end))
    return TextView(tuple(pieces), len(text), sum(piece.left_out for piece in pieces))


def _build_piece(text: str, under: Sequence[TextMark], opens: Sequence[TextMark], seen: set[str]) -> TextPiece:
    claims = [mark for mark in under if mark.tone is not None]
    lead = min(claims, key=lambda mark: mark.gravity) if claims else None
    ids = tuple(dict.fromkeys(mark.key for mark in opens if mark.key not in seen))
    seen.update(ids)
    keys = " ".join(dict.fromkeys(mark.key for mark in under))
    # "serious" stands before "slight" in the alphabet.
    fault = min((mark.fault for mark in under if mark.fault), default="")
    return TextPiece(text, lead, lead is not None and lead.key in ids, keys, ids, fault=fault)


def choose_windows(text: str, spans: Sequence[Span], most: int) -> list[Span]:
    """The parts of a text that are shown, in order: all of it up to `most` characters.

    Of a longer one the opening, then the surroundings of each span, earlier ones first, while there is room.
    """
    length = len(text)
    if length <= most:
        return [Span(0, length)] if length else []
    room = most - _OPENING
    windows = [Span(0, min(_OPENING, length))]
    for span in spans:
        end = min(span.end, span.start + _LONGEST_MARK)
        window = Span(max(0, span.start - _AROUND), min(length, end + _AROUND))
        if window.end - window.start > room:
            break
        room -= window.end - window.start
        windows.append(window)
    return merge_spans(windows, gap=_LEAST_GAP - 1)


def cut_segments(text: str, spans: Sequence[Span], within: Span | None = None) -> list[Segment]:
    """The text, or a window of it, in order and without a gap; spans by index, empty and outside ones left out.

    Spans may overlap, nest and repeat. A segment names at most six of them.
    """
    window = within or Span(0, len(text))
    placed = {
        index: Span(max(span.start, window.start), min(span.end, window.end))
        for index, span in enumerate(spans)
        if span.start < min(span.end, window.end) and span.end > window.start
    }
    starts: dict[int, list[int]] = {}
    ends: dict[int, list[int]] = {}
    # Of spans that begin together the longest comes first, so that the inner one is on top.
    for index, span in sorted(placed.items(), key=lambda each: (each[1].start, -each[1].end)):
        starts.setdefault(span.start, []).append(index)
        ends.setdefault(span.end, []).append(index)
    active: dict[int, None] = {}
    segments = []
    for start, end in pairwise(sorted({window.start, window.end, *starts, *ends})):
        for index in ends.get(start, ()):
            del active[index]
        opened = starts.get(start, ())
        active.update(dict.fromkeys(opened))
        segments.append(Segment(Span(start, end), tuple(islice(reversed(active), _DEEPEST)), tuple(opened)))
    return segments
