"""Labels from a file into the store: every row is checked against its run before the first is kept."""

from dataclasses import dataclass, field

from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.serve.label_tables import read_labels
from assay.serve.library import Library
from assay.store.labels import PersonLabel
from assay.store.store import RunRow

_Units = frozenset[tuple[str, str]]


def import_labels(library: Library, text: str, path: str, run: str | None = None) -> dict[str, int]:
    """How many labels each run got. A run that is named counts for rows that name none, and refuses those of others."""
    target = _Target(library, None if run is None else library.store.find_run(run))
    rows: dict[str, list[PersonLabel]] = {}
    for name, label in read_labels(text, path, target.find_rubric, target.check):
        rows.setdefault(target.find_run(name).id, []).append(label)
    return {name: library.store.labels.put(name, labels) for name, labels in rows.items()}


@dataclass(slots=True)
class _Target:
    library: Library
    given: RunRow | None
    runs: dict[str, RunRow] = field(default_factory=dict)
    last: tuple[tuple[str, str, str | None], _Units] | None = None

    def find_run(self, name: str) -> RunRow:
        if self.given is not None and name not in {"", self.given.id}:
            raise InputError(f"this label is of the run {name}", remedy="Import it into that run.")
        if self.given is None and not name:
            raise InputError("this label names no run", remedy="Fill the column `run`, or name a run in the command.")
        if name not in self.runs:
            self.runs[name] = self.given or self.library.store.find_run(name)
        return self.runs[name]

    def find_rubric(self, name: str) -> Rubric:
        return self.library.rubric(self.find_run(name))

    def check(self, name: str, label: PersonLabel) -> None:
        """The record is one of the run's, and the unit one of the record's."""
        key = (self.find_run(name).id, label.record, label.system)
        if self.last is None or self.last[0] != key:
            self.last = (key, self._find_units(self.find_run(name), label))
        if label.unit is not None and (label.metric, label.unit) not in self.last[1]:
            remedy = "Units are those that `assay label` shows."
            raise InputError(f"{label.record} has no unit {label.unit!r} under {label.metric}", remedy=remedy)

    def _find_units(self, run: RunRow, label: PersonLabel) -> _Units:
        position = self.library.store.browser.find_position(run.id, label.record, label.system)
        if position is None:
            by = f" by {label.system}" if label.system else ""
            raise InputError(f"the run {run.id} has no record {label.record!r}{by}", remedy="See `assay runs show`.")
        card = self.library.card(run, position)
        return frozenset((metric, unit.id) for metric, each in card.outcomes.items() for unit in each.trail.units)
