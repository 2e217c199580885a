"""What a run keeps in a store while it goes on: replies and banks, so that nothing is asked or paid for twice."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.domain.ask import Written
from assay.models.chat import CallKey, Completion, Usage, read_finish_reason
from assay.store.store import Purpose, Store, StoredReply


@dataclass(frozen=True, slots=True)
class KeptReplies:
    """The cache of replies behind an engine, in the store's file."""

    store: Store
    run: str

    def get(self, key: str) -> Completion | None:
        kept = self.store.get_reply(key)
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
        self.store.put_reply(key, reply, self.run, use)

    async def committed(self) -> None:
        await self.store.committed()


@dataclass(frozen=True, slots=True)
class KeptBanks:
    """The banks of this run; with `lender`, those of an earlier run come first."""

    store: Store
    run: str
    lender: str | None = None

    def get(self, rubric: str, bank: str, source: str) -> tuple[Written, ...] | None:
        for run in (self.lender, self.run):
            found = self.store.get_bank(rubric, bank, source, run=run) if run is not None else None
            if found is not None:
                return found
        return None

    def add(self, rubric: str, bank: str, source: str, judge: str, units: Sequence[Written]) -> tuple[Written, ...]:
        """The store keeps no judge beside a bank: the run names its judges."""
        del judge
        self.store.put_bank(rubric, bank, source, units, self.run)
        return tuple(units)
