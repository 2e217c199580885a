"""People's labels as files: CSV out; CSV or JSON lines in, where every row is checked before the first is kept."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from assay.agreement.labels import BAD, GOOD, PersonAnswer, parse_answer
from assay.domain.parts import GradePart, LabelPart, PickPart
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import in_words
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.labels import LabelRow, read_label_file
from assay.files.tables import guard_cell
from assay.store.labels import DRAWN_BY, DrawnBy, PersonLabel
from assay.store.runs import RunRow

COLUMNS = (
    *("run", "record", "system", "metric", "part", "unit", "person", "label", "score", "qualifier", "note"),
    *("moment", "drawn_by", "probability"),
)


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


def find_qualified(part: LabelPart) -> tuple[str, ...]:
    """The labels that take a qualifier: all that count for less than the best."""
    best = part.value(part.best)
    return tuple(option.name for option in part.options if part.value(option.name) < best)


def read_answer(row: LabelRow, metric: Metric) -> PersonAnswer:
    """An answer to one of the rubric's questions, as it is kept: the level is one of the scale, the qualifier known."""
    word = parse_answer(row, metric)
    part = word.part
    if row.unit is not None and not isinstance(part, LabelPart):
        raise row.place.fault(f"{row.part} is about the whole output", "Leave the unit empty.")
    if isinstance(part, GradePart) and word.level is not None and part.scale.round(word.level) != word.level:
        decimals = f"up to {part.scale.decimals} decimals" if part.scale.decimals else "no decimals"
        raise row.place.fault(f"{row.said!r} is not a level of {part.id}", f"Write a number with {decimals}.")
    if row.qualifier:
        if not isinstance(part, LabelPart) or part.qualifier is None or row.said not in find_qualified(part):
            raise row.place.fault(f"{row.qualifier!r} does not go with {row.said!r}", "Leave the qualifier empty.")
        known = [option.name for option in part.qualifier.options]
        if row.qualifier not in known:
            message = f"{row.qualifier!r} is not a {part.qualifier.name}"
            raise row.place.fault(message, f"Write one of: {', '.join(known)}")
    return word


def format_answer(word: PersonAnswer) -> str:
    """The label as it is kept."""
    if isinstance(word.part, GradePart) and word.level is not None:
        return in_words(word.level)
    if word.part is not None:
        return word.row.said
    return word.row.said.casefold() if word.is_good is not None else word.row.said.replace(",", ".")


def find_metric(metrics: Sequence[Metric], name: str) -> Metric:
    for metric in metrics:
        if metric.id == name:
            return metric
    raise InputError(f"there is no metric {name!r}", remedy=f"Write one of: {', '.join(each.id for each in metrics)}")


class LabelTarget(Protocol):
    """What labels are checked against, and where they are kept."""

    def find_run(self, name: str) -> RunRow: ...

    def rubric(self, run: RunRow) -> Rubric: ...

    def systems(self, run: RunRow) -> dict[str, set[str | None]]:
        """The systems that answered each record."""

    def find_card(self, run: RunRow, record: str, system: str | None) -> Scorecard: ...

    def put_labels(self, run: RunRow, labels: Sequence[PersonLabel]) -> int: ...


@dataclass(frozen=True, slots=True)
class Imported:
    """How many labels each run got, and how many rows were blank."""

    counts: dict[str, int]
    blank: int


def import_labels(library: LabelTarget, path: Path, run: str | None = None) -> Imported:
    """Rows that name no run belong to `run`; where it is given, rows of other runs are refused."""
    reader = _RowReader(library, None if run is None else library.find_run(run))
    file = read_label_file(path)
    if not file.rows:
        raise InputError("the file holds no label", path=str(path), remedy="Name record, metric, and label or score.")
    labels: dict[str, list[PersonLabel]] = {}
    for row in file.rows:
        try:
            found = reader.find_run(row.run)
            labels.setdefault(found.id, []).append(reader.read(found, row))
        except InputError as error:
            raise row.place.fault(error.message, error.remedy) from None
    counts = {name: library.put_labels(reader.runs[name], each) for name, each in labels.items()}
    return Imported(counts, file.blank)


@dataclass(slots=True)
class _RowReader:
    """`last` holds the units of the last record: rows of one record mostly follow each other."""

    library: LabelTarget
    given: RunRow | None
    runs: dict[str, RunRow] = field(default_factory=dict)
    systems: dict[str, dict[str, set[str | None]]] = field(default_factory=dict)
    last: tuple[tuple[str, str, str | None], frozenset[tuple[str, str]]] | None = None

    def find_run(self, name: str | None) -> RunRow:
        if self.given is not None:
            if name not in {None, self.given.id}:
                raise InputError(f"this label belongs to the run {name}", remedy="Import it into that run.")
            name = self.given.id
        if name is None:
            raise InputError("this label names no run", remedy="Fill the column run, or name a `run`.")
        if name not in self.runs:
            self.runs[name] = self.given or self.library.find_run(name)
        return self.runs[name]

    def read(self, run: RunRow, row: LabelRow) -> PersonLabel:
        """Checks that the run has the record, the record the unit, and the rubric the label."""
        metric = find_metric(self.library.rubric(run).metrics, row.metric)
        part, said = _read_said(row, metric)
        system = self._find_system(run, row)
        if row.unit is not None and (metric.id, row.unit) not in self._find_units(run, row.record, system):
            remedy = "Units are those that `assay label` shows."
            raise InputError(f"{row.record} has no unit {row.unit!r} under {metric.id}", remedy=remedy)
        return PersonLabel(
            *(row.record, system, metric.id, part, row.unit, row.person, said, row.qualifier or None, row.note),
            moment=row.moment or datetime.now(UTC),
            drawn_by=_read_drawn_by(row.drawn_by),
            probability=row.probability,
        )

    def _find_system(self, run: RunRow, row: LabelRow) -> str | None:
        """A row may leave the system out where only one answered the record."""
        if run.id not in self.systems:
            self.systems[run.id] = self.library.systems(run)
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

    def _find_units(self, run: RunRow, record: str, system: str | None) -> frozenset[tuple[str, str]]:
        key = (run.id, record, system)
        if self.last is None or self.last[0] != key:
            card = self.library.find_card(run, record, system)
            units = ((metric, unit.id) for metric, each in card.outcomes.items() for unit in each.trail.units)
            self.last = (key, frozenset(units))
        return self.last[1]


def _read_said(row: LabelRow, metric: Metric) -> tuple[str, str]:
    """The part that a label answers, and the label as it is kept.

    A score, or just good or bad, is about the metric and answers none of its questions: it has no part. Another label
    of the whole that names no part answers the metric's only question about the whole.
    """
    part = row.part
    if part is None and row.unit is None and not row.is_score and row.said.casefold() not in (*GOOD, *BAD):
        asked = [each.id for each in metric.parts if isinstance(each, GradePart | PickPart)]
        part = asked[0] if len(asked) == 1 else None
    answer = read_answer(replace(row, part=part), metric)
    return answer.part.id if answer.part is not None else "", format_answer(answer)


def _read_drawn_by(text: str | None) -> DrawnBy | None:
    found = next((name for name in DRAWN_BY if name == text), None)
    if found is None and text is not None:
        raise InputError(
            f"{text!r} is not a known value of drawn_by", remedy=f"Write one of: {', '.join(DRAWN_BY)}; or nothing."
        )
    return found
