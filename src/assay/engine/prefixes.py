"""Sends the first call on an item ahead: the others then find what all share in the provider's cache of prompts."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import orjson

from assay.engine.costs import estimate_prompt
from assay.models.chat import Call, Message, SharedPrefix, digest_prefix

# Providers keep a prompt for five minutes after its last use, or longer.
_KEPT_SECONDS = 240.0
_REMEMBERED = 10_000


@dataclass(slots=True)
class Prefixes:
    """The prefixes that the provider's cache should hold by now. Without `min_tokens` it caches none.

    `counts_schema` where the provider puts the reply schema in front of a prompt.
    """

    min_tokens: int | None = None
    counts_schema: bool = False
    _cached: OrderedDict[str, float] = field(default_factory=OrderedDict, init=False)
    _leaders: dict[str, "asyncio.Future[None]"] = field(default_factory=dict, init=False)

    @asynccontextmanager
    async def follow(self, call: Call) -> AsyncIterator[Call]:
        """Waits while the first call with the same prefix is under way. Yields the call as it is to be sent.

        It keeps its shared prefix where that is cached, or will be used again: to write to the cache costs extra.
        """
        if call.shared is None or not self._is_long_enough(call, call.shared):
            yield replace(call, shared=None)
            return
        key = digest_prefix(call, call.shared)
        while (leader := self._leaders.get(key)) is not None:
            await asyncio.wait((leader,))
        if self._is_cached(key):
            yield call
            self._note(key)
        elif call.shared.repeats:
            ended = self._leaders[key] = asyncio.get_running_loop().create_future()
            try:
                yield call
                self._note(key)
            finally:  # where it failed, the next one goes ahead
                del self._leaders[key]
                ended.set_result(None)
        else:
            yield replace(call, shared=None)

    def _is_long_enough(self, call: Call, shared: SharedPrefix) -> bool:
        return self.min_tokens is not None and estimate_prefix(call, shared, self.counts_schema) >= self.min_tokens

    def _is_cached(self, key: str) -> bool:
        at = self._cached.get(key)
        return at is not None and asyncio.get_running_loop().time() - at < _KEPT_SECONDS

    def _note(self, key: str) -> None:
        self._cached[key] = asyncio.get_running_loop().time()
        self._cached.move_to_end(key)
        if len(self._cached) > _REMEMBERED:
            self._cached.popitem(last=False)


def estimate_prefix(call: Call, shared: SharedPrefix, counts_schema: bool) -> int:
    """About how many tokens the provider could cache."""
    *before, last = call.messages
    front = [Message("system", orjson.dumps(call.schema).decode())] if counts_schema and call.schema else []
    return estimate_prompt([*front, *before, replace(last, text=last.text[: shared.characters])])
