"""Digests of rows: SQLite does not notice a flipped byte in a cell, and what is read must be what was written.

A row that becomes a result, a label or a price carries a digest of its other columns. A run counts its judged records,
its labels of people and their preferences, and a judged record counts its other rows, so that a lost one is noticed.
A row that was damaged is never given a new digest.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
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


def is_intact(table: str, columns: Sequence[str]) -> str:
    """A condition in SQL: the row is as it was written."""
    return f"{table}.digest IS {call_digest(f'{table}.{name}' for name in columns)}"


def call_digest(columns: Iterator[str] | Sequence[str]) -> str:
    return f"row_digest({', '.join(columns)})"


def insert(table: str, columns: Sequence[str]) -> str:
    """A statement that takes the values of these columns and adds their digest."""
    slots = [f"?{number}" for number in range(1, len(columns) + 1)]
    return f"INSERT INTO {table} ({', '.join(columns)}, digest) VALUES ({', '.join(slots)}, {call_digest(slots)})"  # noqa: S608


RUN_COLUMNS, CARD_COLUMNS, SCORE_COLUMNS, UNIT_COLUMNS, REPLY_COLUMNS, LABEL_COLUMNS, PREFERENCE_COLUMNS = map(
    _list_columns, ("runs", "cards", "scores", "units", "replies", "labels", "preferences")
)
RUN_INTACT = is_intact("runs", RUN_COLUMNS)
CARD_INTACT = is_intact("cards", CARD_COLUMNS)
SCORE_INTACT = is_intact("scores", SCORE_COLUMNS)
UNIT_INTACT = is_intact("units", UNIT_COLUMNS)
REPLY_INTACT = is_intact("replies", REPLY_COLUMNS)
LABEL_INTACT = is_intact("labels", LABEL_COLUMNS)
PREFERENCE_INTACT = is_intact("preferences", PREFERENCE_COLUMNS)


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
            connection.execute(f"UPDATE runs SET digest = NULL WHERE number = ? AND {RUN_INTACT}", (number,))  # noqa: S608
        yield
        seal_runs(connection)


def seal_runs(connection: sqlite3.Connection) -> None:
    connection.execute(f"UPDATE runs SET digest = {call_digest(RUN_COLUMNS)} WHERE digest IS NULL")  # noqa: S608


def seal_labels(connection: sqlite3.Connection, run: int) -> None:
    statement = (
        f"UPDATE labels SET digest = {call_digest(LABEL_COLUMNS)} WHERE run = ? AND is_person = 1 AND digest IS NULL"  # noqa: S608
    )
    connection.execute(statement, (run,))
