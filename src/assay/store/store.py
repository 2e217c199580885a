"""The store: what runs, judges and people produced, in one SQLite file that many threads and processes may use at once.

Results are append-only: the first value of a key stays. Nothing counts as finished before it is committed.
"""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass
from datetime import datetime
from operator import index
from pathlib import Path
from typing import Any, NamedTuple

from assay.domain.ask import Written
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.models.chat import CallKey, Completion
from assay.store.agreements import Agreements
from assay.store.batches import Batches
from assay.store.browsing import Browser
from assay.store.cards import CARD, LABELS, SCORES, UNITS, build_card_write, build_cards
from assay.store.codec import dump, dump_json, load, load_json, pack_bytes, to_cell, unpack_bytes
from assay.store.database import Database
from assay.store.digests import INTACT, changing_runs, insert
from assay.store.faults import DamagedError, StoreError, lost_rows, reading, require_intact
from assay.store.labels import Labels
from assay.store.opening import MEMORY, delete_rows, scrub
from assay.store.runs import (
    CARD_ROWS,
    RUN,
    RUN_ROWS,
    USAGE_COLUMNS,
    DamagedRun,
    RunRow,
    RunState,
    RunUsage,
    build_run,
    check_rows,
    format_time,
    no_run,
    resolve,
)
from assay.store.writer import find_number

# Stands in the key of a reply between the digest of the call and the run that the reply belongs to.
OWN_REPLY = "/"
_PAGE_CARDS, _PAGE_NAMES = 64, 1024
_CARDS = f"SELECT {CARD} FROM cards JOIN records ON records.number = record WHERE run = ? AND "  # noqa: S608  # our own columns

# The runs that records name, one step of the index each: looking at every record would take long in a large store.
_LOST_RUN = (
    "WITH RECURSIVE named (run) AS (SELECT min(run) FROM cards UNION ALL"
    " SELECT (SELECT min(run) FROM cards WHERE run > named.run) FROM named WHERE named.run IS NOT NULL)"
    " SELECT 1 FROM named WHERE run IS NOT NULL AND run NOT IN (SELECT number FROM runs) LIMIT 1"
)


class Judged(NamedTuple):
    """A judged record, by name and digest. The digest (`codec.digest_record`) covers everything in the record."""

    position: int
    record: str
    system: str | None
    digest: bytes


@dataclass(frozen=True, slots=True)
class KeptReply:
    key: str
    purpose: CallKey
    reply: Completion


