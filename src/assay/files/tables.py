"""Reads tables: the rows of CSV and Parquet. Guards cells that are written against formulas."""

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from assay.domain.json import JSON
from assay.errors import InputError
from assay.files import bounds
from assay.files.json_lines import KEEP_ONE, decode, read_lines
from assay.files.json_values import as_json, fold, is_blank
from assay.files.place import Place, Row

_CLOSE_QUOTES = "Close its quotes, or shorten its texts"
_OTHER_SIGNS = (";", "\t", "|")
# Rows may hold whole articles, and one batch of them is in memory at a time.
_BATCH_ROWS = 64
_BUFFER_BYTES = 1 << 20
_VALUE_BYTES = 64
# What converting a value of Arrow raises where Python has no such value. Arrow's own errors are among them.
_UNREADABLE = (ArithmeticError, LookupError, NotImplementedError, ValueError)
_TEXTS = frozenset({"STRING", "JSON", "ENUM", "NONE"})
# A spreadsheet takes a cell that starts so for a formula, some also in full width. Behind an apostrophe it is a text.
_SIGNS = frozenset("=+-@＝＋－＠﹦﹢﹣﹫")
_BREAKS = ("\t", "\r", "\n")
# Letters and symbols that are drawn as nothing.
_UNSEEN = frozenset("\u115f\u1160\u2800\u3164\uffa0")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


def guard_cell(value: object) -> object:
    """A cell of a CSV file that we write: an apostrophe before what a spreadsheet would run, unless it is a number."""
    is_formula = isinstance(value, str) and _is_formula(value) and not _NUMBER.fullmatch(value)
    return f"'{value}" if is_formula else value


def restore_cell(value: JSON) -> JSON:
    """The value that `guard_cell` was given."""
    return value[1:] if isinstance(value, str) and value.startswith("'") and _is_formula(value) else value


def _is_formula(text: str) -> bool:
    """By the first character that is seen: importing may drop white space, control characters and those of no width."""
    first = next((each for each in text if each != "'" and _is_seen(each)), "")
    return first in _SIGNS or text.lstrip("'").startswith(_BREAKS)


def _is_seen(character: str) -> bool:
    is_drawn = character.isprintable() and not character.isspace() and character not in _UNSEEN
    return is_drawn and not unicodedata.category(character).startswith("M")


def read_table(path: Path) -> Iterator[Row]:
    """Every row of a CSV file under the names of the header, all cells as text, with the line it starts in."""
    # The limit is the process's, and far below an article. `csv.reader` takes no limit of its own.
    csv.field_size_limit(2 * bounds.RECORD_BYTES)
    place, size = Place(str(path), 1), 0

    def read_rows() -> Iterator[str]:
        nonlocal size
        for number, line in read_lines(path):
            size += len(line)
            if size > bounds.RECORD_BYTES:
                raise bounds.refuse(place, "the bytes of the row that starts here are", "RECORD_BYTES", _CLOSE_QUOTES)
            yield decode(line, Place(str(path), number))

    reader = csv.reader(read_rows(), strict=True)
    header: list[str] = []
    try:
        for cells in reader:
            size = 0
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
    if len(names) > bounds.COLUMNS:
        raise bounds.refuse(place, f"the table has {len(names):,} columns,", "COLUMNS", "Leave out what is not used")
    twice, count = Counter(names).most_common(1)[0] if names else ("", 0)
    if count > 1:
        raise place.fault(f"two columns are called {twice!r}", "Give each column its own name.")


def _read_csv_row(header: list[str], cells: list[str], place: Place) -> dict[str, JSON] | InputError:
    if any(not is_blank(cell) for cell in cells[len(header) :]):
        message = f"the row has {len(cells)} cells, the header has {len(header)}"
        return place.fault(message, "Put a cell that holds commas in quotes.")
    return dict(zip(header, cells, strict=False))


def import_arrow() -> tuple[ModuleType, ModuleType]:
    """`pyarrow` and `pyarrow.parquet`, which come with an extra."""
    try:
        import_module("pyarrow.compute")
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        remedy = "Install it with `pip install 'assay-judge[parquet]'`, or use JSON lines or CSV."
        raise InputError("Parquet needs pyarrow", remedy=remedy) from None


def read_parquet(path: Path, wanted: Collection[str]) -> Iterator[Row]:
    """Every row under the names of its columns, a few rows in memory at a time.

    A value that Python does not have, such as a date of the year 300,000, is left out; in a `wanted` column it makes
    its row invalid.
    """
    arrow, parquet = import_arrow()
    bounds.check_file(path)
    number = 0
    # Buffered and not read ahead: a row group may be the whole file.
    options = {"buffer_size": _BUFFER_BYTES, "pre_buffer": False}
    try:
        with parquet.ParquetFile(path, **options) as file:
            _check_parquet(file, Place(str(path), None))
            texts = _find_texts(file)
        # A text that many rows repeat is in memory once.
        with parquet.ParquetFile(path, read_dictionary=texts, **options) as file:
            for group in range(file.num_row_groups):
                for batch in file.iter_batches(_BATCH_ROWS, row_groups=[group], use_threads=False):
                    for values in _list_rows(arrow, batch):
                        number += 1
                        place = Place(str(path), number, is_row=True)
                        yield place, _read_parquet_row(values, place, wanted)
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        where = f" past row {number}" if number else ""
        message = (str(error).strip() or type(error).__name__).splitlines()[0]
        remedy = "Write the file again, or use JSON lines or CSV."
        raise InputError(f"the Parquet can't be read{where}: {message}", path=str(path), remedy=remedy) from error


