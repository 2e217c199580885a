"""What the workers of a run share, in one actor: budget, rates, banks, and which records are judged."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from assay.api.request import RunRequest
from assay.domain.ask import Written
from assay.domain.record import Record
from assay.engine.budget import Charge
from assay.files.banks import BankFile
from assay.files.records import InvalidRecord
from assay.ray.budget import BudgetPool
from assay.ray.limits import SharedRate
from assay.runner.banks import WrittenBank
from assay.store.codec import to_cell
from assay.store.runs import RunUsage

# A record by its id and system; a bank by rubric, bank and the digest of the sources.
RecordKey: TypeAlias = tuple[str, str | None]
BankKey: TypeAlias = tuple[str, str, str]
SPENT = "the budget is spent"
BEAT_SECONDS = 2.0
# A worker that has been silent for so long is lost: others take over what it had begun.
_LOST_SECONDS = 30.0
_LOOK_SECONDS = 2.0


def key_of(record: Record | InvalidRecord) -> RecordKey:
    """As a column of texts can hold it."""
    return to_cell(record.id) or "", to_cell(record.system)


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a run has got. `error` ends it as an InputError, `stopped` says which limit left records unjudged."""

    judged: int
    failed: int
    usage: RunUsage
    stopped: str | None
    error: str | None


@dataclass(slots=True)
class Coordinator:
    """Runs as one Ray actor, and knows nothing of Ray. Workers are told apart by names; each reports that it lives.

    `places` are the positions of all records; `judged` are those that the folder of results holds.
    """

    request: RunRequest
    places: Mapping[RecordKey, int]
    judged: set[RecordKey]
    bank_file: str
    lost_seconds: float = _LOST_SECONDS
    _banks: BankFile = field(init=False)
    _budget: BudgetPool = field(init=False)
    _written: dict[BankKey, WrittenBank] = field(default_factory=dict)
    _claims: dict[BankKey, str] = field(default_factory=dict)
    _rates: dict[str, SharedRate] = field(default_factory=dict)
    _seen: dict[str, float] = field(default_factory=dict)
    _usage: RunUsage = field(default_factory=RunUsage)
    _failed: int = 0
    _stopped: str | None = None
    _error: str | None = None
    _waiting: list["asyncio.Future[None]"] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._banks = BankFile(self.bank_file)
        self._budget = BudgetPool(self.request)

    async def begin(self, keys: Sequence[RecordKey]) -> list[int | None]:
        """The position of each record that is to be judged; None for what is judged, and for all past a limit."""
        if self._stopped is not None or self._budget.exhausted:
            return [None] * len(keys)
        return [None if key in self.judged else self.places.get(key) for key in keys]

    async def keep(self, keys: Sequence[RecordKey], failed: int) -> None:
        """The results of these records are on disk."""
        self.judged.update(keys)
        self._failed += failed
        most = self.request.max_failures
        if most is not None and self._failed > most:
            self._stopped = self._stopped or f"more than {most} records failed"

    async def stop(self, why: str, *, is_error: bool = False) -> None:
        self._stopped = self._stopped or why
        self._error = self._error or (why if is_error else None)

    async def add_usage(self, usage: RunUsage) -> None:
        self._usage = self._usage.plus(usage)

    async def get_standing(self) -> Standing:
        stopped = SPENT if self._budget.exhausted else self._stopped
        return Standing(len(self.judged & self.places.keys()), self._failed, self._usage, stopped, self._error)

    async def beat(self, worker: str) -> None:
        self._seen[worker] = time.monotonic()

    async def reserve(self, worker: str, charge: Charge, unused: Charge, spent: Charge) -> Charge | str:
        """A block of the budget that holds the charge, or why there is none; waits while others may give some back."""
        await self.give_back(worker, unused, spent)
        while (granted := self._budget.grant(worker, charge)) is None:
            await self._wait()
            for name in [each for each in self._seen if self._is_lost(each)]:
                self._budget.write_off(name)
        return granted

    async def give_back(self, worker: str, unused: Charge, spent: Charge) -> None:
        await self.beat(worker)
        self._budget.take_back(worker, unused, spent)
        self._wake()

    async def admit(self, account: str, sizes: list[int], correction: int) -> int:
        if account not in self._rates:
            self._rates[account] = SharedRate(self.request)
        return await self._rates[account].admit(sizes, correction)

    async def claim_bank(self, worker: str, key: BankKey) -> WrittenBank | tuple[Written, ...] | None:
        """The bank, from this start or an earlier one; None where this worker is to ask for it. Others then wait."""
        while True:
            found = self._written.get(key) or self._banks.get(*key)
            if found is not None:
                return found
            holder = self._claims.get(key)
            if holder in {None, worker} or self._is_lost(holder or ""):
                self._claims[key] = worker
                await self.beat(worker)
                return None
            await self._wait()

    async def settle_bank(self, worker: str, key: BankKey, judge: str, bank: WrittenBank | None) -> None:
        """Without a bank the next worker asks for itself. The first bank of a source stays."""
        if bank is not None and key not in self._written:
            self._banks.add(*key, judge, bank.written)
            self._written[key] = bank
        if self._claims.get(key) == worker:
            del self._claims[key]
        self._wake()

    def _is_lost(self, worker: str) -> bool:
        return time.monotonic() - self._seen.get(worker, 0.0) > self.lost_seconds

    async def _wait(self) -> None:
        """Until something is given back, or a worker may have been lost."""
        changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(changed)
        await asyncio.wait((changed,), timeout=_LOOK_SECONDS)

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for changed in waiting:
            if not changed.done():
                changed.set_result(None)
