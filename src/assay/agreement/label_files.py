"""People's labels as files: CSV out; CSV or JSON lines in, where every row is checked before the first is kept."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from assay.agreement.labels import BAD, GOOD, LabelRow, find_metric, match_label
from assay.domain.json import JSON
from assay.errors import InputError
from assay.files.json_lines import read_json_lines
from assay.files.json_values import describe, fold, is_absent, is_blank
from assay.files.place import Place
from assay.files.rubrics import choose_metrics, read_rubric
from assay.files.tables import guard_cell, read_table, restore_cell
from assay.store.labels import DRAWN_BY, PersonLabel
from assay.store.runs import RunRow
from assay.store.store import Store

COLUMNS = (
    *("run", "record", "system", "metric", "part", "unit", "person", "label", "score", "qualifier", "note"),
    *("moment", "drawn_by", "probability"),
)
SPELLINGS: Mapping[str, tuple[str, ...]] = {"record": ("record", "key", "id"), "person": ("person", "annotator")}
# The person of a file that names none.
NOBODY = "unnamed"
_NEEDED = "record, system, metric, unit, person, and label or score"
_LONGEST_NAME = 100


def format_labels(run: str, labels: Iterable[PersonLabel]) -> Iterator[str]:
    """CSV, one line at a time, which `import_labels` reads back to the same labels."""
    yield _format_line(COLUMNS)
    for each in labels:
        is_score = not each.part and each.label not in (*GOOD, *BAD)
        yield _format_line(
            (
                *(run, each.record, each.system or "", each.metric, each.part, each.unit or "", each.person),
                *(("", each.label) if is_score else (each.label, "")),
                *(each.qualifier or "", each.note, each.moment.isoformat(timespec="microseconds")),
                *(each.drawn_by or "", "" if each.probability is None else repr(each.probability)),
            )
        )


def _format_line(cells: Iterable[str]) -> str:
    stream = io.StringIO()
    guarded = (str(guard_cell(cell)) for cell in cells)
    # With this end of a line the module puts cells that hold a carriage return in quotes.
    csv.writer(stream, lineterminator="\r\n").writerow([cell.encode("utf-8", "replace").decode() for cell in guarded])
    return stream.getvalue().removesuffix("\r\n") + "\n"


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
    for place, cells in read_cells(path, COLUMNS, _NEEDED, ("record", "metric"), frozenset({"label", "score"})):
        if run is not None and cells.get("run", run) != run:
            others += 1
        elif (row := _read_row(cells, place, cells.get("run", run))) is None:
            blank += 1
        else:
            earlier = kept.setdefault(row.question, row)
            if earlier.label.label != row.label.label:
                message = f"{earlier.place} has another label for the same question: {earlier.label.label!r}"
                raise place.fault(message, "Keep one of the two, or name who said it in a column `person`.")
    return LabelFile(tuple(kept.values()), blank, others)


def read_cells(
    path: Path, names: Sequence[str], columns: str, required: Sequence[str], one_of: frozenset[str]
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
        for name in names:
            spellings = map(fold, SPELLINGS.get(name, (name,)))
            value = next((given[each] for each in spellings if not is_absent(given.get(each))), None)
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
    drawn = cells.get("drawn_by")
    drawn_by = next((name for name in DRAWN_BY if name == drawn), None)
    if drawn_by != drawn:
        message = f"{drawn!r} is not a known value of drawn_by"
        raise place.fault(message, f"Write one of: {', '.join(DRAWN_BY)}; or nothing.")
    label = PersonLabel(
        *(cells["record"], cells.get("system"), cells["metric"], cells.get("part", ""), cells.get("unit")),
        *(person, said, cells.get("qualifier"), cells.get("note", "")),
        moment=_read_moment(cells.get("moment"), place),
        drawn_by=drawn_by,
        probability=_read_probability(cells.get("probability"), place),
    )
    return LabelRow(label, place, run, is_score="score" in cells)


def _read_moment(text: str | None, place: Place) -> datetime:
    try:
        moment = datetime.now(UTC) if text is None else datetime.fromisoformat(text)
    except ValueError:
        raise place.fault(f"{text!r} is not a time", "Write 2026-01-31T12:00:00+00:00.") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _read_probability(text: str | None, place: Place) -> float | None:
    try:
        value = None if text is None else float(text)
    except ValueError:
        value = 0.0
    if value is not None and not 0 < value <= 1:
        raise place.fault(f"{text!r} is not a probability", "Write a number above 0 and up to 1, or nothing.")
    return value


@dataclass(frozen=True, slots=True)
class Imported:
    """How many labels each run got, and how many rows were blank."""

    counts: dict[str, int]
    blank: int


def import_labels(store: Store, path: Path, name: str | None = None) -> Imported:
    """Rows that name no run belong to the run `name`; where it is given, rows of other runs are refused."""
    given = None if name is None else store.find_run(name).id
    file = read_label_file(path)
    if not file.rows:
        raise InputError("the file holds no label", path=str(path), remedy="Name record, metric, and label or score.")
    rows: dict[str, list[LabelRow]] = {}
    for row in file.rows:
        if given is not None and row.run not in {None, given}:
            raise row.place.fault(f"this label belongs to the run {row.run}", "Import it into that run.")
        if (run := row.run or given) is None:
            raise row.place.fault("this label names no run", "Fill the column run, or name a `run`.")
        rows.setdefault(run, []).append(row)
    runs = {each: store.find_run(each) for each in rows}
    checked = {runs[each].id: list(_check_rows(store, runs[each], found)) for each, found in rows.items()}
    return Imported({each: store.labels.put(each, labels) for each, labels in checked.items()}, file.blank)


def _check_rows(store: Store, run: RunRow, rows: Sequence[LabelRow]) -> Iterator[PersonLabel]:
    """Checks that the run has the record, the record the unit, and the rubric the label."""
    rubric = choose_metrics(read_rubric(run.rubric_text, f"{run.rubric_id}.md"), run.metrics)
    systems: dict[str, set[str | None]] = {}
    for judged in store.list_judged(run.id):
        systems.setdefault(judged.record, set()).add(judged.system)
    # Rows of one record mostly follow each other: the last card is kept.
    find_card = lru_cache(maxsize=1)(lambda record, system: store.get_record(run.id, record, system, rubric))
    for row in rows:
        try:
            label = match_label(row, find_metric(rubric.metrics, row.label.metric)).label
            label = replace(label, system=_find_system(systems.get(label.record, set()), label, run.id))
        except InputError as error:
            raise row.place.fault(error.message, error.remedy) from None
        card = None if label.unit is None else find_card(label.record, label.system)
        if card is not None and all(unit.id != label.unit for unit in card.outcomes[label.metric].trail.units):
            message = f"{label.record} has no unit {label.unit!r} under {label.metric}"
            raise row.place.fault(message, "Units are those that `assay label` shows.")
        yield label


def _find_system(known: set[str | None], label: PersonLabel, run: str) -> str | None:
    """A row may leave the system out where only one answered the record."""
    if label.system in known:
        return label.system
    if label.system is not None or not known:
        by = f" by {label.system}" if label.system else ""
        raise InputError(f"the run {run} has no record {label.record!r}{by}", remedy="See `assay runs show`.")
    if len(known) > 1:
        names = ", ".join(sorted(str(each) for each in known))
        raise InputError(f"several systems answered {label.record!r}", remedy=f"Write system: {names}")
    return next(iter(known))
