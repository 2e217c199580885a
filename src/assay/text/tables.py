"""The tables of a text, in Markdown or in JSON, as labelled cells."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assay.domain.span import Span
from assay.text.offset_json import Array, Object, Scalar, Value, find_json


@dataclass(frozen=True, slots=True)
class Cell:
    """One value under its labels. An empty cell has an empty text; a cell beyond the header has column ""."""

    row: str
    column: str
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Table:
    """The first column labels the rows, so neither `columns` nor `cells` hold it. Labels are free of decoration."""

    span: Span
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class _Region:
    """What a table takes out of the text, with its fence; `prose` are the strings beside it in the same JSON."""

    span: Span
    tables: tuple[Table, ...]
    prose: tuple[Span, ...]


def find_tables(text: str) -> tuple[Table, ...]:
    """Tables in order of appearance."""
    return tuple(table for region in _regions(text) for table in region.tables)


def text_outside_tables(text: str) -> tuple[Span, ...]:
    """What is left between tables, trimmed, blank stretches dropped.

    Of JSON that holds a table the remaining string values are left, such as a verdict beside the table.
    """
    spans: list[Span] = []
    position = 0
    for region in _regions(text):
        spans += [Span(position, region.span.start), *region.prose]
        position = region.span.end
    spans.append(Span(position, len(text)))
    trimmed = (_trim(text, span) for span in spans)
    return tuple(span for span in trimmed if span.start < span.end)


def _regions(text: str) -> list[_Region]:
    regions = [_Region(_with_fence(text, table.span), (table,), ()) for table in _markdown_tables(text)]
    taken = iter([*regions, None])
    held = next(taken)
    for document in find_json(text) if "{" in text else ():
        while held is not None and held.span.end <= document.span.start:
            held = next(taken)
        if held is not None and held.span.start < document.span.end:
            continue
        tables, prose = _json_tables(document)
        if tables:
            regions.append(_Region(_with_fence(text, document.span), tuple(tables), tuple(prose)))
    return sorted(regions, key=lambda region: region.span)


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


# Markdown

_LINE = re.compile(r"[^\r\n]+|\r\n|\r|\n")
_PIPE = re.compile(r"(?<!\\)\|")
_DELIMITER = re.compile(r":?[-–—]+:?")
_DECORATION = re.compile(r"\*\*|__|`|~~")


@dataclass(frozen=True, slots=True)
class _Row:
    """`outer` counts the pipes at the edges of the line: 0, 1 or 2."""

    span: Span
    cells: tuple[Span, ...]
    outer: int


def _markdown_tables(text: str) -> Iterator[Table]:
    if "|" not in text:
        return
    for run in _runs_of_rows(text):
        start = 0
        while start < len(run) - 1:
            after = _end_of_table(text, run, start)
            if after:
                yield _markdown_table(text, run[start:after])
            start = after or start + 1


def _runs_of_rows(text: str) -> Iterator[list[_Row]]:
    """Neighbouring lines that hold a pipe."""
    run: list[_Row] = []
    broken = False
    for found in _LINE.finditer(text):
        ending = found.group() in ("\n", "\r", "\r\n")
        row = None if ending else _read_row(text, Span(*found.span()))
        if row is None and (broken or not ending) and run:
            yield run
            run = []
        if row:
            run.append(row)
        broken = ending
    if run:
        yield run


def _read_row(text: str, line: Span) -> _Row | None:
    line = _trim(text, line)
    pipes = [found.start() for found in _PIPE.finditer(text, line.start, line.end)]
    if not pipes:
        return None
    edges = [at for at in (line.start - 1, line.end) if at not in (pipes[0] - 1, pipes[-1] + 1)]
    bounds = sorted({*pipes, *edges})
    cells = tuple(_trim(text, Span(left + 1, right)) for left, right in pairwise(bounds))
    return _Row(line, cells, 2 - len(edges)) if cells else None


def _end_of_table(text: str, run: Sequence[_Row], start: int) -> int:
    """Where the table with its header at `start` ends, 0 where none starts."""
    header, second = run[start], run[start + 1]
    framed = header.outer == 2
    ruled = _is_delimiter(text, second) and not _is_delimiter(text, header) and (framed or len(header.cells) > 1)
    unruled = framed and second.outer == 2 and len(header.cells) == len(second.cells) > 1
    if not ruled and (not unruled or _is_delimiter(text, header)):
        return 0
    after = start + 2
    while after < len(run) and not (framed and run[after].outer == 0):
        after += 1
    return after


def _is_delimiter(text: str, row: _Row) -> bool:
    return all(_DELIMITER.fullmatch(cell.of(text)) for cell in row.cells)


def _markdown_table(text: str, rows: Sequence[_Row]) -> Table:
    header, *body = rows
    columns = tuple(_label(cell.of(text)) for cell in header.cells[1:])
    body = [row for row in body if not _is_delimiter(text, row)]
    labels = tuple(_label(row.cells[0].of(text)) for row in body)
    cells = tuple(
        Cell(label, columns[at] if at < len(columns) else "", span.of(text).replace(r"\|", "|"), span)
        for label, row in zip(labels, body, strict=True)
        for at, span in enumerate(row.cells[1:])
    )
    return Table(Span(header.span.start, rows[-1].span.end), columns, labels, cells)


def _label(raw: str) -> str:
    bare = _DECORATION.sub("", raw.replace(r"\|", "|")).strip()
    for mark in "*_":
        if len(bare) > 2 and bare.startswith(mark) and bare.endswith(mark):
            bare = bare[1:-1].strip()
    return bare


# JSON


def _json_tables(value: Value) -> tuple[list[Table], list[Span]]:
    """Tables in a JSON value, with the strings that belong to none."""
    if isinstance(value, Scalar):
        return [], [value.span] if value.is_string else []
    table = _table_of_rows(value) if isinstance(value, Array) else _table_of_objects(value)
    if table:
        return [table], []
    inner: Iterable[Value] = value.items if isinstance(value, Array) else (member for _, member in value.members)
    tables: list[Table] = []
    prose: list[Span] = []
    for found, strings in map(_json_tables, inner):
        tables += found
        prose += strings
    return tables, prose


def _table_of_objects(value: Object) -> Table | None:
    """{"Base price": {"Product A": ..., "Product B": ...}, ...}."""
    rows = [(_label(name), inner.members) for name, inner in value.members if isinstance(inner, Object)]
    return _json_table(value.span, rows) if len(rows) == len(value.members) else None


def _table_of_rows(value: Array) -> Table | None:
    """[{"Attribute": "Base price", "Product A": ...}, ...]: the first name of the first row labels the rows."""
    objects = [item for item in value.items if isinstance(item, Object) and item.members]
    if not objects or len(objects) < len(value.items):
        return None
    corner = objects[0].members[0][0]
    rows = []
    for item in objects:
        labels = [inner.text for name, inner in item.members if name == corner and isinstance(inner, Scalar)]
        members = tuple((name, inner) for name, inner in item.members if name != corner)
        rows.append((_label(labels[0]) if labels else "", members))
    return _json_table(value.span, rows)


def _json_table(span: Span, rows: Sequence[tuple[str, tuple[tuple[str, Value], ...]]]) -> Table | None:
    cells: list[Cell] = []
    for row, members in rows:
        for name, value in members:
            shown = _shown(value)
            if shown is None:
                return None
            cells.append(Cell(row, _label(name), shown, value.span))
    if len(cells) < 2:
        return None
    return Table(span, tuple(dict.fromkeys(cell.column for cell in cells)), tuple(row for row, _ in rows), tuple(cells))


def _shown(value: Value) -> str | None:
    """A scalar as it reads, a list of scalars joined; anything deeper is no cell."""
    if isinstance(value, Scalar):
        return value.text
    items = value.items if isinstance(value, Array) else ()
    texts = [item.text for item in items if isinstance(item, Scalar)]
    return "; ".join(texts) if isinstance(value, Array) and len(texts) == len(items) else None
