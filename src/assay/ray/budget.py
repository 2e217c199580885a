"""One budget for all workers of a run: a pool grants blocks of it, and each worker spends from its blocks."""

import asyncio
from collections import defaultdict
from typing import Any

from assay.api.request import RunRequest
from assay.engine.budget import NOTHING, Budget, Charge
from assay.errors import OverBudget

# A block pays for so many calls like the one that asks for it, and for no more than this share of what is left.
_BLOCK_CALLS = 16
_BLOCK_SHARE = 8


class BudgetPool(Budget):
    """What is granted counts as reserved until its worker gives it back or reports it as spent.

    All that a lost worker held counts as spent: its calls may have been billed. So the limit holds whatever dies.
    """

    def __init__(self, request: RunRequest) -> None:
        super().__init__(None if request.budget_usd is None else str(request.budget_usd), request.budget_tokens)
        self._held: defaultdict[str, Charge] = defaultdict(lambda: NOTHING)
        self._lost: set[str] = set()

    def grant(self, worker: str, charge: Charge) -> Charge | str | None:
        """A block that holds the charge; why there is none, now or ever; None where it may fit later."""
        self.exhausted = self.exhausted or self._exceeds(self.spent.plus(charge))
        if self.exhausted or worker in self._lost:
            return str(self._refuse(charge))
        used = self.spent.plus(self.reserved)
        if self._exceeds(used.plus(charge)):
            return None
        limits = (self.limit_tokens, self.limit_picodollars)
        block = Charge(
            *(
                least if limit is None else max(least, min(_BLOCK_CALLS * least, (limit - taken) // _BLOCK_SHARE))
                for least, limit, taken in zip(charge, limits, used, strict=True)
            )
        )
        self.reserved = self.reserved.plus(block)
        self._held[worker] = self._held[worker].plus(block)
        return block

    def take_back(self, worker: str, unused: Charge, spent: Charge) -> None:
        """Of what the worker held. A worker that counts as lost has nothing to give back."""
        if worker not in self._lost:
            gone = unused.plus(spent)
            self._held[worker] = self._held[worker].plus(gone, -1)
            self.reserved, self.spent = self.reserved.plus(gone, -1), self.spent.plus(spent)

    def write_off(self, worker: str) -> None:
        self.take_back(worker, NOTHING, self._held[worker])
        self._lost.add(worker)


class WorkerBudget(Budget):
    """Reserves from the blocks that the pool has granted to this worker.

    What is left of a block goes back when no call is under way, and while another block is waited for: nobody waits
    for money that nobody uses.
    """

    def __init__(self, coordinator: Any, worker: str, request: RunRequest) -> None:
        super().__init__(None if request.budget_usd is None else str(request.budget_usd), request.budget_tokens)
        self._coordinator = coordinator
        self._worker = worker
        self._held = NOTHING
        self._unreported = NOTHING
        self._turn = asyncio.Lock()
        self._asking: asyncio.Task[None] | None = None
        self._refusal = ""

    @property
    def _is_limited(self) -> bool:
        return self.limit_tokens is not None or self.limit_picodollars is not None

    async def reserve(self, charge: Charge) -> None:
        if not self._is_limited:
            await super().reserve(charge)
            return
        async with self._turn:
            while not self._holds(charge):
                if self.exhausted:
                    raise OverBudget(self._refusal)
                if self._asking is None:
                    self._asking = asyncio.create_task(self._ask(charge))
                # Who gives up leaves the block to the next: it is granted all the same.
                await asyncio.shield(self._asking)
            self.reserved = self.reserved.plus(charge)

    async def _ask(self, charge: Charge) -> None:
        try:
            granted = await self._coordinator.reserve.remote(self._worker, charge, *self._give_back())
        finally:
            self._asking = None
        if isinstance(granted, str):
            self.exhausted, self._refusal = True, granted
            return
        self._held = self._held.plus(granted)
        if not self._turn.locked():
            self._report_unused()

    def settle(self, reserved: Charge, spent: Charge) -> None:
        super().settle(reserved, spent)
        if not self._is_limited:
            return
        self._held, self._unreported = self._held.plus(spent, -1), self._unreported.plus(spent)
        if self._asking is not None or self.reserved == NOTHING:
            self._report_unused()

    def _report_unused(self) -> None:
        self._coordinator.give_back.remote(self._worker, *self._give_back())

    def _holds(self, charge: Charge) -> bool:
        wanted = self.reserved.plus(charge)
        return (self.limit_tokens is None or wanted.tokens <= self._held.tokens) and (
            self.limit_picodollars is None or wanted.picodollars <= self._held.picodollars
        )

    def _give_back(self) -> tuple[Charge, Charge]:
        """What no call has reserved, and what was spent since the last time."""
        unused, spent = self._held.plus(self.reserved, -1), self._unreported
        self._held, self._unreported = self.reserved, NOTHING
        return unused, spent
