"""Judges many records: bounded, streaming, in order, kept as soon as they are done."""

import asyncio
import uuid
from collections import deque
from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Protocol

from assay.domain.outcome import Failure
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.engine.breaker import Breaker
from assay.errors import InputError
from assay.files.records import InvalidRecord
from assay.gather import gather_or_cancel
from assay.judges.judge import Judge
from assay.packs import find_hooks
from assay.runner.banks import BankCache, BankStore
from assay.runner.combine import combine
from assay.runner.deadline import Deadline
from assay.runner.items import PlacedRecord, place_records
from assay.runner.walk import Walk
from assay.scoring.total import compute_total
from assay.store.runs import RunRow, RunState

# How many records may wait, finished, for a slow one before no new one is begun: so many times the workers.
_AHEAD = 4


@dataclass(slots=True)
class Limits:
    """When a run ends early. `is_spent` says that no further call will be paid for.

    `record_seconds` is how long one record may take; `breakers` are those of the endpoints that are asked.
    """

    workers: int = 8
    max_failures: int | None = None
    is_spent: Callable[[], bool] = lambda: False
    record_seconds: float | None = None
    breakers: Collection[Breaker] = ()

    def __post_init__(self) -> None:
        require_count(self.workers, "workers")
        if self.max_failures is not None:
            require_count(self.max_failures, "max_failures", least=0)
        if self.record_seconds is not None:
            require_seconds(self.record_seconds, "record_timeout")

    @property
    def tripped(self) -> Breaker | None:
        return next((each for each in self.breakers if each.tripped), None)


def require_count(value: object, name: str, *, least: int = 1) -> None:
    """From Python anything may come."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InputError(f"{name} must be a whole number of at least {least}, not {value!r:.80}")


def require_seconds(value: object, name: str) -> None:
    if not (isinstance(value, int | float) and value > 0):
        raise InputError(f"{name} must be more than 0 seconds, not {value!r:.80}")


@dataclass(slots=True)
class Progress:
    """How far a run got, and whether it stopped of its own accord; `asked` and `answered` count metrics."""

    done: int = 0
    failed: int = 0
    stopped: bool = False
    asked: int = 0
    answered: int = 0

    def count(self, card: Scorecard, *, has_failed: bool) -> None:
        self.stopped = self.stopped or card.unpaid
        self.done += not card.unpaid
        self.failed += has_failed
        self.asked += len(card.asked)
        self.answered += sum(not isinstance(each, Failure) for each in card.asked)


def new_run_id() -> str:
    """Begins with the date and time, so that ids sort by age."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:6]}"


class CardStore(Protocol):
    """Keeps scorecards as soon as they are done. What the methods promise is said in `Store`."""

    def get_record(self, run: str, record: str, system: str | None, rubric: Rubric) -> Scorecard | None: ...

    def add_record(self, run: str, position: int, card: Scorecard) -> None: ...

    async def committed(self) -> None: ...

    def flush(self) -> None: ...

    def update_run(self, run: str, state: RunState, finished: datetime | None) -> None: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything one run needs. Without a store nothing is kept beyond the results.

    `owned` are the judges that the run opened itself, and closes. `by_item` judges the records of an item one after the
    other.
    """

    rubric: Rubric
    judges: tuple[Judge, ...]
    limits: Limits = field(default_factory=Limits)
    banks: BankStore | BankCache | None = None
    samples: int = 1
    store: CardStore | None = None
    run: str = field(default_factory=new_run_id)
    owned: tuple[Judge, ...] = ()
    by_item: bool = False

    def __post_init__(self) -> None:
        require_count(self.samples, "samples")
        names = [judge.name for judge in self.judges]
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(
                f"the judge {twice} is named twice", remedy="Use samples for several answers of one judge."
            )
        if not names:
            raise InputError("no judge is named", remedy="Name one, such as embedded or openai:MODEL.")

    def build_walks(self) -> tuple[Walk, ...]:
        """One walk per judge and sample; all of them share their banks."""
        banks = self.banks if isinstance(self.banks, BankCache) else BankCache(self.banks)
        hooks = find_hooks(self.rubric)
        return tuple(
            Walk(self.rubric, judge, banks, self.run, sample, hooks)
            for judge in self.judges
            for sample in range(self.samples)
        )


async def carry_out(
    plan: Plan, records: Iterable[Record | InvalidRecord], keep: Callable[[Scorecard], None], progress: Progress
) -> None:
    """Hands each scorecard to `keep` as soon as it and all before it are done; the store is told how the run ended."""
    finished = False
    try:
        async with aclosing(_judge_records(plan, records, progress)) as cards:
            async for card in cards:
                keep(card)
        finished = not progress.stopped
    finally:
        try:
            for judge in plan.owned:
                await judge.close()
        finally:
            # What is judged is kept, whatever becomes of the judges.
            if plan.store is not None:
                plan.store.flush()
                plan.store.update_run(plan.run, "done" if finished else "stopped", datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class JudgedCard:
    """A record's scorecard, and whether the store held it before."""

    card: Scorecard
    is_kept: bool = False

    @property
    def has_failed(self) -> bool:
        """What failed in an earlier start of this run was counted then, and what is unpaid is not finished."""
        return self.card.failed and not self.is_kept and not self.card.unpaid


