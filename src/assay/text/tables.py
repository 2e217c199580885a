"""The tables of a text, in Markdown or in JSON, as labelled cells; the only parser of tables in text."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assay.domain.span import Span
from assay.domain.units import BETWEEN_LABELS


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
        return f"{self.row}{BETWEEN_LABELS}{self.column}"


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


def split_place(place: str) -> Iterator[tuple[str, str]]:
    """The row and the column of a cell's place. A label may hold the sign between them, so every cut is tried."""
    parts = place.split(BETWEEN_LABELS)
    for cut in range(1, len(parts)):
        yield BETWEEN_LABELS.join(parts[:cut]).strip(), BETWEEN_LABELS.join(parts[cut:]).strip()


def text_outside_tables(text: str) -> tuple[Span, ...]:
    """What is left between tables, trimmed; of JSON that holds one, its other strings, such as a verdict beside it."""
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
    for document in _find_json(text) if "{" in text else ():
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

_LINE = re.compile(r"([^\r\n]*)(?:\r\n|[\r\n]|\Z)")
_PIPE = re.compile(r"(?<!\\)\|")
_DELIMITER = re.compile(r":?[-–—]+:?")
_DECORATION = re.compile(r"\*\*|__|`|~~")
_Cells = tuple[Span, ...]


def _markdown_tables(text: str) -> Iterator[Table]:
    """A header, a rule of dashes below it, and all lines with a pipe that follow without a blank one."""
    table: list[_Cells] = []
    before: _Cells = ()
    start = end = 0
    for found in _LINE.finditer(text) if "|" in text else ():
        line = _trim(text, Span(*found.span(1)))
        cells = _split_cells(text, line)
        if table and not cells:
            yield _markdown_table(text, Span(start, end), table)
            table = []
        elif table:
            table.append(cells)
        elif before and cells and _is_rule(text, cells) and not _is_rule(text, before):
            table = [before]
        else:
            start = line.start
        before, end = cells, line.end
    if table:
        yield _markdown_table(text, Span(start, end), table)


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


def _markdown_table(text: str, span: Span, rows: Sequence[_Cells]) -> Table:
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


# JSON

# Deeper nesting is no table. The bound also keeps the search linear: a place in the text is read at most once for every
# container open around it.
_DEEPEST = 8
_START = re.compile(r"\{\s*\"|\[\s*\{")
_STRING = r'"(?:[^"\\\n\r]|\\.)*"'
_TOKEN = re.compile(rf"\s*({_STRING}|[{{\[]|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)")
_KEY = re.compile(rf"\s*({_STRING})\s*:")
_COMMA = re.compile(r"\s*,")
_CLOSING = {"{": re.compile(r"\s*\}"), "[": re.compile(r"\s*\]")}


@dataclass(frozen=True, slots=True)
class _Node:
    """A JSON value. `text` is a scalar as a reader sees it; the span of a string lies inside its quotes.

    `members` are in the order of the text, repeated names included; the items of an array have no names.
    """

    kind: str
    span: Span
    text: str = ""
    members: tuple[tuple[str, "_Node"], ...] = ()

    @property
    def is_scalar(self) -> bool:
        return self.kind not in "{["


def _find_json(text: str) -> Iterator[_Node]:
    """Every outermost object, and every array that starts with an object; a trailing comma is forgiven."""
    position = 0
    while start := _START.search(text, position):
        try:
            node, position = _read_node(text, start.start(), 1)
        except ValueError:
            position = start.start() + 1
        else:
            yield node


def _read_node(text: str, start: int, depth: int) -> tuple[_Node, int]:
    """The value at a place and where it ends; a ValueError where there is none."""
    found = _TOKEN.match(text, start)
    if found is None or depth > _DEEPEST:
        raise ValueError
    sign, (begin, end) = found[1], found.span(1)
    if sign[0] == '"':
        return _Node('"', Span(begin + 1, end - 1), str(json.loads(sign, strict=False))), end
    if sign not in _CLOSING:
        return _Node("0", Span(begin, end), "" if sign == "null" else sign), end
    members: list[tuple[str, _Node]] = []
    while not (closing := _CLOSING[sign].match(text, end)):
        name = ""
        if sign == "{":
            key = _KEY.match(text, end)
            if key is None:
                raise ValueError
            name, end = str(json.loads(key[1], strict=False)), key.end()
        node, end = _read_node(text, end, depth + 1)
        members.append((name, node))
        comma = _COMMA.match(text, end)
        if comma is None and not _CLOSING[sign].match(text, end):
            raise ValueError
        end = comma.end() if comma else end
    return _Node(sign, Span(begin, closing.end()), members=tuple(members)), closing.end()


def _json_tables(node: _Node) -> tuple[list[Table], list[Span]]:
    """Tables in a JSON value, with the strings that belong to none."""
    if node.is_scalar:
        return [], [node.span] if node.kind == '"' else []
    table = _table_of_rows(node) if node.kind == "[" else _table_of_objects(node)
    if table:
        return [table], []
    inner = [_json_tables(member) for _, member in node.members]
    return [table for tables, _ in inner for table in tables], [span for _, prose in inner for span in prose]


def _table_of_objects(node: _Node) -> Table | None:
    """{"Base price": {"Product A": ..., "Product B": ...}, ...}."""
    if any(inner.kind != "{" for _, inner in node.members):
        return None
    return _json_table(node.span, [(_label(name), inner.members) for name, inner in node.members])


def _table_of_rows(node: _Node) -> Table | None:
    """[{"Attribute": "Base price", "Product A": ...}, ...]: the first name of the first row labels the rows."""
    objects = [item for _, item in node.members if item.kind == "{" and item.members]
    if not objects or len(objects) < len(node.members):
        return None
    corner = objects[0].members[0][0]
    rows = []
    for item in objects:
        labels = [inner.text for name, inner in item.members if name == corner and inner.is_scalar]
        rows.append((_label(labels[0]) if labels else "", tuple(each for each in item.members if each[0] != corner)))
    return _json_table(node.span, rows)


def _json_table(span: Span, rows: Sequence[tuple[str, tuple[tuple[str, _Node], ...]]]) -> Table | None:
    """A cell is a scalar or a list of scalars; with anything deeper it is no table."""
    cells: list[Cell] = []
    for row, members in rows:
        for name, node in members:
            items = [node] if node.is_scalar else [item for _, item in node.members]
            if node.kind == "{" or not all(item.is_scalar for item in items):
                return None
            cells.append(Cell(row, _label(name), "; ".join(item.text for item in items), node.span))
    if len(cells) < 2:
        return None
    return Table(span, tuple(dict.fromkeys(cell.column for cell in cells)), tuple(row for row, _ in rows), tuple(cells))
