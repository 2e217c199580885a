"""Files that a command writes for its user."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from assay.errors import InputError


def write_out(path: Path, pieces: Iterable[str]) -> None:
    """To standard output for `-`, else to a file, and say so."""
    if str(path) == "-":
        sys.stdout.writelines(pieces)
        return
    write_file(path, pieces)
    print(f"{path} is written", file=sys.stderr)


def write_file(path: Path, pieces: Iterable[str]) -> None:
    with writing(path), path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(pieces)


@contextmanager
def writing(path: Path, remedy: str = "Write a path in a folder that exists.") -> Iterator[None]:
    """A path that can't be written is a wrong input, with what to write instead."""
    try:
        yield
    except OSError as error:
        raise InputError(f"can't be written ({error.strerror})", path=str(path), remedy=remedy) from None
