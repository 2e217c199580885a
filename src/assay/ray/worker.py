"""A worker of a run on Ray: an engine of its own, and the same walk. Ray Data hands it batches of records."""

import asyncio
import threading
import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.api.judges import Quotas, count_places
from assay.api.kept import UsageLog
from assay.api.opening import OpenRun, Work, open_run
from assay.api.request import RunRequest
from assay.api.results import rubric_of
from assay.engine.budget import Budget
from assay.engine.limits import Limiter
from assay.errors import InputError
from assay.files.tables import import_arrow
from assay.ray.banks import SharedBanks
from assay.ray.budget import WorkerBudget
from assay.ray.coordinator import BEAT_SECONDS
from assay.ray.limits import WorkerLimiter
from assay.ray.parts import Parts
from assay.ray.reading import load_record
from assay.runner.run import Progress, carry_out
from assay.store.runs import RunRow, RunUsage


@dataclass(frozen=True, slots=True)
class SharedQuotas(Quotas):
    coordinator: Any
    worker: str

    def open_budget(self, request: RunRequest) -> Budget:
        return WorkerBudget(self.coordinator, self.worker, request)

    def open_limiter(self, request: RunRequest, account: str) -> Limiter:
        if request.requests_per_minute is None and request.tokens_per_minute is None:
            return Limiter(count_places(request))
        return WorkerLimiter(self.coordinator, account, count_places(request))


@dataclass(frozen=True, slots=True)
class UsageReports:
    """Tells the coordinator what this worker uses."""

    coordinator: Any

    def add_usage(self, run: str, usage: RunUsage) -> None:
        del run
        self.coordinator.add_usage.remote(usage)


class Worker:
    """Judges a batch after the other, in an event loop that lasts as long as the worker.

    After a restart it has a new name: what it had begun under the old one is given to others.
    """

    def __init__(self, coordinator: Any, request: RunRequest, row: RunRow, folder: str) -> None:
        self._coordinator = coordinator
        self._name = uuid.uuid4().hex
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()
        rubric = rubric_of(row)
        self._parts = Parts(Path(folder), rubric, coordinator)
        self._fault: str | None = None
        try:
            opened = asyncio.run_coroutine_threadsafe(self._open(request, Work(rubric, (), "")), self._loop).result()
        except InputError as error:
            # What the driver has and this node lacks: a key, a file. Ray would start the worker again and again.
            self._fault = str(error)
            return
        self._plan = replace(opened.plan, run=row.id, store=self._parts, owned=())
        self._usage = UsageLog(UsageReports(coordinator), row.id, opened.engine.meter)

    async def _open(self, request: RunRequest, work: Work) -> OpenRun:
        self._beats = asyncio.create_task(self._beat())
        # Failures are counted where all of them are known.
        request = replace(request, bank=None, max_failures=None)
        return open_run(request, work, quotas=SharedQuotas(self._coordinator, self._name))

    async def _beat(self) -> None:
        while True:
            await self._coordinator.beat.remote(self._name)
            await asyncio.sleep(BEAT_SECONDS)

    def __call__(self, table: Any) -> Any:
        arrow, _ = import_arrow()
        begun = asyncio.run_coroutine_threadsafe(self._judge(table.to_pylist()), self._loop).result()
        return arrow.table({"begun": [begun]})

    async def _judge(self, rows: list[dict[str, Any]]) -> int:
        if self._fault is not None:
            await self._coordinator.stop.remote(f"on a node of the cluster, {self._fault}", is_error=True)
            return 0
        keys = [(row["id"], row["system"]) for row in rows]
        places = await self._coordinator.begin.remote(keys)
        left = [(key, place, row) for key, place, row in zip(keys, places, rows, strict=True) if place is not None]
        self._parts.positions.update({key: place for key, place, _ in left})
        # Each batch has its own: at its end it cancels the asks that nobody waits for.
        plan = replace(self._plan, banks=SharedBanks(self._coordinator, self._name))
        try:
            await carry_out(plan, [load_record(row) for _, _, row in left], lambda _: None, Progress())
        except InputError as error:
            # Such as a refused key: the same for every worker, and for the user to mend.
            await self._coordinator.stop.remote(str(error), is_error=True)
        finally:
            self._usage.update()
            for key, _, _ in left:
                self._parts.positions.pop(key, None)
        if plan.limits.tripped is not None:
            await self._coordinator.stop.remote(plan.limits.tripped.explain().rstrip("."))
        # Calls of one worker arrive in their order: with this one everything is reported.
        await self._coordinator.beat.remote(self._name)
        return len(left)
