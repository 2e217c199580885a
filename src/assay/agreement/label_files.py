"""People's labels and preferences as files: CSV out; CSV or JSON lines in, every row checked before one is kept."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from math import isfinite
from pathlib import Path

from assay.agreement.join import DIGITS, NO_LABEL, Joined, Kind, LabelledValue
from assay.agreement.labels import BAD, GOOD, LabelRow, LabelRows, PreferenceRow, find_metric, match_label
from assay.agreement.people import Key
from assay.agreement.preferences import JudgedOutput, JudgedOutputs
from assay.domain.json import JSON
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files.json_lines import read_json_lines
from assay.files.json_values import describe, fold, is_absent, is_blank
from assay.files.place import Place
from assay.files.tables import guard_cell, read_table, restore_cell
from assay.runner.run import rubric_of
from assay.store.labels import DRAWN_BY, Choice, PersonLabel, Preference
from assay.store.runs import RunRow
from assay.store.store import Store

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
_OF_VALUES = ("record", "person", "judge", "score", "label", "metric", "system", "item")
_NEEDED_OF_VALUES = "record, judge, score or label, and optionally metric, system, item and person"
_NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_LONGEST_NAME = 100
_WORDS: Mapping[Choice, tuple[str, ...]] = {
    "first": ("a", "left", "first", "system_a", "model_a"),
    "second": ("b", "right", "second", "system_b", "model_b"),
    "tie": ("tie", "equal", "same", "draw", "both", "neither", "tie (bothbad)"),
    "unsure": ("can't tell", "can’t tell", "cannot tell", "unsure", "don't know", "don’t know"),
}
_CHOICES = {word: choice for choice, words in _WORDS.items() for word in words}


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


def read_label_file(path: Path, run: str | None = None) -> LabelRows:
    """Where a run is named, rows of other runs are counted and left out, and rows without a run belong to it."""
    kept: dict[tuple[object, ...], LabelRow | PreferenceRow] = {}
    blank = others = 0
    for place, cells in read_cells(path, _ALL, _NEEDED_OF_ANY):
        named = cells.get("run", run)
        read = _read_row if cells.keys().isdisjoint(_OF_PREFERENCES[1:]) else _read_preference
        if run is not None and named != run:
            others += 1
        elif (row := read(cells, place, named)) is None:
            blank += 1
        else:
            refuse_two_answers(kept.setdefault(row.question, row), row)
    labels = tuple(row for row in kept.values() if isinstance(row, LabelRow))
    preferences = tuple(row for row in kept.values() if isinstance(row, PreferenceRow))
    return LabelRows(labels, blank, others, preferences)


def refuse_two_answers(earlier: LabelRow | PreferenceRow, row: LabelRow | PreferenceRow) -> None:
    if earlier.answer != row.answer:
        message = f"{earlier.place} has another label for the same question: {earlier.answer!r}"
        raise row.place.fault(message, "Keep one of the two, or name the person behind each in a column `person`.")


def read_cells(
    path: Path, names: Sequence[str], columns: str, required: Sequence[str] = ()
) -> Iterator[tuple[Place, dict[str, str]]]:
    """The rows of a CSV or JSON lines file under our own names, each with its accepted spellings; blank cells left out.

    Raises InputError where a required cell is absent.
    """
    is_csv = path.suffix.casefold() == ".csv"
    if path.suffix.casefold() in {".jsonl", ".ndjson"}:
        rows: Iterator[tuple[Place, JSON | InputError]] = read_json_lines(path)
    elif is_csv:
        rows = iter(read_table(path))
    else:
        raise InputError("the file format is unknown", path=str(path), remedy="Give a .csv or a .jsonl file.")
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
        raise place.fault(
            f"winner {said!r} is both a side and the name of a system", "Rename the system, or write left or right."
        )
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
        raise place.fault(message, f"Write one of: {', '.join(DRAWN_BY)}; or leave it empty.")
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


@dataclass(frozen=True, slots=True)
class Imported:
    """How many labels and preferences each run got, and how many rows were blank."""

    counts: dict[str, int]
    blank: int
    preferences: dict[str, int] = field(default_factory=dict)


def import_labels(store: Store, path: Path, name: str | None = None) -> Imported:
    """Rows that name no run belong to the run `name`; where it is given, rows of other runs are refused.

    All rows are checked before one is kept.
    """
    given = None if name is None else store.find_run(name).id
    file = read_label_file(path)
    if not file.rows and not file.preferences:
        raise InputError(
            "the file holds no label", path=str(path), remedy="Give it the columns record, metric, and label or score."
        )
    rows: dict[str, list[LabelRow | PreferenceRow]] = {}
    for row in chain[LabelRow | PreferenceRow](file.rows, file.preferences):
        if given is not None and row.run not in {None, given}:
            raise row.place.fault(f"this label belongs to the run {row.run}", "Import it into that run.")
        if (run := row.run or given) is None:
            raise row.place.fault("this label has no run", "Fill in the column run, or give `run`.")
        rows.setdefault(run, []).append(row)
    checked = {run: list(_check_rows(store, store.find_run(run), found)) for run, found in rows.items()}
    imported = Imported({}, file.blank)
    for run, said in checked.items():
        store.labels.put(run, said)
        for each in said:
            counts = imported.preferences if isinstance(each, Preference) else imported.counts
            counts[run] = counts.get(run, 0) + 1
    return imported


def _check_rows(
    store: Store, run: RunRow, rows: Sequence[LabelRow | PreferenceRow]
) -> Iterator[PersonLabel | Preference]:
    """Checks that the run has the record, the record the unit, and the rubric the label."""
    rubric = rubric_of(run)
    outputs, systems = JudgedOutputs(), dict[str, set[str | None]]()
    for each in store.browser.all(run.id):
        outputs.add(JudgedOutput(each.record, each.system or "", each.item))
        systems.setdefault(each.record, set()).add(each.system)
    kept: dict[tuple[object, ...], PreferenceRow] = {}
    # Rows of one record mostly follow each other: the last card is kept.
    find_card = lru_cache(maxsize=1)(lambda record, system: store.get_record(run.id, record, system, rubric))
    for row in rows:
        try:
            if isinstance(row, PreferenceRow):
                found = _check_preference(row, outputs, run, rubric)
                refuse_two_answers(kept.setdefault(found.question, found), found)
                yield found.preference
                continue
            label = match_label(row, find_metric(rubric.metrics, row.label.metric)).label
            label = replace(label, system=_find_system(systems.get(label.record, set()), label, run.id))
        except InputError as error:
            raise row.place.fault(error.message, error.remedy) from None
        card = None if label.unit is None else find_card(label.record, label.system)
        if card is not None and all(unit.id != label.unit for unit in card.outcomes[label.metric].trail.units):
            message = f"{label.record} has no unit {label.unit!r} under {label.metric}"
            raise row.place.fault(message, "Use the unit ids that `assay label` shows.")
        yield label


def _check_preference(row: PreferenceRow, outputs: JudgedOutputs, run: RunRow, rubric: Rubric) -> PreferenceRow:
    """By its item, on which the run has one output of each system."""
    pair = outputs.find_pair(row)
    if isinstance(pair, str):
        named, systems = row.record or row.preference.item, " and ".join(row.preference.systems)
        raise InputError(f"{named} of {systems}: {pair}", remedy=f"See `assay runs show {run.id}`.")
    if row.preference.metric:
        find_metric(rubric.metrics, row.preference.metric)
    item = pair[0].item
    if any(len(outputs.by_item[item, each.system]) > 1 for each in pair):
        message = f"a system has several outputs on the item {item}, but the store keeps preferences by item"
        raise InputError(message, remedy="Use `assay agree --labels FILE`, which matches them by record.")
    return replace(row, preference=replace(row.preference, item=item), record=None)


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


def read_value_table(path: Path, ends: tuple[float, float] = (0.0, 1.0)) -> Joined:
    """A judge's and people's values from one file, without a run. `ends` are the worst and the best value.

    A number that is not between them is refused with its line.
    """
    values: dict[tuple[str, Key], LabelledValue] = {}
    found = Joined(judge="the column `judge`")
    account = found.account
    for place, cells in read_cells(path, _OF_VALUES, _NEEDED_OF_VALUES, ("record",)):
        metric, key = cells.get("metric", "judge"), (cells["record"], cells.get("system"))
        judge = None if "judge" not in cells else _parse_goodness(cells["judge"], ends, place)
        fresh = LabelledValue(key, cells.get("item", key[0]), judge, {})
        entry = values.setdefault((metric, key), fresh)
        if entry is fresh:
            found.records.setdefault(metric, []).append(fresh)
        elif replace(entry, people={}) != fresh:
            message = f"two rows of {key[0]} have different values of judge or item"
            raise place.fault(message, "Write the same values, or name the system of each row.")
        said = cells.get("score") or cells.get("label")
        if said is None:
            account.rows[NO_LABEL] = account.rows.get(NO_LABEL, 0) + 1
            continue
        account.labels += 1
        kind: Kind = "binary" if said.casefold() in (*GOOD, *BAD) else "graded"
        if found.kinds.setdefault(metric, kind) != kind:
            raise place.fault(
                f"{metric} has both numbers and good/bad labels", "Use one kind of label for each metric."
            )
        value = float(said.casefold() in GOOD) if kind == "binary" else _parse_goodness(said, ends, place)
        person = cells.get("person", NOBODY)
        if entry.people.setdefault(person, value) != value:
            raise place.fault(f"{person} has two values for {key[0]}", "Keep one, or name the person in `person`.")
    account.used = account.labels
    found.people = Counter(who for who, _ in {(who, each.key) for each in values.values() for who in each.people})
    return found


def parse_ends(text: str) -> tuple[float, float]:
    """The worst and the best value of a scale. Either may be the larger, and either below 0: `10-0`, `-1-10`."""
    found = re.fullmatch(rf"\s*({_NUMBER})\s*-\s*({_NUMBER})\s*", text)
    ends = (float(found[1]), float(found[2])) if found is not None else (0.0, 0.0)
    if ends[0] == ends[1] or not isfinite(ends[1] - ends[0]):
        raise InputError(f"--scale {text!r} can't be read", remedy="Write the worst and the best value: --scale 1-5.")
    return ends


def _parse_goodness(text: str, ends: tuple[float, float], place: Place) -> float:
    value = float(text) if re.fullmatch(_NUMBER, text) else float("nan")
    low, high = sorted(ends)
    if not low <= value <= high:
        remedy = f"Write a number from {low:g} to {high:g}, or name the scale: --scale 1-5."
        raise place.fault(f"{text!r} does not fit the scale", remedy)
    return round((value - ends[0]) / (ends[1] - ends[0]), DIGITS)
