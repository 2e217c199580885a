"""Runs a panel over many records: bounded, streaming, in order, and nothing invented for a record that failed."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Collection, Iterable
from dataclasses import dataclass

from assay.domain.record import Record
from assay.domain.scorecard import Scorecard
from assay.files.records import InvalidRecord
from assay.runner.panel import Panel

# How many records may be finished behind a slow one before no new one is begun.
_AHEAD = 4


@dataclass(slots=True)
class Limits:
    """`is_spent` says that no further call will be paid for."""

    workers: int = 8
    max_failures: int | None = None
    is_spent: Callable[[], bool] = lambda: False


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
        return card


async def run_panel(
    panel: Panel, records: Iterable[Record | InvalidRecord], limits: Limits, progress: Progress
) -> AsyncGenerator[Scorecard, None]:
    """Scorecards in the order of the records. Past a limit nothing new is begun; what is under way ends."""
    desk = _Desk(panel, limits, asyncio.Semaphore(limits.workers))
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
            if not pending:
                break
            await _wait_for_turn(pending)
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
        await asyncio.gather(*pending, return_exceptions=True)
        await panel.close()


async def _wait_for_turn(pending: Collection[asyncio.Task[Scorecard | None]]) -> None:
    """Until the first of them has ended. An error ends the run, so one behind it is raised without waiting its turn."""
    first = next(iter(pending))
    while not first.done():
        waiting = [task for task in pending if not task.done()]
        ended, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in ended:
            task.result()