@dataclass(slots=True)
class _Workers:
    """Begins records while failures are within the limit; failures count when they happen, not in record order."""

    plan: Plan
    walks: tuple[Walk, ...]
    gate: asyncio.Semaphore
    error: "asyncio.Future[None]"
    failed: int = 0
    doubtful: list[tuple[int, Scorecard]] = field(default_factory=list)

    @property
    def is_closed(self) -> bool:
        limits = self.plan.limits
        most = limits.max_failures
        return limits.is_spent() or limits.tripped is not None or (most is not None and self.failed > most)

    async def judge(self, placed: PlacedRecord) -> JudgedCard | None:
        """None where a limit was reached before this record was begun."""
        kept = self._find_kept(placed.record)
        if kept is not None:
            return kept
        async with self.gate:
            if self.is_closed:
                return None
            deadline = Deadline.begin(self.plan.limits.record_seconds)
            cards = await gather_or_cancel(*(self._judge_once(walk, placed, deadline) for walk in self.walks))
            judged = JudgedCard(combine(cards))
        self.failed += judged.has_failed
        # Outside the gate: replies are kept already, so a card that is lost now costs no call.
        if not judged.card.unpaid:
            await self._keep(placed.position, judged.card)
        return judged

    async def _keep(self, position: int, card: Scorecard) -> None:
        """What failed while an endpoint answered nobody is kept once it answers again."""
        is_failing = any(each.is_failing or each.tripped for each in self.plan.limits.breakers)
        if is_failing and card.lacks_answers:
            self.doubtful.append((position, card))
            return
        if not is_failing:
            self.keep_doubtful()
        if self.plan.store is not None:
            self.plan.store.add_record(self.plan.run, position, card)
            await self.plan.store.committed()

    def keep_doubtful(self) -> None:
        """Not where the breaker ends the run: such a record is not finished, and asked about when it is resumed."""
        if self.plan.store is not None and self.plan.limits.tripped is None:
            for position, card in self.doubtful:
                self.plan.store.add_record(self.plan.run, position, card)
        self.doubtful.clear()

    async def _judge_once(self, walk: Walk, placed: PlacedRecord, deadline: Deadline | None) -> Scorecard:
        record, rubric = placed.record, walk.rubric
        if not isinstance(record, InvalidRecord):
            repeats = placed.siblings > 0 or self.plan.samples > 1
            return await walk.judge_record(record, deadline, repeats=repeats)
        outcomes = {metric.id: Failure("invalid_record", record.reason) for metric in rubric.metrics}
        total = compute_total(rubric, outcomes)
        return Scorecard(stand_in(record), rubric, walk.judge.name, outcomes, total, run=walk.run, sample=walk.sample)

    def _find_kept(self, record: Record | InvalidRecord) -> JudgedCard | None:
        store = self.plan.store
        card = None if store is None else store.get_record(self.plan.run, record.id, record.system, self.plan.rubric)
        return None if card is None else JudgedCard(replace(card, run=self.plan.run), is_kept=True)

    def note_error(self, task: "asyncio.Task[JudgedCard | None]") -> None:
        """An error ends the run, so one behind a slow record is raised without waiting its turn."""
        if not task.cancelled() and not self.error.done() and (error := task.exception()) is not None:
            self.error.set_exception(error)


def stand_in(invalid: InvalidRecord) -> Record:
    """What is kept in the place of a record that can't be read: its names, and nothing else."""
    return Record(id=invalid.id, item="", output="", sources=(), system=invalid.system)


async def _judge_records(
    plan: Plan, records: Iterable[Record | InvalidRecord], progress: Progress
) -> AsyncGenerator[Scorecard, None]:
    """Scorecards in the order of the records. Past a limit nothing new is begun; what is under way ends."""
    walks = plan.build_walks()
    workers = _Workers(plan, walks, asyncio.Semaphore(plan.limits.workers), asyncio.get_running_loop().create_future())
    pending: deque[tuple[int, asyncio.Task[JudgedCard | None]]] = deque()
    done: dict[int, Scorecard] = {}
    turn = 0
    stream = place_records(records, by_item=plan.by_item)
    exhausted = False
    try:
        while True:
            while not exhausted and not workers.is_closed and len(pending) < plan.limits.workers * _AHEAD:
                placed = next(stream, None)
                if placed is None:
                    exhausted = True
                else:
                    pending.append((placed.position, asyncio.create_task(workers.judge(placed))))
                    pending[-1][1].add_done_callback(workers.note_error)
            if not pending:
                break
            position, first = pending[0]
            if not first.done():
                await asyncio.wait((first, workers.error), return_when=asyncio.FIRST_COMPLETED)
            if workers.error.done():
                workers.error.result()
            pending.popleft()
            judged = await first
            if judged is None:
                progress.stopped = True
            else:
                progress.count(judged.card, has_failed=judged.has_failed)
                done[position] = judged.card
            while turn in done:
                yield done.pop(turn)
                turn += 1
        # Where a limit left out records before them.
        for position in sorted(done):
            yield done[position]
        is_left = plan.limits.tripped is not None or (not exhausted and next(stream, None) is not None)
        progress.stopped = progress.stopped or is_left
    finally:
        for _, task in pending:
            task.cancel()
        workers.error.cancel()
        await asyncio.gather(*(task for _, task in pending), return_exceptions=True)
        workers.keep_doubtful()
        await walks[0].banks.close()


def describe_run(plan: Plan, source: str, count: int, code_version: str, parameters: Mapping[str, object]) -> RunRow:
    """The run's row in a store."""
    return RunRow(
        id=plan.run,
        started=datetime.now(UTC),
        rubric_id=plan.rubric.id,
        rubric_digest=plan.rubric.digest,
        rubric_text=plan.rubric.text,
        judges=tuple(judge.name for judge in plan.judges),
        code_version=code_version,
        records_source=source,
        parameters={name: str(value) for name, value in parameters.items() if value is not None},
        record_count=count,
    )
