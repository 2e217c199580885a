"""A lock per run, so that two processes never judge, and pay for, the same records at the same time."""

import fcntl
import os
from pathlib import Path

from assay.errors import InputError


class RunLock:
    """An advisory lock on a file beside the store. The system releases it when the process ends, however it ends."""

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
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if self._path.stat().st_ino == os.fstat(file).st_ino:
                return file
        except BlockingIOError:
            os.close(file)
            remedy = "Wait until it has ended, or end it; then resume the run."
            message = f"run {self._run} is being judged by another process"
            raise InputError(message, path=self._store, remedy=remedy) from None
        except FileNotFoundError:
            pass
        os.close(file)
        return None
