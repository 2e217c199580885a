"""What people say about a run: labels beside what the judges said, and which of two outputs they prefer.

Of each person one answer is kept per question.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from assay.errors import InputError
from assay.store.codec import to_cell
from assay.store.database import Database
from assay.store.digests import INTACT, insert, order_cells, transaction
from assay.store.faults import reading, require_intact
from assay.store.runs import format_time

DrawnBy = Literal["disagreement", "uncertainty", "random"]
DRAWN_BY: tuple[DrawnBy, ...] = ("disagreement", "uncertainty", "random")
# The person of labels on which people agreed after they had disagreed.
ADJUDICATED = "adjudicated"
Choice = Literal["first", "second", "tie", "unsure"]
CHOICES: tuple[Choice, ...] = ("first", "second", "tie", "unsure")

# The first four say what a label is about.
_COLUMNS = ("metric", "part", "unit", "author", "label", "qualifier", "note", "moment", "drawn_by")
_OF_PREFERENCES = ("item", "first", "second", "choice", "person", "metric", "note", "moment")
# What else a row of the table has that a person's label does not say.
_FIXED = {"is_person": 1, "sample": 0, "place": 0, "by": "person", "suspicion": "", "details": "{}"}
_PUT = insert("labels", "(run, author, card, metric, part, ifnull(unit, 0)) WHERE is_person = 1")
_PUT_PREFERENCE = insert("preferences", "(run, person, item, metric, min(first, second), max(first, second))")
_COUNT = (
    "UPDATE runs SET labels = (SELECT count(*) FROM labels WHERE run = runs.number AND is_person = 1),"
    " preferences = (SELECT count(*) FROM preferences WHERE run = runs.number) WHERE number = ?"
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
class Preference:
    """Which of two outputs on an item is better, under a metric, or with metric '' as a whole.

    `first` and `second` are the systems in the order in which the person saw them: left and right. A record without a
    system has the system ''. `unsure` is "can't tell": it says nothing of either, where `tie` says that both are alike.
    """

    item: str
    first: str
    second: str
    choice: Choice
    person: str
    metric: str = ""
    note: str = ""
    moment: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def systems(self) -> tuple[str, str]:
        """Both, in one order however they were shown."""
        return (self.first, self.second) if self.first <= self.second else (self.second, self.first)

    @property
    def question(self) -> tuple[str, tuple[str, str], str]:
        """A person answers it once: item, systems, metric."""
        return self.item, self.systems, self.metric

    @property
    def winner(self) -> str | None:
        """The better system; None where neither is."""
        return self.first if self.choice == "first" else self.second if self.choice == "second" else None

    def share(self, system: str) -> float | None:
        """1 where this system of the two wins, 0 where it loses, 0.5 for a tie, None for can't tell."""
        if self.choice == "unsure":
            return None
        return 0.5 if self.winner is None else float(self.winner == system)


