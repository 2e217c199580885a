"""Runs a panel over many records: bounded, streaming, in order, and nothing invented for a record that failed."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import dataclass

from assay.domain.record import Record
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.records import InvalidRecord
from assay.runner.panel import Panel

# How many records may be finished behind a slow one before no new one is begun.
_AHEAD = 4


@dataclass(slots=True)
class Limits:
    """`is_spent` says that no further call will be paid for; `record_seconds` is how long one record may take."""

    workers: int = 8
    max_failures: int | None = None
    is_spent: Callable[[], bool] = lambda: False
    record_seconds: float | None = None

    def __post_init__(self) -> None:
        require_count(self.workers, "workers", "Write --workers 8.")
        if self.record_seconds is not None and self.record_seconds <= 0:
            raise InputError("a record's time must be more than 0 seconds", remedy="Write --record-timeout 300.")


def require_count(value: object, name: str, remedy: str) -> None:
    """From Python anything may come."""
    if not isinstance(value, int) or value < 1:
        raise InputError(f"the number of {name} must be a whole number of at least 1, not {value!r}", remedy=remedy)


@dataclass(slots=True)
class Progress:
    """How far a run got, and whether it stopped of its own accord."""

    done: int = 0
    failed: int = 0
    stopped: bool = False


@dataclass(slots=True)
class _Desk:
    """Takes up records while failures are within the limit; they count when they happen, not when their turn comes."""

    panel: Panel
    limits: Limits
    gate: asyncio.Semaphore
    error: "asyncio.Future[None]"
    failed: int = 0

    @property
    def is_closed(self) -> bool:
        over = self.limits.max_failures is not None and self.failed > self.limits.max_failures
        return over or self.limits.is_spent()

    async def judge(self, position: int, record: Record | InvalidRecord) -> Scorecard | None:
        """None for a record that waited for its turn until it was too late to begin."""
        async with self.gate:
            if self.is_closed:
                return None
            card = await self.panel.judge(position, record)
        self.failed += card.failed
        # Outside the gate: its replies are kept, so a card that is lost now costs no call. The next record may begin.
        await self.panel.committed()
        return card

    def note_error(self, task: "asyncio.Task[Scorecard | None]") -> None:
        """An error ends the run, so one behind a slow record is raised without waiting its turn."""
        if not task.cancelled() and not self.error.done() and (error := task.exception()) is not None:
            self.error.set_exception(error)


async def run_panel(
    panel: Panel, records: Iterable[Record | InvalidRecord], limits: Limits, progress: Progress
) -> AsyncGenerator[Scorecard, None]:
    """Scorecards in the order of the records. Past a limit nothing new is begun; what is under way ends."""
    desk = _Desk(panel, limits, asyncio.Semaphore(limits.workers), asyncio.get_running_loop().create_future())
    pending: deque[asyncio.Task[Scorecard | None]] = deque()
    stream = enumerate(records)
    exhausted = False
    try:
        while True:
            while not exhausted and not desk.is_closed and len(pending) < limits.workers * _AHEAD:
                taken = next(stream, None)
                if taken is None:
                    exhausted = True
                else:
                    pending.append(asyncio.create_task(desk.judge(*taken)))
                    pending[-1].add_done_callback(desk.note_error)
            if not pending:
                break
            if not pending[0].done():
                await asyncio.wait((pending[0], desk.error), return_when=asyncio.FIRST_COMPLETED)
            if desk.error.done():
                desk.error.result()
            card = await pending.popleft()
            if card is None:
                progress.stopped = True
                continue
            progress.done += 1
            progress.failed += card.failed
            yield card
        progress.stopped = progress.stopped or (not exhausted and next(stream, None) is not None)
    finally:
        for task in pending:
            task.cancel()
        desk.error.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        await panel.close()
