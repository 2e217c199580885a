"""Brings the pairs of many records together into few batches, and rates no pair twice."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b

from assay.judges.embedded.pair_model import Pair, PairModel, Rating

_REMEMBERED = 50_000
_MOST_AT_ONCE = 256


class PairDesk:
    """One thread rates what all records wait for; while it does, the next pairs gather."""

    def __init__(self, load: Callable[[], PairModel]) -> None:
        self._load = load
        self._known: OrderedDict[bytes, Rating] = OrderedDict()
        self._wanted: dict[bytes, Pair] = {}
        self._work: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="assay-pairs")
        self.rated = 0

    async def rate(self, pairs: Sequence[Pair]) -> list[Rating]:
        keys = [_digest(pair) for pair in pairs]
        found: dict[bytes, Rating] = {}
        while True:
            # What was rated for one record may be forgotten again before another's turn comes.
            found |= {key: self._known[key] for key in keys if key in self._known}
            missing = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in found}
            if not missing:
                return [found[key] for key in keys]
            self._wanted |= missing
            if self._work is None or self._work.done():
                self._work = asyncio.create_task(self._rate_wanted())
            await asyncio.shield(self._work)

    async def close(self) -> None:
        if self._work is not None and not self._work.done():
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        self._thread.shutdown(wait=True, cancel_futures=True)

    async def _rate_wanted(self) -> None:
        # One turn of the loop, so that records that begin together are rated together.
        await asyncio.sleep(0)
        batch = dict(list(self._wanted.items())[:_MOST_AT_ONCE])
        loop = asyncio.get_running_loop()
        ratings = await loop.run_in_executor(self._thread, self._rate, list(batch.values()))
        for key, rating in zip(batch, ratings, strict=True):
            self._wanted.pop(key, None)
            self._known[key] = rating
        self.rated += len(batch)
        while len(self._known) > max(_REMEMBERED, len(batch)):
            self._known.popitem(last=False)

    def _rate(self, pairs: list[Pair]) -> list[Rating]:
        return self._load().rate(pairs)


def _digest(pair: Pair) -> bytes:
    digest = blake2b(pair.premise.encode("utf-8", "surrogatepass"), digest_size=16)
    digest.update(b"\0" + pair.hypothesis.encode("utf-8", "surrogatepass"))
    return digest.digest()
