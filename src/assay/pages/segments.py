"""Cuts a text at the borders of spans, so that each piece lies under one set of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from assay.domain.span import Span

# A reader can't tell more apart, and ten thousand spans over one word must not cost their square.
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Segment:
    """`under` names the spans that cover the piece, the one that began last first; `opens` those that begin with it."""

    span: Span
    under: tuple[int, ...] = ()
    opens: tuple[int, ...] = ()


def cut_segments(text: str, spans: Sequence[Span], within: Span | None = None) -> list[Segment]:
    """The text, or a window of it, in order and without a gap; spans by their index, empty and outside ones left out.

    Spans may overlap, nest and repeat. A piece names at most six spans.
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
    borders = sorted({window.start, window.end, *starts, *ends})
    active: dict[int, None] = {}
    segments = []
    for start, end in pairwise(borders):
        for index in ends.get(start, ()):
            del active[index]
        opened = starts.get(start, ())
        active.update(dict.fromkeys(opened))
        segments.append(Segment(Span(start, end), tuple(islice(reversed(active), _DEEPEST)), tuple(opened)))
    return segments
