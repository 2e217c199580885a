"""The store in one SQLite file, which many threads and processes may use at once."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from assay.domain.ask import Written
from assay.domain.money import PICODOLLARS
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.store.browsing import Browser
from assay.store.codec import load_card, load_record
from assay.store.deleting import delete_rows, scrub, scrub_if_pending
from assay.store.faults import StoreError, explain, reading
from assay.store.judged import Judged, page_judged
from assay.store.labels import Labels
from assay.store.listing import list_if_pending
from assay.store.opening import MEMORY, open_for_reading, open_for_writing
from assay.store.packing import from_cell, maybe_from_cell, maybe_to_cell, to_cell, unpack_bytes, unpack_text
from assay.store.rows import SAME_CARD, ReplyRow, UsageRow, build_bank_row, build_record_row
from assay.store.run_rows import COLUMNS, from_columns, maybe_from_columns, resolve, to_columns, to_time
from assay.store.store import (
    CardKey,
    DamagedRun,
    KeptCard,
    KeptReply,
    Purpose,
    RunRow,
    RunState,
    Store,
    StoredReply,
    Usage,
)
from assay.store.values import load_json
from assay.store.writer import Pace, Writer, find_number

_PAGE_ROWS = 64
_REPLY_COLUMNS = "key, text, finish_reason, prompt_tokens, completion_tokens, model, dropped"


class SqliteStore:
    """A Store in a file, or with `:memory:` in none. Reading has a connection of its own and never waits for writing.

    `busy_seconds` is how long a lock of another process is waited for.
    """

    def __init__(
        self, path: str | Path, *, read_only: bool = False, busy_seconds: float = 30.0, pace: Pace | None = None
    ) -> None:
        self.path = str(path)
        self._writer: Writer | None = None
        # Writing in memory has no second connection to read from: both then take turns.
        guard = threading.RLock()
        self._guard = guard if self.path == MEMORY else threading.RLock()
        self._connections: list[sqlite3.Connection] = []
        self._numbers: dict[str, int] = {}
        if not read_only:
            self._connections.append(open_for_writing(self.path, busy_seconds))
        try:
            if not read_only:
                list_if_pending(self._connections[0])
            if self.path != MEMORY:
                self._connections.append(open_for_reading(self.path, busy_seconds))
            if not read_only:
                scrub_if_pending(self._connections[0], self.path)
                self._writer = Writer(self._connections[0], guard, self.path, pace or Pace())
        except sqlite3.Error as error:
            self.close()
            raise explain(error, self.path) from error
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def begin_run(self, run: RunRow) -> None:
        places = ", ".join("?" * len(to_columns(run)))
        with self._writing().alone() as connection:
            if find_number(connection, run.id) is not None:
                raise InputError(f"there is already a run {run.id!r}", remedy="Go on with it by --resume.")
            connection.execute(f"INSERT INTO runs ({COLUMNS}) VALUES ({places})", to_columns(run))  # noqa: S608

    def update_run(self, run: str, state: RunState, finished: datetime | None) -> None:
        ended = None if finished is None else to_time(finished)
        with self._writing().alone() as connection:
            changed = connection.execute("UPDATE runs SET state = ?, finished = ? WHERE id = ?", (state, ended, run))
            if not changed.rowcount:
                raise _no_run(run)

    def runs(self) -> tuple[RunRow | DamagedRun, ...]:
        rows = self._read(f"SELECT {COLUMNS} FROM runs ORDER BY started DESC, number DESC")  # noqa: S608
        return tuple(maybe_from_columns(row) for row in rows)

    def run_ids(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self._read("SELECT id FROM runs ORDER BY started DESC, number DESC"))

    def find_run(self, name: str) -> RunRow:
        whole = f"SELECT {COLUMNS} FROM runs WHERE id = ?"  # noqa: S608
        found = self._read(whole, name) or self._read(whole, resolve(name, self.run_ids()))
        if not found:
            raise _no_run(name)
        return from_columns(found[0])

    def delete_run(self, run: str) -> None:
        with self._writing().alone() as connection:
            number = find_number(connection, run)
            if number is None:
                raise _no_run(run)
            self._numbers.pop(run, None)
            delete_rows(connection, number)
            scrub(connection, self.path)

    def add_cards(self, run: str, position: int, voices: Iterable[tuple[str, int, Scorecard]]) -> None:
        self._writing().add(build_record_row(run, position, voices))

    def finished(self, run: str) -> frozenset[CardKey]:
        rows = self._read("SELECT record_id, system, judge, sample FROM cards WHERE run = ?", self._number(run))
        judges: dict[str | bytes, str] = {}
        return frozenset(
            CardKey(from_cell(record), maybe_from_cell(system), judges.setdefault(judge, from_cell(judge)), sample)
            for record, system, judge, sample in rows
        )

    def get_card(self, run: str, key: CardKey, rubric: Rubric) -> Scorecard | None:
        values = (to_cell(key.record), to_cell(key.judge), key.sample, maybe_to_cell(key.system))
        record, body = self._read_of(
            run,
            "SELECT records.body, cards.body FROM runs"  # noqa: S608
            f" LEFT JOIN cards ON run = runs.number AND {SAME_CARD}"
            " LEFT JOIN records ON records.number = cards.record WHERE runs.id = ?",
            *values,
        )
        return load_card(unpack_bytes(body), load_record(unpack_bytes(record)), rubric) if body is not None else None

    def cards(self, run: str, rubric: Rubric) -> Iterator[KeptCard]:
        return self._page_cards(run, self._number(run), rubric)

    def list_judged(self, run: str) -> Iterator[Judged]:
        return page_judged(self._read, self._number(run))

    def count(self, run: str) -> int:
        ((count,),) = self._read("SELECT count(*) FROM cards WHERE run = ?", self._number(run))
        return int(count)

    def count_failed(self, run: str) -> int:
        counting = "SELECT count(DISTINCT position) FROM cards WHERE run = ? AND failed"
        ((count,),) = self._read(counting, self._number(run))
        return int(count)

    def get_reply(self, key: str) -> StoredReply | None:
        found = self._read(f"SELECT {_REPLY_COLUMNS} FROM replies WHERE key = ?", to_cell(key))  # noqa: S608
        return _build_reply(found[0]) if found else None

    def list_replies(self, most: int) -> tuple[str, ...] | None:
        rows = self._read("SELECT key FROM replies LIMIT ?", most + 1)
        return None if len(rows) > most else tuple(from_cell(key) for (key,) in rows)

    def put_reply(self, key: str, reply: StoredReply, run: str, purpose: Purpose) -> None:
        self._writing().add(ReplyRow(run, key, reply, purpose))

    def replies(self, run: str, record: str) -> tuple[KeptReply, ...]:
        rows = self._read(
            f"SELECT {_REPLY_COLUMNS}, ask, sample, attempt FROM reply_uses JOIN replies ON reply = number"  # noqa: S608
            " WHERE run = ? AND record_id = ? ORDER BY ask, sample, attempt, number",
            self._number(run),
            to_cell(record),
        )
        return tuple(
            KeptReply(from_cell(row[0]), Purpose(record, from_cell(row[7]), row[8], row[9]), _build_reply(row))
            for row in rows
        )

    def get_bank(self, rubric_id: str, bank_id: str, source_digest: str, *, run: str) -> tuple[Written, ...] | None:
        key = (to_cell(rubric_id), to_cell(bank_id), to_cell(source_digest))
        # Looked up bank by bank: a list of all that the run has used would be made anew each time.
        used = "EXISTS (SELECT 1 FROM bank_uses WHERE run = runs.number AND bank_uses.bank = banks.number)"
        (packed,) = self._read_of(
            run,
            f"SELECT (SELECT units FROM banks WHERE rubric = ? AND bank = ? AND source = ? AND {used}"  # noqa: S608
            " ORDER BY number LIMIT 1) FROM runs WHERE runs.id = ?",
            *key,
        )
        if packed is None:
            return None
        with reading(f"bank of run {run}"):
            units = load_json(unpack_bytes(packed))
            return tuple(Written(text, tuple(sentences)) for text, sentences in units)

    def list_banks(self, run: str, most: int) -> tuple[tuple[str, str, str], ...] | None:
        rows = self._read(
            "SELECT rubric, banks.bank, source FROM bank_uses JOIN banks ON bank_uses.bank = number"
            " WHERE run = ? LIMIT ?",
            self._number(run),
            most + 1,
        )
        if len(rows) > most:
            return None
        return tuple((from_cell(rubric), from_cell(bank), from_cell(source)) for rubric, bank, source in rows)

    def put_bank(self, rubric_id: str, bank_id: str, source_digest: str, units: Sequence[Written], run: str) -> None:
        self._writing().add(build_bank_row(run, (rubric_id, bank_id, source_digest), units))

    def usage(self, run: str) -> Usage:
        rows = self._read("SELECT * FROM usage WHERE run = ?", self._number(run))
        if not rows:
            return Usage()
        _, calls, hits, prompt, completion, cost, unpriced = rows[0]
        with reading(f"run {run}"):
            return Usage(calls, hits, prompt, completion, Fraction(cost, PICODOLLARS), unpriced)

    def add_usage(self, run: str, usage: Usage) -> None:
        self._writing().add(UsageRow(run, usage))

    @property
    def browser(self) -> Browser:
        return Browser(self._read, self._number)

    @property
    def labels(self) -> Labels:
        return Labels(self._read, self._number, lambda: self._writing().alone())

    def flush(self) -> None:
        self._writing().flush()

    async def committed(self) -> None:
        await self._writing().committed()

    def close(self) -> None:
        try:
            if self._writer is not None:
                self._writer.close()
        finally:
            # The reader first: whoever closes last writes the log back into the file.
            while self._connections:
                self._connections.pop().close()

    def _writing(self) -> Writer:
        if self._writer is None:
            raise StoreError("the store is open for reading only", path=self.path)
        return self._writer

    def _read(self, statement: str, *values: object) -> list[Any]:
        """All rows at once: a half-read result would keep the log from being written back."""
        with self._guard:
            if not self._connections:
                raise StoreError("the store is closed", path=self.path)
            try:
                return self._connections[-1].execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise explain(error, self.path) from error

    def _read_of(self, run: str, statement: str, *values: object) -> tuple[Any, ...]:
        """The one row about a run, which the statement takes as its last value."""
        found = self._read(statement, *values, run)
        if not found:
            raise _no_run(run)
        row: tuple[Any, ...] = found[0]
        return row

    def _number(self, run: str) -> int:
        """A number is never given twice, so it stays right for as long as its run is there."""
        if run not in self._numbers:
            found = self._read("SELECT number FROM runs WHERE id = ?", run)
            if not found:
                raise _no_run(run)
            self._numbers[run] = int(found[0][0])
        return self._numbers[run]

    def _page_cards(self, run: str, number: int, rubric: Rubric) -> Iterator[KeptCard]:
        """Each page begins after the last card of the one before; nothing is held open between pages."""
        last: tuple[object, ...] = (-1, "", -1, -1)
        shown: tuple[int, Record] | None = None
        while rows := self._read(
            "SELECT position, judge, sample, cards.number, record, records.body, cards.body FROM cards"
            " JOIN records ON cards.record = records.number"
            " WHERE run = ? AND (position, judge, sample, cards.number) > (?, ?, ?, ?)"
            " ORDER BY position, judge, sample, cards.number LIMIT ?",
            *(number, *last, _PAGE_ROWS),
        ):
            for position, judge, sample, _, record, record_body, body in rows:
                with reading(f"card of run {run}"):
                    if shown is None or shown[0] != record:
                        shown = (record, load_record(unpack_bytes(record_body)))
                    card = replace(load_card(unpack_bytes(body), shown[1], rubric), sample=sample)
                    kept = KeptCard(position, from_cell(judge), sample, card)
                yield kept
            last = rows[-1][:4]


def open_store(path: str | Path = MEMORY, *, read_only: bool = False) -> Store:
    """Without a path the store lasts as long as it is open."""
    return SqliteStore(path, read_only=read_only)


def _build_reply(row: Sequence[Any]) -> StoredReply:
    _, text, finish_reason, prompt_tokens, completion_tokens, model, dropped = row[:7]
    with reading("reply"):
        return StoredReply(
            text=unpack_text(text),
            finish_reason=from_cell(finish_reason),
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            model=from_cell(model),
            dropped=tuple(load_json(dropped)),
        )


def _no_run(name: str) -> InputError:
    return InputError(f"there is no run {name!r}", remedy="See `assay runs list`.")