def _check_parquet(file: Any, place: Place) -> None:
    """Checks the sizes in the file's metadata, before anything is decoded."""
    _check_names(file.schema_arrow.names, place)
    found = file.metadata
    groups = [found.row_group(at) for at in range(min(found.num_row_groups, bounds.ROW_GROUPS))]
    largest = max((group.total_byte_size for group in groups), default=0)
    for name, what, count in (
        ("COLUMNS", "columns, nested ones counted", found.num_columns),
        ("RECORDS", "rows", found.num_rows),
        ("CELLS", "cells", found.num_rows * found.num_columns),
        ("ROW_GROUPS", "row groups", found.num_row_groups),
        ("ROW_GROUP_BYTES", "bytes in a row group", largest),
    ):
        if count > getattr(bounds, name):
            raise bounds.refuse(place, f"the file has {count:,} {what},", name, "Split it")


def _find_texts(file: Any) -> list[str]:
    """The columns of texts that are written as a dictionary: each text once, however often it is repeated."""
    groups = [file.metadata.row_group(at) for at in range(file.num_row_groups)]
    found = []
    for at in range(len(file.schema)):
        column = file.schema.column(at)
        encodings = {name for group in groups for name in group.column(at).encodings}
        is_text = column.physical_type == "BYTE_ARRAY" and column.logical_type.type in _TEXTS
        if is_text and encodings & {"PLAIN_DICTIONARY", "RLE_DICTIONARY"}:
            found.append(column.path)
    return found


def _list_rows(arrow: ModuleType, batch: Any) -> Iterator[dict[str, Any] | None]:
    """The rows of a batch; None in the place of a row that is too large to be built."""
    if _measure(arrow, batch) <= bounds.RECORD_BYTES:
        yield from _convert(batch)
        return
    for at in range(len(batch)):
        row = batch.slice(at, 1)
        yield _convert(row)[0] if _measure(arrow, row) <= bounds.RECORD_BYTES else None


def _convert(batch: Any) -> list[dict[str, Any]]:
    """The rows as dicts. A value that can't be converted is its error: the rest of its row can be."""
    try:
        return list(batch.to_pylist())
    except _UNREADABLE:
        pass
    rows: list[dict[str, Any]] = [{} for _ in range(len(batch))]
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        for row, value in zip(rows, column, strict=True):
            try:
                row[name] = value.as_py()
            except _UNREADABLE as error:
                row[name] = error
    return rows


def _measure(arrow: ModuleType, data: Any) -> int:
    """About how many bytes the values of a batch or an array take in Python."""
    if isinstance(data, arrow.RecordBatch):
        return sum(_measure(arrow, column) for column in data.columns)
    own = _VALUE_BYTES * len(data)
    if isinstance(data, arrow.DictionaryArray):
        texts = data.dictionary.cast(arrow.large_binary())
        repeated = arrow.compute.binary_length(texts).take(data.indices)
        return own + int(arrow.compute.sum(repeated).as_py() or 0)
    if isinstance(data, arrow.StructArray):
        return own + sum(_measure(arrow, each) for each in data.flatten())
    if isinstance(data, arrow.MapArray):
        data = arrow.ListArray.from_arrays(
            data.offsets, arrow.StructArray.from_arrays([data.keys, data.items], ["k", "v"])
        )
    if isinstance(data, arrow.ListArray | arrow.LargeListArray | arrow.FixedSizeListArray):
        return own + _measure(arrow, data.flatten())
    return own + int(data.nbytes)


def _read_parquet_row(
    values: dict[str, Any] | None, place: Place, wanted: Collection[str]
) -> dict[str, JSON] | InputError:
    if values is None:
        return bounds.refuse(place, "the bytes of the row are", "RECORD_BYTES", "Shorten its texts")
    read: dict[str, JSON] = {}
    for name, value in values.items():
        try:
            if isinstance(value, Exception):
                raise value
            read[name] = as_json(as_plain(value))
        except InputError as error:
            fault = place.fault(error.message, error.remedy)
        except UnicodeDecodeError as error:
            fault = place.fault(f"a text is not UTF-8: {error.reason}", "Save it as UTF-8.")
        except _UNREADABLE as error:
            fault = place.fault(f"the value of {name} can't be read: {error}", "Write it as text.")
        else:
            continue
        if fold(name) in wanted:
            return fault
    return read


def as_plain(value: Any) -> Any:
    """An Arrow object has every field of its column: a null one was not given. A map is an object."""
    if isinstance(value, dict):
        return {name: as_plain(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        if value and all(isinstance(each, tuple) for each in value):
            twice, count = Counter(str(name) for name, _ in value).most_common(1)[0]
            if count > 1:
                raise InputError(f"the key {twice!r:.80} appears twice in one object", remedy=KEEP_ONE)
            return {str(name): as_plain(each) for name, each in value}
        return [as_plain(each) for each in value]
    return value.decode("utf-8") if isinstance(value, bytes) else value
