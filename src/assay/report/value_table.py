"""Agreement from a table alone: what any judge and people said of the same outputs, with no run behind it."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path

from assay.domain.json import JSON
from assay.errors import InputError
from assay.files.json_lines import read_json_lines
from assay.files.json_values import fold, is_absent, is_blank
from assay.files.place import Place
from assay.files.tables import read_table
from assay.report.agreement_values import Kind
from assay.report.human_words import BAD, GOOD
from assay.report.label_join import Account, Joined, Key, ScoredRecord

_COLUMNS = "record, judge, score or label, and where they are known metric, system, item, domain and person"
# The worst value of a scale, and its best.
Ends = tuple[float, float]
_DIGITS = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBER = re.compile(_DIGITS)
_SCALE = re.compile(rf"\s*({_DIGITS})\s*-\s*({_DIGITS})\s*")


@dataclass(slots=True)
class ValueTable:
    joined: Joined
    kinds: dict[str, Kind] = field(default_factory=dict)


@dataclass(slots=True)
class _Entry:
    judge: float | None
    item: str
    domain: str | None
    people: dict[str, float] = field(default_factory=dict)


def read_value_table(path: Path, ends: Ends = (0.0, 1.0)) -> ValueTable:
    """Numbers lie between `ends` and become goodness; one that does not is refused with its line."""
    entries: dict[str, dict[Key, _Entry]] = {}
    found = ValueTable(Joined())
    account = Account()
    for place, cells in _read_cells(path):
        metric = cells.get("metric", "judge")
        key = (_need(cells, "record", place), cells.get("system"))
        judge = None if "judge" not in cells else _read_number(cells["judge"], ends, place)
        fresh = _Entry(judge, cells.get("item", key[0]), cells.get("domain"))
        entry = entries.setdefault(metric, {}).setdefault(key, fresh)
        if (entry.judge, entry.item, entry.domain) != (fresh.judge, fresh.item, fresh.domain):
            message = f"another row of {key[0]} has another judge, item or domain"
            raise place.fault(message, "Repeat them, or name systems.")
        said = cells.get("score") or cells.get("label")
        if said is None:
            account.blank += 1
            continue
        account.labels += 1
        kind: Kind = "binary" if said.casefold() in (*GOOD, *BAD) else "graded"
        if found.kinds.setdefault(metric, kind) != kind:
            raise place.fault(f"{metric} has numbers and good or bad", "Use one kind for a metric.")
        value = float(said.casefold() in GOOD) if kind == "binary" else _read_number(said, ends, place)
        person = cells.get("person", "unnamed")
        if entry.people.setdefault(person, value) != value:
            raise place.fault(f"{person} has two values for {key[0]}", "Keep one, or name who said it in `person`.")
    account.used = account.labels
    found.joined.account = account
    for metric, rows in entries.items():
        found.joined.records[metric] = [
            ScoredRecord(key, each.item, each.domain, each.judge, each.people) for key, each in rows.items()
        ]
    named = {(person, key) for rows in entries.values() for key, each in rows.items() for person in each.people}
    found.joined.people = dict(Counter(person for person, _ in named))
    return found


def read_ends(text: str) -> Ends:
    """Either may be the larger, and either below 0: `10-0`, `-1-10`."""
    found = _SCALE.fullmatch(text)
    ends = (float(found[1]), float(found[2])) if found is not None else (0.0, 0.0)
    if ends[0] == ends[1] or not isfinite(ends[1] - ends[0]):
        raise InputError(f"--scale {text!r} can't be read", remedy="Write its worst and its best value: --scale 1-5.")
    return ends


def _read_cells(path: Path) -> Iterator[tuple[Place, dict[str, str]]]:
    is_lines = path.suffix.casefold() in {".jsonl", ".ndjson"}
    rows: Iterator[tuple[Place, JSON | InputError]] = read_json_lines(path) if is_lines else iter(read_table(path))
    spelled = {"key": "record", "id": "record", "annotator": "person"}
    for place, row in rows:
        if isinstance(row, InputError):
            raise row
        if not isinstance(row, Mapping):
            raise place.fault("the line is no object", f"Name {_COLUMNS}.")
        named = {fold(name): value for name, value in row.items()}
        yield (
            place,
            {
                spelled.get(name, name): str(value).strip()
                for name, value in named.items()
                if not is_absent(value) and not is_blank(str(value))
            },
        )


def _need(cells: Mapping[str, str], name: str, place: Place) -> str:
    if name not in cells:
        raise place.fault(f"there is no {name}", f"Name {_COLUMNS}.")
    return cells[name]


def _read_number(text: str, ends: Ends, place: Place) -> float:
    value = float(text) if _NUMBER.fullmatch(text) else float("nan")
    low, high = sorted(ends)
    if not low <= value <= high:
        remedy = f"Write a number from {low:g} to {high:g}, or name the scale: --scale 1-5."
        raise place.fault(f"{text!r} does not fit the scale", remedy)
    return round((value - ends[0]) / (ends[1] - ends[0]), 9)
