"""Sends the first call on an item ahead of the others, so that these find the shared prefix in the provider's cache."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
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
    """The prefixes that the provider's cache should hold by now. Without `min_tokens` there is no cache.

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
        least, schema = self.min_tokens, estimate_schema(call.schema) if self.counts_schema else 0
        if call.shared is None or least is None or estimate_prefix(call.messages, call.shared) + schema < least:
            yield replace(call, shared=None)
            return
        loop, key = asyncio.get_running_loop(), digest_prefix(call.messages, call.shared)
        while (leader := self._leaders.get(key)) is not None:
            await asyncio.wait((leader,))
        at = self._cached.get(key)
        if at is not None and loop.time() - at < _KEPT_SECONDS:
            yield call
            self._note(key)
        elif call.shared.repeats:
            ended = self._leaders[key] = loop.create_future()
            try:
                yield call
                self._note(key)
            finally:  # where it failed, the next one goes ahead
                del self._leaders[key]
                ended.set_result(None)
        else:
            yield replace(call, shared=None)

    def _note(self, key: str) -> None:
        self._cached[key] = asyncio.get_running_loop().time()
        self._cached.move_to_end(key)
        if len(self._cached) > _REMEMBERED:
            self._cached.popitem(last=False)


def estimate_prefix(messages: Sequence[Message], shared: SharedPrefix) -> int:
    """About how many tokens of the messages are shared."""
    *before, last = messages
    return estimate_prompt([*before, replace(last, text=last.text[: shared.characters])])


def estimate_schema(schema: Mapping[str, object] | None) -> int:
    return estimate_prompt([Message("system", orjson.dumps(schema).decode())]) if schema else 0


@dataclass(slots=True)
class PrefixForecast:
    """Counts the calls with each prefix before any is sent."""

    _calls: Counter[str] = field(default_factory=Counter)
    _tokens: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(
        self, messages: Sequence[Message], shared: SharedPrefix, schema: Mapping[str, object] | None, times: int
    ) -> None:
        key = digest_prefix(messages, shared)
        self._calls[key] += times
        if key not in self._tokens:
            self._tokens[key] = estimate_prefix(messages, shared), estimate_schema(schema)

    def count_tokens(self, min_tokens: int, *, counts_schema: bool) -> tuple[int, int]:
        """Tokens of messages that a cache is read for, and those that are in it for that: of prefixes used again."""
        read = written = 0
        for key, (tokens, schema) in self._tokens.items():
            if self._calls[key] > 1 and tokens + schema * counts_schema >= min_tokens:
                written += tokens
                read += tokens * (self._calls[key] - 1)
        return read, written
