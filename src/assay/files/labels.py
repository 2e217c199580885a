"""Reads people's labels from CSV or JSON lines: one row per record, metric, person and label."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from assay.domain.json import JSON
from assay.errors import InputError
from assay.files.json_lines import read_json_lines
from assay.files.json_values import describe, fold, is_absent, is_blank
from assay.files.place import Place
from assay.files.tables import read_table, restore_cell

_NAMES: Mapping[str, tuple[str, ...]] = {
    "record": ("record", "key", "id"),
    "person": ("person", "annotator"),
    **{name: (name,) for name in ("system", "metric", "part", "unit", "score", "label", "run", "qualifier")},
    **{name: (name,) for name in ("note", "moment", "drawn_by", "probability")},
}
_COLUMNS = "record, system, metric, unit, person, and label or score"
# The person of a file that names none.
NOBODY = "unnamed"
_BY_CHANCE = "random"
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class LabelRow:
    """`said` is as it was written; with `is_score` it can only be a number on the metric's scale.

    `drawn_by` says how the record was chosen for labelling, `probability` with which probability.
    """

    place: Place
    record: str
    system: str | None
    metric: str
    part: str | None
    unit: str | None
    person: str
    said: str
    is_score: bool = False
    qualifier: str | None = None
    run: str | None = None
    note: str = ""
    moment: datetime | None = None
    drawn_by: str | None = None
    probability: float | None = None

    @property
    def question(self) -> tuple[object, ...]:
        """What identifies the label: a person answers a question once."""
        return self.run, self.record, self.system, self.metric, self.part, self.unit, self.person

    @property
    def by_chance(self) -> bool | None:
        """Whether the record was drawn at random; None where it is not known."""
        return None if self.drawn_by is None else self.drawn_by == _BY_CHANCE


@dataclass(frozen=True, slots=True)
class LabelFile:
    """`blank` counts rows without a label; `others` those of another run."""

    rows: tuple[LabelRow, ...]
    blank: int = 0
    others: int = 0


def read_label_file(path: Path, run: str | None = None) -> LabelFile:
    """Where a run is named, rows of other runs are counted and left out, and rows without a run belong to it."""
    kept: dict[tuple[object, ...], LabelRow] = {}
    blank = others = 0
    for place, cells in read_cells(path, _NAMES, _COLUMNS, ("record", "metric"), frozenset({"label", "score"})):
        if run is not None and cells.get("run", run) != run:
            others += 1
            continue
        row = _read_row(cells, place, cells.get("run", run))
        if row is None:
            blank += 1
            continue
        earlier = kept.setdefault(row.question, row)
        if earlier.said != row.said:
            remedy = "Keep one of the two, or name who said it in a column `person`."
            raise place.fault(f"{earlier.place} has another label for the same question: {earlier.said!r}", remedy)
    return LabelFile(tuple(kept.values()), blank, others)


def read_cells(
    path: Path, names: Mapping[str, tuple[str, ...]], columns: str, required: Sequence[str], one_of: frozenset[str]
) -> Iterator[tuple[Place, dict[str, str]]]:
    """The rows of a CSV or JSON lines file under our own names, each with its accepted spellings; blank cells left out.

    Raises InputError where a required cell is absent, or a row has none of the columns `one_of`.
    """
    is_csv = path.suffix.casefold() == ".csv"
    if path.suffix.casefold() in {".jsonl", ".ndjson"}:
        rows: Iterator[tuple[Place, JSON | InputError]] = read_json_lines(path)
    elif is_csv:
        rows = iter(read_table(path))
    else:
        raise InputError("the format is not known", path=str(path), remedy="Give a .csv or a .jsonl file.")
    for place, row in rows:
        if isinstance(row, InputError):
            raise row
        if not isinstance(row, Mapping):
            raise place.fault(f"the line is {describe(row)}, an object is needed", f"Name {columns}.")
        given = {fold(name): restore_cell(value) if is_csv else value for name, value in row.items()}
        cells: dict[str, str] = {}
        for name, spellings in names.items():
            value = next((given[fold(each)] for each in spellings if not is_absent(given.get(fold(each)))), None)
            if isinstance(value, bool) or (value is not None and not isinstance(value, str | int | float)):
                raise place.fault(f"{name} is {describe(value)}, text or a number is needed", f"Name {columns}.")
            if value is not None and not is_blank(str(value)):
                cells[name] = str(value) if name == "note" else str(value).strip()
        absent = [name for name in required if name not in cells]
        if absent:
            raise place.fault(f"there is no {' and no '.join(absent)}", f"Name {columns}.")
        if one_of and not one_of & given.keys():
            raise place.fault("there is neither a label nor a score", f"Name {columns}.")
        yield place, cells


def _read_row(cells: Mapping[str, str], place: Place, run: str | None) -> LabelRow | None:
    if "score" in cells and "label" in cells:
        raise place.fault("there are both a label and a score", "Keep one of them in a row.")
    said = cells.get("score") or cells.get("label")
    if said is None:
        return None
    person = cells.get("person", NOBODY)
    if len(person) > _LONGEST_NAME:
        raise place.fault(f"the name of the person has {len(person)} characters", f"Use at most {_LONGEST_NAME}.")
    return LabelRow(
        place=place,
        record=cells["record"],
        system=cells.get("system"),
        metric=cells["metric"],
        part=cells.get("part"),
        unit=cells.get("unit"),
        person=person,
        said=said,
        is_score="score" in cells,
        qualifier=cells.get("qualifier"),
        run=run,
        note=cells.get("note", ""),
        moment=_read_moment(cells.get("moment"), place),
        drawn_by=cells.get("drawn_by"),
        probability=_read_probability(cells.get("probability"), place),
    )


def _read_moment(text: str | None, place: Place) -> datetime | None:
    try:
        moment = None if text is None else datetime.fromisoformat(text)
    except ValueError:
        raise place.fault(f"{text!r} is not a time", "Write 2026-01-31T12:00:00+00:00.") from None
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _read_probability(text: str | None, place: Place) -> float | None:
    try:
        value = None if text is None else float(text)
    except ValueError:
        value = 0.0
    if value is not None and not 0 < value <= 1:
        raise place.fault(f"{text!r} is not a probability", "Write a number above 0 and up to 1, or nothing.")
    return value
