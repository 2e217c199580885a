"""Judges many records: bounded, streaming, in order, kept as soon as they are done."""

import asyncio
import uuid
from collections import deque
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping, Sequence
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
from assay.files.rubrics import choose_metrics, read_rubric
from assay.gather import gather_or_cancel
from assay.judges.judge import Judge
from assay.packs import find_hooks
from assay.runner.banks import BankCache, BankStore
from assay.runner.combine import combine
from assay.runner.placing import PlacedRecord, group_records, place_records
from assay.runner.planning import Deadline
from assay.runner.side_by_side import Meeting, lay_out
from assay.runner.walk import Walk
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
    """How far a run got, and whether it stopped of its own accord; `asked` and `answered` count metrics.

    What `failed` in an earlier start of the run was counted then, and what is unpaid is not finished.
    """

    done: int = 0
    failed: int = 0
    stopped: bool = False
    asked: int = 0
    answered: int = 0

    def count(self, card: Scorecard) -> None:
        self.stopped = self.stopped or card.unpaid
        self.done += not card.unpaid
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
    other. `side_by_side` shows the outputs of several systems on the same sources in one call, `rounds` times in
    other orders: once, or twice where there are only two.
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
    side_by_side: bool = False
    rounds: int | None = None

    def __post_init__(self) -> None:
        require_count(self.samples, "samples")
        names = [judge.name for judge in self.judges]
        if len(set(names)) != len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(
                f"the judge {twice} is given twice", remedy="To ask one judge several times, use `samples`."
            )
        if not names:
            raise InputError("no judge is given", remedy="Name one, such as embedded or openai:MODEL.")


async def judge_records(
    plan: Plan, records: Iterable[Record | InvalidRecord], keep: Callable[[Scorecard], None], progress: Progress
) -> None:
    """Hands each scorecard to `keep` as soon as it and all before it are done; the store is told how the run ended."""
    finished = False
    try:
        await _judge_in_order(plan, records, keep, progress)
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


@dataclass(slots=True)
class _Workers:
    """Begins records while failures are within the limit; failures count when they happen, not in record order."""

    plan: Plan
    walks: tuple[Walk, ...]
    gate: asyncio.Semaphore
    failed: int = 0
    doubtful: list[tuple[int, Scorecard]] = field(default_factory=list)

    @property
    def is_closed(self) -> bool:
        limits = self.plan.limits
        most = limits.max_failures
        return limits.is_spent() or limits.tripped is not None or (most is not None and self.failed > most)

    async def judge(self, group: Sequence[PlacedRecord]) -> list[Scorecard] | None:
        """What the store holds of an earlier start, or new cards; None where a limit was reached before.

        A group that was judged in part walks again as a whole: its calls are the same, and answered from the cache.
        """
        kept = [self._find_kept(placed.record) for placed in group]
        if len(known := [card for card in kept if card is not None]) == len(group):
            return known
        async with self.gate:
            if self.is_closed:
                return None
            cards = await (self._judge_side_by_side(group) if len(group) > 1 else self._judge_alone(group[0]))
        for placed, card, before in zip(group, cards, kept, strict=True):
            if before is None and not card.unpaid:
                self.failed += card.failed
                # Outside the gate: replies are kept already, so a card that is lost now costs no call.
                await self._keep(placed.position, card)
        return [before or card for card, before in zip(cards, kept, strict=True)]

    def _find_kept(self, record: Record | InvalidRecord) -> Scorecard | None:
        plan = self.plan
        kept = None if plan.store is None else plan.store.get_record(plan.run, record.id, record.system, plan.rubric)
        return None if kept is None else replace(kept, run=plan.run)

    async def _judge_alone(self, placed: PlacedRecord) -> list[Scorecard]:
        deadline = Deadline.begin(self.plan.limits.record_seconds)
        repeats = placed.siblings > 0 or self.plan.samples > 1
        judged = (walk.judge_record(placed.record, deadline, repeats=repeats) for walk in self.walks)
        return [combine(await gather_or_cancel(*judged))]

    async def _judge_side_by_side(self, group: Sequence[PlacedRecord]) -> list[Scorecard]:
        """Each walk in each round shows all of them, in blocks; each sample of a round in the same order.

        A judge that sees one output at a time judges each once.
        """
        records = [placed.record for placed in group if isinstance(placed.record, Record)]
        deadline = Deadline.begin(self.plan.limits.record_seconds)
        meetings: list[Meeting] = []
        work: list[Coroutine[object, object, Scorecard]] = []
        for walk in self.walks:
            if not walk.judge.sees_several:
                work += [walk.judge_record(record, deadline, repeats=True) for record in records]
                continue
            for block in lay_out(records, self.plan.rounds):
                again = replace(walk, sample=block.round * self.plan.samples + walk.sample)
                meetings.append(Meeting(walk.judge, block))
                work += [_attend(again, record, meetings[-1], deadline) for record in block.records]
        try:
            cards = await gather_or_cancel(*work)
        finally:
            for meeting in meetings:
                await meeting.close()
        return [combine([card for card in cards if card.record is record]) for record in records]

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


