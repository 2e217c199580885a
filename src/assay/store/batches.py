"""The batches of one judge in a run: what was planned before it was submitted, and where each request is."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assay.models.batches import PlannedBatch
from assay.store.codec import to_cell
from assay.store.database import Database
from assay.store.digests import transaction
from assay.store.runs import format_time

_PLANNED = "token, count, planned"


@dataclass(frozen=True, slots=True)
class Batches:
    """Everything is committed on return, and what is submitted survives even a power cut: a batch is worth its money.

    `judge` tells the judges of a panel apart. A request is known by its key.
    """

    run: str
    judge: str
    database: Database

    def plan(self, batch: PlannedBatch, keys: Sequence[str]) -> None:
        with self._writing() as connection:
            values = (
                self.database.number(self.run),
                to_cell(self.judge),
                batch.token,
                batch.count,
                format_time(batch.planned),
            )
            statement = f"INSERT INTO batches (run, judge, {_PLANNED}) VALUES (?, ?, ?, ?, ?)"  # noqa: S608
            number = connection.execute(statement, values).lastrowid
            rows = ((number, key) for key in keys)
            connection.executemany("INSERT INTO batch_requests (batch, key) VALUES (?, ?)", rows)

    def name(self, token: str, identifier: str) -> None:
        """The provider has it, under this id."""
        with self._writing() as connection:
            connection.execute("UPDATE batches SET identifier = ? WHERE token = ?", (to_cell(identifier), token))

    def drop(self, token: str) -> None:
        """It was never submitted, or nothing of it was taken."""
        with self._writing() as connection:
            connection.execute("DELETE FROM batches WHERE token = ?", (token,))

    async def mark_failed(self, token: str, key: str) -> None:
        """The request has no answer in this batch, and is asked again."""
        batch = "(SELECT number FROM batches WHERE token = ?)"
        statement = f"UPDATE batch_requests SET failed = 1 WHERE key = ? AND batch = {batch}"  # noqa: S608
        self.database.add(self.run, lambda connection, _number: connection.execute(statement, (key, token)))
        await self.database.committed()

    def list_unnamed(self) -> list[PlannedBatch]:
        """Those that were planned, and may have been submitted or not."""
        rows = self.database.read(
            f"SELECT {_PLANNED} FROM batches WHERE run = ? AND judge = ? AND identifier IS NULL",  # noqa: S608
            *(self.database.number(self.run), self.judge),
        )
        return [self._build(row) for row in rows]

    def list_ids(self) -> frozenset[str]:
        """The provider's ids of all batches in the store, of whatever run."""
        return frozenset(
            row[0] for row in self.database.read("SELECT identifier FROM batches WHERE identifier IS NOT NULL")
        )

    def find(self, key: str) -> tuple[PlannedBatch, str] | None:
        """The last batch that holds the request, with the provider's id, unless the request failed there."""
        rows = self.database.read(
            f"SELECT {_PLANNED}, identifier, failed FROM batch_requests JOIN batches ON number = batch"  # noqa: S608
            " WHERE key = ? AND run = ? ORDER BY batch DESC LIMIT 1",
            *(key, self.database.number(self.run)),
        )
        if not rows or rows[0][3] is None or rows[0][4]:
            return None
        return self._build(rows[0]), rows[0][3]

    def list_keys(self, token: str) -> frozenset[str]:
        statement = "SELECT key FROM batch_requests JOIN batches ON number = batch WHERE token = ?"
        return frozenset(row[0] for row in self.database.read(statement, token))

    def _build(self, row: Sequence[Any]) -> PlannedBatch:
        return PlannedBatch(self.run, row[0], row[1], datetime.fromisoformat(row[2]))

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self.database.alone() as connection:
            connection.execute("PRAGMA synchronous = FULL")
            try:
                with transaction(connection):
                    yield connection
            finally:
                connection.execute("PRAGMA synchronous = NORMAL")
