"""No file is two things at once: it would lose what one of them holds."""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from assay.errors import InputError

_Identity: TypeAlias = tuple[int, int] | Path
# What SQLite keeps beside its file belongs to it.
_BESIDE_STORE = ("-wal", "-shm", "-journal")


def refuse_clashes(read: Iterable[tuple[Path | None, str]], written: Iterable[tuple[Path | None, str]]) -> None:
    """What is only read may be one file; what is written must be another than every one of them, and than the rest."""
    used: dict[_Identity, str] = {}
    folders: list[tuple[Path, str]] = []
    for path, what in read:
        if path is not None and path.is_dir():
            folders.append((path.resolve(), what))
        elif path is not None and path.is_file():
            used[_identify(path)] = what
    for path, what in written:
        # A device, such as /dev/stdout, holds nothing.
        if path is None or (path.exists() and not path.is_file()):
            continue
        other = used.setdefault(_identify(path), what)
        if other == what:
            other = next((name for folder, name in folders if folder in path.resolve().parents), what)
        if other != what:
            message = f"is the file of {other}, and can't be that of {what} too"
            raise InputError(message, path=str(path), remedy="Name another file.")


def list_store(store: Path) -> tuple[tuple[Path, str], ...]:
    return tuple((store.with_name(store.name + end), "the store") for end in ("", *_BESIDE_STORE))


def _identify(path: Path) -> _Identity:
    """A file may have several names; one that is not there yet has only its own."""
    try:
        found = path.stat()
    except OSError:
        return path.resolve()
    return found.st_dev, found.st_ino
