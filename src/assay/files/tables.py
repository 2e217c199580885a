"""Reads tables: CSV, in which a cell that starts with [ or { is JSON, and Parquet. Guards cells against formulas."""

import csv
import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from assay.domain.json import JSON
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files.json_lines import decode, parse_json, read_lines
from assay.files.json_values import as_json, fold, is_blank, is_list
from assay.files.place import Place

_LONGEST_CELL = 2**31 - 1
_NAMES = ("id", "system", "item")
_OTHER_SIGNS = (";", "\t", "|")
# Rows may hold whole articles, and one batch of them is in memory at a time.
_BATCH_ROWS = 64
_BUFFER_BYTES = 1 << 20
# A spreadsheet takes a cell that starts so for a formula. Behind an apostrophe it is a text.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n]")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def guard_cell(value: object) -> object:
    """A cell of a CSV file that we write: an apostrophe before what a spreadsheet would run, unless it is a number."""
    is_formula = isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value)
    return f"'{value}" if is_formula else value


def restore_cell(value: JSON) -> JSON:
    """The value that `guard_cell` was given."""
    return value[1:] if isinstance(value, str) and value.startswith("'") and _FORMULA.match(value) else value


def read_table(path: Path) -> Iterator[tuple[Place, dict[str, JSON] | InputError]]:
    """Every row of a CSV file under the names of the header, all cells as text, with the line it starts in."""
    # The limit is the process's, and far below an article. `csv.reader` takes no limit of its own.
    csv.field_size_limit(_LONGEST_CELL)
    lines = (decode(line, Place(str(path), number)) for number, line in read_lines(path))
    reader = csv.reader(lines, strict=True)
    header: list[str] = []
    place = Place(str(path), 1)
    try:
        for cells in reader:
            if any(cells) and not header:
                header = _read_header(cells, place)
            elif any(cells):
                yield place, _read_csv_row(header, cells, place)
            place = Place(str(path), reader.line_num + 1)
    except csv.Error as error:
        remedy = 'Separate cells by commas. Put one that holds commas or quotes in quotes, and double each `"` in it.'
        raise place.fault(f"the row that starts here can't be read ({error})", remedy) from error


def _read_header(cells: list[str], place: Place) -> list[str]:
    """The names of the columns; none for the line `sep=,` that spreadsheets write above them."""
    if cells[0].casefold() in {"sep=", "sep=,"} and not any(cells[1:]):
        return []
    # Not read as they are: where semicolons separate the columns, a comma is often the decimal sign.
    if any(sum(cell.count(sign) for cell in cells) >= len(cells) for sign in _OTHER_SIGNS):
        remedy = "Save it with commas between the columns and points in numbers, or as JSON lines."
        raise place.fault("the columns are not separated by commas", remedy)
    names = [cell.strip() or f"column {number}" for number, cell in enumerate(cells, start=1)]
    _check_names(names, place)
    return names


def _check_names(names: list[str], place: Place) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise place.fault(f"two columns are called {twice!r}", "Give each column its own name.")


def _read_csv_row(header: list[str], cells: list[str], place: Place) -> dict[str, JSON] | InputError:
    if any(not is_blank(cell) for cell in cells[len(header) :]):
        message = f"the row has {len(cells)} cells, the header has {len(header)}"
        return place.fault(message, "Put a cell that holds commas in quotes.")
    return dict(zip(header, cells, strict=False))


def parse_cells(values: Mapping[str, JSON], rubric: Rubric, place: Place) -> dict[str, JSON]:
    """The cells of a row, with JSON parsed. An empty cell is an absent field, or a blank one if it is required.

    A text may start with [1]: where text is wanted, only a list of texts is read as JSON.
    """
    inputs = {fold(spec.name): spec for spec in rubric.inputs}
    read: dict[str, JSON] = {}
    for name, cell in values.items():
        spec = inputs.get(fold(name))
        if cell == "" and not (spec and spec.required):
            continue
        kind = spec.kind if spec else "facets" if fold(name) == "facets" else None
        is_text = kind == "value" or (spec is None and fold(name) in _NAMES)
        if is_text or not isinstance(cell, str) or not cell.lstrip().startswith(("[", "{")):
            read[name] = cell
            continue
        try:
            value = parse_json(cell, Place(None, None))
            is_texts = is_list(value) and all(isinstance(each, str) for each in value)
            read[name] = cell if kind == "text" and not is_texts else value
        except InputError as error:
            if kind not in {None, "text"}:
                remedy = f'JSON has double quotes: write `["…"]`. A cell of {name} that starts with [ or {{ is JSON.'
                raise place.fault(f"the cell of {name}: {error.message}", remedy) from error
            read[name] = cell
    return read


def import_arrow() -> tuple[ModuleType, ModuleType]:
    """`pyarrow` and `pyarrow.parquet`, which come with an extra."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        remedy = "Install it with `pip install 'assay[parquet]'`, or use JSON lines or CSV."
        raise InputError("Parquet needs pyarrow", remedy=remedy) from None


def read_parquet(path: Path) -> Iterator[tuple[Place, dict[str, JSON] | InputError]]:
    """Every row under the names of its columns, a few rows in memory at a time."""
    arrow, parquet = import_arrow()
    number = 0
    try:
        # Buffered and not read ahead: a row group may be the whole file.
        with parquet.ParquetFile(path, buffer_size=_BUFFER_BYTES, pre_buffer=False) as file:
            _check_names(file.schema_arrow.names, Place(str(path), None))
            for batch in file.iter_batches(_BATCH_ROWS, use_threads=False):
                for values in batch.to_pylist():
                    number += 1
                    place = Place(str(path), number, is_row=True)
                    yield place, _read_parquet_row(values, place)
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        where = f" past row {number}" if number else ""
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        remedy = "Write it anew, or use JSON lines or CSV."
        raise InputError(f"the Parquet can't be read{where}: {said}", path=str(path), remedy=remedy) from error


def _read_parquet_row(values: dict[str, Any], place: Place) -> dict[str, JSON] | InputError:
    try:
        return {name: as_json(_plain(value)) for name, value in values.items()}
    except UnicodeDecodeError as error:
        return place.fault(f"a text is not UTF-8: {error.reason}", "Save it as UTF-8.")


def _plain(value: Any) -> Any:
    """An Arrow object has every field of its column: a null one was not given. A map is an object."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        if value and all(isinstance(each, tuple) for each in value):
            return {str(name): _plain(each) for name, each in value}
        return [_plain(each) for each in value]
    return value.decode("utf-8") if isinstance(value, bytes) else value
