"""Labels from a file into the store: every row is checked against its run before the first is kept."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from assay.agreement.labels import BAD, GOOD, parse_answer
from assay.domain.parts import GradePart, PickPart
from assay.domain.rubric import Metric
from assay.errors import InputError
from assay.files.labels import LabelRow, read_label_file
from assay.serve.library import Library
from assay.serve.questions import read_answer
from assay.store.labels import DRAWN_BY, DrawnBy, PersonLabel
from assay.store.store import RunRow

_Units = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Imported:
    """How many labels each run got, and how many rows said nothing."""

    counts: dict[str, int]
    blank: int


def import_labels(library: Library, path: Path, run: str | None = None) -> Imported:
    """A run that is named counts for rows that name none, and refuses those of others."""
    target = _Target(library, None if run is None else library.store.find_run(run))
    file = read_label_file(path)
    if not file.rows:
        raise InputError("there is no label in it", path=str(path), remedy="Name record, metric, and label or score.")
    labels: dict[str, list[PersonLabel]] = {}
    for row in file.rows:
        try:
            found = target.find_run(row.run)
            labels.setdefault(found.id, []).append(target.read(found, row))
        except InputError as error:
            raise row.place.fault(error.message, error.remedy) from None
    return Imported({name: library.store.labels.put(name, each) for name, each in labels.items()}, file.blank)


@dataclass(slots=True)
class _Target:
    """`last` are the units of the record that was met last: rows of one record mostly follow each other."""

    library: Library
    given: RunRow | None
    runs: dict[str, RunRow] = field(default_factory=dict)
    systems: dict[str, dict[str, set[str | None]]] = field(default_factory=dict)
    last: tuple[tuple[str, str, str | None], _Units] | None = None

    def find_run(self, name: str | None) -> RunRow:
        if self.given is not None:
            if name not in {None, self.given.id}:
                raise InputError(f"this label is of the run {name}", remedy="Import it into that run.")
            return self.given
        if name is None:
            raise InputError("this label names no run", remedy="Fill the column `run`, or name a run with --run.")
        if name not in self.runs:
            self.runs[name] = self.library.store.find_run(name)
        return self.runs[name]

    def read(self, run: RunRow, row: LabelRow) -> PersonLabel:
        """The record is one of the run's, the unit one of the record's, and the word one of the rubric's."""
        metric = self._find_metric(run, row)
        part, said, qualifier = _read_said(row, metric, self.library, run)
        system = self._find_system(run, row)
        if row.unit is not None and (metric.id, row.unit) not in self._find_units(run, row.record, system):
            remedy = "Units are those that `assay label` shows."
            raise InputError(f"{row.record} has no unit {row.unit!r} under {metric.id}", remedy=remedy)
        return PersonLabel(
            record=row.record,
            system=system,
            metric=metric.id,
            part=part,
            unit=row.unit,
            person=row.person,
            label=said,
            qualifier=qualifier,
            note=row.note,
            moment=row.moment or datetime.now(UTC),
            drawn_by=_read_drawn_by(row.drawn_by),
            probability=row.probability,
        )

    def _find_metric(self, run: RunRow, row: LabelRow) -> Metric:
        metrics = {metric.id: metric for metric in self.library.rubric(run).metrics}
        if row.metric not in metrics:
            raise InputError(f"there is no metric {row.metric!r}", remedy=f"Write one of: {', '.join(metrics)}")
        return metrics[row.metric]

    def _find_system(self, run: RunRow, row: LabelRow) -> str | None:
        """A row may leave the system out where only one answered the record."""
        if run.id not in self.systems:
            self.systems[run.id] = {}
            for judged in self.library.store.list_judged(run.id):
                self.systems[run.id].setdefault(judged.record, set()).add(judged.system)
        known = self.systems[run.id].get(row.record, set())
        if row.system in known:
            return row.system
        if row.system is not None or not known:
            by = f" by {row.system}" if row.system else ""
            raise InputError(f"the run {run.id} has no record {row.record!r}{by}", remedy="See `assay runs show`.")
        if len(known) > 1:
            names = ", ".join(sorted(str(each) for each in known))
            raise InputError(f"several systems answered {row.record!r}", remedy=f"Write system: {names}")
        return next(iter(known))

    def _find_units(self, run: RunRow, record: str, system: str | None) -> _Units:
        key = (run.id, record, system)
        if self.last is None or self.last[0] != key:
            position = self.library.store.browser.find_position(*key)
            card = self.library.card(run, -1 if position is None else position)
            units = ((metric, unit.id) for metric, each in card.outcomes.items() for unit in each.trail.units)
            self.last = (key, frozenset(units))
        return self.last[1]


def _read_said(row: LabelRow, metric: Metric, library: Library, run: RunRow) -> tuple[str, str, str | None]:
    """The part that a label answers, the label as it is kept, and its second word.

    No part is a score said outright, or just good or bad: about the metric, and no answer to one of its questions.
    """
    if row.span is not None:
        remedy = "Leave the column `span` out, or hold the file against a run: `assay agree RUN --labels FILE`"
        raise InputError("a marked stretch of the output is not kept with a run", remedy=remedy)
    part = _find_part(row, metric)
    if part:
        key = (metric.id, part, row.unit)
        return part, *read_answer(library.rubric(run), key, row.said, row.qualifier or "")
    word = parse_answer(row, metric)
    if row.qualifier is not None:
        raise InputError(f"{row.qualifier!r} has no place beside {row.said!r}", remedy="Leave the qualifier empty.")
    if word.part is not None:
        return word.part.id, row.said, None
    return "", row.said.casefold() if word.is_good is not None else row.said.replace(",", "."), None


def _find_part(row: LabelRow, metric: Metric) -> str:
    """A table from elsewhere has no parts; where the metric has only one that fits, it is meant."""
    if row.part is not None:
        return row.part
    if row.unit is not None:
        fitting = [part for part in metric.label_parts if row.said in {option.name for option in part.options}]
        parts = [part.id for part in (fitting or metric.label_parts)]
        if len(parts) != 1:
            remedy = f"Write part: {', '.join(parts)}" if parts else "Leave the unit empty, and give a score."
            raise InputError(f"{metric.id} has {len(parts)} parts that this could be", remedy=remedy)
        return parts[0]
    if row.is_score or row.said.casefold() in (*GOOD, *BAD):
        return ""
    asked = [part.id for part in metric.parts if isinstance(part, GradePart | PickPart)]
    # Labels of units alone: a number, or good or bad, may still be said of the whole.
    return asked[0] if len(asked) == 1 else ""


def _read_drawn_by(text: str | None) -> DrawnBy | None:
    found = next((name for name in DRAWN_BY if name == text), None)
    if found is None and text is not None:
        raise InputError(f"{text!r} is no way to draw", remedy=f"Write one of: {', '.join(DRAWN_BY)}; or nothing.")
    return found
