"""What a run keeps in a store while it goes on: replies, usage and banks. Nothing is asked or paid for twice."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path

from assay.domain.ask import Written
from assay.engine.costs import Meter
from assay.errors import InputError
from assay.files.banks import BankFile
from assay.models.chat import CallKey, Completion
from assay.runner.banks import BankStore
from assay.store.runs import RunRow, RunUsage
from assay.store.store import OWN_REPLY, Store

# The id of a run, or how one begins.
_RUN_ID = re.compile(r"\d{8}(?:-[\da-f]*){0,2}")


@dataclass(frozen=True, slots=True)
class StoreCache:
    """The cache of replies behind an engine, in the store's file.

    Until a reply is accepted it belongs to its run: another run sends the call anew. A run with `no_cache` sends every
    call: the only reply it takes from the store is its own, from before it was resumed. Where another run has a
    different reply to the same call, both are kept, each for its run.
    """

    store: Store
    run: str
    no_cache: bool = False
    is_resumed: bool = False

    @property
    def shares(self) -> bool:
        return not self.no_cache

    def get(self, key: str, purpose: CallKey) -> Completion | None:
        if not self.no_cache:
            return self.store.get_reply(key, self._own(key, purpose))
        use = replace(purpose, system=None)
        for each in self.store.replies(self.run, purpose.record) if self.is_resumed else ():
            if each.purpose == use and each.key.partition(OWN_REPLY)[0] == key:
                return each.reply
        return None

    def put(self, key: str, completion: Completion, purpose: CallKey) -> None:
        kept = self.store.get_reply(key)
        is_shared = kept is not None and kept.text == completion.text
        self.store.put_reply(key if is_shared else self._own(key, purpose), completion, self.run, purpose)

    def accept(self, keys: Iterable[str], purpose: CallKey) -> None:
        for key in keys:
            self.store.rename_reply(self._own(key, purpose), key, self.run)

    def _own(self, key: str, purpose: CallKey) -> str:
        own = f"{key}{OWN_REPLY}{self.run}"
        return f"{own}/{purpose.record}" if self.no_cache else own

    async def committed(self) -> None:
        await self.store.committed()


@dataclass(slots=True)
class UsageLog:
    """Adds what a run sends and costs to what the store has of it, record by record: a kill loses next to nothing."""

    add_usage: Callable[[str, RunUsage], None]
    run: str
    meter: Meter
    _kept: RunUsage = field(default_factory=RunUsage)

    def update(self) -> None:
        meter = self.meter
        used = RunUsage(
            calls=meter.sent,
            cache_hits=meter.cached + meter.shared,
            prompt_tokens=meter.prompt_tokens,
            completion_tokens=meter.reply_tokens,
            picodollars=meter.picodollars,
            unpriced_calls=meter.sent_unpriced,
            cached_tokens=meter.cached_tokens,
            written_tokens=meter.written_tokens,
        )
        if used != self._kept:
            more = (now - before for now, before in zip(astuple(used), astuple(self._kept), strict=True))
            self.add_usage(self.run, RunUsage(*more))
            self._kept = used


@dataclass(frozen=True, slots=True)
class StoredBanks:
    """The banks of a run. What it has none for is taken over from `lender`, an earlier run, where there is one."""

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


def find_bank(name: str | Path | None, store: Store | None, resumed: RunRow | None = None) -> str | None:
    """The whole path of the file, or the id of the earlier run, that `bank` names.

    A resumed run keeps the bank it began with: its `last` is the last run of that time.
    """
    if name is None:
        return None
    name, file = str(name), Path(name).resolve()
    if file.exists():
        return str(file)
    if store is None:
        if name == "last" or _RUN_ID.fullmatch(name):
            raise InputError(
                f"no store is open, so run {name} can't be read", remedy="Give a file of reference points as `bank`."
            )
        return str(file)
    if resumed is not None:
        begun = str(resumed.parameters.get("bank", resumed.id))
        if name in {"last", begun} and _RUN_ID.fullmatch(begun):
            return begun
        if (name == "last" or str(file) == begun) and store.count(resumed.id):
            remedy = "Put it back, or start a new run without `resume`."
            raise InputError("the reference points that the run started with are missing", path=begun, remedy=remedy)
    is_begun = name == "last" or any(each.startswith(name) for each in store.run_ids())
    if not is_begun and not _RUN_ID.fullmatch(name) and not store.list_named(name):
        return str(file)
    lender = store.find_run(name)
    filled = lender.parameters.get("bank")
    if filled is not None and not _RUN_ID.fullmatch(str(filled)):
        raise InputError(
            f"run {lender.id} has its reference points in a file", remedy=f"Give that file as `bank`: {filled}."
        )
    return lender.id


def open_banks(bank: str | None, store: Store | None, run: str | None = None) -> BankStore | None:
    """The banks of a run that has found its `bank`; without a run, that bank itself, to look into."""
    if bank is not None and not _RUN_ID.fullmatch(bank):
        return BankFile(bank)
    if store is None or (run is None and bank is None):
        return None
    # A lender that has been deleted since the run began has lent already.
    return StoredBanks(store, run or str(bank), bank if bank in store.run_ids() else None)
