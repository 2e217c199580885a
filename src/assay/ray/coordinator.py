"""What the workers of a run share, in one actor: budget, rates, banks, and which records are judged."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from assay.api.config import RunConfig
from assay.api.judges import Quotas
from assay.domain.ask import Written
from assay.domain.record import Record
from assay.engine.budget import NOTHING, Budget, Charge
from assay.engine.limits import Limiter
from assay.errors import OverBudget
from assay.files.banks import BankFile
from assay.files.records import InvalidRecord
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
    """Runs as one Ray actor, and knows nothing of Ray. Workers are told apart by names.

    It holds the budget and the limiters that one process would have, and grants call by call. `places` are the
    positions of all records; `judged` are those that the folder of results holds.
    """

    request: RunConfig
    places: Mapping[RecordKey, int]
    judged: set[RecordKey]
    bank_file: str
    lost_seconds: float = _LOST_SECONDS
    _banks: BankFile = field(init=False)
    _budget: Budget = field(init=False)
    _held: defaultdict[str, Charge] = field(default_factory=lambda: defaultdict(lambda: NOTHING))
    _limiters: dict[str, Limiter] = field(default_factory=dict)
    _written: dict[BankKey, WrittenBank] = field(default_factory=dict)
    _claims: dict[BankKey, tuple[str, asyncio.Event]] = field(default_factory=dict)
    _seen: dict[str, float] = field(default_factory=dict)
    _lost: set[str] = field(default_factory=set)
    _usage: RunUsage = field(default_factory=RunUsage)
    _failed: int = 0
    _stopped: str | None = None
    _error: str | None = None

    def __post_init__(self) -> None:
        self._banks = BankFile(self.bank_file)
        self._budget = Quotas().open_budget(self.request)

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

    async def beat(self, worker: str) -> bool:
        """A worker lives, and with that finds those that no longer do. False where it was itself taken for lost."""
        now = time.monotonic()
        if worker not in self._lost:
            self._seen[worker] = now
        for each in [name for name, seen in self._seen.items() if now - seen > self.lost_seconds]:
            self._write_off(each)
        return worker not in self._lost

    def _write_off(self, worker: str) -> None:
        """All that a lost worker had reserved counts as spent: its calls may have been billed."""
        del self._seen[worker]
        self._lost.add(worker)
        self._budget.settle(self._held[worker], self._held[worker])
        for key in [key for key, (holder, _) in self._claims.items() if holder == worker]:
            self._claims.pop(key)[1].set()

    async def reserve(self, worker: str, charge: Charge) -> str | None:
        """None once the charge is set aside; otherwise why it can't be. Waits while others may give some back."""
        try:
            await self._budget.reserve(charge)
        except OverBudget as error:
            return str(error)
        if worker in self._lost:  # nobody is there to send the call
            self._budget.settle(charge, NOTHING)
            return "this worker counts as lost"
        self._held[worker] = self._held[worker].plus(charge)
        return None

    async def settle(self, worker: str, reserved: Charge, spent: Charge) -> None:
        """For a worker that counts as lost nothing is left to settle."""
        if worker not in self._lost:
            self._held[worker] = self._held[worker].plus(reserved, -1)
            self._budget.settle(reserved, spent)

    async def admit(self, account: str, tokens: int) -> None:
        """Returns when the fixed rates of an endpoint and key let one call more go."""
        if account not in self._limiters:
            self._limiters[account] = Quotas().open_limiter(self.request, account)
        permit = await self._limiters[account].acquire(tokens)
        permit.release()

    async def correct(self, account: str, tokens: int) -> None:
        self._limiters[account].correct(tokens)

    async def claim_bank(self, worker: str, key: BankKey) -> WrittenBank | tuple[Written, ...] | None:
        """The bank, from this start or an earlier one; None where this worker is to ask for it. Others then wait."""
        while True:
            found = self._written.get(key) or self._banks.get(*key)
            if found is not None:
                return found
            if key not in self._claims:
                if worker not in self._lost:
                    self._claims[key] = worker, asyncio.Event()
                return None
            await self._claims[key][1].wait()

    async def settle_bank(self, worker: str, key: BankKey, judge: str, bank: WrittenBank | None) -> None:
        """Without a bank the next worker asks for itself. The first bank of a source stays."""
        if bank is not None and key not in self._written:
            self._banks.add(*key, judge, bank.units)
            self._written[key] = bank
        if key in self._claims and self._claims[key][0] == worker:
            self._claims.pop(key)[1].set()
