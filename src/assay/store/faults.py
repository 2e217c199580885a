"""What can go wrong with a store, in words that say what to do about it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from assay.errors import InputError

_NEW_FILE = "Give --store another path."


class StoreError(InputError):
    """The store can't be read or written. What was committed before stays as it is, and stays readable."""


class OldLayoutError(StoreError):
    """The file is of an older Assay. Whoever may write to it brings it up to date by opening it."""


# By SQLite's primary result code: what is wrong, and what to do.
_SENTENCES: dict[int, tuple[str, str]] = {
    sqlite3.SQLITE_FULL: (
        "the disk is full, so what was not yet committed is not kept; what was is safe",
        "Free some space, then repeat the command; a run goes on with --resume.",
    ),
    sqlite3.SQLITE_BUSY: (
        "another process has kept the store locked for too long",
        "Wait until it has finished or end it, then repeat the command; a run goes on with --resume.",
    ),
    sqlite3.SQLITE_READONLY: (
        "the store can't be written to: the file or its folder is read-only",
        "Make both writable, or give --store a path that is.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "the store can't be opened: its file or folder can't be read or written",
        "Make both readable and writable, or give --store a path that is.",
    ),
    sqlite3.SQLITE_NOTADB: ("this file is no Assay store", _NEW_FILE),
    sqlite3.SQLITE_CORRUPT: (
        "the store is damaged",
        "Copy the file, save what can be read with `sqlite3 FILE .recover`, and give --store another path.",
    ),
    sqlite3.SQLITE_IOERR: (
        "the disk reports an error",
        "Look at the disk (space, quota, connection), then repeat the command; a run goes on with --resume.",
    ),
}
_SENTENCES[sqlite3.SQLITE_LOCKED] = _SENTENCES[sqlite3.SQLITE_BUSY]
_SENTENCES[sqlite3.SQLITE_PERM] = _SENTENCES[sqlite3.SQLITE_CANTOPEN]


# What a value of another kind than was written does to its reader: a fraction over zero, a list where a text stood.
_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Whatever a damaged cell makes of its reader, one error comes out."""
    try:
        yield
    except _DAMAGE as error:
        raise StoreError(
            f"a stored {what} can't be read ({type(error).__name__}: {str(error)[:200]})",
            remedy="Its run is damaged: delete it, and judge its records again.",
        ) from error


def explain(error: sqlite3.Error, path: str) -> StoreError:
    """SQLite's own words stand in brackets: they are what a search finds."""
    # Extended codes (SQLITE_IOERR_WRITE …) carry the primary one in their low byte.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    sentence, remedy = _SENTENCES.get(code, ("the store can't be used", _NEW_FILE))
    return StoreError(f"{sentence} ({error})", path=path, remedy=remedy)
