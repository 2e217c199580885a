"""Brings a store's file to the layout this code knows, by numbered steps, each in full or not at all."""

import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from assay.store.faults import OldLayoutError, StoreError
from assay.store.transactions import transaction

# "assa" in the file's header says whose file it is.
APPLICATION_ID = 0x61737361


@cache
def shipped_steps() -> tuple[str, ...]:
    """`schema.sql` is step 1; `steps/0002_….sql` and what follows change it. A new file takes them all."""
    package = files("assay") / "store"
    folder = package / "steps"
    entries = sorted(folder.iterdir(), key=lambda entry: entry.name) if folder.is_dir() else []
    later = [entry.read_text(encoding="utf-8") for entry in entries if entry.name.endswith(".sql")]
    return ((package / "schema.sql").read_text(encoding="utf-8"), *later)


def check_identity(connection: sqlite3.Connection, path: str, steps: Sequence[str]) -> None:
    """Looks before anything is changed: a file of someone else's, or from a newer Assay, stays as it is."""
    # One transaction, one moment: another process may be making the file between two looks at it.
    connection.execute("BEGIN")
    try:
        owner, version = _read_pragma(connection, "application_id"), _read_pragma(connection, "user_version")
        ((tables,),) = connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    finally:
        connection.execute("ROLLBACK")
    if owner != APPLICATION_ID and (tables or version):
        raise StoreError("this file is no Assay store", path=path, remedy="Give --store another path.")
    if version > len(steps):
        raise StoreError(
            f"the store was written by a newer Assay (layout {version}; this one knows up to {len(steps)})",
            path=path,
            remedy="Use that version, or give --store another path.",
        )


def check_layout(connection: sqlite3.Connection, path: str, steps: Sequence[str]) -> None:
    """Whoever only reads can't bring a file up to date."""
    is_old = _read_pragma(connection, "user_version") < len(steps)
    if is_old or connection.execute("SELECT 1 FROM chores WHERE name = 'list'").fetchall():
        remedy = "Run `assay view` or `assay judge` on it once: both bring the file up to date."
        raise OldLayoutError("the store was written by an older Assay", path=path, remedy=remedy)


def migrate(connection: sqlite3.Connection, steps: Sequence[str]) -> None:
    """Two processes may open a file at once: the second finds the work done. The version moves with its step."""
    if _read_pragma(connection, "user_version") == len(steps):
        return
    with transaction(connection):
        done = _read_pragma(connection, "user_version")
        for number, step in enumerate(steps[done:], start=done + 1):
            for statement in _split(step):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")


def _split(script: str) -> Iterator[str]:
    """`executescript` would commit before it begins."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _read_pragma(connection: sqlite3.Connection, name: str) -> int:
    ((value,),) = connection.execute(f"PRAGMA {name}").fetchall()
    return int(value)
