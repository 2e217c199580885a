"""One thread writes what the others queue, many rows to a transaction; none counts before it is committed."""

import asyncio
import contextlib
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice

from assay.store.faults import StoreError, explain
from assay.store.opening import transaction

# What a row takes beside its texts, about.
_ROW_BYTES = 1000


@dataclass(frozen=True, slots=True)
class Row:
    """Something to be written for a run. `write` gets the run's number; `size_bytes` is about what it holds."""

    run: str
    size_bytes: int
    write: Callable[[sqlite3.Connection, int], object]


@dataclass(frozen=True, slots=True)
class Pace:
    """A transaction is committed when its first row has waited so long or so many rows wait, whichever comes first.

    `sync_seconds` is how often the disk itself is waited for. Past `backlog_bytes` in the queue, queueing waits.
    """

    commit_seconds: float = 0.005
    commit_rows: int = 500
    sync_seconds: float = 1.0
    backlog_bytes: int = 4_000_000


class Writer:
    """Rows that could not be committed stay queued, and are tried again by the next flush.

    `guard` is held whenever the connection is used. Rows of a run that is not there any more are dropped: whoever
    deleted it meant all of it.
    """

    def __init__(self, connection: sqlite3.Connection, guard: threading.RLock, path: str, pace: Pace) -> None:
        self._connection = connection
        self._guard = guard
        self._path = path
        self._pace = pace
        self._changed = threading.Condition()
        self._queue: deque[Row] = deque()
        self._queued = self._committed = self._backlog_bytes = 0
        self._waiters: deque[tuple[int, Future[None]]] = deque()
        self._failure: StoreError | None = None
        self._gone: set[str] = set()
        self._hurried = self._closing = self._unsynced = False
        self._synced_at = time.monotonic()
        self._thread = threading.Thread(target=self._work, name="assay-store", daemon=True)
        self._thread.start()

    def add(self, row: Row) -> None:
        """Queues a row. Raises if writing has failed or the run is gone: going on would only lose more."""
        with self._changed:
            while self._backlog_bytes > self._pace.backlog_bytes and self._failure is None:
                self._hurry()
                self._changed.wait()
            if self._closing:
                raise StoreError("the store is closed", path=self._path)
            self._queue.append(row)
            self._queued += 1
            self._backlog_bytes += row.size_bytes + _ROW_BYTES
            if len(self._queue) in {1, self._pace.commit_rows}:
                self._changed.notify_all()
            self._raise_failure()
            self._raise_gone(row.run)

    def flush(self) -> None:
        with self._changed:
            self._empty_queue()
            self._raise_gone()

    async def committed(self) -> None:
        """`flush` for an event loop: hurries nobody, so that many callers share a transaction."""
        with self._changed:
            self._raise_failure()
            self._raise_gone()
            if self._committed == self._queued:
                return
            done: Future[None] = Future()
            self._waiters.append((self._queued, done))
        await asyncio.wrap_future(done)

    @contextlib.contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """The connection, with everything queued committed and the thread kept away from it."""
        with self._changed:
            self._empty_queue()
        with self._guard:
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise explain(error, self._path) from error

    def close(self) -> None:
        """Commits what is queued if it can, ends the thread in any case, and raises if something was not kept."""
        with self._changed:
            if self._closing:
                return
            self._closing = True
            self._failure = None
            self._changed.notify_all()
        self._thread.join()
        with self._changed:
            self._raise_failure()

    def _hurry(self) -> None:
        self._hurried = True
        self._changed.notify_all()

    def _empty_queue(self) -> None:
        """Waits until all that is queued by now is committed; what failed before is tried once more."""
        self._failure = None
        last = self._queued
        while self._committed < last and self._failure is None:
            self._hurry()
            self._changed.wait()
        self._raise_failure()

    def _raise_failure(self) -> None:
        # A new error each time: one that is raised twice would carry both tracebacks.
        if self._failure is not None:
            raise StoreError(self._failure.message, path=self._failure.path, remedy=self._failure.remedy)

    def _raise_gone(self, run: str | None = None) -> None:
        """Once for each time that rows had to be dropped."""
        gone = sorted(self._gone) if run is None else [run] if run in self._gone else []
        if gone:
            self._gone.difference_update(gone)
            message = f"the run {', '.join(gone)} is not in the store: it was deleted, or never begun"
            raise StoreError(message, path=self._path, remedy="Judge its records again as a new run.")

    def _work(self) -> None:
        try:
            while (batch := self._take()) is not None:
                if batch:
                    self._settle(batch, self._commit(batch))
                self._sync_when_due()
        finally:
            # Whatever ended the thread, nobody waits for it in vain.
            with self._changed:
                self._closing = True
                if self._queue and self._failure is None:
                    self._failure = StoreError("the store stopped writing", path=self._path)
                self._wake()

    def _take(self) -> list[Row] | None:
        """The next rows, still in the queue; none when it is time to sync; None at the end."""
        with self._changed:
            while not self._closing and (not self._queue or self._failure is not None):
                if not self._changed.wait(self._pace.sync_seconds if self._unsynced else None):
                    return []
            if not (self._hurried or self._closing or len(self._queue) >= self._pace.commit_rows):
                self._changed.wait(self._pace.commit_seconds)
            self._hurried = False
            if self._closing and (not self._queue or self._failure is not None):
                return None
            return list(islice(self._queue, self._pace.commit_rows))

    def _commit(self, batch: list[Row]) -> StoreError | None:
        numbers: dict[str, int | None] = {}
        try:
            with self._guard, transaction(self._connection):
                for row in batch:
                    if row.run not in numbers:
                        numbers[row.run] = find_number(self._connection, row.run)
                    number = numbers[row.run]
                    if number is not None:
                        row.write(self._connection, number)
        except sqlite3.Error as error:
            return explain(error, self._path)
        with self._changed:
            self._gone.update(run for run, number in numbers.items() if number is None)
        self._unsynced = True
        return None

    def _settle(self, batch: list[Row], failure: StoreError | None) -> None:
        with self._changed:
            self._failure = failure
            if failure is None:
                for row in batch:
                    self._queue.popleft()
                    self._backlog_bytes -= row.size_bytes + _ROW_BYTES
                self._committed += len(batch)
            self._wake()

    def _wake(self) -> None:
        self._changed.notify_all()
        while self._waiters and (self._failure is not None or self._waiters[0][0] <= self._committed):
            done = self._waiters.popleft()[1]
            if not done.set_running_or_notify_cancel():
                continue
            if self._failure is None:
                done.set_result(None)
            else:
                done.set_exception(self._failure)

    def _sync_when_due(self) -> None:
        if self._unsynced and time.monotonic() - self._synced_at >= self._pace.sync_seconds:
            # A checkpoint that can't be had now is had later; what is committed is in the file beside it meanwhile.
            with self._guard, contextlib.suppress(sqlite3.OperationalError):
                self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            self._unsynced = False
            self._synced_at = time.monotonic()


def find_number(connection: sqlite3.Connection, run: str) -> int | None:
    found = connection.execute("SELECT number FROM runs WHERE id = ?", (run,)).fetchall()
    return found[0][0] if found else None
