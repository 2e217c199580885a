"""The time limit of one record: what is not answered by then has timed out, and the run goes on."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from assay.errors import TimedOut

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
