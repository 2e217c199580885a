"""Files of a command: writing them, refusing one path for two uses, and naming paths and commands to type again."""

import os
import shlex
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from click.core import ParameterSource

from assay.errors import InputError
from assay.private_files import open_private

_COMMAND = "assay"
# SQLite keeps these files beside the store.
_BESIDE_STORE = ("-wal", "-shm", "-journal")


def write_out(path: Path, pieces: Iterable[str]) -> None:
    """Writes to standard output for `-`, else to a file, and says so."""
    if str(path) == "-":
        sys.stdout.writelines(pieces)
        return
    write_file(path, pieces)
    print(f"Wrote {path}", file=sys.stderr)


def write_file(path: Path, pieces: Iterable[str]) -> None:
    """Makes it readable by its owner only: it holds texts of records."""
    with explain_write_errors(path), open(path, "w", encoding="utf-8", newline="\n", opener=open_private) as stream:
        stream.writelines(pieces)


@contextmanager
def explain_write_errors(path: Path, remedy: str = "Name a file in an existing, writable folder.") -> Iterator[None]:
    """Turns an OSError into an InputError with what to write instead."""
    try:
        yield
    except BrokenPipeError:  # the reader of a pipe has had enough
        raise
    except OSError as error:
        raise InputError(f"can't be written ({error.strerror})", path=str(path), remedy=remedy) from None


def refuse_clashes(
    read: Iterable[tuple[str | Path | None, str]], written: Iterable[tuple[str | Path | None, str]]
) -> None:
    """Raises InputError where a file to write is also read, or written for another purpose."""
    used: dict[tuple[int, int] | Path, str] = {}
    folders: list[tuple[Path, str]] = []
    for path, what in _as_paths(read):
        if path.is_dir():
            folders.append((path.resolve(), what))
        elif path.is_file():
            used[_identify(path)] = what
    for path, what in _as_paths(written):
        if path.exists() and not path.is_file():  # a device, such as /dev/stdout, holds nothing
            continue
        other = used.setdefault(_identify(path), what)
        if other == what:
            other = next((name for folder, name in folders if folder in path.resolve().parents), what)
        if other != what:
            message = f"this file holds {other}, so it can't hold {what} too"
            raise InputError(message, path=str(path), remedy="Name another file.")


def _as_paths(named: Iterable[tuple[str | Path | None, str]]) -> Iterator[tuple[Path, str]]:
    return ((Path(path), what) for path, what in named if path is not None)


def list_store_files(store: Path) -> tuple[tuple[Path, str], ...]:
    return tuple((store.with_name(store.name + end), "the store") for end in ("", *_BESIDE_STORE))


def _identify(path: Path) -> tuple[int, int] | Path:
    """A file may have several names; one that does not exist yet has only its own."""
    try:
        found = path.stat()
    except OSError:
        return path.resolve()
    return found.st_dev, found.st_ino


def name_command() -> str:
    """`assay` as it can be typed here: by its name if the shell finds this one by it, else by its path."""
    typed, found = Path(sys.argv[0]), shutil.which(_COMMAND)
    is_command = typed.is_file() and os.access(typed, os.X_OK)
    if not is_command or (found is not None and Path(found).samefile(typed)):
        return _COMMAND
    near = name_path(typed)
    # A shell looks for a name without a slash on the PATH alone.
    return shlex.quote(near if os.sep in near else f"{os.curdir}{os.sep}{near}")


def name_path(path: Path) -> str:
    """The path relative to the working folder if it is below it. A link keeps its own name."""
    try:
        placed, here = path.absolute(), Path.cwd()
    except FileNotFoundError:  # the working folder has been deleted
        return str(path)
    return str(placed.relative_to(here) if placed.is_relative_to(here) else placed)


def format_command(*words: str) -> str:
    """A further command on the store of this one, to be typed as it stands."""
    context = click.get_current_context()
    is_named = context.get_parameter_source("store") is ParameterSource.COMMANDLINE
    return shlex.join(["assay", *words, *(["--store", str(context.params["store"])] if is_named else [])])
