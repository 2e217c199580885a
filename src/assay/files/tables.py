"""Reads a CSV table, in which a cell that starts with [ or { is JSON."""

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from assay.domain.json import JSON
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files.json_lines import decode, parse_json, read_lines
from assay.files.json_values import fold, is_blank, is_list
from assay.files.place import Place

_LONGEST_CELL = 2**31 - 1
_NAMES = ("id", "system", "item")
_OTHER_SIGNS = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}
# What spreadsheets write above the header for one another.
_COMMA_HINT = re.compile(r'"?sep=,"?,*+\s*+', re.IGNORECASE)
# A name in quotes may go on in the next line.
_QUOTED = re.compile(r'"[^"]*+(?:"|$)')


def read_table(path: Path) -> Iterator[tuple[Place, dict[str, JSON] | InputError]]:
    """Every row under the names of the header, all cells as text. A row starts at the line of its place."""
    # The limit belongs to the process and is far below an article; the reader can't be told in another way.
    csv.field_size_limit(_LONGEST_CELL)
    lines = (decode(line, Place(str(path), number), offset) for number, offset, line in read_lines(path))
    reader = csv.reader(_refuse_other_signs(lines, path), strict=True)
    header: list[str] = []
    place = Place(str(path), 1)
    try:
        for cells in reader:
            if any(cells) and not header:
                header = _read_header(cells, place)
            elif any(cells):
                yield place, _read_row(header, cells, place)
            place = Place(str(path), reader.line_num + 1)
    except csv.Error as error:
        remedy = 'Put a cell that holds quotes, commas or line breaks in quotes, and double each `"` in it.'
        raise place.fault(f"the row that starts here can't be read ({error})", remedy) from error


def read_cells(values: Mapping[str, JSON], rubric: Rubric, place: Place) -> dict[str, JSON]:
    """A text may well start with [1]: where text is wanted, only a list of texts is read as JSON.

    An empty cell is an absent field, and a blank one where the field is required.
    """
    inputs = {fold(spec.name): spec for spec in rubric.inputs}
    read: dict[str, JSON] = {}
    for name, cell in values.items():
        spec = inputs.get(fold(name))
        if cell == "" and not (spec and spec.required):
            continue
        kind = spec.kind if spec else "facets" if fold(name) == "facets" else None
        is_json = isinstance(cell, str) and cell.lstrip().startswith(("[", "{"))
        if not is_json or kind == "value" or (spec is None and fold(name) in _NAMES):
            read[name] = cell
        elif kind in {None, "text"}:
            read[name] = _parse_if_json(str(cell), only_texts=kind == "text")
        else:
            read[name] = _parse_cell(name, str(cell), place)
    return read


def _refuse_other_signs(lines: Iterator[str], path: Path) -> Iterator[str]:
    """A header with more of another sign than of commas is not guessed at.

    Where columns are parted by semicolons a comma is often the decimal sign, so that scores would be read wrongly.
    """
    is_header = True
    for number, line in enumerate(lines, start=1):
        if is_header and _COMMA_HINT.fullmatch(line):
            yield "\n"
            continue
        if is_header and line.strip():
            is_header = False
            bare = _QUOTED.sub("", line.strip())
            sign = max(_OTHER_SIGNS, key=bare.count)
            if bare.count(sign) > bare.count(","):
                remedy = "Save it with commas between the columns and points in numbers, or as JSON lines."
                raise Place(str(path), number).fault(
                    f"the columns seem to be separated by {_OTHER_SIGNS[sign]}, commas are needed", remedy
                )
        yield line


def _read_header(cells: list[str], place: Place) -> list[str]:
    names = [cell.strip() or f"column {number}" for number, cell in enumerate(cells, start=1)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise place.fault(f"two columns are called {twice!r}", "Give each column its own name.")
    return names


def _read_row(header: list[str], cells: list[str], place: Place) -> dict[str, JSON] | InputError:
    if any(not is_blank(cell) for cell in cells[len(header) :]):
        message = f"the row has {len(cells)} cells, the header has {len(header)}"
        return place.fault(message, "Put a cell that holds commas in quotes.")
    return dict(zip(header, cells, strict=False))


def _parse_if_json(cell: str, *, only_texts: bool) -> JSON:
    try:
        value = parse_json(cell, Place(None, None))
    except InputError:
        return cell
    is_texts = is_list(value) and all(isinstance(each, str) for each in value)
    return value if is_texts or not only_texts else cell


def _parse_cell(name: str, cell: str, place: Place) -> JSON:
    try:
        return parse_json(cell, Place(None, None))
    except InputError as error:
        remedy = f'A cell of {name} that starts with [ or {{ is JSON: write texts and names in double quotes, `["…"]`'
        raise place.fault(f"the cell of {name}: {error.message}", remedy) from error
