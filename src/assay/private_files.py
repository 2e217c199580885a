"""Files that hold texts of records: only their owner can read them, whatever the umask is or their mode was."""

import os
import stat
from contextlib import suppress
from pathlib import Path


def open_private(path: str, flags: int) -> int:
    """For `open(…, opener=open_private)`: a file that is made, or was there, is its owner's alone."""
    descriptor = os.open(path, flags, 0o600)
    make_private(descriptor)
    return descriptor


def make_private(target: int | Path) -> None:
    """Takes the rights of others off a file or a folder; devices and pipes are left alone.

    File systems without rights, and files of another owner, stay as they are.
    """
    if os.name != "posix":
        return
    with suppress(OSError):
        mode = os.stat(target).st_mode  # noqa: PTH116  # of a descriptor too
        if (stat.S_ISREG(mode) or stat.S_ISDIR(mode)) and mode & 0o077:
            os.chmod(target, stat.S_IMODE(mode) & 0o700)  # noqa: PTH101
