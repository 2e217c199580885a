"""Records from a file, a folder or a list: all checked on opening, then streamed as often as wanted."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType

from assay.domain.json import JSON
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files import bounds
from assay.files.columns import Columns
from assay.files.formats import find_format, read_eval_file
from assay.files.json_lines import is_json, read_json, read_json_array, read_json_lines, read_lines
from assay.files.json_values import as_json, describe, fold
from assay.files.place import Place, Row
from assay.files.record_builder import FIELDS, build_record, known_fields
from assay.files.tables import read_parquet, read_table

_AS_NAMED: Mapping[str, str] = MappingProxyType({})
# An input up to this size is read once, so that a run does not depend on the file any more.
_HELD_BYTES = 4_000_000
_HELD_RECORDS = 10_000
# Among spans of a trace, the first few may be those of a web server.
_LOOKED_AT = 50


@dataclass(frozen=True, slots=True)
class InvalidRecord:
    """A record that can't be judged, kept so that it is counted."""

    id: str
    reason: str
    system: str | None = None


@dataclass(frozen=True, slots=True)
class _RowSource:
    """Rows that can be read as often as wanted. In a folder (`is_folder`) a record is named after its file."""

    read: Callable[[], Iterator[Row]]
    path: str | None
    is_small: bool
    is_table: bool = False
    is_folder: bool = False


def open_records(
    path: str | Path | Sequence[Path],
    rubric: Rubric,
    *,
    mapping: Mapping[str, str] = _AS_NAMED,
    skip_invalid: bool = False,
    limit: int | None = None,
) -> "Records":
    """The records of a file or folder. `mapping` names the column that holds a field. `limit` is how many are read.

    Files of other tools (`formats.toml`) are known by their content. Of several files, one for each system, the limit
    is for each: a record that names no system has its file's name.

    Raises InputError for what can't be read, and for the first invalid record unless `skip_invalid`.
    """
    paths = [Path(path)] if isinstance(path, str | Path) else path
    if len({each.stem for each in paths}) < len(paths):
        raise InputError("two files have the same name", remedy="Name each file after its system.")
    wanted = {fold(name) for name in (*known_fields(rubric), *mapping.values())}
    source, *others = (_open_rows(each, wanted) for each in paths)
    if others:
        source, limit = _join([path.stem for path in paths], [source, *others], limit), None
    records = Records(source, rubric, mapping, skip_invalid, limit)
    if not len(records):
        where = "them" if others else "it"
        raise InputError(
            f"there is no record in {where}", path=source.path, remedy="Give a file or folder that holds records."
        )
    return records


def _join(systems: Sequence[str], sources: Sequence[_RowSource], limit: int | None) -> _RowSource:
    if len({each.is_table for each in sources}) > 1:
        raise InputError("tables can't be read together with other files", remedy="Convert them to one format.")

    def read_rows() -> Iterator[Row]:
        for system, source in zip(systems, sources, strict=True):
            for place, row in islice(source.read(), limit):
                is_named = isinstance(row, Mapping) and row.get("system") is not None
                yield place, {**row, "system": system} if isinstance(row, Mapping) and not is_named else row

    return _RowSource(read_rows, None, all(each.is_small for each in sources), sources[0].is_table)


def records_from(
    values: Iterable[Mapping[str, JSON]],
    rubric: Rubric,
    *,
    mapping: Mapping[str, str] = _AS_NAMED,
    skip_invalid: bool = False,
    limit: int | None = None,
    is_table: bool = False,
) -> "Records":
    """The records of a list or an iterator in memory. The cells of a table may hold JSON, as in a file."""
    if isinstance(values, Mapping):
        raise InputError("a single record was given, a list is needed", remedy="Write `[record]`")
    kept = list(islice(values, limit))

    def read_rows() -> Iterator[Row]:
        for number, each in enumerate(kept, start=1):
            place = Place(f"record {number}", None)
            yield place, _as_json(each, place)

    source = _RowSource(read_rows, None, len(kept) <= _HELD_RECORDS, is_table)
    return Records(source, rubric, mapping, skip_invalid, limit)


