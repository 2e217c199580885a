"""A judge that stands before another: what it does not change is the other's."""

from dataclasses import dataclass

from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.judges.judge import Judge


@dataclass(frozen=True, slots=True)
class BehindJudge:
    """All of a judge but its answers."""

    judge: Judge

    @property
    def name(self) -> str:
        return self.judge.name

    @property
    def reasks(self) -> int:
        return self.judge.reasks

    def answers_whole(self, record: Record, rubric: Rubric) -> bool:
        return self.judge.answers_whole(record, rubric)

    async def close(self) -> None:
        await self.judge.close()
