"""Deletes a run so that no file of the store holds its texts any more, even where the process is killed half-way."""

import contextlib
import sqlite3

from assay.store.digests import transaction
from assay.store.faults import StoreError

_OF_THE_RUN = ("labels", "preferences", "finished_people", "cards", "reply_uses", "bank_uses", "batches")
# What a run used belongs to every run that used it.
_ORPHANS = (
    "DELETE FROM records WHERE NOT EXISTS (SELECT 1 FROM cards WHERE cards.record = records.number)",
    "DELETE FROM replies WHERE NOT EXISTS (SELECT 1 FROM reply_uses WHERE reply_uses.reply = replies.number)",
    "DELETE FROM banks WHERE NOT EXISTS (SELECT 1 FROM bank_uses WHERE bank_uses.bank = banks.number)",
)


def delete_rows(connection: sqlite3.Connection, run: int) -> None:
    """After this commit nobody finds the run. The same commit says that its traces are still to be wiped."""
    with transaction(connection):
        for table in _OF_THE_RUN:
            connection.execute(f"DELETE FROM {table} WHERE run = ?", (run,))  # noqa: S608  # names from the list above
        connection.execute("DELETE FROM runs WHERE number = ?", (run,))
        for statement in _ORPHANS:
            connection.execute(statement)
        connection.execute("INSERT INTO chores VALUES ('scrub') ON CONFLICT DO NOTHING")


def scrub(connection: sqlite3.Connection, path: str) -> None:
    """Wipes what deleted rows left behind.

    Deleted cells are overwritten with zeros, but pages that were split or moved hold older copies, and so does the
    write-ahead log. Rebuilding the file leaves the copies behind; emptying the log after that leaves nothing.
    """
    remedy = "Free space or end the other process; the next command that writes to the store wipes them."
    try:
        connection.execute("VACUUM")
        ((busy, _, _),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    except sqlite3.OperationalError as error:
        message = f"the run is deleted, but the file may still hold traces of its texts ({error})"
        raise StoreError(message, path=path, remedy=remedy) from error
    if busy:
        message = "the run is deleted, but another process is reading, and the log may still hold traces of its texts"
        raise StoreError(message, path=path, remedy=remedy)
    connection.execute("DELETE FROM chores WHERE name = 'scrub'")


def scrub_if_pending(connection: sqlite3.Connection, path: str) -> None:
    """Ends what a process that was killed, or a full disk, left undone. It can wait once more if it must."""
    if connection.execute("SELECT 1 FROM chores WHERE name = 'scrub'").fetchall():
        with contextlib.suppress(sqlite3.OperationalError, StoreError):
            scrub(connection, path)
