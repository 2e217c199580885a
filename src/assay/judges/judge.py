"""The base class of every judge: a prompted model, the embedded one, a recording, or one that a user writes."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from assay.domain.ask import Answer, Ask, MetricAsk, WholeAsk
from assay.domain.outcome import Trail
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.units.passages import Passages


class Judge(ABC):
    """Answers asks. It labels and grades; it never counts, scores, retries, caches or pays.

    A judge of your own needs `name` and `answer`; everything else has a default.
    """

    reasks: int = 0
    """How often it makes sense to ask again for what a reply lacked."""

    most_units: int | None = None
    """How many units it is asked about at once; more are asked about in several calls."""

    sees_several: bool = False
    """Whether one call can show it several outputs, by `answer_side_by_side`."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Changes whenever its answers may change."""

    @abstractmethod
    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        """What could be read of the reply.

        Raises a JudgeError where there is no reply. `Answer(abstained=reason)` declines to answer.
        """

    def answers_jointly(self, record: Record) -> bool:
        """Whether one call answers all metrics of this record, by `answer_together`."""
        del record
        return False

    async def answer_together(self, asks: Sequence[MetricAsk], passages: Passages) -> Sequence[Answer]:
        """Answers one or several metrics of one record, in their order."""
        return await asyncio.gather(*(self.answer(ask, passages) for ask in asks))

    async def answer_side_by_side(
        self, asks: Sequence[Sequence[MetricAsk]], passages: Sequence[Passages]
    ) -> Sequence[Sequence[Answer]]:
        """Answers the same metrics of several records that were made from the same sources; each by itself."""
        each = zip(asks, passages, strict=True)
        return await asyncio.gather(*(self.answer_together(own, shown) for own, shown in each))

    def answers_whole(self, record: Record, rubric: Rubric) -> bool:
        """Whether this record is answered by one whole reply in the rubric's own shape."""
        del record, rubric
        return False

    async def answer_whole(self, ask: WholeAsk, passages: Passages) -> Mapping[str, Trail]:
        """What could be read of the whole reply, for each metric; called only where `answers_whole` says so."""
        raise NotImplementedError

    async def close(self) -> None:  # noqa: B027  # most judges have nothing to release
        """Releases connections. Called once, by whoever opened the judge."""
