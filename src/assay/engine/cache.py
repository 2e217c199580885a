"""Caches replies, and shares the reply of a call that is in flight with whoever makes the same call."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from copy import copy
from typing import Protocol, TypeAlias

import orjson

from assay.errors import InputError, JudgeError
from assay.models.chat import Call, CallKey, Completion

_Result: TypeAlias = Completion | JudgeError | InputError | None

_REMEMBERED_REPLIES = 1_000


class ReplyCache(Protocol):
    """Keeps completions by the digest of their call. A later run is given only what was accepted: it could be read.

    `put` is called for every answer, also one that came from here: the purpose is then a new use of an old reply.
    """

    @property
    def shares(self) -> bool:
        """Whether a reply may serve several purposes. If not, each call is really made."""
        ...

    def get(self, key: str, purpose: CallKey) -> Completion | None: ...

    def put(self, key: str, completion: Completion, purpose: CallKey) -> None: ...

    def accept(self, keys: Iterable[str], purpose: CallKey) -> None: ...

    async def committed(self) -> None:
        """Returns when all that was put is safe from a crash, or raises."""
        ...


class MemoryCache:
    """For a run without a store. Drops the least recently used replies."""

    shares = True

    def __init__(self, most: int = _REMEMBERED_REPLIES) -> None:
        self._replies: OrderedDict[str, Completion] = OrderedDict()
        self._most = most

    def get(self, key: str, purpose: CallKey) -> Completion | None:
        del purpose
        found = self._replies.get(key)
        if found is not None:
            self._replies.move_to_end(key)
        return found

    def put(self, key: str, completion: Completion, purpose: CallKey) -> None:
        del purpose
        self._replies[key] = completion
        if len(self._replies) > self._most:
            self._replies.popitem(last=False)

    def accept(self, keys: Iterable[str], purpose: CallKey) -> None:
        """Nothing here outlives its run."""

    async def committed(self) -> None:
        """Nothing here outlives a crash."""


class SingleFlight:
    """The first to ask makes the call, the others share its outcome. If it is cancelled, the next one makes it."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[asyncio.Future[_Result]]] = {}

    async def share(self, key: str, make: Callable[[], Awaitable[Completion]]) -> tuple[Completion, bool]:
        """The reply, and whether it was someone else's call."""
        while key in self._waiting:
            result = await self._join(key)
            if isinstance(result, Completion):
                return result, True
            if result is not None:
                raise copy(result)  # a copy for each waiter, since an exception keeps the traceback of one raise only
        self._waiting[key] = []
        result = None
        try:
            result = await make()
        except (JudgeError, InputError) as error:
            result = error
            raise
        finally:
            for future in self._waiting.pop(key):
                if not future.done():
                    future.set_result(result)
        return result, False

    async def _join(self, key: str) -> _Result:
        future: asyncio.Future[_Result] = asyncio.get_running_loop().create_future()
        self._waiting[key].append(future)
        return await future


def digest_call(name: str, call: Call, endpoint: str = "") -> str:
    """Everything a reply depends on, and nothing else: for which record and ask plays no part.

    The attempt does, for two re-asks over the same fault read alike, and the second must not get the reply that was of
    no use to the first. Each text goes in behind its length, so that no two calls run together to the same bytes. The
    order of a schema's properties counts: models write in that order.
    """
    texts = [message.text.encode("utf-8", "surrogatepass") for message in call.messages]
    temperature = None if call.temperature is None else float(call.temperature)
    form = [
        name,
        endpoint,
        call.key.sample,
        call.key.attempt,
        call.max_tokens,
        temperature,
        [[message.role, len(text)] for message, text in zip(call.messages, texts, strict=True)],
        call.schema,
    ]
    digest = hashlib.sha256(orjson.dumps(form))
    for text in texts:
        digest.update(text)
    return digest.hexdigest()
