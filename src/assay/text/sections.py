"""The sections of a summary, as an audit of article summaries counts them."""

import re
from collections.abc import Iterable, Iterator

from assay.domain.span import Span
from assay.text.blocks import ITEM_MARKER
from assay.text.sentences import split_sentences

_SEMICOLON = re.compile(r";(?=\s)")
_FULL_STOP = re.compile(r"\.")
_UNSPACED_LETTER = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")


def split_sections(
    text: str, *, least_words: int = 6, semicolons: bool = False, literal: bool = False, language: str = "en"
) -> tuple[Span, ...]:
    """Sentences and list items of at least `least_words` words, without their bullets.

    Where all are shorter, the whole text is one section; a blank text has none. `semicolons` also cuts at a semicolon
    before white space. `literal` cuts at every full stop and nowhere else, even inside 3.5, and drops the stops.
    """
    whole = _trimmed(text, Span(0, len(text)))
    if whole.start == whole.end:
        return ()
    if literal:
        pieces: Iterable[Span] = _pieces(text, whole, _FULL_STOP)
    else:
        pieces = (_without_marker(text, span) for span in split_sentences(text, language))
    if semicolons:
        pieces = (part for piece in pieces for part in _pieces(text, piece, _SEMICOLON))
    sections = tuple(piece for piece in pieces if _count_words(piece.of(text)) >= max(1, least_words))
    return sections or (whole,)


def _pieces(text: str, span: Span, separator: re.Pattern[str]) -> Iterator[Span]:
    start = span.start
    for found in separator.finditer(text, span.start, span.end):
        yield _trimmed(text, Span(start, found.start()))
        start = found.end()
    yield _trimmed(text, Span(start, span.end))


def _trimmed(text: str, span: Span) -> Span:
    piece = span.of(text)
    bare = piece.strip()
    start = span.start + len(piece) - len(piece.lstrip()) if bare else span.start
    return Span(start, start + len(bare))


def _without_marker(text: str, span: Span) -> Span:
    marker = ITEM_MARKER.match(text, span.start, span.end)
    return Span(marker.end(), span.end) if marker else span


def _count_words(piece: str) -> int:
    """Words between white space; scripts without spaces count two letters as a word."""
    return max(len(piece.split()), len(_UNSPACED_LETTER.findall(piece)) // 2)
