"""The port every judge answers through, be it a prompted model or the embedded one."""

from typing import Protocol

from assay.domain.ask import Answer, Ask
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.units.passages import Passages


class Judge(Protocol):
    """Answers asks. It labels and grades; it never counts, scores, retries, caches or pays."""

    @property
    def name(self) -> str:
        """Changes whenever its answers may change."""
        ...

    @property
    def reasks(self) -> int:
        """How often it makes sense to ask again for what a reply lacked."""
        ...

    def answers_whole(self, record: Record, rubric: Rubric) -> bool:
        """Whether this record is answered by one whole reply instead of one per metric."""
        ...

    async def answer(self, ask: Ask, passages: Passages) -> Answer:
        """What could be read of the reply. A call that fails is one error of the judge's family, never an answer."""
        ...

    async def close(self) -> None: ...
