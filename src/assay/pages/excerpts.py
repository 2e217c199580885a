"""What is shown of a text too long for a page: its opening, and the neighbourhood of everything that is marked."""

from collections.abc import Sequence

from assay.domain.span import Span, merge_spans

_OPENING = 2_000
_AROUND = 400
_LONGEST_MARK = 2_000
# Gaps shorter than this cost the reader more than they save.
_WORTH_A_GAP = 200


def choose_windows(text: str, spans: Sequence[Span], most: int) -> list[Span]:
    """The parts of a text that are shown, in order. All of it up to `most` characters.

    Of a longer one the opening, then the surroundings of each span, earlier ones first, while there is room.
    """
    length = len(text)
    if length <= most:
        return [Span(0, length)] if length else []
    room = most - _OPENING
    windows = [Span(0, min(_OPENING, length))]
    for span in spans:
        shown_end = min(span.end, span.start + _LONGEST_MARK)
        window = Span(max(0, span.start - _AROUND), min(length, shown_end + _AROUND))
        if window.end - window.start > room:
            break
        room -= window.end - window.start
        windows.append(window)
    return merge_spans(windows, gap=_WORTH_A_GAP - 1)


def clip(text: str, most: int = 2_000) -> str:
    """The beginning of a text that has no marks, and how much of it is left out."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most:,} characters left out)"


def clip_name(name: str) -> str:
    return clip(name, 300)
