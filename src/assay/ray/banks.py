"""Banks that all workers of a run share: the first asks, the others wait for its answer."""

import asyncio
from typing import Any

from assay.domain.ask import BankAsk, Fault, Written
from assay.judges.judge import Judge
from assay.ray.coordinator import BankKey
from assay.runner.banks import BankCache, WrittenBank, take_over
from assay.units.passages import Passages


class SharedBanks(BankCache):
    """Before it asks a judge it asks the coordinator."""

    def __init__(self, coordinator: Any, worker: str) -> None:
        super().__init__()
        self._coordinator = coordinator
        self._worker = worker

    async def _ask(self, judge: Judge, ask: BankAsk, passages: Passages, key: BankKey) -> WrittenBank | Fault:
        asked: WrittenBank | Fault | None = None

        def settle(_: object = None) -> None:
            bank = asked if isinstance(asked, WrittenBank) and asked.abstained is None else None
            self._coordinator.settle_bank.remote(self._worker, key, judge.name, bank)

        claim = asyncio.ensure_future(self._claim(key))
        try:
            found = await asyncio.shield(claim)
        except asyncio.CancelledError:
            claim.add_done_callback(settle)
            self._asked.pop(key, None)
            raise
        if found is not None:
            self._known[key] = found if isinstance(found, WrittenBank) else take_over(found, ask)
            self._asked.pop(key, None)
            return self._known[key]
        try:
            asked = await super()._ask(judge, ask, passages, key)
        finally:
            settle()
        return asked

    async def _claim(self, key: BankKey) -> WrittenBank | tuple[Written, ...] | None:
        found: WrittenBank | tuple[Written, ...] | None
        found = await self._coordinator.claim_bank.remote(self._worker, key)
        return found
