"""People's labels and preferences as files: CSV out; CSV or JSON lines in, every row checked before one is kept."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from assay.agreement.labels import BAD, GOOD, LabelRow
from assay.domain.json import JSON
from assay.errors import InputError
from assay.files.json_lines import read_json_lines
from assay.files.json_values import describe, fold, is_absent, is_blank
from assay.files.place import Place
from assay.files.tables import guard_cell, read_table, restore_cell
from assay.store.labels import DRAWN_BY, Choice, PersonLabel, Preference

COLUMNS = (
    *("run", "record", "system", "metric", "part", "unit", "person", "label", "score", "qualifier", "note"),
    *("moment", "drawn_by"),
)
_OF_PREFERENCES = ("item", "system_a", "system_b", "winner")
_ALL = (*COLUMNS, *_OF_PREFERENCES)
SPELLINGS: Mapping[str, tuple[str, ...]] = {
    "record": ("record", "key", "id"),
    "person": ("person", "annotator"),
    "system_a": ("system_a", "model_a"),
    "system_b": ("system_b", "model_b"),
    "winner": ("winner", "preference"),
}
# The person of a file that names none.
NOBODY = "unnamed"
_NEEDED = "record, system, metric, unit, person, and label or score"
_NEEDED_OF_PREFERENCES = "item or record, system_a, system_b, winner"
_NEEDED_OF_ANY = f"{_NEEDED}; or {_NEEDED_OF_PREFERENCES}"
_LONGEST_NAME = 100
_WORDS: Mapping[Choice, tuple[str, ...]] = {
    "first": ("a", "left", "first", "system_a", "model_a"),
    "second": ("b", "right", "second", "system_b", "model_b"),
    "tie": ("tie", "equal", "same", "draw", "both", "neither", "tie (bothbad)"),
    "unsure": ("can't tell", "can’t tell", "cannot tell", "unsure", "don't know", "don’t know"),
}
_CHOICES = {word: choice for choice, words in _WORDS.items() for word in words}


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """A preference and where it was written. Where a record is named, its item is the preference's."""

    preference: Preference
    place: Place = Place("the store", None)  # noqa: RUF009  # frozen
    run: str | None = None
    record: str | None = None

    @property
    def question(self) -> tuple[object, ...]:
        """A person answers it once."""
        return self.run, self.record, self.preference.question, self.preference.person


def format_labels(run: str, labels: Iterable[PersonLabel], preferences: Sequence[Preference] = ()) -> Iterator[str]:
    """CSV, one line at a time, which `import_labels` reads back to the same labels and preferences."""
    columns = _ALL if preferences else COLUMNS
    yield _format_line(columns)
    for each in chain[PersonLabel | Preference](labels, preferences):
        cells = {name: getattr(each, name, None) for name in columns} | {"run": run}
        if isinstance(each, Preference):
            # A side, not a name: a system may be called a or tie.
            winner = {"first": "left", "second": "right", "unsure": "can't tell"}.get(each.choice, each.choice)
            cells |= {"system_a": each.first, "system_b": each.second, "winner": winner}
        elif not each.part and each.label not in (*GOOD, *BAD):
            cells |= {"score": each.label, "label": None}
        yield _format_line(cells.values())


def _format_line(cells: Iterable[object]) -> str:
    stream = io.StringIO()
    guarded = (str(guard_cell(_format_cell(cell))) for cell in cells)
    # With this end of a line the module puts cells that hold a carriage return in quotes.
    csv.writer(stream, lineterminator="\r\n").writerow([cell.encode("utf-8", "replace").decode() for cell in guarded])
    return stream.getvalue().removesuffix("\r\n") + "\n"


def _format_cell(cell: object) -> str:
    if isinstance(cell, datetime):
        return cell.isoformat(timespec="microseconds")
    return "" if cell is None else str(cell)


@dataclass(frozen=True, slots=True)
class LabelFile:
    """`blank` counts rows without a label; `others` those of another run."""

    rows: tuple[LabelRow, ...]
    blank: int = 0
    others: int = 0
    preferences: tuple[PreferenceRow, ...] = ()


