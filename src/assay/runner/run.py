"""Runs a panel over many records: bounded, streaming, in order, and nothing invented for a record that failed."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable
from dataclasses import dataclass

from assay.domain.record import Record
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.records import InvalidRecord
from assay.runner.panel import Panel, Walked

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
        if self.max_failures is not None:
            require_count(self.max_failures, "failures", "Write --max-failures 10.", least=0)
        if self.record_seconds is not None:
            _require_time(self.record_seconds)


def require_count(value: object, name: str, remedy: str, *, least: int = 1) -> None:
    """From Python anything may come."""
    if not isinstance(value, int) or value < least:
        message = f"the number of {name} must be a whole number of at least {least}, not {value!r:.80}"
        raise InputError(message, remedy=remedy)


def _require_time(value: object) -> None:
    if not isinstance(value, int | float) or not value > 0:
        message = f"a record's time must be more than 0 seconds, not {value!r:.80}"
        raise InputError(message, remedy="Write --record-timeout 300.")


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

    async def judge(self, position: int, record: Record | InvalidRecord) -> Walked | None:
        """None for a record that waited for its turn until it was too late to begin."""
        async with self.gate:
            if self.is_closed:
                return None
            walked = await self.panel.judge(position, record)
        self.failed += walked.has_failed
        # Outside the gate: its replies are kept, so a card that is lost now costs no call. The next record may begin.
        await self.panel.committed()
        return walked

    def note_error(self, task: "asyncio.Task[Walked | None]") -> None:
        """An error ends the run, so one behind a slow record is raised without waiting its turn."""
        if not task.cancelled() and not self.error.done() and (error := task.exception()) is not None:
            self.error.set_exception(error)


async def run_panel(
    panel: Panel, records: Iterable[Record | InvalidRecord], limits: Limits, progress: Progress
) -> AsyncGenerator[Scorecard, None]:
    """Scorecards in the order of the records. Past a limit nothing new is begun; what is under way ends."""
    desk = _Desk(panel, limits, asyncio.Semaphore(limits.workers), asyncio.get_running_loop().create_future())
    pending: deque[asyncio.Task[Walked | None]] = deque()
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
            walked = await pending.popleft()
            if walked is None:
                progress.stopped = True
                continue
            if walked.card.unpaid:
                progress.stopped = True
            else:
                progress.done += 1
            progress.failed += walked.has_failed
            yield walked.card
        progress.stopped = progress.stopped or (not exhausted and next(stream, None) is not None)
    finally:
        for task in pending:
            task.cancel()
        desk.error.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        await panel.close()
