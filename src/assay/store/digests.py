"""Digests of rows: SQLite does not notice a flipped byte in a cell, and what is read must be what was written.

A row that becomes a result, a label or a price carries a digest of its other columns. A run counts its judged records,
its labels of people and their preferences, and a judged record counts its other rows, so that a lost one is noticed.
A row that was damaged is never given a new digest.
"""

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib.resources import files

SCHEMA = (files("assay.store") / "schema.sql").read_text(encoding="utf-8")
_BYTES = 16


def digest_row(*values: object) -> bytes:
    """The SQL function `row_digest`. Values of different types differ, and no two lists of values look the same."""
    parts = [hashlib.sha256(value).digest() if isinstance(value, bytes) else value for value in values]
    return hashlib.blake2b(repr(parts).encode(), digest_size=_BYTES).digest()


def _list_columns(table: str) -> tuple[str, ...]:
    """All columns of a table that its rows' digests cover, in their order."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA)
        named = connection.execute("SELECT name FROM pragma_table_info(?) ORDER BY cid", (table,)).fetchall()
    return tuple(name for (name,) in named if name not in {"number", "digest"})


def call_digest(columns: Iterable[str]) -> str:
    return f"row_digest({', '.join(columns)})"


_TABLES = ("runs", "cards", "scores", "units", "replies", "labels", "preferences", "agreements")
COLUMNS: Mapping[str, Sequence[str]] = {table: _list_columns(table) for table in _TABLES}
# By table, a condition in SQL: the row is as it was written.
INTACT: Mapping[str, str] = {
    table: f"{table}.digest IS {call_digest(f'{table}.{name}' for name in columns)}"
    for table, columns in COLUMNS.items()
}


def insert(table: str, replacing: str = "") -> str:
    """A statement that takes the values of a table's columns and adds their digest.

    Where a row is there with the same values of the unique index `replacing`, it takes its place.
    """
    names, slots = (*COLUMNS[table], "digest"), [f"?{number}" for number in range(1, len(COLUMNS[table]) + 1)]
    statement = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(slots)}, {call_digest(slots)})"  # noqa: S608
    replaced = ", ".join(f"{name} = excluded.{name}" for name in names)
    return f"{statement} ON CONFLICT {replacing} DO UPDATE SET {replaced}" if replacing else statement


def order_cells(table: str, row: Mapping[str, object]) -> list[object]:
    """The cells of a row in the order of `insert`. A column that it does not name is NULL."""
    return [row.get(name) for name in COLUMNS[table]]


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commits at the end. On any error, an interrupt too, everything is rolled back."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def changing_runs(connection: sqlite3.Connection, numbers: Sequence[int]) -> Iterator[None]:
    """A transaction that changes the rows of these runs and gives them a new digest."""
    with transaction(connection):
        for number in numbers:
            connection.execute(f"UPDATE runs SET digest = NULL WHERE number = ? AND {INTACT['runs']}", (number,))  # noqa: S608
        yield
        connection.execute(f"UPDATE runs SET digest = {call_digest(COLUMNS['runs'])} WHERE digest IS NULL")  # noqa: S608
