"""Calls that are already under way: whoever asks the same meanwhile waits for that one reply."""

import asyncio
from collections.abc import Awaitable, Callable
from copy import copy

from assay.errors import InputError, JudgeError
from assay.models.chat import Completion

Landing = Completion | JudgeError | InputError | None


class Flights:
    """The first to ask makes the call, and the others share its reply or its failure.

    Should the first be cancelled, the next one makes the call: nobody fails because someone else stopped waiting.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, list[asyncio.Future[Landing]]] = {}

    async def share(self, key: str, make: Callable[[], Awaitable[Completion]]) -> tuple[Completion, bool]:
        """The reply, and whether it was someone else's call."""
        while key in self._waiting:
            landing = await self._join(key)
            if isinstance(landing, Completion):
                return landing, True
            if landing is not None:
                raise copy(landing)  # an exception keeps the traceback of one raise, and these are many
        self._waiting[key] = []
        landing = None
        try:
            landing = await make()
        except (JudgeError, InputError) as error:
            landing = error
            raise
        finally:
            for future in self._waiting.pop(key):
                if not future.done():
                    future.set_result(landing)
        return landing, False

    async def _join(self, key: str) -> Landing:
        future: asyncio.Future[Landing] = asyncio.get_running_loop().create_future()
        self._waiting[key].append(future)
        return await future
