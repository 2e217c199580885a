"""What a run keeps in a store while it goes on: replies and banks, so that nothing is asked or paid for twice."""

import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field, replace
from types import TracebackType
from typing import Self

from assay.domain.ask import Written
from assay.engine.cache import MemoryCache, RecordOnly, ReplyCache
from assay.engine.usage import Meter
from assay.models.chat import CallKey, Completion
from assay.store.faults import StoreError
from assay.store.store import OWN_REPLY, RunUsage, Store

_USAGE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class KeptReplies:
    """The cache of replies behind an engine, in the store's file.

    A run that sends every call may get another reply than one that is kept: `is_fresh` keeps both, each for its run.
    One that is resumed may have been answered before.
    """

    store: Store
    run: str
    is_fresh: bool = False
    is_resumed: bool = False

    def get(self, key: str, _purpose: CallKey) -> Completion | None:
        return self.store.get_reply(key)

    def recall(self, key: str, purpose: CallKey) -> Completion | None:
        """What this run was answered when it made this call."""
        use = replace(purpose, system=None)
        for each in self.store.replies(self.run, purpose.record) if self.is_resumed else ():
            if each.purpose == use and each.key.partition(OWN_REPLY)[0] == key:
                return each.reply
        return None

    def put(self, key: str, completion: Completion, purpose: CallKey) -> None:
        if self.is_fresh:
            kept = self.store.get_reply(key)
            if kept is not None and kept.text != completion.text:
                key = f"{key}{OWN_REPLY}{self.run}/{purpose.record}"
        self.store.put_reply(key, completion, self.run, purpose)

    async def committed(self) -> None:
        await self.store.committed()


def choose_cache(kept: KeptReplies) -> ReplyCache:
    """Where every call is to be made, only the run itself may have an answer already: from before it stopped."""
    cache = MemoryCache(backing=kept)
    return RecordOnly(cache, kept.recall) if kept.is_fresh else cache


@dataclass(frozen=True, slots=True)
class KeptBanks:
    """The banks of this run. What it has none for is taken over from `lender`, an earlier run, where there is one."""

    store: Store
    run: str
    lender: str | None = None

    def get(self, rubric: str, bank: str, source: str) -> tuple[Written, ...] | None:
        own = self.store.get_bank(rubric, bank, source, run=self.run)
        if own is not None:
            return own
        lent = None if self.lender is None else self.store.get_bank(rubric, bank, source, run=self.lender)
        # From now on its own: whoever goes on with this run, or borrows from it, finds the same.
        return None if lent is None else self.add(rubric, bank, source, "", lent)

    def add(self, rubric: str, bank: str, source: str, judge: str, units: Sequence[Written]) -> tuple[Written, ...]:
        """The store keeps no judge beside a bank: the run names its judges."""
        del judge
        self.store.put_bank(rubric, bank, source, units, self.run)
        return tuple(units)


@dataclass(slots=True)
class UsageLog:
    """What a run sent and cost, added to what it sent and cost before it was taken up again.

    Every few seconds, so that a kill loses next to nothing of it, and at the end, however that comes about.
    """

    store: Store
    run: str
    meter: Meter
    _kept: RunUsage = field(default_factory=RunUsage)
    _moment: float = field(default_factory=time.monotonic)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A store that fails has said so.
        if not isinstance(error, StoreError):
            self._add()
            self.store.flush()

    def keep_at_times(self) -> None:
        if time.monotonic() - self._moment >= _USAGE_SECONDS:
            self._add()

    def _add(self) -> None:
        used, kept = _measure(self.meter), self._kept
        more = RunUsage(*(now - before for now, before in zip(astuple(used), astuple(kept), strict=True)))
        self.store.add_usage(self.run, more)
        self._kept, self._moment = used, time.monotonic()


def _measure(meter: Meter) -> RunUsage:
    return RunUsage(
        calls=meter.sent,
        cache_hits=meter.cached + meter.shared,
        prompt_tokens=meter.prompt_tokens,
        completion_tokens=meter.reply_tokens,
        picodollars=meter.picodollars,
        unpriced_calls=meter.sent_unpriced,
    )
