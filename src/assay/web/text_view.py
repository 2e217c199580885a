"""A text cut into pieces at the borders of its marks; of a long text only windows around the marks."""

from collections.abc import Iterator, Sequence
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
    """A part of a text, or a gap of `left_out` characters.

    `marks` are those that cover it, the latest first; `opens` are those that begin with it.
    """

    text: str
    marks: tuple[TextMark, ...] = ()
    opens: tuple[TextMark, ...] = ()
    left_out: int = 0

    @property
    def lead(self) -> TextMark | None:
        """The most serious claim."""
        return min((mark for mark in self.marks if mark.tone is not None), key=lambda mark: mark.gravity, default=None)

    @property
    def keys(self) -> str:
        return " ".join(mark.key for mark in self.marks)

    @property
    def fault(self) -> str:
        """The severity of words at fault, or empty. "serious" stands before "slight" in the alphabet."""
        return min((mark.fault for mark in self.marks if mark.fault), default="")


def build_text(text: str, marks: Sequence[TextMark], most: int) -> list[TextPiece]:
    """A text over `most` characters keeps its opening and the surroundings of its most serious marks."""
    ranked = sorted(marks, key=lambda mark: (mark.gravity, mark.span))
    pieces: list[TextPiece] = []
    end = 0
    for window in choose_windows(text, [mark.span for mark in ranked], most):
        if window.start > end:
            pieces.append(TextPiece("", left_out=window.start - end))
        pieces += cut_pieces(text, marks, window, end)
        end = window.end
    if end < len(text):
        pieces.append(TextPiece("", left_out=len(text) - end))
    return pieces


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


def cut_pieces(text: str, marks: Sequence[TextMark], window: Span, shown: int = 0) -> Iterator[TextPiece]:
    """A window of the text, in order and without a gap. Empty marks and those outside are left out.

    Marks may overlap, nest and repeat. A piece names at most six of them. What begins before `shown`, the end of the
    last window, was opened there.
    """
    placed = {
        mark: Span(max(mark.span.start, window.start), min(mark.span.end, window.end))
        for mark in marks
        if mark.span.start < min(mark.span.end, window.end) and mark.span.end > window.start
    }
    starts: dict[int, list[TextMark]] = {}
    ends: dict[int, list[TextMark]] = {}
    # Of marks that begin together the longest comes first, so that the inner one is on top.
    for mark, span in sorted(placed.items(), key=lambda each: (each[1].start, -each[1].end)):
        starts.setdefault(span.start, []).append(mark)
        ends.setdefault(span.end, []).append(mark)
    active: dict[TextMark, None] = {}
    for start, end in pairwise(sorted({window.start, window.end, *starts, *ends})):
        for mark in ends.get(start, ()):
            del active[mark]
        opened = starts.get(start, ())
        active.update(dict.fromkeys(opened))
        opens = tuple(mark for mark in opened if max(0, mark.span.start) >= shown)
        yield TextPiece(text[start:end], tuple(islice(reversed(active), _DEEPEST)), opens)
