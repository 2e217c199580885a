"""The port to whatever remembers runs: append-only, and nothing counts as finished before it is committed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

from assay.domain.ask import Written
from assay.domain.json import JSON
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.store.browsing import Browser
from assay.store.faults import StoreError
from assay.store.judged import Judged
from assay.store.labels import Labels

RunState = Literal["running", "done", "stopped"]
# Sums of counts stay far from what a database can count to.
_LARGEST_COUNT, _LARGEST_COST = 2**48, Fraction(10**6)


@dataclass(frozen=True, slots=True)
class RunRow:
    """One occasion: which rubric, which judges, with what parameters, by which code. Times know their zone."""

    id: str
    started: datetime
    rubric_id: str
    rubric_digest: str
    rubric_text: str
    judges: tuple[str, ...]
    code_version: str
    records_source: str
    parameters: Mapping[str, JSON] = field(default_factory=dict)
    record_count: int | None = None
    state: RunState = "running"
    finished: datetime | None = None

    def __post_init__(self) -> None:
        if self.started.tzinfo is None or (self.finished is not None and self.finished.tzinfo is None):
            raise ValueError("a run's times need a time zone")
        if not self.id or self.id == "last":
            raise ValueError(f"{self.id!r} can't be the id of a run")


@dataclass(frozen=True, slots=True)
class DamagedRun:
    """A run of which no more than its id can be read. It can still be deleted."""

    id: str
    error: StoreError


# Stands in the key of a reply between the call's digest and the run whose own it is.
OWN_REPLY = "/"


class CardKey(NamedTuple):
    """What a run judges once: one record of one system, by one judge, one sample."""

    record: str
    system: str | None
    judge: str
    sample: int


@dataclass(frozen=True, slots=True)
class KeptCard:
    position: int
    judge: str
    sample: int
    card: Scorecard

    @property
    def key(self) -> CardKey:
        record = self.card.record
        return CardKey(record.id, record.system, self.judge, self.sample)


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a call was for."""

    record: str
    ask: str
    sample: int = 0
    attempt: int = 0


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A model's answer as it came. Tokens are None where the endpoint did not count them."""

    text: str
    finish_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None
    model: str
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptReply:
    key: str
    purpose: Purpose
    reply: StoredReply


@dataclass(frozen=True, slots=True)
class Usage:
    """Calls made and answered from the cache, and their price; calls with no known price are counted apart.

    Kept to the millionth of a millionth of a dollar, and rounded up there.
    """

    calls: int = 0
    cache_hits: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: Fraction = Fraction(0)
    unpriced_calls: int = 0

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value < 0:
                raise ValueError(f"{self} is not what a run can use")
            # Endpoints say what was used, and one that says too much must not cost the run.
            largest = _LARGEST_COST if each.name == "cost_usd" else _LARGEST_COUNT
            object.__setattr__(self, each.name, min(value, largest))


class Store(Protocol):
    """One memory for many runs.

    Reading sees what is committed. `add_cards`, `put_reply`, `put_bank` and `add_usage` only queue; `flush`, or
    awaiting `committed`, says that everything queued before is on disk, or raises. All other writing is on disk on
    return.
    Nothing of one key is ever written twice or changed: the first that came stays.
    """

    def begin_run(self, run: RunRow) -> None: ...

    def update_run(self, run: str, state: RunState, finished: datetime | None) -> None: ...

    def runs(self) -> tuple[RunRow | DamagedRun, ...]:
        """Newest first."""

    def run_ids(self) -> tuple[str, ...]:
        """Newest first, and damaged ones among them: they can still be deleted."""

    def find_run(self, name: str) -> RunRow:
        """By its id, by the beginning of it where no other run's begins so, or `last` for the newest."""

    def delete_run(self, run: str) -> None:
        """With every record, reply and bank that no other run refers to; afterwards no file of the store holds them."""

    def add_cards(self, run: str, position: int, voices: Iterable[tuple[str, int, Scorecard]]) -> None:
        """The cards of one record, by judge and sample: all of them are kept, or none.

        `position` is the record's place in the run. A card whose key the run already has is ignored.
        """

    def finished(self, run: str) -> frozenset[CardKey]: ...

    def get_card(self, run: str, key: CardKey, rubric: Rubric) -> Scorecard | None: ...

    def cards(self, run: str, rubric: Rubric) -> Iterator[KeptCard]:
        """By the records' place in the run, then by judge and sample; a few at a time, whatever the size of the run."""

    def list_judged(self, run: str) -> Iterator[Judged]:
        """Every record with a card, once for each place it stands at and by place; read as `cards` are."""

    def count(self, run: str) -> int:
        """Its cards: one for each record, judge and sample."""

    def count_failed(self, run: str) -> int:
        """Its records of which at least one card has failed."""

    def get_reply(self, key: str) -> StoredReply | None: ...

    def list_replies(self, most: int) -> tuple[str, ...] | None:
        """The keys of all replies, whichever run used them; None where there are more than that."""

    def put_reply(self, key: str, reply: StoredReply, run: str, purpose: Purpose) -> None:
        """Keeps a reply and that this run used it. One from the cache is put again: the run then refers to it too."""

    def replies(self, run: str, record: str) -> tuple[KeptReply, ...]: ...

    def get_bank(self, rubric_id: str, bank_id: str, source_digest: str, *, run: str) -> tuple[Written, ...] | None:
        """The units that a run used for these sources."""

    def list_banks(self, run: str, most: int) -> tuple[tuple[str, str, str], ...] | None:
        """Rubric, bank and source digest of all banks that a run used; None where there are more than that."""

    def put_bank(self, rubric_id: str, bank_id: str, source_digest: str, units: Sequence[Written], run: str) -> None:
        """Keeps units and that this run used them. Units from another run are put again, as replies are."""

    @property
    def browser(self) -> Browser:
        """A run's records page by page, sorted and filtered."""

    @property
    def labels(self) -> Labels:
        """What people say about a run's records. On disk on return; a later word takes the place of an earlier one."""

    def usage(self, run: str) -> Usage: ...

    def add_usage(self, run: str, usage: Usage) -> None: ...

    def flush(self) -> None: ...

    async def committed(self) -> None: ...

    def close(self) -> None:
        """Commits what is queued. A store may be closed twice."""
