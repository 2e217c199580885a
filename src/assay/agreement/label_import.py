"""Imports people's labels and preferences into a store, where every row is checked before the first is kept."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from assay.agreement.label_files import PreferenceRow, find_answer, read_label_file
from assay.agreement.labels import LabelRow, find_metric, match_label
from assay.agreement.preferences import JudgedOutput, JudgedOutputs
from assay.errors import InputError
from assay.files.rubrics import choose_metrics, read_rubric
from assay.store.labels import PersonLabel, Preference
from assay.store.runs import RunRow
from assay.store.store import Store

AnyRow = TypeVar("AnyRow", LabelRow, PreferenceRow)


@dataclass(frozen=True, slots=True)
class Imported:
    """How many labels and preferences each run got, and how many rows were blank."""

    counts: dict[str, int]
    blank: int
    preferences: dict[str, int] = field(default_factory=dict)


def import_labels(store: Store, path: Path, name: str | None = None) -> Imported:
    """Rows that name no run belong to the run `name`; where it is given, rows of other runs are refused."""
    given = None if name is None else store.find_run(name).id
    file = read_label_file(path)
    if not file.rows and not file.preferences:
        raise InputError("the file holds no label", path=str(path), remedy="Name record, metric, and label or score.")
    rows = _group_by_run(store, file.rows, given)
    preferred = _group_by_run(store, file.preferences, given)
    # All are checked before one is kept.
    checked = [(run.id, list(_check_rows(store, run, found))) for run, found in rows]
    matched = [(run.id, list(_check_preferences(store, run, found))) for run, found in preferred]
    return Imported(
        {run: store.labels.put(run, labels) for run, labels in checked},
        file.blank,
        {run: store.labels.put(run, preferences) for run, preferences in matched},
    )


def _group_by_run(store: Store, rows: Iterable[AnyRow], given: str | None) -> list[tuple[RunRow, list[AnyRow]]]:
    found: dict[str, list[AnyRow]] = {}
    for row in rows:
        if given is not None and row.run not in {None, given}:
            raise row.place.fault(f"this label belongs to the run {row.run}", "Import it into that run.")
        if (run := row.run or given) is None:
            raise row.place.fault("this label names no run", "Fill the column run, or name a `run`.")
        found.setdefault(run, []).append(row)
    return [(store.find_run(run), own) for run, own in found.items()]


def _check_preferences(store: Store, run: RunRow, rows: Sequence[PreferenceRow]) -> Iterator[Preference]:
    """Checks that the run has one output of each system on the item, and the rubric the metric."""
    rubric, outputs = choose_metrics(read_rubric(run.rubric_text, f"{run.rubric_id}.md"), run.metrics), JudgedOutputs()
    for each in store.browser.all(run.id):
        outputs.add(JudgedOutput(each.record, each.system or "", each.item))
    kept: dict[tuple[object, ...], PreferenceRow] = {}
    for row in rows:
        pair, metric = outputs.find_pair(row), row.preference.metric
        if isinstance(pair, str):
            named, systems = row.record or row.preference.item, " and ".join(row.preference.systems)
            raise row.place.fault(f"{named} of {systems}: {pair}", f"See `assay runs show {run.id}`.")
        if metric:
            try:
                find_metric(rubric.metrics, metric)
            except InputError as error:
                raise row.place.fault(error.message, error.remedy) from None
        item = pair[0].item
        if any(len(outputs.by_item[item, each.system]) > 1 for each in pair):
            message = f"a system has several outputs on the item {item}, and a preference is kept by item"
            raise row.place.fault(message, "Measure with `assay agree --labels FILE`, which finds them by record.")
        found = replace(row, preference=replace(row.preference, item=item), record=None)
        earlier = kept.setdefault(found.question, found)
        if find_answer(earlier) != find_answer(found):
            message = f"{earlier.place} has another winner for the same outputs: {find_answer(earlier)!r}"
            raise row.place.fault(message, "Keep one of the two, or name who said it in a column `person`.")
        yield found.preference


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
