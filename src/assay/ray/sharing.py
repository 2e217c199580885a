"""What a worker shares with the others: the coordinator grants its calls, by one budget and one rate, and its banks."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from assay.api.config import RunConfig
from assay.api.judges import Quotas, count_places
from assay.domain.ask import BankAsk, Fault, Written
from assay.engine.budget import NOTHING, Budget, Charge
from assay.engine.limits import Limiter
from assay.errors import OverBudget
from assay.judges.judge import Judge
from assay.ray.coordinator import BankKey
from assay.runner.banks import BankCache, WrittenBank, take_over
from assay.units.passages import Passages

Answer = TypeVar("Answer")


async def claim(asked: Awaitable[Answer], give_back: Callable[[Answer], None]) -> Answer:
    """What the coordinator answers. An answer that comes after this was cancelled goes back."""
    answered = asyncio.ensure_future(asked)
    try:
        return await asyncio.shield(answered)
    except asyncio.CancelledError:
        answered.add_done_callback(lambda done: give_back(done.result()))
        raise


class SharedBudget(Budget):
    """Has every call granted. After the first refusal this worker sends none."""

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

    How many calls fit at a time each worker finds for itself: answers tell it, and answers come to workers.
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
    """Where nothing is limited nothing is asked for."""

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

    async def _write(self, judge: Judge, ask: BankAsk, passages: Passages, key: BankKey) -> WrittenBank | Fault:
        asked: WrittenBank | Fault | None = None

        def settle(_: object = None) -> None:
            bank = asked if isinstance(asked, WrittenBank) and asked.abstained is None else None
            self._coordinator.settle_bank.remote(self._worker, key, judge.name, bank)

        found: WrittenBank | tuple[Written, ...] | None
        found = await claim(self._coordinator.claim_bank.remote(self._worker, key), settle)
        if found is not None:
            return found if isinstance(found, WrittenBank) else take_over(found, ask)
        try:
            asked = await super()._write(judge, ask, passages, key)
        finally:
            settle()
        return asked
