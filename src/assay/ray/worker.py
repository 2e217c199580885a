"""A worker of a run on Ray: it judges batches of records, with an engine of its own.

Budget, rate and banks are shared: the coordinator grants the calls of all workers.
"""

import asyncio
import os
import threading
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from assay.api.config import RunConfig
from assay.api.judges import Quotas, count_places
from assay.api.kept import UsageLog
from assay.api.opening import OpenRun, Work, open_run
from assay.domain.ask import BankAsk, Written
from assay.engine.budget import NOTHING, Budget, Charge
from assay.engine.limits import Limiter
from assay.errors import InputError, OverBudget
from assay.files.tables import import_arrow
from assay.judges.judge import Judge
from assay.ray.coordinator import BEAT_SECONDS, BankKey
from assay.ray.parts import Parts
from assay.ray.reading import load_record
from assay.runner.banks import AskedBank, BankCache, WrittenBank, take_over
from assay.runner.run import Progress, judge_records, rubric_of
from assay.store.runs import RunRow
from assay.units.banks import FilledBank
from assay.units.passages import Passages

Answer = TypeVar("Answer")


class Worker:
    """Judges one batch after the other, in an event loop that lasts as long as the worker.

    After a restart it has a new name: what it had begun under the old one is given to others.
    """

    def __init__(self, coordinator: Any, request: RunConfig, row: RunRow, folder: str) -> None:
        self._coordinator = coordinator
        self._name = uuid.uuid4().hex
        self._folder = Path(folder)
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        work = Work(rubric_of(row), (), "")
        self._fault: str | None = None
        try:
            opened = asyncio.run_coroutine_threadsafe(self._open(request, work), self._loop).result()
        except InputError as error:
            # This node may lack a key or a file that the driver has. If this raised, Ray would restart the worker.
            self._fault = str(error)
            return
        self._plan = replace(opened.plan, run=row.id, owned=())
        self._usage = UsageLog(Parts(self._folder, coordinator).add_usage, row.id, opened.engine.meter)

    async def _open(self, request: RunConfig, work: Work) -> OpenRun:
        self._beats = asyncio.create_task(self._beat())
        # Failures are counted where all of them are known.
        request = replace(request, bank=None, max_failures=None)
        return open_run(request, work, quotas=SharedQuotas(self._coordinator, self._name))

    async def _beat(self) -> None:
        while await self._coordinator.beat.remote(self._name):  # noqa: ASYNC110  # it tells the time
            await asyncio.sleep(BEAT_SECONDS)
        # Silent for so long that others have taken over: Ray starts it again, under another name.
        os._exit(1)

    def __call__(self, table: Any) -> Any:
        arrow, _ = import_arrow()
        begun = asyncio.run_coroutine_threadsafe(self._judge(table.to_pylist()), self._loop).result()
        return arrow.table({"begun": [begun]})

    async def _judge(self, rows: list[dict[str, Any]]) -> int:
        if self._fault is not None:
            await self._coordinator.stop.remote(f"on a node of the cluster, {self._fault}", is_error=True)
            return 0
        places = await self._coordinator.begin.remote([(row["id"], row["system"]) for row in rows])
        left = [(place, row) for place, row in zip(places, rows, strict=True) if place is not None]
        # Each batch has its own banks: at its end it cancels the asks that nobody waits for.
        banks = SharedBanks(self._coordinator, self._name)
        parts = Parts(self._folder, self._coordinator, [place for place, _ in left])
        plan = replace(self._plan, banks=banks, store=parts)
        try:
            await judge_records(plan, [load_record(row) for _, row in left], lambda _: self._usage.update(), Progress())
        except InputError as error:
            # Such as a refused key: it holds for every worker, and only the user can fix it.
            await self._coordinator.stop.remote(str(error), is_error=True)
        finally:
            self._usage.update()
        if plan.limits.tripped is not None:
            await self._coordinator.stop.remote(plan.limits.tripped.explain().rstrip("."))
        # Calls of one worker arrive in order: once this one has, everything is reported.
        await self._coordinator.beat.remote(self._name)
        return len(left)


async def claim(asked: Awaitable[Answer], give_back: Callable[[Answer], None]) -> Answer:
    """The coordinator's answer. One that arrives after this call was cancelled is given back."""
    answered = asyncio.ensure_future(asked)
    try:
        return await asyncio.shield(answered)
    except asyncio.CancelledError:
        answered.add_done_callback(lambda done: give_back(done.result()))
        raise


class SharedBudget(Budget):
    """Asks the coordinator to grant every call. After the first refusal this worker sends no more."""

    def __init__(self, coordinator: Any, worker: str, request: RunConfig) -> None:
        super().__init__(request.budget_usd, request.budget_tokens)
        self._coordinator = coordinator
        self._worker = worker

    async def reserve(self, charge: Charge) -> None:
        def give_back(refusal: str | None) -> None:
            if refusal is None:
                self.settle(charge, NOTHING)

        refusal = await claim(self._coordinator.reserve.remote(self._worker, charge), give_back)
        if refusal is not None:
            self.exhausted = True
            raise OverBudget(refusal)

    def settle(self, reserved: Charge, spent: Charge) -> None:
        self._coordinator.settle.remote(self._worker, reserved, spent)


class SharedLimiter(Limiter):
    """Takes a place as any limiter does, then waits until the shared rate lets the call go.

    Each worker finds out for itself how many calls fit at a time, from the answers that it gets.
    """

    def __init__(self, coordinator: Any, account: str, request: RunConfig) -> None:
        super().__init__(count_places(request))
        self._coordinator = coordinator
        self._account = account
        self._counts_tokens = request.tokens_per_minute is not None

    async def admit(self, tokens: int, *, begun: bool = False, spare: int = 0) -> None:
        await super().admit(tokens, begun=begun, spare=spare)
        try:
            await self._coordinator.admit.remote(self._account, tokens)
        except BaseException:
            self.free()
            raise

    def correct(self, tokens: int) -> None:
        if self._counts_tokens:
            self._coordinator.correct.remote(self._account, tokens)


@dataclass(frozen=True, slots=True)
class SharedQuotas(Quotas):
    """Without a limit the coordinator is not asked."""

    coordinator: Any
    worker: str

    def open_budget(self, request: RunConfig) -> Budget:
        if request.budget_usd is None and request.budget_tokens is None:
            return Budget()
        return SharedBudget(self.coordinator, self.worker, request)

    def open_limiter(self, request: RunConfig, account: str) -> Limiter:
        if request.requests_per_minute is None and request.tokens_per_minute is None:
            return Limiter(count_places(request))
        return SharedLimiter(self.coordinator, account, request)


class SharedBanks(BankCache):
    """The first worker that needs a bank asks for it, the others wait for its answer."""

    def __init__(self, coordinator: Any, worker: str) -> None:
        super().__init__()
        self._coordinator = coordinator
        self._worker = worker

    async def _write(self, judge: Judge, ask: BankAsk, passages: Passages, key: BankKey) -> AskedBank:
        asked: AskedBank | None = None

        def settle(_: object = None) -> None:
            bank = asked if isinstance(asked, FilledBank) else None
            self._coordinator.settle_bank.remote(self._worker, key, judge.name, bank)

        found: WrittenBank | tuple[Written, ...] | None
        found = await claim(self._coordinator.claim_bank.remote(self._worker, key), settle)
        if found is not None:
            return found if isinstance(found, FilledBank) else take_over(found, ask)
        try:
            asked = await super()._write(judge, ask, passages, key)
        finally:
            settle()
        return asked
