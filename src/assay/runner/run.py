"""Runs a walk over many records: bounded, streaming, in order, and nothing invented for a record that failed."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass

from assay.domain.outcome import Failure
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.files.records import InvalidRecord
from assay.runner.walk import Walk
from assay.scoring.total import compute_total

# How many records may be finished behind a slow one before no new one is begun.
_AHEAD = 4


@dataclass(slots=True)
class Limits:
    workers: int = 8
    max_failures: int | None = None


@dataclass(slots=True)
class Progress:
    """How far a run got, and whether it stopped of its own accord."""

    done: int = 0
    failed: int = 0
    stopped: bool = False


async def run_walk(
    walk: Walk, records: Iterable[Record | InvalidRecord], limits: Limits, progress: Progress
) -> AsyncIterator[Scorecard]:
    """Scorecards in the order of the records. Past `max_failures` nothing new is begun; what is under way ends."""
    gate = asyncio.Semaphore(limits.workers)
    pending: deque[asyncio.Task[Scorecard]] = deque()
    stream = iter(records)
    exhausted = False
    try:
        while True:
            while not exhausted and not _is_over(limits, progress) and len(pending) < limits.workers * _AHEAD:
                record = next(stream, None)
                if record is None:
                    exhausted = True
                else:
                    pending.append(asyncio.create_task(_judge(walk, record, gate)))
            if not pending:
                break
            card = await pending.popleft()
            progress.done += 1
            progress.failed += card.failed
            yield card
        progress.stopped = not exhausted and next(stream, None) is not None
    finally:
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)


def _is_over(limits: Limits, progress: Progress) -> bool:
    return limits.max_failures is not None and progress.failed > limits.max_failures


async def _judge(walk: Walk, record: Record | InvalidRecord, gate: asyncio.Semaphore) -> Scorecard:
    if isinstance(record, InvalidRecord):
        return card_invalid(record, walk.rubric, walk.judge.name, walk.run)
    async with gate:
        return await walk.judge_record(record)


def card_invalid(invalid: InvalidRecord, rubric: Rubric, judge: str, run: str) -> Scorecard:
    """A record that can't be read keeps its row, with the reason in every metric."""
    record = Record(id=invalid.id, item="", output="", sources=())
    outcomes = {metric.id: Failure("invalid_record", invalid.reason) for metric in rubric.metrics}
    return Scorecard(record, rubric, judge, outcomes, compute_total(rubric, outcomes), run=run)
