"""One thread writes what the others queue, many rows to a transaction; none counts before it is committed."""

import asyncio
import contextlib
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from itertools import islice

from assay.store.digests import changing_runs
from assay.store.faults import StoreError, explain

# So many rows wait at most, and go into one transaction. Past it queueing waits, which bounds the memory.
_MOST_ROWS = 200


# Writes for a run, by its number.
Write = Callable[[sqlite3.Connection, int], object]


class Writer:
    """Rows that could not be committed stay queued, and are tried again by the next flush.

    `guard` is held whenever the connection is used. Rows of a run that is not there any more are dropped: whoever
    deleted it meant all of it. The next one who waits for a commit is told.
    """

    def __init__(self, connection: sqlite3.Connection, guard: threading.RLock, path: str) -> None:
        self._connection = connection
        self._guard = guard
        self._path = path
        self._changed = threading.Condition()
        self._queue: deque[tuple[str, Write]] = deque()
        self._queued = self._committed = 0
        self._waiters: deque[tuple[int, Future[None]]] = deque()
        self._error: sqlite3.Error | None = None
        self._gone: set[str] = set()
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="assay-store", daemon=True)
        self._thread.start()

    def add(self, run: str, write: Write) -> None:
        """Queues a row. Raises if writing has failed: going on would only lose more."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._queue) < _MOST_ROWS or self._error is not None)
            if self._closing:
                raise StoreError("the store is closed", path=self._path)
            self._queue.append((run, write))
            self._queued += 1
            self._changed.notify_all()
            if self._error is not None:
                raise explain(self._error, self._path)

    def flush(self) -> None:
        """Waits until all that is queued by now is committed; what failed before is tried once more."""
        with self._changed:
            # Nobody tries again once the thread has ended.
            if not self._closing:
                self._error = None
            self._changed.notify_all()
        self._await_commit().result()

    async def committed(self) -> None:
        await asyncio.wrap_future(self._await_commit())

    @contextlib.contextmanager
    def alone(self) -> Iterator[sqlite3.Connection]:
        """The connection, with everything queued committed and the thread kept away from it."""
        self.flush()
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
            self._error = None
            self._changed.notify_all()
        self._thread.join()
        if self._error is not None:
            raise explain(self._error, self._path)

    def _await_commit(self) -> "Future[None]":
        with self._changed:
            done: Future[None] = Future()
            self._waiters.append((self._queued, done))
            self._settle()
            return done

    def _settle(self) -> None:
        """Answers whoever waits for a commit that was made, or that could not be made."""
        self._changed.notify_all()
        failure = None if self._error is None else explain(self._error, self._path)
        while self._waiters and (failure is not None or self._waiters[0][0] <= self._committed):
            done = self._waiters.popleft()[1]
            if not done.set_running_or_notify_cancel():
                continue
            if failure is not None:
                done.set_exception(failure)
            elif self._gone:
                message = f"the run {', '.join(sorted(self._gone))} is not in the store: it was deleted, or never begun"
                remedy = "Judge its records again as a new run."
                done.set_exception(StoreError(message, path=self._path, remedy=remedy))
                self._gone.clear()
            else:
                done.set_result(None)

    def _work(self) -> None:
        try:
            while batch := self._take():
                try:
                    self._commit(batch)
                except sqlite3.Error as error:
                    self._error = error
                with self._changed:
                    self._settle()
        finally:
            # Whatever ended the thread, nobody waits for it in vain.
            with self._changed:
                self._closing = True
                if self._queue and self._error is None:
                    self._error = sqlite3.OperationalError("the store stopped writing")
                self._settle()

    def _take(self) -> list[tuple[str, Write]]:
        """The next rows, still in the queue; none at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or (self._queue and self._error is None))
            return [] if self._error is not None else list(islice(self._queue, _MOST_ROWS))

    def _commit(self, batch: list[tuple[str, Write]]) -> None:
        with self._guard:
            numbers = {run: find_number(self._connection, run) for run in {run for run, _ in batch}}
            with changing_runs(self._connection, [number for number in numbers.values() if number is not None]):
                for run, write in batch:
                    number = numbers[run]
                    if number is not None:
                        write(self._connection, number)
        with self._changed:
            for _ in batch:
                self._queue.popleft()
            self._committed += len(batch)
            self._gone.update(run for run, number in numbers.items() if number is None)


def find_number(connection: sqlite3.Connection, run: str) -> int | None:
    found = connection.execute("SELECT number FROM runs WHERE id = ?", (run,)).fetchall()
    return found[0][0] if found else None
