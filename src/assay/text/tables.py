"""The tables of a text in Markdown, as labelled cells; the only parser of tables in text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assay.domain.span import Span

_BETWEEN = " | "


@dataclass(frozen=True, slots=True)
class Cell:
    """One value under its labels. An empty cell has an empty text; a cell beyond the header has column ""."""

    row: str
    column: str
    text: str
    span: Span

    @property
    def place(self) -> str:
        """Row and column as the context of a claim; `split_place` takes them apart again."""
        return f"{self.row}{_BETWEEN}{self.column}"


@dataclass(frozen=True, slots=True)
class Table:
    """The first column labels the rows, so neither `columns` nor `cells` hold it. Labels are free of decoration."""

    span: Span
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[Cell, ...]


def split_place(place: str) -> Iterator[tuple[str, str]]:
    """The row and the column of a cell's place. A label may hold the sign between them, so every cut is tried."""
    parts = place.split(_BETWEEN)
    for cut in range(1, len(parts)):
        yield _BETWEEN.join(parts[:cut]).strip(), _BETWEEN.join(parts[cut:]).strip()


def text_outside_tables(text: str) -> tuple[Span, ...]:
    """What is left between tables and the fences around them, trimmed, blank stretches dropped."""
    taken = [_with_fence(text, table.span) for table in find_tables(text)]
    starts, ends = [0, *(span.end for span in taken)], [*(span.start for span in taken), len(text)]
    trimmed = (_trim(text, Span(start, end)) for start, end in zip(starts, ends, strict=True))
    return tuple(span for span in trimmed if span.start < span.end)


_OPENING_FENCE = re.compile(r"(?:```|~~~)\w{0,20}[ \t]*\r?\n\s{0,20}$")
_CLOSING_FENCE = re.compile(r"\s{0,20}(?:```|~~~)")


def _with_fence(text: str, span: Span) -> Span:
    window = max(0, span.start - 50)
    opening = _OPENING_FENCE.search(text[window : span.start])
    closing = _CLOSING_FENCE.match(text, span.end)
    return Span(window + opening.start(), closing.end()) if opening and closing else span


def _trim(text: str, span: Span) -> Span:
    piece = span.of(text)
    start = span.start + len(piece) - len(piece.lstrip())
    return Span(start, start + len(piece.strip()))


_LINE = re.compile(r"([^\r\n]*)(?:\r\n|[\r\n]|\Z)")
_PIPE = re.compile(r"(?<!\\)\|")
_DELIMITER = re.compile(r":?[-–—]+:?")
_DECORATION = re.compile(r"\*\*|__|`|~~")
_Cells = tuple[Span, ...]


def find_tables(text: str) -> Iterator[Table]:
    """In order: a header, a rule of dashes below it, and all lines with a pipe that follow without a blank one."""
    table: list[_Cells] = []
    before: _Cells = ()
    start = end = 0
    for found in _LINE.finditer(text) if "|" in text else ():
        line = _trim(text, Span(*found.span(1)))
        cells = _split_cells(text, line)
        if table and not cells:
            yield _build_table(text, Span(start, end), table)
            table = []
        elif table:
            table.append(cells)
        elif before and cells and _is_rule(text, cells) and not _is_rule(text, before):
            table = [before]
        else:
            start = line.start
        before, end = cells, line.end
    if table:
        yield _build_table(text, Span(start, end), table)


def split_line(line: str) -> list[str]:
    """The cells of one line of a Markdown table as their texts; a line without a bar is one cell."""
    cells = _split_cells(line, _trim(line, Span(0, len(line))))
    texts = [cell.of(line) for cell in cells] or [_PIPE.sub("", line).strip()]
    return [text.replace(r"\|", "|") for text in texts]


def _split_cells(text: str, line: Span) -> _Cells:
    """No cells for a line without a pipe. Pipes at its edges separate nothing."""
    pipes = [found.start() for found in _PIPE.finditer(text, line.start, line.end)]
    if not pipes:
        return ()
    edges = [at for at in (line.start - 1, line.end) if at not in (pipes[0] - 1, pipes[-1] + 1)]
    return tuple(_trim(text, Span(left + 1, right)) for left, right in pairwise(sorted({*pipes, *edges})))


def _is_rule(text: str, cells: _Cells) -> bool:
    return all(_DELIMITER.fullmatch(cell.of(text)) for cell in cells)


def _build_table(text: str, span: Span, rows: Sequence[_Cells]) -> Table:
    header, *body = rows
    columns = tuple(_label(cell.of(text)) for cell in header[1:])
    body = [row for row in body if not _is_rule(text, row)]
    labels = tuple(_label(row[0].of(text)) for row in body)
    cells = tuple(
        Cell(label, columns[at] if at < len(columns) else "", cell.of(text).replace(r"\|", "|"), cell)
        for label, row in zip(labels, body, strict=True)
        for at, cell in enumerate(row[1:])
    )
    return Table(span, columns, labels, cells)


def _label(raw: str) -> str:
    bare = _DECORATION.sub("", raw.replace(r"\|", "|")).strip()
    for mark in "*_":
        if len(bare) > 2 and bare.startswith(mark) and bare.endswith(mark):
            bare = bare[1:-1].strip()
    return bare