def _as_json(value: object, place: Place) -> JSON | InputError:
    try:
        return as_json(value)
    except RecursionError:
        return place.fault("the record is nested too deeply", "Flatten it.")
    except InputError as error:
        return place.fault(error.message, error.remedy)


class Records:
    """A small input is read once and held. A large one is read by each pass, with one record in memory at a time."""

    def __init__(
        self, source: _RowSource, rubric: Rubric, mapping: Mapping[str, str], skip_invalid: bool, limit: int | None
    ) -> None:
        if limit is not None and limit < 1:
            raise InputError(f"the limit is {limit}", remedy="Write 1 or more.")
        self._source = source
        self._rubric = rubric
        self._skip_invalid = skip_invalid
        self._limit = limit
        self._unknown: dict[str, None] = {}
        rows = source.read()
        # The first rows of a large input would be too much to hold: they are read twice.
        first = list(islice(rows, _LOOKED_AT)) if source.is_small else []
        found = find_format(first or islice(source.read(), _LOOKED_AT), rubric)
        self._columns = Columns(mapping, rubric, source.path, found, is_table=source.is_table)
        checked = self._scan(chain(first, rows))
        self._held = list(checked) if source.is_small else None
        self._length = sum(1 for _ in checked) if self._held is None else len(self._held)
        if self._length:
            self._columns.check_found()

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Record | InvalidRecord]:
        return self._scan(self._source.read()) if self._held is None else iter(self._held)

    @property
    def unknown_fields(self) -> tuple[str, ...]:
        return tuple(self._unknown)

    @property
    def format(self) -> str | None:
        """What the input was read as, in words; None for records as we define them."""
        return None if self._columns.format is None else self._columns.format.title

    def _scan(self, rows: Iterable[Row]) -> Iterator[Record | InvalidRecord]:
        known = set(known_fields(self._rubric))
        places: dict[tuple[str, str | None], Place] = {}
        records = rows if self._columns.format is None else self._columns.format.read(rows)
        for number, (place, row) in enumerate(islice(records, self._limit), start=1):
            if number > bounds.RECORDS:
                raise bounds.refuse(place, "the records are", "RECORDS", "Split the input")
            default_id = self._name_by_file(place)
            values: Mapping[str, JSON] = {}
            try:
                values = self._columns.arrange(_check_row(row, place), place)
                record = build_record(values, self._rubric, place, default_id=default_id)
                _check_new(record, place, values, default_id, places)
            except InputError as error:
                if not self._skip_invalid:
                    self._columns.check_found(place)
                    raise
                yield _build_invalid(values, place, default_id, error, places)
            else:
                self._unknown.update(dict.fromkeys(name for name in record.inputs if name not in known))
                yield record

    def _name_by_file(self, place: Place) -> str | None:
        """The id of a record that is a whole file of a folder. One of several in a log has none from there."""
        path = Path(place.path or "")
        return path.stem if self._source.is_folder and path.suffix.lower() == ".json" else None


def _check_row(row: JSON | InputError, place: Place) -> Mapping[str, JSON]:
    if isinstance(row, InputError):
        raise row
    if not isinstance(row, Mapping):
        remedy = 'Write an object, such as `{"id": "1", …}`. A file that is one list of them ends in `.json`.'
        raise place.fault(f"the record is {describe(row)}, an object is needed", remedy)
    if len(row) > bounds.COLUMNS:
        what = f"the record has {len(row):,} fields,"
        raise bounds.refuse(place, what, "COLUMNS", "Leave out what the rubric does not use")
    return row


