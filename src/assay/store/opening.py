"""Opens a store's file, checked to be ours and readable by its owner only; deletes runs so that no file holds them."""

import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from assay.private_files import make_private
from assay.store.digests import SCHEMA, digest_row, transaction
from assay.store.faults import StoreError, explain

MEMORY = ":memory:"
# "assa" in the file's header says whose file it is.
APPLICATION_ID = 0x61737361
# Of schema.sql and of what codec.py writes. A field that has a default may be added to a type; any other change takes
# the next number.
LAYOUT = 16
_CHECKPOINT_PAGES = 200
_FOLDER = ".assay"


def default_path() -> Path:
    return Path(_FOLDER) / "assay.db"


def open_for_writing(path: str, busy_seconds: float) -> sqlite3.Connection:
    """The connection that writes. A file that is absent or empty becomes a new store."""
    if path != MEMORY:
        _prepare_file(Path(path))
    with _closing_on_error(path, lambda: _connect(_as_uri(path), busy_seconds)) as connection:
        layout = _check_identity(connection, path)
        _switch_to_wal(connection, path, busy_seconds)
        _make_private(path)
        # A commit survives the end of the process at once. It survives a power cut only from the next checkpoint on,
        # when SQLite waits for the disk: as soon as the log has so many pages. Until then a power cut may undo the
        # latest commits, always whole and always the last ones. So the file stays sound, no card is ever there without
        # what was committed before it, and a resumed run repeats a few calls and no more.
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA journal_size_limit = 16777216")
        if layout != LAYOUT:
            _create_tables(connection)
        # A file that can only be read opens all the same; better said now than at the first card.
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
        return connection


def open_for_reading(path: str, busy_seconds: float) -> sqlite3.Connection:
    """A connection that can't write, also on a disk or in a folder where nothing can be written."""
    if not Path(path).is_file() or not Path(path).stat().st_size:
        raise StoreError("there is no store", path=path, remedy="Judge some records first, or give --store its path.")
    with _closing_on_error(path, lambda: _connect_reading(path, busy_seconds)) as connection:
        _check_identity(connection, path)
        _make_private(path)
        return connection


@contextlib.contextmanager
def _closing_on_error(path: str, connect: Callable[[], sqlite3.Connection]) -> Iterator[sqlite3.Connection]:
    connection = None
    try:
        connection = connect()
        yield connection
    except BaseException as error:
        if connection is not None:
            connection.close()
        if isinstance(error, sqlite3.Error | UnicodeDecodeError):
            raise explain(error, path) from error
        raise


def _check_identity(connection: sqlite3.Connection, path: str) -> int:
    """The layout, before anything is changed: a file of another program or another version of Assay stays as it is."""
    # One statement: another process may be creating the tables between two looks.
    ((owner, layout, tables),) = connection.execute(
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
        " FROM pragma_application_id, pragma_user_version"
    ).fetchall()
    if owner != APPLICATION_ID and (tables or layout):
        raise StoreError("this file is not an Assay store", path=path, remedy="Give --store another path.")
    if layout and layout != LAYOUT:
        age = "a newer" if layout > LAYOUT else "an older"
        raise StoreError(
            f"the store was written by {age} version of Assay (layout {layout}; this version uses {LAYOUT})",
            path=path,
            remedy="Use that version to read it, or give --store another path. The file was not changed.",
        )
    return int(layout)


def _create_tables(connection: sqlite3.Connection) -> None:
    """All tables or none. Two processes may open a new file at once: the second finds the tables there."""
    marks = f"PRAGMA user_version = {LAYOUT}; PRAGMA application_id = {APPLICATION_ID};"
    connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} {marks} COMMIT;")


def _connect_reading(path: str, busy_seconds: float) -> sqlite3.Connection:
    """A finished store in a read-only folder has no side files, and SQLite can't make them: nobody writes to it."""
    connection = _connect(f"{_as_uri(path)}?mode=ro", busy_seconds)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:
        connection.close()
        if not isinstance(error, sqlite3.OperationalError) or Path(f"{path}-wal").exists():
            raise
        return _connect(f"{_as_uri(path)}?mode=ro&immutable=1", busy_seconds)
    return connection


def _connect(uri: str, busy_seconds: float) -> sqlite3.Connection:
    # Transactions are begun and ended by us alone; locks of ours, not the module, keep threads apart.
    connection = sqlite3.connect(uri, uri=True, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.create_function("row_digest", -1, digest_row, deterministic=True)
    return connection


def _as_uri(path: str) -> str:
    return "file::memory:" if path == MEMORY else Path(path).absolute().as_uri()


def _switch_to_wal(connection: sqlite3.Connection, path: str, busy_seconds: float) -> None:
    """Readers and writers then do not wait for each other. The switch itself is not patient, so patience is here."""
    deadline = time.monotonic() + busy_seconds
    mode = None
    while mode is None:
        try:
            ((mode,),) = connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    if mode != "wal" and path != MEMORY:
        message = "this file system can't hold a store that is written and read at the same time"
        raise StoreError(message, path=path, remedy="Give --store a path on a local disk.")


def _prepare_file(path: Path) -> None:
    try:
        _prepare_folder(path.parent)
        with contextlib.suppress(FileExistsError):
            # SQLite would make it readable for all; its side files take the mode of the file.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        message = f"the store can't be created here ({error.strerror})"
        raise StoreError(message, path=str(path), remedy="Give --store a writable path.") from error
    if not path.is_file():
        raise StoreError("this is not a file", path=str(path), remedy="Give --store the path of a file.")


def _make_private(path: str) -> None:
    """The file and what SQLite keeps beside it, once it is known to be ours: an earlier mode may let others read."""
    for ending in ("", "-wal", "-shm", "-journal"):
        make_private(Path(path + ending))


def _prepare_folder(folder: Path) -> None:
    """A folder that we make, or that bears our name, is private and ignored by git. Any other is the user's own."""
    ours = folder.name == _FOLDER
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        ours = True
    if ours:
        make_private(folder)
        with contextlib.suppress(FileExistsError, PermissionError), (folder / ".gitignore").open("x") as file:
            file.write("*\n")


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
        message = "the run is deleted, but another process is reading, so the log may still hold traces of its texts"
        raise StoreError(message, path=path, remedy=remedy)
    connection.execute("DELETE FROM chores WHERE name = 'scrub'")


def scrub_if_pending(connection: sqlite3.Connection, path: str) -> None:
    """Ends what a process that was killed, or a full disk, left undone. It can wait once more if it must."""
    if connection.execute("SELECT 1 FROM chores WHERE name = 'scrub'").fetchall():
        with contextlib.suppress(sqlite3.OperationalError, StoreError):
            scrub(connection, path)
