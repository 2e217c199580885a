"""Every judge and every sample of a run over one record, kept as soon as all are done, and asked only once."""

from dataclasses import dataclass

from assay.domain.outcome import Failure
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.files.records import InvalidRecord
from assay.runner.deadline import Deadline
from assay.runner.together import together
from assay.runner.voices import combine
from assay.runner.walk import Walk
from assay.scoring.total import compute_total
from assay.store.store import Store


@dataclass(frozen=True, slots=True)
class Walked:
    """A record's card, and whether the store held all of it before."""

    card: Scorecard
    is_kept: bool = False

    @property
    def has_failed(self) -> bool:
        """Now: what failed before was counted then, and what is unpaid is not finished."""
        return self.card.failed and not self.is_kept and not self.card.unpaid


@dataclass(frozen=True, slots=True)
class Panel:
    """One walk per judge and sample. With a store, what it already holds of the run is taken from there.

    A record is kept with all its voices or not at all: half of a panel would pass for its verdict. The replies are kept
    before, each on its own, so that nothing is asked again.

    `record_seconds` is how long all of them together may take for one record. Of a new run the store holds nothing yet.
    """

    walks: tuple[Walk, ...]
    store: Store | None = None
    record_seconds: float | None = None
    is_new: bool = False

    @property
    def rubric(self) -> Rubric:
        return self.walks[0].rubric

    async def judge(self, position: int, record: Record | InvalidRecord) -> Walked:
        run = self.walks[0].run
        if self.store is not None and not self.is_new:
            kept = self.store.get_record(run, record.id, record.system, self.rubric)
            if kept is not None:
                return Walked(kept, is_kept=True)
        deadline = Deadline.begin(self.record_seconds)
        card = combine(await together(*(_judge_once(walk, record, deadline) for walk in self.walks)))
        if self.store is not None and not card.unpaid:
            self.store.add_record(run, position, card)
        return Walked(card)

    async def committed(self) -> None:
        """Returns when every card judged before is kept, and every bank that it rests on."""
        shelf = self.walks[0].shelf
        written = shelf.written
        if self.store is not None:
            await self.store.committed()
        shelf.forget(written)

    async def close(self) -> None:
        await self.walks[0].shelf.close()


async def _judge_once(walk: Walk, record: Record | InvalidRecord, deadline: Deadline | None) -> Scorecard:
    if isinstance(record, InvalidRecord):
        return card_invalid(record, walk)
    return await walk.judge_record(record, deadline)


def stand_in(invalid: InvalidRecord) -> Record:
    """What is kept in the place of a record that can't be read: its names, and nothing else."""
    return Record(id=invalid.id, item="", output="", sources=(), system=invalid.system)


def card_invalid(invalid: InvalidRecord, walk: Walk) -> Scorecard:
    """A record that can't be read keeps its row, with the reason in every metric."""
    record = stand_in(invalid)
    outcomes = {metric.id: Failure("invalid_record", invalid.reason) for metric in walk.rubric.metrics}
    total = compute_total(walk.rubric, outcomes)
    return Scorecard(record, walk.rubric, walk.judge.name, outcomes, total, run=walk.run, sample=walk.sample)