class Store(Database):
    """Many runs in one file. `add_record`, `put_reply`, `rename_reply`, `put_bank` and `add_usage` only queue."""

    def __init__(self, path: str | Path, *, read_only: bool = False, busy_seconds: float = 30.0) -> None:
        super().__init__(path, read_only=read_only, busy_seconds=busy_seconds)
        # By run, the numbers of cards and labels of which none was lost.
        self._counted: dict[str, tuple[Any, ...]] = {}

    def begin_run(self, run: RunRow) -> None:
        """Raises InputError if the store has a run of this id."""
        self.run_ids()  # refuses a store that has lost a run: this one would get the number of the other
        with self.alone() as connection, changing_runs(connection, []):
            if find_number(connection, run.id) is not None:
                raise InputError(f"there is already a run {run.id!r}", remedy="Resume it with --resume.")
            connection.execute(
                "INSERT INTO runs (id, started, state, finished, body) VALUES (?, ?, ?, ?, ?)",
                (run.id, format_time(run.started), run.state, format_time(run.finished), pack_bytes(dump(run))),
            )

    def update_run(self, run: str, state: RunState, finished: datetime | None) -> None:
        with self.changing(run) as (connection, number):
            values = (state, format_time(finished), number)
            connection.execute("UPDATE runs SET state = ?, finished = ? WHERE number = ?", values)

    def find_run(self, name: str) -> RunRow:
        """By whatever `find_id` takes."""
        whole = f"SELECT {RUN} FROM runs WHERE id = ?"  # noqa: S608
        identifier = self.find_id(name)
        rows = self.read(whole, identifier)
        with reading(f"run {identifier:.80}"):
            require_intact(rows)
        return self._build_run(rows[0])

    def find_id(self, name: str) -> str:
        """Of a run by its id, its name, the beginning of its id, or `last` for the last one begun.

        A damaged run has an id and no name. Raises InputError where no run or several are meant.
        """
        identifiers = self.run_ids()
        is_certain = name == "last" or name in identifiers
        return resolve(name, identifiers, () if is_certain else self.list_named(name))

    def list_named(self, name: str) -> tuple[str, ...]:
        """The ids of all runs with this name, the last one begun first."""
        rows = self.read(f"SELECT id, body FROM runs WHERE {INTACT['runs']} ORDER BY number DESC")  # noqa: S608
        return tuple(
            str(identifier) for identifier, body in rows if load(unpack_bytes(body), RunRow, "run").name == name
        )

    def runs(self) -> tuple[RunRow | DamagedRun, ...]:
        """The last one begun comes first."""
        found: list[RunRow | DamagedRun] = []
        for row in self.read(f"SELECT {RUN} FROM runs ORDER BY number DESC"):  # noqa: S608
            try:
                found.append(self._build_run(row))
            except DamagedError as error:
                found.append(DamagedRun(str(row[0]), error))
        return tuple(found)

    def _build_run(self, row: Sequence[Any]) -> RunRow:
        """Raises DamagedError where the run, or a row of it, is lost or not what was written.

        A run's records, labels of people and preferences are counted once, and again when it has more of them; the rows
        of its records are many more and are counted once. 100,000 records take half a second.
        """
        run, expected = build_run(row), tuple(row[-3:])
        if self._counted.get(run.id) != expected:
            for counts in self.read(RUN_ROWS, run.id):
                check_rows(run.id, ("judged records", "labels of people", "preferences"), counts)
            for counts in () if run.id in self._counted else self.read(CARD_ROWS, run.id):
                check_rows(run.id, ("scores", "units", "labels"), counts)
            self._counted[run.id] = expected
        return run

    def run_ids(self) -> tuple[str, ...]:
        """As `runs`, damaged runs included."""
        if self.read(_LOST_RUN):
            raise StoreError("the store is damaged: it holds records of a run that it has lost", path=self.path)
        return tuple(str(row[0]) for row in self.read("SELECT id FROM runs ORDER BY number DESC"))

    def delete_run(self, run: str) -> None:
        """Deletes it with every record, reply and bank that no other run uses; no file of the store holds them then."""
        with self.alone() as connection:
            number = find_number(connection, run)
            if number is None:
                raise no_run(run)
            delete_rows(connection, number)
            scrub(connection, self.path)

    def usage(self, run: str) -> RunUsage:
        (found,) = self.read(f"SELECT {', '.join(USAGE_COLUMNS)} FROM runs WHERE number = ?", self.number(run))  # noqa: S608
        with reading(f"run {run}"):
            return RunUsage(*map(index, found))

    def add_usage(self, run: str, usage: RunUsage) -> None:
        added = ", ".join(f"{name} = {name} + ?" for name in USAGE_COLUMNS)
        statement = f"UPDATE runs SET {added} WHERE number = ?"  # noqa: S608  # names of our own columns
        self.add(run, lambda connection, number: connection.execute(statement, (*astuple(usage), number)))

    def add_record(self, run: str, position: int, card: Scorecard) -> None:
        """Keeps the scorecard of one record with the answers of all its judges and samples (`voices`), or nothing.

        `position` is the record's place in the run, from 0. If the run has this record (its id and system) or another
        one at this place, the call does nothing. Raises ValueError where a judge has one sample of a metric twice.
        """
        self.add(run, build_card_write(position, card))

    def get_record(self, run: str, record: str, system: str | None, rubric: Rubric) -> Scorecard | None:
        """The scorecard as it was added; None if this record is not judged yet."""
        condition = "record_id = ? AND ifnull(system, 0) = ifnull(?, 0)"
        rows = self._read_cards(condition, self.number(run), record, system)
        return next(build_cards(run, rubric, *rows), None)

    def cards(self, run: str, rubric: Rubric) -> Iterator[Scorecard]:
        """All scorecards in the order of the records; read a few at a time, so memory does not grow with the run."""
        number = self.number(run)

        def read_page(last: int) -> list[tuple[int, Scorecard]]:
            found = self._read_cards("position > ? ORDER BY position LIMIT ?", number, last, _PAGE_CARDS)
            return [(row[0], card) for row, card in zip(found[0], build_cards(run, rubric, *found), strict=True)]

        return (card for _, card in self._read_pages(run, number, read_page))

    def list_judged(self, run: str) -> Iterator[Judged]:
        """All judged records in the order of the run, without their contents; read like `cards`."""
        statement = (
            f"SELECT position, record_id, system, records.digest, {INTACT['cards']}"  # noqa: S608  # our own columns
            " FROM cards JOIN records ON record = records.number"
            " WHERE run = ? AND position > ? ORDER BY position LIMIT ?"
        )
        number = self.number(run)
        rows = self._read_pages(run, number, lambda last: self.read(statement, number, last, _PAGE_NAMES))
        return map(_build_judged, rows)

    def count(self, run: str) -> int:
        """How many records are judged."""
        ((count,),) = self.read("SELECT count(*) FROM cards WHERE run = ?", self.number(run))
        return int(count)

    def count_failed(self, run: str) -> int:
        """How many of them have a failure in at least one answer."""
        statement = f"SELECT sum(failed), min({INTACT['cards']}) FROM cards WHERE run = ?"  # noqa: S608
        ((count, intact),) = self.read(statement, self.number(run))
        with reading(f"card of run {run}"):
            require_intact(intact is None or intact)
            return index(count or 0)

    @property
    def browser(self) -> Browser:
        """A run's records page by page, sorted and filtered."""
        return Browser(self)

    @property
    def labels(self) -> Labels:
        """People's labels and preferences. On disk on return; a later answer replaces an earlier one."""
        return Labels(self)

    @property
    def agreements(self) -> Agreements:
        """How well judges agree with people. On disk on return."""
        return Agreements(self)

    def get_reply(self, key: str, second: str = "") -> Completion | None:
        """The reply under this key, else the one under the second."""
        statement = f"SELECT body, {INTACT['replies']} FROM replies WHERE key IN (?1, ?2) ORDER BY key = ?2"  # noqa: S608
        found = self.read(statement, key, second)
        return _build_reply(*found[0]) if found else None

    def put_reply(self, key: str, reply: Completion, run: str, purpose: CallKey) -> None:
        """Keeps a reply, and that this run used it. A reply from the cache is put again: the run then uses it too."""
        body, cell = dump(reply), to_cell(key)

        def write(connection: sqlite3.Connection, number: int) -> None:
            if not connection.execute("SELECT 1 FROM replies WHERE key = ?", (cell,)).fetchall():
                connection.execute(insert("replies"), (cell, pack_bytes(body)))
            connection.execute(
                "INSERT INTO reply_uses (run, record_id, ask, sample, attempt, reply)"
                " SELECT ?, ?, ?, ?, ?, number FROM replies WHERE key = ? ON CONFLICT DO NOTHING",
                (number, to_cell(purpose.record), to_cell(purpose.ask), purpose.sample, purpose.attempt, cell),
            )

        self.add(run, write)

    def rename_reply(self, key: str, new_key: str, run: str) -> None:
        """Gives a reply of this run another key, unless there is a reply under that key already."""
        statement = (
            "UPDATE OR IGNORE replies SET key = ?1, digest = row_digest(?1, body)"  # noqa: S608  # our own columns
            f" WHERE key = ?2 AND {INTACT['replies']}"
        )
        names = (to_cell(new_key), to_cell(key))
        self.add(run, lambda connection, _number: connection.execute(statement, names))

    def replies(self, run: str, record: str) -> tuple[KeptReply, ...]:
        """The replies that a run used for one record id, by ask, sample and attempt."""
        rows = self.read(
            f"SELECT key, body, {INTACT['replies']}, ask, sample, attempt"  # noqa: S608
            " FROM reply_uses JOIN replies ON reply = number WHERE run = ? AND record_id = ?"
            " ORDER BY ask, sample, attempt, number",
            *(self.number(run), record),
        )
        return tuple(
            KeptReply(key, CallKey(record, str(ask), sample, attempt), _build_reply(body, intact))
            for key, body, intact, ask, sample, attempt in rows
        )

    def get_bank(self, rubric_id: str, bank_id: str, source_digest: str, *, run: str) -> tuple[Written, ...] | None:
        """The units that a run used for these sources."""
        found = self.read(
            "SELECT units, digest FROM banks WHERE rubric = ? AND bank = ? AND source = ?"
            " AND EXISTS (SELECT 1 FROM bank_uses WHERE run = ? AND bank_uses.bank = banks.number) ORDER BY number",
            *(rubric_id, bank_id, source_digest, self.number(run)),
        )
        if not found:
            return None
        with reading(f"bank of run {run}"):
            body, digest = found[0]
            content = unpack_bytes(body)
            require_intact(hashlib.sha256(content).digest() == digest)
            return tuple(Written(text, tuple(sentences), *rest) for text, sentences, *rest in load_json(content))

    def put_bank(self, rubric_id: str, bank_id: str, source_digest: str, units: Sequence[Written], run: str) -> None:
        """Keeps units, and that this run used them. Units from another run are put again, like replies."""
        content = dump_json([[unit.text, list(unit.sentences), unit.weight, unit.direction] for unit in units])
        cells = (*map(to_cell, (rubric_id, bank_id, source_digest)), hashlib.sha256(content).digest())

        def write(connection: sqlite3.Connection, number: int) -> None:
            connection.execute(
                "INSERT INTO banks (rubric, bank, source, digest, units) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (*cells, pack_bytes(content)),
            )
            connection.execute(
                "INSERT INTO bank_uses (run, bank) SELECT ?, number FROM banks"
                " WHERE rubric = ? AND bank = ? AND source = ? AND digest = ? ON CONFLICT DO NOTHING",
                (number, *cells),
            )

        self.add(run, write)

    def batches(self, run: str, judge: str) -> Batches:
        """What one judge of a run has submitted to a provider's batch endpoint."""
        return Batches(run, judge, self)

    def _read_cards(self, condition: str, *values: object) -> tuple[list[Any], list[list[Any]]]:
        """Rows of cards, and of their other tables, all as they were at one moment."""
        with self.one_moment():
            cards = self.read(_CARDS + condition, *values)
            numbers = json.dumps([row[1] for row in cards])
            return cards, [self.read(statement, numbers) for statement in (SCORES, UNITS, LABELS)]

    def _read_pages(self, run: str, number: int, read_page: Callable[[int], list[Any]]) -> Iterator[Any]:
        """Each page begins after the last position of the one before; nothing is held open between pages.

        Rows begin with their position. Raises DamagedError where rows are lost or come twice.
        """
        ((expected,),) = self.read("SELECT cards FROM runs WHERE number = ?", number)
        last, count = -1, 0
        while rows := read_page(last):
            for row in rows:
                with reading(f"card of run {run}"):
                    require_intact(row[0] > last)
                last = row[0]
                yield row
            count += len(rows)
        # While the run goes on there may be more by now.
        if count < expected and self.number(run):
            raise lost_rows(run, "judged records", count, expected)


def open_store(path: str | Path = MEMORY, *, read_only: bool = False) -> Store:
    """Without a path the store lasts as long as it is open."""
    return Store(path, read_only=read_only)


def _build_judged(row: Sequence[Any]) -> Judged:
    position, identifier, system, digest, intact = row
    with reading("card"):
        require_intact(intact)
        return Judged(index(position), identifier, system, digest)


def _build_reply(body: bytes, intact: object) -> Completion:
    with reading("reply"):
        require_intact(intact)
        return load(unpack_bytes(body), Completion, "reply")
