"""What can go wrong with a store, in words that say what to do about it."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from cattrs.errors import CattrsError

from assay.errors import InputError

_NEW_FILE = "Give --store another path."
_LOCKED = (
    "another process kept the store locked for too long",
    "Wait until it has finished or end it, then repeat the command; resume a run with --resume.",
)


class StoreError(InputError):
    """The store can't be read or written. What was committed before stays as it is, and stays readable."""


class DamagedError(StoreError):
    """A stored value is lost, or not what was written. All else in the store is readable."""


# By SQLite's primary result code: what is wrong, and what to do.
_SENTENCES: dict[int, tuple[str, str]] = {
    sqlite3.SQLITE_FULL: (
        "the disk is full: what was committed before is safe, the rest is not kept",
        "Free some space, then repeat the command; resume a run with --resume.",
    ),
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: (
        "the store can't be written to: the file or its folder is read-only",
        "Make both writable, or give --store a writable path.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "the store can't be opened: its file or folder can't be read or written",
        "Make both readable and writable, or give --store another path.",
    ),
    sqlite3.SQLITE_NOTADB: ("this file is not an Assay store", _NEW_FILE),
    sqlite3.SQLITE_CORRUPT: (
        "the store is damaged",
        "Copy the file, save what can be read with `sqlite3 FILE .recover`, and give --store another path.",
    ),
}

# What a value of another kind than was written does to its reader: a fraction over zero, a list where a text stood.
_DAMAGE = (CattrsError, zlib.error, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)

_DELETE = "Judge its records again, for which the stored replies are used, then delete it with `assay runs delete RUN`."
# By what is damaged, which is the first word about it.
_REMEDIES = {
    "run": _DELETE,
    "reply": "Judge again with --no-cache.",
    "agreement": "Measure it again with `assay agree RUN --save`; it takes the place of the damaged one.",
    "label": "Import that label again with `assay labels import FILE`; it takes the place of the damaged one.",
    "preference": "Import it again with `assay labels import FILE`; it takes the place of the damaged one.",
}


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Whatever a damaged cell makes of its reader, one error comes out, which speaks of the largest thing read."""
    try:
        yield
    except (DamagedError, *_DAMAGE) as error:
        why = error.message if isinstance(error, DamagedError) else f"{type(error).__name__}: {str(error)[:200]}"
        remedy = _REMEDIES.get(what.partition(" ")[0], f"Its run is damaged. {_DELETE}")
        raise DamagedError(f"a stored {what} can't be read ({why})", remedy=remedy) from error


def require_intact(*conditions: object) -> None:
    """Within `reading`: refuses a row that is not what was written."""
    if not all(conditions):
        raise ValueError("it differs from what was written")


def lost_rows(run: str, what: str, found: int, expected: int) -> DamagedError:
    return DamagedError(f"run {run} is damaged: {found} of its {expected} {what} are there", remedy=_DELETE)


def explain(error: sqlite3.Error | UnicodeDecodeError, path: str) -> StoreError:
    """SQLite's own words stand in brackets: they are what a search finds. Of a damaged store they may be no UTF-8."""
    if isinstance(error, UnicodeDecodeError):
        error = sqlite3.DatabaseError("its tables can't be read")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    # Extended codes (SQLITE_IOERR_WRITE …) carry the primary one in their low byte.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    sentence, remedy = _SENTENCES.get(code, ("the store can't be used", _NEW_FILE))
    return StoreError(f"{sentence} ({error})", path=path, remedy=remedy)
