"""What a run keeps in a store while it goes on: replies and banks, so that nothing is asked or paid for twice."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from assay.domain.ask import Written
from assay.engine.prices import PICODOLLARS
from assay.engine.usage import Meter
from assay.models.chat import CallKey, Completion, Usage, read_finish_reason
from assay.runner.ledger import Ledger
from assay.store.store import Purpose, Store, StoredReply
from assay.store.store import Usage as KeptUsage


@dataclass(frozen=True, slots=True)
class KeptReplies:
    """The cache of replies behind an engine, in the store's file."""

    store: Store
    run: str
    _ledger: Ledger = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ledger", Ledger(self.store.list_replies))

    def get(self, key: str) -> Completion | None:
        kept = self.store.get_reply(key) if self._ledger.may_hold(key) else None
        if kept is None:
            return None
        usage = None
        if kept.prompt_tokens is not None and kept.completion_tokens is not None:
            usage = Usage(kept.prompt_tokens, kept.completion_tokens)
        return Completion(kept.text, read_finish_reason(kept.finish_reason), usage, kept.model, kept.dropped)

    def put(self, key: str, completion: Completion, purpose: CallKey) -> None:
        usage = completion.usage
        reply = StoredReply(
            text=completion.text,
            finish_reason=completion.finish_reason,
            prompt_tokens=None if usage is None else usage.prompt_tokens,
            completion_tokens=None if usage is None else usage.completion_tokens,
            model=completion.model,
            dropped=completion.dropped,
        )
        use = Purpose(purpose.record, purpose.ask, purpose.sample, purpose.attempt)
        self._ledger.add(key)
        self.store.put_reply(key, reply, self.run, use)

    async def committed(self) -> None:
        await self.store.committed()


@dataclass(frozen=True, slots=True)
class KeptBanks:
    """The banks of this run; with `lender`, those of an earlier run come first."""

    store: Store
    run: str
    lender: str | None = None
    _ledger: Ledger = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ledger", Ledger(lambda most: self.store.list_banks(self.run, most)))

    def get(self, rubric: str, bank: str, source: str) -> tuple[Written, ...] | None:
        if self.lender is not None:
            lent = self.store.get_bank(rubric, bank, source, run=self.lender)
            if lent is not None:
                return lent
        if not self._ledger.may_hold((rubric, bank, source)):
            return None
        return self.store.get_bank(rubric, bank, source, run=self.run)

    def add(self, rubric: str, bank: str, source: str, judge: str, units: Sequence[Written]) -> tuple[Written, ...]:
        """The store keeps no judge beside a bank: the run names its judges."""
        del judge
        self._ledger.add((rubric, bank, source))
        self.store.put_bank(rubric, bank, source, units, self.run)
        return tuple(units)


def keep_usage(store: Store, run: str, meter: Meter) -> None:
    """What a run sent and cost, beside what it sent and cost before it was taken up again."""
    used = meter.snapshot()
    usage = KeptUsage(
        calls=used.sent,
        cache_hits=used.cached + used.shared,
        prompt_tokens=used.prompt_tokens,
        completion_tokens=used.reply_tokens,
        cost_usd=Fraction(used.picodollars or 0, PICODOLLARS),
        unpriced_calls=0 if used.picodollars is not None else used.sent,
    )
    store.add_usage(run, usage)
    store.flush()
