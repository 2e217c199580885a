"""Reads the rows of a Parquet file as JSON would hold them, a few at a time."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from assay.domain.json import JSON
from assay.errors import InputError
from assay.files.json_lines import unreadable
from assay.files.json_values import as_json
from assay.files.place import Place

# Rows may hold whole articles, and only one batch of them is in memory.
_BATCH_ROWS = 64
_BUFFER_BYTES = 1 << 20
_MAGIC = b"PAR1"


def is_parquet(path: Path) -> bool:
    """By its ending, or by the first bytes of the file."""
    if path.suffix.lower() == ".parquet":
        return True
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise unreadable(path, error) from error


def import_arrow() -> tuple[ModuleType, ModuleType]:
    """`pyarrow` and `pyarrow.parquet`, which come with an extra and are loaded by whoever needs them."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        remedy = "Install it with `pip install 'assay[parquet]'`, or use JSON lines or CSV."
        raise InputError("Parquet needs pyarrow", remedy=remedy) from None


def read_parquet(path: Path) -> Iterator[tuple[Place, dict[str, JSON] | InputError]]:
    """Every row under the names of its columns. A text that can't be read is an error in its row's place."""
    arrow, parquet = import_arrow()
    number = 0
    try:
        # Buffered and not read ahead: a row group may be the whole file.
        with parquet.ParquetFile(path, buffer_size=_BUFFER_BYTES, pre_buffer=False) as file:
            _check_names(file.schema_arrow.names, path)
            for batch in file.iter_batches(_BATCH_ROWS, use_threads=False):
                for values in _read_batch(batch):
                    number += 1
                    place = Place(str(path), number, is_row=True)
                    yield place, _read_row(values, place)
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        where = f" past row {number}" if number else ""
        remedy = "Write it anew, or use JSON lines or CSV."
        raise InputError(f"the Parquet can't be read{where}: {_say(error)}", path=str(path), remedy=remedy) from error


def _check_names(names: list[str], path: Path) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        remedy = "Give each column its own name."
        raise InputError(f"two columns are called {twice!r}", path=str(path), remedy=remedy)


def _read_batch(batch: Any) -> Iterator[dict[str, Any] | UnicodeDecodeError]:
    """All rows of a batch at once. One that holds broken text spoils only itself."""
    try:
        yield from batch.to_pylist()
    except UnicodeDecodeError:
        for at in range(batch.num_rows):
            try:
                yield batch.slice(at, 1).to_pylist()[0]
            except UnicodeDecodeError as error:
                yield error


def _read_row(values: dict[str, Any] | UnicodeDecodeError, place: Place) -> dict[str, JSON] | InputError:
    try:
        if isinstance(values, UnicodeDecodeError):
            raise values
        return {name: as_json(_plain(value)) for name, value in values.items()}
    except UnicodeDecodeError as error:
        return place.fault(f"a text is not UTF-8: {error.reason}", "Save it as UTF-8.")


def _plain(value: Any) -> Any:
    """A field that is null in one object of many is a field that this object does not have; a map is an object."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        if value and all(isinstance(each, tuple) for each in value):
            return {str(name): _plain(each) for name, each in value}
        return [_plain(each) for each in value]
    return value.decode("utf-8") if isinstance(value, bytes) else value


def _say(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