@dataclass(frozen=True, slots=True)
class Labels:
    """The people's side of one store."""

    database: Database

    def put(self, run: str, said: Iterable[PersonLabel | Preference]) -> int:
        """All of them or none; each takes the place of what its person said before about the same.

        Raises InputError where the run has no such record, or no output of a preferred system on the item.
        """
        count = 0
        with self.database.changing(run) as (connection, number):
            for each in said:
                write = _write_preference if isinstance(each, Preference) else _write_label
                write(connection, number, each)  # type: ignore[arg-type]  # each kind by its own
                count += 1
            connection.execute(_COUNT, (number,))
        return count

    def withdraw(self, run: str, said: PersonLabel | Preference) -> None:
        """The question is open again for the person, however two outputs were shown."""
        with self.database.changing(run) as (connection, number):
            if isinstance(said, Preference):
                cells = map(to_cell, (said.person, said.item, said.metric, *said.systems))
                connection.execute(
                    "DELETE FROM preferences WHERE run = ? AND person = ? AND item = ? AND metric = ?"
                    " AND min(first, second) = min(?5, ?6) AND max(first, second) = max(?5, ?6)",
                    (number, *cells),
                )
            else:
                connection.execute(
                    "DELETE FROM labels WHERE run = ? AND card = ? AND metric = ? AND part = ? AND unit IS ?"
                    " AND author = ? AND is_person = 1",
                    (number, _find_card(connection, number, said), *map(to_cell, (*said.question, said.person))),
                )
            connection.execute(_COUNT, (number,))

    def finish(self, run: str, person: str) -> None:
        """The person says that their labels are complete."""
        values = (self.database.number(run), to_cell(person), format_time(datetime.now(UTC)))
        with self.database.alone() as connection, transaction(connection):
            connection.execute("INSERT OR IGNORE INTO finished_people VALUES (?, ?, ?)", values)

    def resume(self, run: str, person: str) -> None:
        """Takes `finish` back, unless somebody else has finished too: each may have seen the other's labels by then."""
        with self.database.alone() as connection, transaction(connection):
            connection.execute(
                "DELETE FROM finished_people WHERE run = ?1 AND person = ?2"
                " AND (SELECT count(*) FROM finished_people WHERE run = ?1) = 1",
                (self.database.number(run), to_cell(person)),
            )

    def finished(self, run: str) -> tuple[str, ...]:
        """Those who said so, by name."""
        rows = self.database.read(
            "SELECT person FROM finished_people WHERE run = ? ORDER BY person", self.database.number(run)
        )
        return tuple(person for (person,) in rows)

    def all(self, run: str, *, person: str | None = None) -> tuple[PersonLabel, ...]:
        """By the records' place in the run, then by person and question."""
        return self._select(run, "author = ifnull(?, author)", person)

    def preferences(self, run: str, *, person: str | None = None) -> tuple[Preference, ...]:
        """By item, then in the order in which they were first given."""
        rows = self.database.read(
            f"SELECT {INTACT['preferences']}, {', '.join(_OF_PREFERENCES)} FROM preferences"  # noqa: S608  # our own columns
            " WHERE run = ? AND person = ifnull(?, person) ORDER BY item, number",
            *(self.database.number(run), person),
        )
        return tuple(map(_build_preference, rows))

    def of_record(self, run: str, person: str, record: str, system: str | None) -> tuple[PersonLabel, ...]:
        return self._select(
            run, "author = ? AND e.record_id = ? AND ifnull(e.system, 0) = ifnull(?, 0)", *(person, record, system)
        )

    def _select(self, run: str, condition: str, *values: object) -> tuple[PersonLabel, ...]:
        rows = self.database.read(
            f"SELECT {INTACT['labels']}, e.record_id, e.system, {', '.join(_COLUMNS)}"  # noqa: S608  # fragments of ours
            " FROM labels JOIN cards e ON e.number = labels.card"
            f" WHERE labels.run = ? AND is_person = 1 AND {condition}"
            " ORDER BY e.position, author, metric, part, labels.number",
            *(self.database.number(run), *values),
        )
        return tuple(map(_build_label, rows))


def _write_label(connection: sqlite3.Connection, run: int, label: PersonLabel) -> None:
    texts = (*label.question, label.person, label.label, label.qualifier, label.note)
    cells = (*map(to_cell, texts), format_time(label.moment), label.drawn_by)
    kind = "grade" if label.unit is None else "label"
    row = dict(zip(_COLUMNS, cells, strict=True)) | _FIXED
    row |= {"run": run, "card": _find_card(connection, run, label), "kind": kind}
    connection.execute(_PUT, order_cells("labels", row))


def _write_preference(connection: sqlite3.Connection, run: int, said: Preference) -> None:
    row = {name: to_cell(getattr(said, name)) for name in _OF_PREFERENCES[:-1]}
    if said.first == said.second:
        raise InputError(f"a preference on {row['item']!r} names {row['first']!r} twice", remedy="Name two systems.")
    for system in (row["first"], row["second"]):
        output = "SELECT 1 FROM cards WHERE run = ? AND item = ? AND ifnull(system, '') = ?"
        if not connection.execute(output, (run, row["item"], system)).fetchall():
            by = f" by {system}" if system else " without a system"
            message = f"the run has no output{by} on the item {row['item']!r}"
            raise InputError(message, remedy="See `assay runs show RUN`.")
    row["moment"] = format_time(said.moment)
    connection.execute(_PUT_PREFERENCE, order_cells("preferences", {"run": run, **row}))


def _find_card(connection: sqlite3.Connection, run: int, label: PersonLabel) -> int:
    found = connection.execute(
        "SELECT number FROM cards WHERE run = ? AND record_id = ? AND ifnull(system, 0) = ifnull(?, 0)",
        (run, to_cell(label.record), to_cell(label.system)),
    ).fetchall()
    if not found:
        by = f" by {label.system}" if label.system else ""
        raise InputError(f"the run has no record {label.record!r}{by}", remedy="See `assay runs show RUN`.")
    return int(found[0][0])


def _build_label(row: Sequence[Any]) -> PersonLabel:
    texts: list[Any]
    intact, *texts, moment, drawn_by = row
    with reading(f"label of {texts[0]!r:.80} by {texts[5]!r:.80}"):
        require_intact(intact)
        texts += datetime.fromisoformat(moment), drawn_by
        return PersonLabel(*texts)


def _build_preference(row: Sequence[Any]) -> Preference:
    intact, item, first, second, choice, person, metric, note, moment = row
    with reading(f"preference of {person!r:.80} on {item!r:.80}"):
        require_intact(intact, choice in CHOICES)
        return Preference(item, first, second, choice, person, metric, note, datetime.fromisoformat(moment))
