"""One fixed rate per endpoint and key for all workers of a run; how many calls fit at a time each finds for itself."""

import asyncio
from typing import Any

from assay.api.request import RunRequest
from assay.engine.limits import Bucket, Limiter

_SHORTEST_WAIT_SECONDS = 0.001


class SharedRate:
    """The fixed rates of one endpoint and key. A worker asks for all its waiting calls at once."""

    def __init__(self, request: RunRequest) -> None:
        self._requests = None if request.requests_per_minute is None else Bucket(request.requests_per_minute)
        self._tokens = None if request.tokens_per_minute is None else Bucket(request.tokens_per_minute)
        self._turn = asyncio.Lock()

    async def admit(self, sizes: list[int], correction: int) -> int:
        """How many of the calls may be sent, in their order; waits until one may. `correction` is given back first."""
        if self._tokens is not None and correction:
            self._tokens.give_back(correction)
        async with self._turn:
            while wait := self._find_wait(sizes[0]):  # noqa: ASYNC110  # a bucket fills by the clock
                await asyncio.sleep(max(wait, _SHORTEST_WAIT_SECONDS))
            admitted = 0
            for size in sizes:
                if self._find_wait(size):
                    break
                now = asyncio.get_running_loop().time()
                if self._requests is not None:
                    self._requests.take(1, now)
                if self._tokens is not None:
                    self._tokens.take(size, now)
                admitted += 1
            return admitted

    def _find_wait(self, size: int) -> float:
        now = asyncio.get_running_loop().time()
        waits = [] if self._requests is None else [self._requests.find_wait(1, now)]
        waits += [] if self._tokens is None else [self._tokens.find_wait(size, now)]
        return max(waits, default=0.0)


class WorkerLimiter(Limiter):
    """Takes a place as any limiter does, then waits until the shared rate lets the call go."""

    def __init__(self, coordinator: Any, account: str, ceiling: int) -> None:
        super().__init__(ceiling)
        self._coordinator = coordinator
        self._account = account
        self._queue: list[tuple[int, asyncio.Future[None]]] = []
        self._asking: asyncio.Task[None] | None = None
        self._correction = 0

    async def admit(self, tokens: int, *, begun: bool = False, spare: int = 0) -> None:
        await super().admit(tokens, begun=begun, spare=spare)
        admitted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append((tokens, admitted))
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask())
        try:
            await admitted
        except BaseException:
            self.free()
            raise

    def correct(self, tokens: int) -> None:
        self._correction += tokens

    async def _ask(self) -> None:
        try:
            while self._queue:
                sizes = [size for size, _ in self._queue]
                correction, self._correction = self._correction, 0
                count = await self._coordinator.admit.remote(self._account, sizes, correction)
                granted, self._queue = self._queue[:count], self._queue[count:]
                for _, admitted in granted:
                    if not admitted.done():  # else given up while it waited: one call less than the rate allows
                        admitted.set_result(None)
        finally:
            self._asking = None
            for _, admitted in self._queue:  # the coordinator is gone, and the run with it
                admitted.cancel()
