"""What an interrupt does to a run: the first ends it in good order, the second at once."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from assay.runner.run import Limits


@contextmanager
def interruptible(limits: Limits) -> Iterator[list[int]]:
    """The first interrupt lets what is under way end; the second stops at once."""
    caught: list[int] = []
    spent = limits.is_spent
    limits.is_spent = lambda: bool(caught) or spent()

    def catch(number: int, _frame: FrameType | None) -> None:
        if caught:
            raise KeyboardInterrupt
        caught.append(number)
        # A progress bar may stand in the line.
        begin = "\n" if sys.stderr.isatty() else ""
        said = "assay: interrupted; what is under way ends first. Once more to stop at once."
        print(f"{begin}{said}", file=sys.stderr)

    before = signal.signal(signal.SIGINT, catch)
    try:
        yield caught
    finally:
        signal.signal(signal.SIGINT, before)
