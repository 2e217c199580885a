"""Locks between processes: a run is judged by one at a time, and results are written by one at a time.

The system releases a lock when the process ends, however it ends.
"""

import errno
import fcntl
import os
from contextlib import suppress
from pathlib import Path

from assay.errors import InputError


def lock_descriptor(descriptor: int) -> bool:
    """Whether this process now has the lock on an open file or folder. A file system without locks always grants it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in {errno.ENOLCK, errno.ENOTSUP, errno.EINVAL}:
            raise
    return True


class RunLock:
    """An advisory lock on a file beside the store."""

    def __init__(self, store: str, run: str) -> None:
        self._store, self._run = store, run
        self._path = Path(f"{store}-{run}.lock")
        self._file = self._acquire()
        while self._file is None:
            self._file = self._acquire()

    def release(self) -> None:
        if self._file is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = None

    def _acquire(self) -> int | None:
        """The locked file; None where whoever had it has removed it in between."""
        file = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
        if not lock_descriptor(file):
            os.close(file)
            remedy = "Wait until it has ended, or end it; then resume the run."
            raise InputError(f"run {self._run} is being judged by another process", path=self._store, remedy=remedy)
        with suppress(FileNotFoundError):
            if self._path.stat().st_ino == os.fstat(file).st_ino:
                return file
        os.close(file)
        return None
