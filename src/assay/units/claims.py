"""Cuts an output into the claims and sections that every judge labels."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from assay.domain.span import Span
from assay.domain.units import Unit, UnitKind
from assay.text.clauses import split_clauses
from assay.text.markup import SURROUNDINGS, blot, find_unseen
from assay.text.sentences import split_sections, split_sentences
from assay.text.tables import Cell, find_tables, text_outside_tables

_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{4}")
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_HEADING = re.compile(r"^(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|.{0,60}:\s*$)")
_BULLET = re.compile(r"^(?:[-*•–]|\d{1,2}[.)])\s+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")


def cut_claims(output: str, language: str = "en", *, cells: bool = False) -> tuple[Unit, ...]:
    """Sentences, and the parts of compound ones that stand alone; table cells where `cells` says so.

    Headings and questions state nothing and are left out, unless nothing else is there.
    """
    pieces = list(_cut_pieces(output, language, cells=cells))
    stating = [piece for piece in pieces if piece.context or _states_something(piece.text)]
    return _number("claim", stating or pieces)


def cut_sections(output: str, language: str = "en") -> tuple[Unit, ...]:
    return _number("section", [_Piece(span, span.of(output)) for span in split_sections(output, language=language)])


class _Piece(NamedTuple):
    """What stands at a place of the output; its text is another only where JSON writes a sign in letters."""

    span: Span
    text: str
    context: str = ""


def _cut_pieces(output: str, language: str, *, cells: bool) -> Iterator[_Piece]:
    tables = find_tables(output) if cells else ()
    if not tables:
        yield from _cut_sentences(output, Span(0, len(output)), language)
        return
    found = [
        _Piece(cell.span, _read_cell(cell, output), f"{cell.row} | {cell.column}")
        for table in tables
        for cell in table.cells
        if cell.span.of(output).strip()
    ]
    for outside in text_outside_tables(output):
        found.extend(_cut_sentences(output, outside, language))
    yield from sorted(found)


def _read_cell(cell: Cell, output: str) -> str:
    written = cell.span.of(output)
    return cell.text if _ESCAPE.search(written) else written


def _cut_sentences(output: str, within: Span, language: str) -> Iterator[_Piece]:
    text = within.of(output)
    for sentence in split_sentences(text, language):
        piece = sentence.of(text)
        bare = blot(piece, find_unseen(piece), SURROUNDINGS) if "<" in piece else piece
        lead = len(bare) - len(bare.lstrip())
        bullet = _BULLET.match(bare[lead:])
        start = lead + (bullet.end() if bullet else 0)
        for clause in split_clauses(bare[start:], language):
            span = clause.shifted(within.start + sentence.start + start)
            yield _Piece(span, span.of(output))


def _states_something(text: str) -> bool:
    bare = (blot(text, find_unseen(text)) if "<" in text else text).strip()
    if _HEADING.match(bare) or bare.rstrip("\"'”’)]*").endswith(("?", "？", "؟")):
        return False
    letters = _UNSPACED.findall(bare)
    return len(letters) >= 4 or len(_WORD.findall(bare)) >= 3 or bool(_DIGIT.search(bare) and _WORD.search(bare))


def _number(kind: UnitKind, pieces: list[_Piece]) -> tuple[Unit, ...]:
    units = (Unit("", kind, piece.text, piece.span, context=piece.context) for piece in pieces)
    return tuple(unit.numbered(position) for position, unit in enumerate(units, 1))
