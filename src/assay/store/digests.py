"""Digests of rows: SQLite does not notice a flipped byte in a cell, and what is read must be what was written.

A row that becomes a result, a label or a price carries a digest of its other columns. A run also counts its rows, so
that a lost one is noticed. A row that was damaged is never given a new digest.
"""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

RUN_COLUMNS = (
    *("id", "started", "finished", "state", "body", "calls", "cache_hits", "prompt_tokens", "completion_tokens"),
    *("picodollars", "unpriced_calls", "cached_tokens", "written_tokens", "cards", "labels"),
)
CARD_COLUMNS = (
    *("run", "position", "record", "record_id", "system", "item", "failed", "goodness", "scored", "asked", "rank"),
    *("flags", "facets", "size_bytes", "metrics"),
)
SCORE_COLUMNS = (
    *("card", "run", "place", "metric", "status", "score", "raw", "low", "high", "goodness", "width", "spread"),
    *("estimate", "rank", "flags", "labels"),
)
BODY_COLUMNS = ("card", "body")
REPLY_COLUMNS = ("key", "body")
LABEL_COLUMNS = (
    *("run", "card", "metric", "part", "unit", "person", "label", "qualifier", "note", "moment", "drawn_by"),
    "probability",
)


def digest_row(*values: object) -> bytes:
    """The SQL function `row_digest`. Values of different types differ, and no two lists of values look the same."""
    digest = hashlib.sha256()
    for value in values:
        content = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
        digest.update(f"{type(value).__name__} {len(content)}:".encode())
        digest.update(content)
    return digest.digest()


def is_intact(table: str, columns: Sequence[str]) -> str:
    """A condition in SQL: the row is as it was written."""
    return f"{table}.digest IS {call_digest(f'{table}.{name}' for name in columns)}"


def call_digest(columns: Iterator[str] | Sequence[str]) -> str:
    return f"row_digest({', '.join(columns)})"


def insert(table: str, columns: Sequence[str]) -> str:
    """A statement that takes the values of these columns and adds their digest."""
    slots = [f"?{number}" for number in range(1, len(columns) + 1)]
    return f"INSERT INTO {table} ({', '.join(columns)}, digest) VALUES ({', '.join(slots)}, {call_digest(slots)})"  # noqa: S608


RUN_INTACT = is_intact("runs", RUN_COLUMNS)
CARD_INTACT = is_intact("cards", CARD_COLUMNS)
SCORE_INTACT = is_intact("scores", SCORE_COLUMNS)
BODY_INTACT = is_intact("bodies", BODY_COLUMNS)
REPLY_INTACT = is_intact("replies", REPLY_COLUMNS)
LABEL_INTACT = is_intact("labels", LABEL_COLUMNS)


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
    statement = f"UPDATE labels SET digest = {call_digest(LABEL_COLUMNS)} WHERE run = ? AND digest IS NULL"  # noqa: S608
    connection.execute(statement, (run,))
