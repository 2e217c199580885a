"""Records from a file, a folder or a list: all checked on opening, then streamed as often as wanted."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from assay.domain.json import JSON
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files import bounds
from assay.files.formats import find_format
from assay.files.json_lines import is_json, read_json, read_json_array, read_json_lines, read_lines
from assay.files.json_values import as_json, describe, fold
from assay.files.logs import read_eval_file
from assay.files.place import Place, nearest
from assay.files.record_builder import FIELDS, build_record, known_fields
from assay.files.tables import parse_cells, read_parquet, read_table

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
class InputRow:
    """The JSON at one place, or why it can't be read."""

    place: Place
    values: JSON | InputError
    default_id: str | None = None
    is_table: bool = False


_Rows = Callable[[], Iterator[InputRow]]


def open_records(
    path: str | Path,
    rubric: Rubric,
    *,
    mapping: Mapping[str, str] = _AS_NAMED,
    skip_invalid: bool = False,
    limit: int | None = None,
) -> "Records":
    """The records of a file or folder. `mapping` names the column that holds a field. `limit` is how many are read.

    Files of other tools (`formats.toml`) are known by their content.

    Raises InputError for what can't be read, and for the first invalid record unless `skip_invalid`.
    """
    place = Path(path)
    wanted = {fold(name) for name in (*known_fields(rubric), *mapping.values())}
    rows = _find_reader(place, wanted)
    # A few bytes of Parquet may be gigabytes of records.
    is_packed = place.suffix.lower() in {".parquet", ".eval"}
    is_small = place.is_file() and place.stat().st_size <= _HELD_BYTES and not is_packed
    records = Records(rows, rubric, _Columns(mapping, rubric, str(path)), is_small, skip_invalid, limit)
    if not len(records):
        raise InputError("there is no record in it", path=str(path), remedy="Write one record per line.")
    return records


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

    def read_rows() -> Iterator[InputRow]:
        for number, each in enumerate(kept, start=1):
            place = Place(f"record {number}", None)
            yield InputRow(place, _as_json(each, place), is_table=is_table)

    is_small = len(kept) <= _HELD_RECORDS
    return Records(read_rows, rubric, _Columns(mapping, rubric, None), is_small, skip_invalid, limit)


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
        self, read: _Rows, rubric: Rubric, columns: "_Columns", is_small: bool, skip_invalid: bool, limit: int | None
    ) -> None:
        if limit is not None and limit < 1:
            raise InputError(f"the limit is {limit}", remedy="Write 1 or more.")
        self._format = find_format((row.values for row in islice(read(), _LOOKED_AT)), rubric)
        self._read = read
        self._rubric = rubric
        self._columns = columns
        self._skip_invalid = skip_invalid
        self._limit = limit
        self._unknown: dict[str, None] = {}
        self._held = list(self._scan()) if is_small else None
        self._length = sum(1 for _ in self)
        if self._length:
            columns.check_found()

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Record | InvalidRecord]:
        return self._scan() if self._held is None else iter(self._held)

    @property
    def unknown_fields(self) -> tuple[str, ...]:
        return tuple(self._unknown)

    @property
    def format(self) -> str | None:
        """What the input was read as, in words; None for records as we define them."""
        return None if self._format is None else self._format.title

    def _scan(self) -> Iterator[Record | InvalidRecord]:
        known = set(known_fields(self._rubric))
        places: dict[tuple[str, str | None], Place] = {}
        for number, row in enumerate(islice(self._list_rows(), self._limit), start=1):
            if number > bounds.RECORDS:
                raise bounds.refuse(row.place, "the records are", "RECORDS", "Split the input")
            values: Mapping[str, JSON] = {}
            try:
                values = self._find_fields(row)
                record = build_record(values, self._rubric, row.place, default_id=row.default_id)
                _check_new(record, row, values, places)
            except InputError as error:
                if not self._skip_invalid:
                    self._columns.check_found(row.place)
                    raise
                yield _build_invalid(values, row, error, places)
            else:
                self._unknown.update(dict.fromkeys(name for name in record.inputs if name not in known))
                yield record

    def _list_rows(self) -> Iterator[InputRow]:
        if self._format is None or self._format.read is None:
            return self._read()
        return _rows(self._format.read((row.place, row.values) for row in self._read()))

    def _find_fields(self, row: InputRow) -> Mapping[str, JSON]:
        """The row's values under the names that the mapping gives them, with the cells of a table parsed."""
        if isinstance(row.values, InputError):
            raise row.values
        if not isinstance(row.values, Mapping):
            remedy = 'Write an object, such as `{"id": "1", …}`. A file that is one list of them ends in `.json`.'
            raise row.place.fault(f"the record is {describe(row.values)}, an object is needed", remedy)
        if len(row.values) > bounds.COLUMNS:
            what = f"the record has {len(row.values):,} fields,"
            raise bounds.refuse(row.place, what, "COLUMNS", "Leave out what the rubric does not use")
        values = row.values
        if self._format is not None:
            values = self._format.arrange(values, self._rubric, self._columns.mapping, row.place)
        values = self._columns.apply(values)
        return parse_cells(values, self._rubric, row.place) if row.is_table else values


def _check_new(
    record: Record, row: InputRow, values: Mapping[str, JSON], places: dict[tuple[str, str | None], Place]
) -> None:
    first = places.setdefault((record.id, record.system), row.place)
    if first is row.place:
        return
    if record.id not in {_find_name("id", values), row.default_id}:
        remedy = "Remove one of the two, or give each an `id`."
        raise row.place.fault(f"the record is the same as that of {first}", remedy)
    system = f" of the system {record.system!r}" if record.system else ""
    message = f"the id {record.id!r}{system} is already used at {first}"
    raise row.place.fault(message, "Give each record its own id, or each of its outputs its own `system`.")


