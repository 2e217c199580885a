"""A store's file: a connection that reads, a thread that writes, and locks on runs."""

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Self

from assay.store.codec import to_cell
from assay.store.digests import changing_runs
from assay.store.faults import StoreError, explain
from assay.store.locking import RunLock
from assay.store.opening import MEMORY, open_for_reading, open_for_writing, scrub_if_pending
from assay.store.runs import no_run
from assay.store.writer import Write, Writer, find_number


class Database:
    """One file, or with `:memory:` none. Reading has its own connection and never waits for writing.

    Reading sees what is committed. `add` only queues; `flush`, or awaiting `committed`, returns when everything queued
    before is on disk, or raises a StoreError. What is written `alone` is on disk on return. `busy_seconds` is how long
    a lock of another process is waited for.
    """

    def __init__(self, path: str | Path, *, read_only: bool = False, busy_seconds: float = 30.0) -> None:
        self.path = str(path)
        self._writer: Writer | None = None
        # A store in memory has one connection for reading and writing: both then take turns.
        guard = threading.RLock()
        self._guard = guard if self.path == MEMORY else threading.RLock()
        self._connections: list[sqlite3.Connection] = []
        self._locks: dict[str, RunLock] = {}
        try:
            if not read_only:
                self._connections.append(open_for_writing(self.path, busy_seconds))
            if self.path != MEMORY:
                self._connections.append(open_for_reading(self.path, busy_seconds))
            if not read_only:
                scrub_if_pending(self._connections[0], self.path)
                self._writer = Writer(self._connections[0], guard, self.path)
        except BaseException as error:
            self.close()
            if isinstance(error, sqlite3.Error):
                raise explain(error, self.path) from error
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Commits what is queued. A store may be closed twice."""
        try:
            if self._writer is not None:
                self._writer.close()
        finally:
            for run in tuple(self._locks):
                self.unlock_run(run)
            # The reader first: whoever closes last writes the log back into the file.
            while self._connections:
                self._connections.pop().close()

    def read(self, statement: str, *values: object) -> list[Any]:
        """All rows at once: a half-read result would keep the log from being written back."""
        with self._guard:
            if not self._connections:
                raise StoreError("the store is closed", path=self.path)
            try:
                cells = [to_cell(value) if isinstance(value, str) else value for value in values]
                return self._connections[-1].execute(statement, cells).fetchall()
            except (sqlite3.Error, UnicodeDecodeError) as error:
                raise explain(error, self.path) from error

    @contextmanager
    def one_moment(self) -> Iterator[None]:
        """Everything that is read within it is as it was at one moment."""
        with self._guard:
            self.read("BEGIN")
            try:
                yield
            finally:
                self.read("COMMIT")

    def number(self, run: str) -> int:
        rows = self.read("SELECT number FROM runs WHERE id = ?", run)
        if not rows:
            raise no_run(run)
        return int(rows[0][0])

    def add(self, run: str, write: Write) -> None:
        """Queues what is to be written for a run."""
        self._writing().add(run, write)

    def alone(self) -> AbstractContextManager[sqlite3.Connection]:
        """The connection that writes, with everything queued committed."""
        return self._writing().alone()

    @contextmanager
    def changing(self, run: str) -> Iterator[tuple[sqlite3.Connection, int]]:
        """The connection alone in a transaction that changes the rows of a run, and the run's number."""
        with self.alone() as connection:
            number = find_number(connection, run)
            if number is None:
                raise no_run(run)
            with changing_runs(connection, [number]):
                yield connection, number

    def flush(self) -> None:
        self._writing().flush()

    async def committed(self) -> None:
        await self._writing().committed()

    def lock_run(self, run: str) -> None:
        """Keeps every other process and store from carrying out this run until it is unlocked or this process ends.

        Raises InputError where another one has it.
        """
        if self.path != MEMORY:
            self._locks[run] = RunLock(self.path, run)

    def unlock_run(self, run: str) -> None:
        lock = self._locks.pop(run, None)
        if lock is not None:
            lock.release()

    def _writing(self) -> Writer:
        if self._writer is None:
            raise StoreError("the store is open for reading only", path=self.path)
        return self._writer
