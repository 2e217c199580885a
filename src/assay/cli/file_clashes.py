"""No file is two things at once: it would lose what one of them holds."""

from collections.abc import Iterable
from pathlib import Path

from assay.errors import InputError


def refuse_clashes(read: Iterable[tuple[Path, str]], written: Iterable[tuple[Path | None, str]]) -> None:
    """What is only read may be one file; what is written must be another than every one of them, and than the rest."""
    used = {path.resolve(): what for path, what in read if path.is_file()}
    for path, what in written:
        # A device, such as /dev/stdout, holds nothing.
        if path is None or (path.exists() and not path.is_file()):
            continue
        other = used.setdefault(path.resolve(), what)
        if other != what:
            message = f"is the file of {other}, and can't be that of {what} too"
            raise InputError(message, path=str(path), remedy="Name another file.")
