"""Data frames: their rows as records, and results as pandas, polars or Arrow. None of these packages is needed."""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from assay.domain.json import JSON
from assay.errors import InputError
from assay.report.result import Result

_NUMBERS = ("score", "low", "high", "weakest_support")
_COLUMNS = ("record", "system", "metric", *_NUMBERS, "status", "flags")


def read_rows(records: Any) -> tuple[Iterable[Mapping[str, JSON]], bool]:
    """The rows of polars, Arrow, datasets or pandas, else the iterable itself; and whether they are of a table."""
    if hasattr(records, "to_dicts"):
        return records.to_dicts(), True
    if hasattr(records, "to_pylist"):
        return records.to_pylist(), True
    # A frame of pandas iterates over its columns. A Dataset iterates over its rows, and its `to_dict` returns columns.
    if hasattr(records, "to_dict") and hasattr(records, "columns"):
        return records.to_dict("records"), True
    if isinstance(records, Iterable):
        return records, hasattr(records, "column_names")
    raise InputError("records are neither a path, nor dicts, nor a frame", remedy="Give a list of dicts or a path.")


def build_pandas(results: Iterable[Result]) -> Any:
    columns = _build_columns(results)
    return _load("pandas").DataFrame(columns).astype(dict.fromkeys(_NUMBERS, "float64"))


def build_polars(results: Iterable[Result]) -> Any:
    polars = _load("polars")
    types = {name: polars.Float64 if name in _NUMBERS else polars.String for name in _COLUMNS}
    return polars.DataFrame(_build_columns(results), schema=types)


def build_arrow(results: Iterable[Result]) -> Any:
    arrow = _load("pyarrow")
    types = [(name, arrow.float64() if name in _NUMBERS else arrow.string()) for name in _COLUMNS]
    return arrow.table(_build_columns(results), schema=arrow.schema(types))


def _build_columns(results: Iterable[Result]) -> dict[str, list[object]]:
    """One row per record and metric. Without a verdict there are no numbers."""
    columns: dict[str, list[object]] = {name: [] for name in _COLUMNS}
    for result in results:
        for name, metric in result.metrics.items():
            numbers = (metric.score, *(metric.interval or (None, None)), metric.weakest_support)
            floats = (None if each is None else float(each) for each in numbers)
            row = (result.record, result.system, name, *floats, metric.status, " ".join(metric.flags))
            for column, value in zip(_COLUMNS, row, strict=True):
                columns[column].append(value)
    return columns


def _load(package: str) -> Any:
    try:
        return import_module(package)
    except ModuleNotFoundError:
        remedy = f"Install it with `pip install {package}`, or use rows()."
        raise InputError(f"{package} is not installed", remedy=remedy) from None
