"""Which of two outputs people prefer: one choice per person, pair of systems, item and metric."""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from assay.errors import InputError
from assay.store.codec import to_cell
from assay.store.digests import INTACT, changing_runs, insert
from assay.store.faults import reading, require_intact

Choice = Literal["first", "second", "tie", "unsure"]
CHOICES: tuple[Choice, ...] = ("first", "second", "tie", "unsure")

_READ = ("item", "first", "second", "choice", "person", "metric", "note", "moment")
_COUNT = "UPDATE runs SET preferences = (SELECT count(*) FROM preferences WHERE run = runs.number) WHERE number = ?"
_PUT = insert("preferences", "(run, person, item, metric, min(first, second), max(first, second))")


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
class Preferences:
    """The preferences of people in one store."""

    read: Callable[..., list[Any]]
    number: Callable[[str], int]
    alone: Callable[[], AbstractContextManager[sqlite3.Connection]]

    def put(self, run: str, preferences: Iterable[Preference]) -> int:
        """All of them or none; each takes the place of what its person said before of the same two outputs.

        Raises InputError where the run has no output of one of the systems on the item.
        """
        number, count = self.number(run), 0
        with self.alone() as connection, changing_runs(connection, [number]):
            outputs = set(connection.execute("SELECT item, ifnull(system, '') FROM cards WHERE run = ?", (number,)))
            for each in preferences:
                texts = [to_cell(getattr(each, name)) for name in _READ[:-1]]
                _check_outputs(texts, outputs)
                moment = each.moment.astimezone(UTC).isoformat(timespec="microseconds")
                connection.execute(_PUT, (number, *texts, moment))
                count += 1
            connection.execute(_COUNT, (number,))
        return count

    def withdraw(self, run: str, preference: Preference) -> None:
        """The question is open again for the person, however the two outputs were shown."""
        number = self.number(run)
        cells = map(to_cell, (preference.person, preference.item, preference.metric, *preference.systems))
        with self.alone() as connection, changing_runs(connection, [number]):
            connection.execute(
                "DELETE FROM preferences WHERE run = ? AND person = ? AND item = ? AND metric = ?"
                " AND min(first, second) = min(?5, ?6) AND max(first, second) = max(?5, ?6)",
                (number, *cells),
            )
            connection.execute(_COUNT, (number,))

    def all(self, run: str, *, person: str | None = None) -> tuple[Preference, ...]:
        """By item, then in the order in which they were first given."""
        rows = self.read(
            f"SELECT {INTACT['preferences']}, {', '.join(_READ)} FROM preferences"  # noqa: S608  # our own columns
            " WHERE run = ? AND person = ifnull(?, person) ORDER BY item, number",
            *(self.number(run), person),
        )
        return tuple(map(_build, rows))


def _check_outputs(texts: Sequence[str | None], outputs: set[tuple[str, str]]) -> None:
    item, *systems = texts[:3]
    if systems[0] == systems[1]:
        raise InputError(f"a preference on {item!r} names {systems[0]!r} twice", remedy="Name two systems.")
    for system in systems:
        if (item, system) not in outputs:
            by = f" by {system}" if system else " without a system"
            raise InputError(f"the run has no output{by} on the item {item!r}", remedy="See `assay runs show RUN`.")


def _build(row: Sequence[Any]) -> Preference:
    intact, item, first, second, choice, person, metric, note, moment = row
    with reading(f"preference of {person!r:.80} on {item!r:.80}"):
        require_intact(intact, choice in CHOICES)
        return Preference(item, first, second, choice, person, metric, note, datetime.fromisoformat(moment))
