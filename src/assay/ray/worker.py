"""A worker of a run on Ray: an engine of its own, and the same walk. Ray Data hands it batches of records."""

import asyncio
import os
import threading
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.api.config import RunConfig
from assay.api.kept import UsageLog
from assay.api.opening import OpenRun, Work, open_run
from assay.api.results import rubric_of
from assay.errors import InputError
from assay.files.tables import import_arrow
from assay.ray.coordinator import BEAT_SECONDS
from assay.ray.parts import Parts
from assay.ray.reading import load_record
from assay.ray.sharing import SharedBanks, SharedQuotas
from assay.runner.run import Progress, carry_out
from assay.store.runs import RunRow


class Worker:
    """Judges a batch after the other, in an event loop that lasts as long as the worker.

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
            # What the driver has and this node lacks: a key, a file. Ray would start the worker again and again.
            self._fault = str(error)
            return
        self._plan = replace(opened.plan, run=row.id, owned=())
        self._usage = UsageLog(Parts(self._folder, coordinator), row.id, opened.engine.meter)

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
            await carry_out(plan, [load_record(row) for _, row in left], lambda _: self._usage.update(), Progress())
        except InputError as error:
            # Such as a refused key: the same for every worker, and for the user to mend.
            await self._coordinator.stop.remote(str(error), is_error=True)
        finally:
            self._usage.update()
        if plan.limits.tripped is not None:
            await self._coordinator.stop.remote(plan.limits.tripped.explain().rstrip("."))
        # Calls of one worker arrive in their order: with this one everything is reported.
        await self._coordinator.beat.remote(self._name)
        return len(left)