def read_label_file(path: Path, run: str | None = None) -> LabelFile:
    """Where a run is named, rows of other runs are counted and left out, and rows without a run belong to it."""
    kept: dict[tuple[object, ...], LabelRow | PreferenceRow] = {}
    blank = others = 0
    for place, cells in read_cells(path, _ALL, _NEEDED_OF_ANY, (), frozenset({"label", "score", "winner"})):
        named = cells.get("run", run)
        read = _read_row if cells.keys().isdisjoint(_OF_PREFERENCES[1:]) else _read_preference
        if run is not None and named != run:
            others += 1
        elif (row := read(cells, place, named)) is None:
            blank += 1
        else:
            earlier, said = kept.setdefault(row.question, row), find_answer(row)
            if find_answer(earlier) != said:
                message = f"{earlier.place} has another label for the same question: {find_answer(earlier)!r}"
                raise place.fault(message, "Keep one of the two, or name who said it in a column `person`.")
    labels = tuple(row for row in kept.values() if isinstance(row, LabelRow))
    preferences = tuple(row for row in kept.values() if isinstance(row, PreferenceRow))
    return LabelFile(labels, blank, others, preferences)


def find_answer(row: LabelRow | PreferenceRow) -> str:
    return row.label.label if isinstance(row, LabelRow) else row.preference.winner or row.preference.choice


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
        _require(cells, required, place, columns)
        if one_of and not any(fold(each) in given for name in one_of for each in SPELLINGS.get(name, (name,))):
            raise place.fault("there is neither a label nor a score", f"Name {columns}.")
        yield place, cells


def _require(cells: Mapping[str, str], required: Sequence[str], place: Place, columns: str) -> None:
    absent = [name for name in required if name not in cells]
    if absent:
        raise place.fault(f"there is no {' and no '.join(absent)}", f"Name {columns}.")


def _read_preference(cells: Mapping[str, str], place: Place, run: str | None) -> PreferenceRow | None:
    identifier = "item" if "item" in cells or "record" not in cells else "record"
    _require(cells, (identifier, "system_a", "system_b"), place, _NEEDED_OF_PREFERENCES)
    choice = _read_choice(cells, place)
    if choice is None:
        return None
    preference = Preference(
        *(cells.get("item", ""), cells["system_a"], cells["system_b"], choice, _read_person(cells, place)),
        *(cells.get("metric", ""), cells.get("note", ""), _read_moment(cells.get("moment"), place)),
    )
    return PreferenceRow(preference, place, run, cells["record"] if identifier == "record" else None)


def _read_choice(cells: Mapping[str, str], place: Place) -> Choice | None:
    """What the winner says of the first and the second system; None where the cell is blank."""
    first, second, said = cells["system_a"], cells["system_b"], cells.get("winner")
    if first == second:
        raise place.fault(f"system_a and system_b are both {first!r}", "Name two systems.")
    if said is None:
        return None
    by_name: Choice | None = "first" if said == first else "second" if said == second else None
    by_word = _CHOICES.get(said.casefold())
    if by_name is not None and by_word not in {None, by_name}:
        raise place.fault(f"winner {said!r} is a side and the name of a system", "Rename the systems, or write left.")
    found = by_name or by_word
    if found is None:
        remedy = f"Write {first}, {second}, a, b, left, right, tie or can't tell; or leave it blank."
        raise place.fault(f"winner {said!r} is neither of the two systems", remedy)
    return found


def _read_person(cells: Mapping[str, str], place: Place) -> str:
    person = cells.get("person", NOBODY)
    if len(person) > _LONGEST_NAME:
        raise place.fault(f"the name of the person has {len(person)} characters", f"Use at most {_LONGEST_NAME}.")
    return person


def _read_row(cells: Mapping[str, str], place: Place, run: str | None) -> LabelRow | None:
    _require(cells, ("record", "metric"), place, _NEEDED)
    if "score" in cells and "label" in cells:
        raise place.fault("there are both a label and a score", "Keep one of them in a row.")
    said = cells.get("score") or cells.get("label")
    if said is None:
        return None
    drawn = cells.get("drawn_by")
    drawn_by = next((name for name in DRAWN_BY if name == drawn), None)
    if drawn_by != drawn:
        message = f"{drawn!r} is not a known value of drawn_by"
        raise place.fault(message, f"Write one of: {', '.join(DRAWN_BY)}; or nothing.")
    label = PersonLabel(
        *(cells["record"], cells.get("system"), cells["metric"], cells.get("part", ""), cells.get("unit")),
        *(_read_person(cells, place), said, cells.get("qualifier"), cells.get("note", "")),
        moment=_read_moment(cells.get("moment"), place),
        drawn_by=drawn_by,
    )
    return LabelRow(label, place, run, is_score="score" in cells)


def _read_moment(text: str | None, place: Place) -> datetime:
    try:
        moment = datetime.now(UTC) if text is None else datetime.fromisoformat(text)
    except ValueError:
        raise place.fault(f"{text!r} is not a time", "Write 2026-01-31T12:00:00+00:00.") from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
