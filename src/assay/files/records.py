"""Records from a file, a folder or a list: all checked on opening, then streamed as often as wanted."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import MappingProxyType

from assay.domain.json import JSON
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files.columns import Columns
from assay.files.json_values import as_json, describe, fold
from assay.files.place import Place
from assay.files.record_builder import FIELDS, build_record, known_fields
from assay.files.record_rows import Row, Rows, find_rows
from assay.files.tables import read_cells

_AS_NAMED: Mapping[str, str] = MappingProxyType({})
# Records up to so many characters in all are held from the first pass on; a record takes some beside its texts.
_HELD_CHARACTERS = 8_000_000
_CHARACTERS_AROUND = 2_000


@dataclass(frozen=True, slots=True)
class InvalidRecord:
    """A record that can't be judged, kept so that it is counted. `line` is its rank where there are no lines."""

    id: str
    line: int
    reason: str
    system: str | None = None


@dataclass(slots=True)
class _Survey:
    """What one pass has seen: which records stand where, under which names, and which fields no rubric knows.

    A place that is a line is known by its number; only files of their own need to be remembered.
    """

    numbers: dict[tuple[str, str | None], int] = field(default_factory=dict)
    places: dict[int, str] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)
    unknown: dict[str, None] = field(default_factory=dict)

    def find_first(self, identifier: str, system: str | None, row: Row) -> str | None:
        """Where a record of this id and system was met before; None where this row is the first."""
        if row.place.line is None:
            self.places[row.number] = str(row.place)
        met = len(self.numbers)
        number = self.numbers.setdefault((identifier, system), row.number)
        # Not told by the number: the records of a list may all stand in one line.
        is_first = len(self.numbers) > met
        return None if is_first else self.places.get(number) or str(Place(None, number, row.place.is_row))


def open_records(
    path: str | Path,
    rubric: Rubric,
    *,
    mapping: Mapping[str, str] = _AS_NAMED,
    skip_invalid: bool = False,
    limit: int | None = None,
) -> "Records":
    """`mapping` says which column holds a field. With `limit` only that many records are read, and checked."""
    records = Records(find_rows(Path(path)), rubric, mapping, skip_invalid=skip_invalid, limit=limit)
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
) -> "Records":
    """The records of a list in memory; what an iterator yields is kept, so that it can be read twice."""
    if isinstance(values, Mapping):
        raise InputError("a single record was given, a list is needed", remedy="Write `[record]`")
    kept = list(islice(values, limit))

    def rows() -> Iterator[Row]:
        for number, each in enumerate(kept, start=1):
            place = Place(f"record {number}", None)
            yield Row(place, number, _read_value(each, place))

    return Records(Rows(None, rows), rubric, mapping, skip_invalid=skip_invalid, limit=limit)


def _read_value(value: object, place: Place) -> JSON | InputError:
    """A value in memory may lie in itself, or deeper than any file could be read."""
    try:
        return as_json(value)
    except RecursionError:
        return place.fault("lists and objects lie too deep in each other", "Flatten the record.")
    except InputError as error:
        return place.fault(error.message, error.remedy)


@dataclass(slots=True)
class _Held:
    """What a pass has read, for as long as it is not too much to keep."""

    records: list[Record | InvalidRecord] | None = field(default_factory=list)
    characters: int = 0

    def add(self, record: Record | InvalidRecord) -> None:
        if self.records is None:
            return
        self.characters += _CHARACTERS_AROUND
        if isinstance(record, Record):
            self.characters += len(record.output) + sum(len(source.text) for source in record.sources)
        self.records.append(record)
        if self.characters > _HELD_CHARACTERS:
            self.records = None


class Records:
    """A short input is read once and held. A long one is read anew by each pass: memory then has one record at a time.

    Of every record a hash of its (id, system) is kept.
    """

    def __init__(
        self, rows: Rows, rubric: Rubric, mapping: Mapping[str, str], *, skip_invalid: bool, limit: int | None
    ) -> None:
        if limit is not None and limit < 1:
            raise InputError(f"the limit is {limit}", remedy="Write 1 or more.")
        self._rows = rows
        self._rubric = rubric
        self._columns = Columns(mapping, rubric)
        self._skip_invalid = skip_invalid
        self._limit = limit
        survey, held = _Survey(), _Held()
        self._length = 0
        for record in self._scan(survey):
            self._length += 1
            held.add(record)
        self._held = held.records
        if self._length:
            self._columns.check_found(survey.names, Place(rows.path, None))
        self.unknown_fields: tuple[str, ...] = tuple(survey.unknown)

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Record | InvalidRecord]:
        return iter(self._held) if self._held is not None else self._scan(_Survey())

    def _scan(self, survey: _Survey) -> Iterator[Record | InvalidRecord]:
        known = set(known_fields(self._rubric))
        for row in islice(self._rows.read(), self._limit):
            values: Mapping[str, JSON] = {}
            try:
                values = self._read_fields(row, survey)
                record = build_record(values, self._rubric, row.place, default_id=row.default_id)
                _check_new(record, row, values, survey)
            except InputError as error:
                if not self._skip_invalid:
                    self._columns.check_found(survey.names, row.place, only_required=True)
                    raise
                yield _as_invalid(values, row, error, survey)
            else:
                survey.unknown.update(dict.fromkeys(name for name in record.inputs if name not in known))
                yield record

    def _read_fields(self, row: Row, survey: _Survey) -> Mapping[str, JSON]:
        """The row's values under the names that the mapping gives them, with the cells of a table read."""
        if isinstance(row.values, InputError):
            raise row.values
        if not isinstance(row.values, Mapping):
            remedy = 'Write an object, such as `{"id": "1", …}`. A file that is one list of them ends in `.json`.'
            raise row.place.fault(f"the record is {describe(row.values)}, an object is needed", remedy)
        survey.names.update(dict.fromkeys(self._columns.names_in(row.values)))
        values = self._columns.apply(row.values)
        return read_cells(values, self._rubric, row.place) if row.is_table else values


def _check_new(record: Record, row: Row, values: Mapping[str, JSON], survey: _Survey) -> None:
    where = survey.find_first(record.id, record.system, row)
    if where is None:
        return
    if record.id not in {_find_name("id", values), row.default_id}:
        message = f"the record is the same as that of {where}"
        raise row.place.fault(message, "Remove one of the two, or give each an `id`.")
    system = f" of the system {record.system!r}" if record.system else ""
    message = f"the id {record.id!r}{system} stands at {where} already"
    raise row.place.fault(message, "Give each record its own id, or each of its outputs its own `system`.")


def _as_invalid(values: Mapping[str, JSON], row: Row, error: InputError, survey: _Survey) -> InvalidRecord:
    system = _find_name("system", values)
    # Without the folder, which may be given by another path when the run goes on.
    where = Path(str(row.place)).name
    name = _find_name("id", values) or row.default_id or where
    if survey.find_first(name, system, row) is not None:
        name = f"{name} ({where})"
    # The line is a field of its own; a file of its own, or a line within it, has to be said.
    reason = str(error) if row.place.line is None else str(InputError(error.message, remedy=error.remedy))
    return InvalidRecord(name, row.number, reason, system)


def _find_name(field: str, values: Mapping[str, JSON]) -> str | None:
    """The id or system as far as it can be read: what is asked for may be the very fault of the record."""
    objects = (value for key, value in values.items() if isinstance(value, Mapping) and fold(key) not in FIELDS)
    for each in (values, *objects):
        for key, value in each.items():
            if fold(key) == field and isinstance(value, str | int) and str(value).strip():
                return str(value)
    return None
