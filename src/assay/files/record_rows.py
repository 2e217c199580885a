"""Finds the rows of a record file or folder, whatever its format, each with its place."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from assay.domain.json import JSON
from assay.errors import InputError
from assay.files.json_arrays import read_json_array
from assay.files.json_lines import parse_json, read_json_lines, read_lines, read_whole
from assay.files.parquet import is_parquet, read_parquet
from assay.files.place import Place
from assay.files.tables import read_table

_LINES = (".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class Row:
    """What stands at one place: an object, some other JSON, or why it can't be read.

    `number` is its line, or its rank where there are no lines. `is_table` says that its values are cells.
    """

    place: Place
    number: int
    values: JSON | InputError
    default_id: str | None = None
    is_table: bool = False


@dataclass(frozen=True, slots=True)
class Rows:
    """`read` starts at the first row each time."""

    path: str | None
    read: Callable[[], Iterator[Row]]


def find_rows(path: Path) -> Rows:
    return Rows(str(path), _find_reader(path))


def _find_reader(path: Path) -> Callable[[], Iterator[Row]]:
    """The format goes by the ending, and where that says little, by how the file begins."""
    if path.is_dir():
        return lambda: _read_folder(path)
    _check_file(path)
    if is_parquet(path):
        return lambda: (_row(place, values, is_table=True) for place, values in read_parquet(path))
    opening = _read_opening(path)
    ending = path.suffix.lower()
    if ending in _LINES:
        return lambda: (_row(place, values) for place, values in read_json_lines(path))
    if ending == ".csv" or not opening.startswith((b"{", b"[")):
        return lambda: (_row(place, values, is_table=True) for place, values in read_table(path))
    if opening.startswith(b"["):
        return lambda: (_row(place, values) for place, values in read_json_array(path))
    if _is_json(opening):
        return lambda: (_row(place, values) for place, values in read_json_lines(path))
    return lambda: iter((_read_object(path, 1),))


def _row(place: Place, values: JSON | InputError, *, is_table: bool = False) -> Row:
    return Row(place, place.line or 1, values, is_table=is_table)


def _check_file(path: Path) -> None:
    if not path.exists():
        raise InputError("there is no such file", path=str(path), remedy=_suggest(path))
    if not path.is_file():
        raise InputError("a pipe can be read only once", path=str(path), remedy="Save it to a file first.")


def _read_opening(path: Path) -> bytes:
    """The first line that is not blank."""
    opening = next((line.strip() for _, _, line in read_lines(path) if line.strip()), None)
    if opening is None:
        raise InputError("the file is empty", path=str(path), remedy="Write one record per line.")
    return opening


def _suggest(path: Path) -> str:
    names = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    close = get_close_matches(path.name, names, n=1)
    other = "Give the path of a JSON lines, JSON, CSV or Parquet file, or of a folder of JSON files."
    return f"Did you mean `{path.parent / close[0]}`?" if close else other


def _is_json(line: bytes) -> bool:
    try:
        parse_json(line, Place(None, None))
    except InputError:
        return False
    return True


def _read_folder(folder: Path) -> Iterator[Row]:
    found = [path for path in folder.iterdir() if path.suffix.lower() == ".json" and not path.name.startswith(".")]
    if not found:
        remedy = "Give a folder with one `.json` file per record, or a file of records."
        raise InputError("the folder holds no `.json` files", path=str(folder), remedy=remedy)
    for number, path in enumerate(sorted(found, key=lambda path: path.name), start=1):
        yield _read_object(path, number, path.stem)


def _read_object(path: Path, number: int, default_id: str | None = None) -> Row:
    """A whole file that is one record."""
    place = Place(str(path), None)
    try:
        return Row(place, number, parse_json(read_whole(path), place), default_id)
    except InputError as error:
        return Row(place, number, error, default_id)
