"""How far a run is, on one line of a terminal that goes away at the end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from assay.domain.scorecard import Scorecard

_CLEAR = "\r\x1b[2K"


@contextmanager
def show_progress(stream: IO[str] | None, total: int) -> Iterator[Callable[[Scorecard], None]]:
    """Nothing where nobody looks: a log or a pipe gets the summary alone."""
    if stream is None or not stream.isatty():
        yield lambda _: None
        return
    done = failed = 0

    def tick(card: Scorecard) -> None:
        nonlocal done, failed
        done += 1
        failed += card.failed
        stream.write(f"{_CLEAR}{done} of {total} records" + (f", {failed} failed" if failed else ""))
        stream.flush()

    try:
        yield tick
    finally:
        stream.write(_CLEAR)
        stream.flush()