def _check_new(
    record: Record,
    place: Place,
    values: Mapping[str, JSON],
    default_id: str | None,
    places: dict[tuple[str, str | None], Place],
) -> None:
    """Refuses a second record of the same id and system."""
    first = places.setdefault((record.id, record.system), place)
    if first is place:
        return
    if record.id not in {_find_name("id", values), default_id}:
        remedy = "Remove one of the two, or give each an `id`."
        raise place.fault(f"the record is the same as that of {first}", remedy)
    system = f" of the system {record.system!r}" if record.system else ""
    message = f"the id {record.id!r}{system} is already used at {first}"
    raise place.fault(message, "Give each record its own id, or each of its outputs its own `system`.")


def _build_invalid(
    values: Mapping[str, JSON],
    place: Place,
    default_id: str | None,
    error: InputError,
    places: dict[tuple[str, str | None], Place],
) -> InvalidRecord:
    system = _find_name("system", values)
    # Without the folder, which may be given by another path when the run is resumed.
    where = Path(str(place)).name
    name = _find_name("id", values) or default_id or where
    if places.setdefault((name, system), place) is not place:
        name = f"{name} ({where})"
    # The path of the whole input is known; only another file, or a line, has to be named.
    reason = str(error) if place.line is None else str(InputError(error.message, remedy=error.remedy))
    return InvalidRecord(name, reason, system)


def _find_name(name: str, values: Mapping[str, JSON]) -> str | None:
    """The id or system of a record, which may be invalid: at the top, else one level down."""
    objects = (value for key, value in values.items() if isinstance(value, Mapping) and fold(key) not in FIELDS)
    given = (value for each in (values, *objects) for key, value in each.items() if fold(key) == name)
    return next((str(value) for value in given if isinstance(value, str | int) and str(value).strip()), None)


def _open_rows(path: Path, wanted: Collection[str]) -> _RowSource:
    """The format is known by the ending, else by how the file begins. `wanted` are the columns that are used."""
    if path.is_dir():
        return _RowSource(lambda: _read_folder(path), str(path), is_small=False, is_folder=True)
    if not path.exists():
        raise InputError("there is no such file", path=str(path), remedy=_suggest(path))
    if not path.is_file():
        raise InputError("a pipe can be read only once", path=str(path), remedy="Save it to a file first.")
    ending = path.suffix.lower()
    # A few bytes of Parquet or of an archive may be gigabytes of records.
    if ending == ".parquet":
        return _RowSource(lambda: read_parquet(path, wanted), str(path), is_small=False, is_table=True)
    if ending == ".eval":
        return _RowSource(lambda: read_eval_file(path), str(path), is_small=False)
    start = next((line.strip() for _, line in read_lines(path) if line.strip()), None)
    if start is None:
        raise InputError("the file is empty", path=str(path), remedy="Write one record per line.")
    read, is_table = _read_object, False
    if ending in {".jsonl", ".ndjson"} or (
        ending != ".csv" and start.startswith(b"{") and is_json(start.decode("utf-8", "replace"))
    ):
        read = read_json_lines
    elif ending == ".csv" or not start.startswith((b"{", b"[")):
        read, is_table = read_table, True
    elif start.startswith(b"["):
        read = read_json_array
    return _RowSource(lambda: read(path), str(path), path.stat().st_size <= _HELD_BYTES, is_table)


def _suggest(path: Path) -> str:
    names = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    close = get_close_matches(path.name, names, n=1)
    other = "Give the path of a JSON lines, JSON, CSV or Parquet file, or of a folder of JSON files."
    return f"Did you mean `{path.parent / close[0]}`?" if close else other


def _read_folder(folder: Path) -> Iterator[Row]:
    found = [path for path in folder.iterdir() if path.suffix.lower() == ".json" and not path.name.startswith(".")]
    if not found:
        remedy = "Give a folder with one `.json` file per record, or a file of records."
        raise InputError("the folder holds no `.json` files", path=str(folder), remedy=remedy)
    for path in sorted(found, key=lambda path: path.name):
        yield from _read_object(path)


def _read_object(path: Path) -> Iterator[Row]:
    """A whole file that is one record."""
    try:
        value: JSON | InputError = read_json(path)
    except InputError as error:
        value = error
    yield Place(str(path), None), value
