"""Reads people's labels from CSV or JSON lines: each row says which record, which metric, who, and what they said."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from assay.domain.json import JSON
from assay.domain.span import Span
from assay.errors import InputError
from assay.files.json_lines import read_json_lines
from assay.files.json_values import describe, fold, is_absent, is_blank, is_list
from assay.files.place import Place
from assay.files.tables import read_table

_NAMES: Mapping[str, tuple[str, ...]] = {
    "record": ("record", "key", "id"),
    "system": ("system",),
    "metric": ("metric",),
    "part": ("part",),
    "unit": ("unit",),
    "person": ("person", "annotator"),
    "score": ("score",),
    "label": ("label",),
    "run": ("run",),
    "qualifier": ("qualifier",),
    "note": ("note",),
    "moment": ("moment",),
    "drawn_by": ("drawn_by",),
    "probability": ("probability",),
    "span": ("span",),
}
_SPAN = re.compile(r"\[?\s*(\d{1,9})\s*[-–,:]\s*(\d{1,9})\s*\]?")
_COLUMNS = "record, system, metric, unit, person, and label or score"
# Whoever made a file that names nobody.
NOBODY = "unnamed"
_BY_CHANCE = "random"
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class LabelRow:
    """`said` is as it was written; with `is_score` it can only be a number on the metric's scale.

    With `span` the person marks a stretch of the output as wrong under the metric. `probability` is the chance with
    which the record came to be labelled, `drawn_by` the way it was chosen.
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
    span: Span | None = None
    run: str | None = None
    note: str = ""
    moment: datetime | None = None
    drawn_by: str | None = None
    probability: float | None = None

    @property
    def question(self) -> tuple[object, ...]:
        """Nobody answers the same question twice."""
        return self.run, self.record, self.system, self.metric, self.part, self.unit, self.person, self.span

    @property
    def by_chance(self) -> bool | None:
        """False where the record was sought out to be labelled, None where nobody knows."""
        return None if self.drawn_by is None else self.drawn_by == _BY_CHANCE


@dataclass(frozen=True, slots=True)
class LabelFile:
    """`blank` counts rows in which nobody said anything; `others` those that name another run."""

    rows: tuple[LabelRow, ...]
    blank: int = 0
    others: int = 0


def read_label_file(path: Path, run: str | None = None) -> LabelFile:
    """Where a run is named, rows that name another are counted and left out, and those that name none are its own.

    The one reader of people's labels, for `assay agree` and for `assay labels import` alike.
    """
    kept: dict[tuple[object, ...], LabelRow] = {}
    blank = others = 0
    for place, cells in _read_cells(path):
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


def _read_cells(path: Path) -> Iterator[tuple[Place, dict[str, str]]]:
    if path.suffix.casefold() in {".jsonl", ".ndjson"}:
        rows: Iterator[tuple[Place, JSON | InputError]] = read_json_lines(path)
    elif path.suffix.casefold() == ".csv":
        rows = iter(read_table(path))
    else:
        raise InputError("the format can't be told", path=str(path), remedy="Give a .csv or a .jsonl file.")
    for place, row in rows:
        if isinstance(row, InputError):
            raise row
        if not isinstance(row, Mapping):
            raise place.fault(f"the line is {describe(row)}, an object is needed", f"Name {_COLUMNS}.")
        yield place, _name_cells(row, place)


def _name_cells(row: Mapping[str, JSON], place: Place) -> dict[str, str]:
    """Under our names, without what is blank; numbers as text."""
    given = {fold(name): value for name, value in row.items()}
    cells: dict[str, str] = {}
    for name, spellings in _NAMES.items():
        value = next((given[fold(each)] for each in spellings if not is_absent(given.get(fold(each)))), None)
        if name == "span" and is_list(value):
            value = "-".join(str(each) for each in value)
        if isinstance(value, bool) or (value is not None and not isinstance(value, str | int | float)):
            raise place.fault(f"{name} is {describe(value)}, text or a number is needed", f"Name {_COLUMNS}.")
        if value is not None and not is_blank(str(value)):
            cells[name] = str(value) if name == "note" else str(value).strip()
    absent = [name for name in ("record", "metric") if name not in cells]
    if absent:
        raise place.fault(f"there is no {' and no '.join(absent)}", f"Name {_COLUMNS}.")
    if not {"label", "score", "span"} & given.keys():
        raise place.fault("there is neither a label nor a score", f"Name {_COLUMNS}.")
    return cells


def _read_row(cells: Mapping[str, str], place: Place, run: str | None) -> LabelRow | None:
    if "score" in cells and "label" in cells:
        raise place.fault("there are both a label and a score", "Keep one of them in a row.")
    span = _read_span(cells["span"], place) if "span" in cells else None
    said = cells.get("score") or cells.get("label") or ("marked" if span is not None else None)
    if said is None:
        return None
    person = cells.get("person", NOBODY)
    if len(person) > _LONGEST_NAME:
        raise place.fault(f"the name of the person has {len(person)} characters", f"At most {_LONGEST_NAME} will do.")
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
        span=span,
        run=run,
        note=cells.get("note", ""),
        moment=_read_moment(cells.get("moment"), place),
        drawn_by=cells.get("drawn_by"),
        probability=_read_probability(cells.get("probability"), place),
    )


def _read_span(text: str, place: Place) -> Span:
    found = _SPAN.fullmatch(text)
    if found is None or int(found[1]) >= int(found[2]):
        raise place.fault(f"{text!r} is no stretch of the output", "Write its first character and its end: 12-80.")
    return Span(int(found[1]), int(found[2]))


def _read_moment(text: str | None, place: Place) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise place.fault(f"{text!r} is no time", "Write 2026-01-31T12:00:00+00:00.") from None
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _read_probability(text: str | None, place: Place) -> float | None:
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1:
        raise place.fault(f"{text!r} is no probability", "Write a number above 0 and up to 1, or nothing.")
    return value
