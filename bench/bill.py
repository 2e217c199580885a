"""One server for every tool: it answers from a script, caches prompts by the rules of either API, and writes the bill."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson
from aiohttp import web

from assay.engine.costs import PICODOLLARS, Price
from equipment.chat_server.batches import ScriptedBatches
from equipment.chat_server.exchange import Api, Asked, CacheUse, count_tokens
from equipment.chat_server.prompt_cache import PromptCache
from equipment.chat_server.server import ScriptedServer

# Longer than any prompt: nothing is cached.
NEVER = 10**9


@dataclass(frozen=True, slots=True)
class Bill:
    """What a tool used for so many records. `seconds` are from the first request to the last reply."""

    tool: str
    mode: str
    systems: int
    api: Api
    records: int
    calls: int
    prompt_tokens: int
    cached_tokens: int
    written_tokens: int
    reply_tokens: int
    seconds: float = 0.0
    is_batched: bool = False

    def compute_usd(self, price: Price) -> float:
        """Per record, at a model's price."""
        used = price.in_batch if self.is_batched else price
        total = used.compute_cost(self.prompt_tokens, self.reply_tokens, self.cached_tokens, self.written_tokens)
        return total / PICODOLLARS / self.records

    @property
    def cached_share(self) -> float:
        return self.cached_tokens / self.prompt_tokens


class BillingServer(ScriptedServer):
    """Counts what it is asked and answers. With `at_once` and `per_minute` further requests wait for their turn."""

    def __init__(
        self,
        answer: Callable[[Asked], str],
        *,
        min_tokens: int = NEVER,
        latency_seconds: float = 0.05,
        at_once: int = 1_000,
        per_minute: float = 1e9,
        batches: ScriptedBatches | None = None,
    ) -> None:
        self.prompt_cache = PromptCache(min_tokens)
        self.reply_tokens = 0
        self.begun, self.ended = 0.0, 0.0
        self._answer_with = answer
        self._slots = asyncio.Semaphore(at_once)
        self._interval_seconds, self._next_turn = 60 / per_minute, 0.0
        super().__init__(self._reply, delay_seconds=latency_seconds, cache=self.prompt_cache, batches=batches)

    @property
    def uses(self) -> Sequence[CacheUse]:
        return self.prompt_cache.uses

    def count(self, tool: str, mode: str, systems: int, api: Api, records: int) -> Bill:
        prompt, cached, written = (
            sum(getattr(use, kind) for use in self.uses) for kind in ("prompt", "cached", "written")
        )
        return Bill(
            tool,
            mode,
            systems,
            api,
            records,
            len(self.uses),
            prompt,
            cached,
            written,
            self.reply_tokens,
            self.ended - self.begun,
            self.batches is not None,
        )

    def _reply(self, asked: Asked) -> str:
        text = self._answer_with(asked)
        self.reply_tokens += count_tokens(text)
        if self.batches is not None:  # a request in a batch comes by another way
            self.prompt_cache.look_up(asked)
        return text

    async def _answer(self, api: Api, request: web.Request) -> web.Response:
        self.begun = self.begun or time.perf_counter()
        async with self._slots:
            now = time.perf_counter()
            turn = max(now, self._next_turn)
            self._next_turn = turn + self._interval_seconds
            await asyncio.sleep(turn - now)
            response = await super()._answer(api, request)
        self.ended = time.perf_counter()
        return response


def write_bills(path: Path, bills: Sequence[Bill]) -> None:
    path.write_bytes(b"".join(orjson.dumps(asdict(each)) + b"\n" for each in bills))


def read_bills(path: Path) -> list[Bill]:
    return [Bill(**orjson.loads(line)) for line in path.read_bytes().splitlines()]