async def _wait_for_first(tasks: "Sequence[asyncio.Task[list[Scorecard] | None]]") -> None:
    """An error ends the run, so one behind a slow record is raised without waiting its turn."""
    while True:
        for task in tasks:
            if task.done():
                task.result()
        if tasks[0].done():
            return
        await asyncio.wait([task for task in tasks if not task.done()], return_when=asyncio.FIRST_COMPLETED)


async def _attend(walk: Walk, record: Record, meeting: Meeting, deadline: Deadline) -> Scorecard:
    try:
        return await walk.judge_record(record, deadline, repeats=True, meeting=meeting)
    finally:
        meeting.leave(record)


async def _judge_in_order(
    plan: Plan, records: Iterable[Record | InvalidRecord], keep: Callable[[Scorecard], None], progress: Progress
) -> None:
    """Past a limit nothing new is begun; what is under way ends."""
    banks = plan.banks if isinstance(plan.banks, BankCache) else BankCache(plan.banks)
    hooks, samples = find_hooks(plan.rubric), range(plan.samples)
    # One for each judge and sample; all of them share their banks.
    walks = tuple(Walk(plan.rubric, judge, banks, plan.run, at, hooks) for judge in plan.judges for at in samples)
    workers = _Workers(plan, walks, asyncio.Semaphore(plan.limits.workers))
    pending: deque[tuple[tuple[PlacedRecord, ...], asyncio.Task[list[Scorecard] | None]]] = deque()
    done: dict[int, Scorecard] = {}
    turn = 0
    placed = place_records(records, by_item=plan.by_item or plan.side_by_side)
    stream = group_records(placed, plan.rubric) if plan.side_by_side else ((each,) for each in placed)
    exhausted = False
    try:
        while True:
            while not exhausted and not workers.is_closed and len(pending) < plan.limits.workers * _AHEAD:
                group = next(stream, None)
                if group is None:
                    exhausted = True
                else:
                    pending.append((group, asyncio.create_task(workers.judge(group))))
            if not pending:
                break
            await _wait_for_first([task for _, task in pending])
            begun, first = pending.popleft()
            if (judged := first.result()) is None:
                progress.stopped = True
            else:
                progress.failed = workers.failed
                for each, card in zip(begun, judged, strict=True):
                    progress.count(card)
                    done[each.position] = card
            while turn in done:
                keep(done.pop(turn))
                turn += 1
        # Where a limit left out records before them.
        for position in sorted(done):
            keep(done[position])
        is_left = plan.limits.tripped is not None or (not exhausted and next(stream, None) is not None)
        progress.stopped = progress.stopped or is_left
    finally:
        for _, task in pending:
            task.cancel()
        await asyncio.gather(*(task for _, task in pending), return_exceptions=True)
        workers.keep_doubtful()
        await banks.close()


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


def rubric_of(run: RunRow) -> Rubric:
    """As it was when the run began, whatever became of its file."""
    rubric = choose_metrics(read_rubric(run.rubric_text, f"{run.rubric_id}.md"), run.metrics)
    return rubric.for_side_by_side() if "side_by_side" in run.parameters else rubric