def _build_invalid(
    values: Mapping[str, JSON], row: InputRow, error: InputError, places: dict[tuple[str, str | None], Place]
) -> InvalidRecord:
    system = _find_name("system", values)
    # Without the folder, which may be given by another path when the run is resumed.
    where = Path(str(row.place)).name
    name = _find_name("id", values) or row.default_id or where
    if places.setdefault((name, system), row.place) is not row.place:
        name = f"{name} ({where})"
    # The path of the whole input is known; only another file, or a line, has to be named.
    reason = str(error) if row.place.line is None else str(InputError(error.message, remedy=error.remedy))
    return InvalidRecord(name, reason, system)


def _find_name(name: str, values: Mapping[str, JSON]) -> str | None:
    """The id or system of a record, which may be invalid: at the top, else one level down."""
    objects = (value for key, value in values.items() if isinstance(value, Mapping) and fold(key) not in FIELDS)
    given = (value for each in (values, *objects) for key, value in each.items() if fold(key) == name)
    return next((str(value) for value in given if isinstance(value, str | int) and str(value).strip()), None)


class _Columns:
    """Which column holds which field. A column that happens to have the name of a mapped field is left out."""

    def __init__(self, mapping: Mapping[str, str], rubric: Rubric, path: str | None) -> None:
        known = {fold(name): name for name in known_fields(rubric)}
        for name in mapping:
            if fold(name) not in known:
                message = f"there is no field {name!r} that a column could be mapped to"
                raise InputError(message, remedy=nearest(name, known.values()))
        self.mapping = mapping
        self._path = path
        self._columns = {known[fold(name)]: column for name, column in mapping.items()}
        self._folded = {fold(column) for column in self._columns.values()}
        self._required = {spec.name for spec in rubric.inputs if spec.required}
        self._seen: dict[str, None] = {}

    def apply(self, values: Mapping[str, JSON]) -> Mapping[str, JSON]:
        """The columns are at the top, or in an object one level down."""
        if not self._columns:
            return values
        for each in (values, *values.values()):
            self._seen.update(dict.fromkeys(each if isinstance(each, Mapping) else ()))
        if not self._folded.isdisjoint(map(fold, values)):
            return self._rename(values)
        return {
            key: self._rename(value) if isinstance(value, Mapping) and fold(key) not in FIELDS else value
            for key, value in values.items()
        }

    def check_found(self, place: Place | None = None) -> None:
        """Refuses a column that no record has: it is a typing mistake, not an absent field.

        At the place of a fault, which the mistake may explain, only the columns of required fields must be there yet.
        """
        seen = set(map(fold, self._seen))
        for name, column in self._columns.items():
            if fold(column) not in seen and (place is None or name in self._required):
                where = place or Place(self._path, None)
                raise where.fault(f"there is no column {column!r}, mapped to {name}", nearest(column, self._seen))

    def _rename(self, values: Mapping[str, JSON]) -> Mapping[str, JSON]:
        held = {fold(key): value for key, value in values.items()}
        taken = {name: held[fold(column)] for name, column in self._columns.items() if fold(column) in held}
        hidden = self._folded | set(map(fold, taken))
        return {**{key: value for key, value in values.items() if fold(key) not in hidden}, **taken}


def _find_reader(path: Path, wanted: Collection[str]) -> _Rows:
    """The format is known by the ending, else by how the file begins. `wanted` are the columns that are used."""
    if path.is_dir():
        return lambda: _read_folder(path)
    if not path.exists():
        raise InputError("there is no such file", path=str(path), remedy=_suggest(path))
    if not path.is_file():
        raise InputError("a pipe can be read only once", path=str(path), remedy="Save it to a file first.")
    ending = path.suffix.lower()
    if ending == ".parquet":
        return lambda: _rows(read_parquet(path, wanted), is_table=True)
    if ending == ".eval":
        return lambda: _rows(read_eval_file(path))
    start = next((line.strip() for _, line in read_lines(path) if line.strip()), None)
    if start is None:
        raise InputError("the file is empty", path=str(path), remedy="Write one record per line.")
    if ending in {".jsonl", ".ndjson"} or (
        ending != ".csv" and start.startswith(b"{") and is_json(start.decode("utf-8", "replace"))
    ):
        return lambda: _rows(read_json_lines(path))
    if ending == ".csv" or not start.startswith((b"{", b"[")):
        return lambda: _rows(read_table(path), is_table=True)
    if start.startswith(b"["):
        return lambda: _rows(read_json_array(path))
    return lambda: iter((_read_object(path),))


def _rows(found: Iterable[tuple[Place, JSON | InputError]], *, is_table: bool = False) -> Iterator[InputRow]:
    return (InputRow(place, values, is_table=is_table) for place, values in found)


def _suggest(path: Path) -> str:
    names = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    close = get_close_matches(path.name, names, n=1)
    other = "Give the path of a JSON lines, JSON, CSV or Parquet file, or of a folder of JSON files."
    return f"Did you mean `{path.parent / close[0]}`?" if close else other


def _read_folder(folder: Path) -> Iterator[InputRow]:
    found = [path for path in folder.iterdir() if path.suffix.lower() == ".json" and not path.name.startswith(".")]
    if not found:
        remedy = "Give a folder with one `.json` file per record, or a file of records."
        raise InputError("the folder holds no `.json` files", path=str(folder), remedy=remedy)
    for path in sorted(found, key=lambda path: path.name):
        yield _read_object(path, path.stem)


def _read_object(path: Path, default_id: str | None = None) -> InputRow:
    """A whole file that is one record."""
    try:
        return InputRow(Place(str(path), None), read_json(path), default_id)
    except InputError as error:
        return InputRow(Place(str(path), None), error, default_id)
