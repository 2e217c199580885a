"""What an interrupt does to a run: the first ends it in good order, the second at once."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from assay.runner.run import Limits


@contextmanager
def interruptible(limits: Limits) -> Iterator[list[int]]:
    """The first interrupt lets what is under way end; the second stops at once.

    Further ones change nothing: stopping ends with the command that goes on with the run, and that is worth a moment.
    """
    caught: list[int] = []
    spent = limits.is_spent
    limits.is_spent = lambda: bool(caught) or spent()

    def catch(number: int, _frame: FrameType | None) -> None:
        caught.append(number)
        if len(caught) > 2:
            return
        if len(caught) == 2:
            raise KeyboardInterrupt
        # A progress bar may stand in the line.
        begin = "\n" if sys.stderr.isatty() else ""
        said = "assay: interrupted; what is under way ends first. Once more to stop at once."
        print(f"{begin}{said}", file=sys.stderr)

    before = signal.signal(signal.SIGINT, catch)
    try:
        yield caught
    finally:
        signal.signal(signal.SIGINT, before)
