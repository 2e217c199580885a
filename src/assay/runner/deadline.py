"""How long one record may take in all: what is not there by then ends as timed out, and the run goes on."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from assay.domain.ask import Answer, Ask
from assay.errors import TimedOut
from assay.runner.behind import BehindJudge
from assay.units.passages import Passages

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Deadline:
    """One for all judges and samples of a record, waits for limits and retries included."""

    seconds: float
    at: float

    @classmethod
    def begin(cls, seconds: float | None) -> "Deadline | None":
        return None if seconds is None else cls(seconds, asyncio.get_running_loop().time() + seconds)

    async def hold(self, work: Callable[[], Awaitable[Value]]) -> Value:
        """The work's result, or TimedOut. Past the deadline nothing is begun."""
        if asyncio.get_running_loop().time() >= self.at:
            raise self._explain()
        scope = asyncio.timeout_at(self.at)
        try:
            async with scope:
                return await work()
        except TimeoutError:
            if scope.expired():
                raise self._explain() from None
            raise

    def _explain(self) -> TimedOut:
        return TimedOut(f"the record was not done in {self.seconds:g} s")


@dataclass(frozen=True, slots=True)
class HurriedJudge(BehindJudge):
    """A judge that has until a record's deadline. What it has answered by then counts."""

    deadline: Deadline

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        return await self.deadline.hold(lambda: self.judge.answer(ask, passages))
