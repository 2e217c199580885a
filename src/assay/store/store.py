"""The Store protocol: what a run keeps, and the types that go in and out.

A store is append-only. Nothing counts as finished before it is committed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Literal, NamedTuple, Protocol

from assay.domain.ask import Written
from assay.domain.json import JSON
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.models.chat import CallKey, Completion
from assay.store.browsing import Browser
from assay.store.faults import StoreError
from assay.store.labels import Labels

RunState = Literal["running", "done", "stopped"]
# Sums of counts stay far from what a database can count to.
_LARGEST_COUNT, _LARGEST_COST = 2**48, 10**18


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run: which rubric, which judges, with what parameters, by which version. Times have a time zone."""

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
    """A run of which only the id can be read. It can still be deleted."""

    id: str
    error: StoreError


class Judged(NamedTuple):
    """A judged record, by name and digest. The digest (`codec.digest_record`) covers everything in the record."""

    position: int
    record: str
    system: str | None
    digest: bytes


# Stands in the key of a reply between the call's digest and the run that the reply belongs to.
OWN_REPLY = "/"


@dataclass(frozen=True, slots=True)
class KeptReply:
    key: str
    purpose: CallKey
    reply: Completion


@dataclass(frozen=True, slots=True)
class RunUsage:
    """Calls sent and answered from the cache, and their price. Calls without a known price are counted apart."""

    calls: int = 0
    cache_hits: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    picodollars: int = 0
    unpriced_calls: int = 0

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value < 0:
                raise ValueError(f"{self} is not what a run can use")
            # Endpoints report the tokens. A report that is far too large must not end the run.
            largest = _LARGEST_COST if each.name == "picodollars" else _LARGEST_COUNT
            object.__setattr__(self, each.name, min(value, largest))


class Store(Protocol):
    """One file for many runs.

    Reading sees what is committed. `add_record`, `put_reply`, `put_bank` and `add_usage` only queue. `flush`, or
    awaiting `committed`, returns when everything queued before is on disk, or raises a StoreError. All other writing
    is on disk on return.

    Nothing is written twice or changed: the first value of a key stays.
    """

    # Runs

    def begin_run(self, run: RunRow) -> None:
        """Raises InputError if the store has a run of this id."""

    def update_run(self, run: str, state: RunState, finished: datetime | None) -> None: ...

    def find_run(self, name: str) -> RunRow:
        """By its id, by the beginning of its id where that is unique, or `last` for the newest."""

    def runs(self) -> tuple[RunRow | DamagedRun, ...]:
        """Newest first."""

    def run_ids(self) -> tuple[str, ...]:
        """Newest first, damaged runs included."""

    def delete_run(self, run: str) -> None:
        """Deletes it with every record, reply and bank that no other run uses; no file of the store holds them then."""

    def usage(self, run: str) -> RunUsage: ...

    def add_usage(self, run: str, usage: RunUsage) -> None: ...

    # Judged records

    def add_record(self, run: str, position: int, card: Scorecard) -> None:
        """Keeps the scorecard of one record with the answers of all its judges and samples (`voices`), or nothing.

        `position` is the record's place in the run, from 0. If the run has this record (its id and system) or another
        one at this place, the call does nothing.
        """

    def get_record(self, run: str, record: str, system: str | None, rubric: Rubric) -> Scorecard | None:
        """The scorecard as it was added; None if this record is not judged yet."""

    def cards(self, run: str, rubric: Rubric) -> Iterator[Scorecard]:
        """All scorecards in the order of the records; read a few at a time, so memory does not grow with the run."""

    def list_judged(self, run: str) -> Iterator[Judged]:
        """All judged records in the order of the run, without their contents; read like `cards`."""

    def count(self, run: str) -> int:
        """How many records are judged."""

    def count_failed(self, run: str) -> int:
        """How many of them have a failure in at least one answer."""

    @property
    def browser(self) -> Browser:
        """A run's records page by page, sorted and filtered."""

    @property
    def labels(self) -> Labels:
        """People's labels of a run's records. On disk on return; a later label replaces an earlier one."""

    # Replies and banks

    def get_reply(self, key: str) -> Completion | None: ...

    def put_reply(self, key: str, reply: Completion, run: str, purpose: CallKey) -> None:
        """Keeps a reply, and that this run used it. A reply from the cache is put again: the run then uses it too."""

    def replies(self, run: str, record: str) -> tuple[KeptReply, ...]:
        """The replies that a run used for one record id, by ask, sample and attempt."""

    def get_bank(self, rubric_id: str, bank_id: str, source_digest: str, *, run: str) -> tuple[Written, ...] | None:
        """The units that a run used for these sources."""

    def put_bank(self, rubric_id: str, bank_id: str, source_digest: str, units: Sequence[Written], run: str) -> None:
        """Keeps units, and that this run used them. Units from another run are put again, like replies."""

    # Durability

    def flush(self) -> None: ...

    async def committed(self) -> None: ...

    def close(self) -> None:
        """Commits what is queued. A store may be closed twice."""
