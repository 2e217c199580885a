"""What people say about a run's records: one word per person and question, beside what the judges said."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from assay.errors import InputError
from assay.store.codec import to_cell
from assay.store.digests import COLUMNS, INTACT, changing_runs, insert, transaction
from assay.store.faults import reading, require_intact

DrawnBy = Literal["disagreement", "uncertainty", "random"]
DRAWN_BY: tuple[DrawnBy, ...] = ("disagreement", "uncertainty", "random")
# The person of labels on which people agreed after they had disagreed.
ADJUDICATED = "adjudicated"

# The first four say what a label is about.
_COLUMNS = ("metric", "part", "unit", "author", "label", "qualifier", "note", "moment", "drawn_by")
# What else a row of the table has that a person's label does not say.
_FIXED = {"is_person": 1, "sample": 0, "place": 0, "by": "person", "suspicion": "", "details": "{}"}
_PUT = insert("labels", "(run, author, card, metric, part, ifnull(unit, 0)) WHERE is_person = 1")
_COUNT = (
    "UPDATE runs SET labels = (SELECT count(*) FROM labels WHERE run = runs.number AND is_person = 1) WHERE number = ?"
)


@dataclass(frozen=True, slots=True)
class PersonLabel:
    """A person's label of a unit, or with no unit a grade or a pick: about what, which word, and how it came up."""

    record: str
    system: str | None
    metric: str
    part: str
    unit: str | None
    person: str
    label: str
    qualifier: str | None = None
    note: str = ""
    moment: datetime = field(default_factory=lambda: datetime.now(UTC))
    drawn_by: DrawnBy | None = None

    @property
    def question(self) -> tuple[str, str, str | None]:
        return self.metric, self.part, self.unit


@dataclass(frozen=True, slots=True)
class Labels:
    """The people's side of one store."""

    read: Callable[..., list[Any]]
    number: Callable[[str], int]
    alone: Callable[[], AbstractContextManager[sqlite3.Connection]]

    def put(self, run: str, labels: Iterable[PersonLabel]) -> int:
        """All of them or none; each takes the place of what its person said before about the same."""
        number, count = self.number(run), 0
        with self.alone() as connection, changing_runs(connection, [number]):
            for label in labels:
                _write(connection, number, label)
                count += 1
            connection.execute(_COUNT, (number,))
        return count

    def withdraw(self, run: str, label: PersonLabel) -> None:
        """The question is open again for the label's person."""
        number = self.number(run)
        with self.alone() as connection, changing_runs(connection, [number]):
            connection.execute(
                "DELETE FROM labels WHERE run = ? AND card = ? AND metric = ? AND part = ? AND unit IS ?"
                " AND author = ? AND is_person = 1",
                (number, _find_card(connection, number, label), *map(to_cell, (*label.question, label.person))),
            )
            connection.execute(_COUNT, (number,))

    def finish(self, run: str, person: str) -> None:
        """The person says that their labels are complete."""
        values = (self.number(run), to_cell(person), datetime.now(UTC).isoformat(timespec="microseconds"))
        with self.alone() as connection, transaction(connection):
            connection.execute("INSERT OR IGNORE INTO finished_people VALUES (?, ?, ?)", values)

    def resume(self, run: str, person: str) -> None:
        """Takes `finish` back, unless somebody else has finished too: each may have seen the other's labels by then."""
        with self.alone() as connection, transaction(connection):
            connection.execute(
                "DELETE FROM finished_people WHERE run = ?1 AND person = ?2"
                " AND (SELECT count(*) FROM finished_people WHERE run = ?1) = 1",
                (self.number(run), to_cell(person)),
            )

    def finished(self, run: str) -> tuple[str, ...]:
        """Those who said so, by name."""
        rows = self.read("SELECT person FROM finished_people WHERE run = ? ORDER BY person", self.number(run))
        return tuple(person for (person,) in rows)

    def all(self, run: str, *, person: str | None = None) -> tuple[PersonLabel, ...]:
        """By the records' place in the run, then by person and question."""
        return self._select(run, "author = ifnull(?, author)", person)

    def of_record(self, run: str, person: str, record: str, system: str | None) -> tuple[PersonLabel, ...]:
        return self._select(
            run, "author = ? AND e.record_id = ? AND ifnull(e.system, 0) = ifnull(?, 0)", *(person, record, system)
        )

    def people(self, run: str) -> tuple[tuple[str, int], ...]:
        """Who has labelled, and how many records."""
        rows = self.read(
            "SELECT author, count(DISTINCT card) FROM labels WHERE run = ? AND is_person = 1"
            " GROUP BY author ORDER BY author",
            self.number(run),
        )
        return tuple(rows)

    def _select(self, run: str, condition: str, *values: object) -> tuple[PersonLabel, ...]:
        rows = self.read(
            f"SELECT {INTACT['labels']}, e.record_id, e.system, {', '.join(_COLUMNS)}"  # noqa: S608  # fragments of ours
            " FROM labels JOIN cards e ON e.number = labels.card"
            f" WHERE labels.run = ? AND is_person = 1 AND {condition}"
            " ORDER BY e.position, author, metric, part, labels.number",
            *(self.number(run), *values),
        )
        return tuple(_build(row) for row in rows)


def _write(connection: sqlite3.Connection, run: int, label: PersonLabel) -> None:
    texts = (*label.question, label.person, label.label, label.qualifier, label.note)
    moment = label.moment.astimezone(UTC).isoformat(timespec="microseconds")
    cells = (*map(to_cell, texts), moment, label.drawn_by)
    kind = "grade" if label.unit is None else "label"
    row = dict(zip(_COLUMNS, cells, strict=True)) | _FIXED
    row |= {"run": run, "card": _find_card(connection, run, label), "kind": kind}
    connection.execute(_PUT, [row.get(name) for name in COLUMNS["labels"]])


def _find_card(connection: sqlite3.Connection, run: int, label: PersonLabel) -> int:
    found = connection.execute(
        "SELECT number FROM cards WHERE run = ? AND record_id = ? AND ifnull(system, 0) = ifnull(?, 0)",
        (run, to_cell(label.record), to_cell(label.system)),
    ).fetchall()
    if not found:
        by = f" by {label.system}" if label.system else ""
        raise InputError(f"the run has no record {label.record!r}{by}", remedy="See `assay runs show RUN`.")
    return int(found[0][0])


def _build(row: Sequence[Any]) -> PersonLabel:
    texts: list[Any]
    intact, *texts, moment, drawn_by = row
    with reading(f"label of {texts[0]!r:.80} by {texts[5]!r:.80}"):
        require_intact(intact)
        texts += datetime.fromisoformat(moment), drawn_by
        return PersonLabel(*texts)
