"""Cuts an output into the claims and sections that every judge labels."""

import re
from collections.abc import Iterator

from assay.domain.span import Span
from assay.domain.units import Unit, UnitKind
from assay.text.clauses import split_clauses
from assay.text.markup import SURROUNDINGS, blot, find_unseen
from assay.text.sections import split_sections
from assay.text.sentences import split_sentences
from assay.text.tables import find_tables, text_outside_tables

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
    stating = [piece for piece in pieces if piece[1] or _states_something(piece[0].of(output))]
    return _number("claim", output, stating or pieces)


def cut_sections(output: str, language: str = "en") -> tuple[Unit, ...]:
    return _number("section", output, [(span, "") for span in split_sections(output, language=language)])


def _cut_pieces(output: str, language: str, *, cells: bool) -> Iterator[tuple[Span, str]]:
    tables = find_tables(output) if cells else ()
    if not tables:
        yield from _cut_sentences(output, Span(0, len(output)), language)
        return
    found = [(cell.span, f"{cell.row} | {cell.column}") for table in tables for cell in table.cells]
    found = [(span, context) for span, context in found if span.of(output).strip()]
    for outside in text_outside_tables(output):
        found.extend(_cut_sentences(output, outside, language))
    yield from sorted(found)


def _cut_sentences(output: str, within: Span, language: str) -> Iterator[tuple[Span, str]]:
    text = within.of(output)
    for sentence in split_sentences(text, language):
        piece = sentence.of(text)
        bare = blot(piece, find_unseen(piece), SURROUNDINGS) if "<" in piece else piece
        lead = len(bare) - len(bare.lstrip())
        bullet = _BULLET.match(bare[lead:])
        start = lead + (bullet.end() if bullet else 0)
        for clause in split_clauses(bare[start:], language):
            yield clause.shifted(within.start + sentence.start + start), ""


def _states_something(text: str) -> bool:
    bare = (blot(text, find_unseen(text)) if "<" in text else text).strip()
    if _HEADING.match(bare) or bare.rstrip("\"'”’)]*").endswith(("?", "？", "؟")):
        return False
    letters = _UNSPACED.findall(bare)
    return len(letters) >= 4 or len(_WORD.findall(bare)) >= 3 or bool(_DIGIT.search(bare) and _WORD.search(bare))


def _number(kind: UnitKind, output: str, pieces: list[tuple[Span, str]]) -> tuple[Unit, ...]:
    units = (Unit("", kind, span.of(output), span, context=context) for span, context in pieces)
    return tuple(unit.numbered(position) for position, unit in enumerate(units, 1))
