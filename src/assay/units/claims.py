"""Cuts an output into the claims and sections that every judge labels."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from assay.domain.span import Span
from assay.domain.units import Unit, UnitKind
from assay.text.markup import SURROUNDINGS, blot, find_hidden, find_unseen
from assay.text.sentences import split_sections, split_sentences
from assay.text.tables import Table, find_tables, text_outside_tables
from assay.units.turns import Turn

_ESCAPE = re.compile(r"\\u[0-9a-fA-F]{4}")
_LETTER = re.compile(r"[^\W\d_]")
_BULLET = re.compile(r"^(?:[-*•–]|\d{1,2}[.)])\s+")
_LEAST_HIDDEN_WORDS = 2
# A shorter heading of a row or column names what its cells are about, and is part of them.
_LEAST_HEADING_WORDS = 6


def cut_claims(
    output: str, language: str = "en", *, cells: bool = False, turns: Sequence[Turn] = ()
) -> tuple[Unit, ...]:
    """Sentences, bullets, headings and questions: all that may assert something, and text that markup hides.

    With `cells`, so is each cell of a table, with its row and column as context. Of a conversation only the `turns` are
    cut. Whether a piece really asserts something is the judge's to say.
    """
    return _cut("claim", output, turns, lambda text: _cut_pieces(text, language, cells=cells))


def cut_sections(output: str, language: str = "en", *, turns: Sequence[Turn] = ()) -> tuple[Unit, ...]:
    return _cut(
        "section",
        output,
        turns,
        lambda text: (_UnitText(span, span.of(text)) for span in split_sections(text, language)),
    )


def _cut(
    kind: UnitKind, output: str, turns: Sequence[Turn], cut_text: "Callable[[str], Iterator[_UnitText]]"
) -> tuple[Unit, ...]:
    """The whole output, or each turn under its name. Only a section or a cell may be without any letter."""
    places = [(turn.span, turn.name) for turn in turns] or [(Span(0, len(output)), "")]
    pieces = (piece.moved(*place) for place in places for piece in cut_text(place[0].of(output)))
    kept = (piece for piece in pieces if kind == "section" or piece.context or _LETTER.search(piece.text))
    units = (Unit("", kind, piece.text, piece.span, context=piece.context) for piece in kept)
    return tuple(unit.numbered(position) for position, unit in enumerate(units, 1))


class _UnitText(NamedTuple):
    """A span of the output and its text. They differ only where JSON escapes a character."""

    span: Span
    text: str
    context: str = ""

    def moved(self, within: Span, name: str) -> "_UnitText":
        """From its place in a part of the output to that in the whole."""
        return self._replace(span=self.span.shifted(within.start), context=self.context or name)


def _cut_pieces(output: str, language: str, *, cells: bool) -> Iterator[_UnitText]:
    tables = find_tables(output) if cells else ()
    if not tables:
        yield from _cut_sentences(output, Span(0, len(output)), language)
        return
    found = [
        _UnitText(cell.span, cell.text if _ESCAPE.search(cell.span.of(output)) else cell.span.of(output), cell.place)
        for table in tables
        for cell in table.cells
        if cell.span.of(output).strip()
    ]
    found += [_UnitText(span, span.of(output)) for table in tables for span in _find_headings(table, output)]
    for outside in text_outside_tables(output):
        found.extend(_cut_sentences(output, outside, language))
    yield from sorted(found)


def _find_headings(table: Table, output: str) -> Iterator[Span]:
    for heading in (*table.columns, *table.rows):
        start = output.find(heading, *table.span)
        if start >= 0 and len(heading.split()) >= _LEAST_HEADING_WORDS:
            yield Span(start, start + len(heading))


def _cut_sentences(output: str, within: Span, language: str) -> Iterator[_UnitText]:
    text = within.of(output)
    for sentence in split_sentences(text, language):
        piece = sentence.of(text)
        bare = blot(piece, find_unseen(piece), SURROUNDINGS) if "<" in piece else piece
        lead = len(bare) - len(bare.lstrip())
        bullet = _BULLET.match(bare[lead:])
        start = lead + (bullet.end() if bullet else 0)
        claim = Span(start, len(bare.rstrip()))
        if claim.start < claim.end:
            span = claim.shifted(within.start + sentence.start)
            yield _UnitText(span, span.of(output))
        for hidden in find_hidden(piece):
            if len(hidden.of(piece).split()) >= _LEAST_HIDDEN_WORDS:
                span = hidden.shifted(within.start + sentence.start)
                yield _UnitText(span, span.of(output))
