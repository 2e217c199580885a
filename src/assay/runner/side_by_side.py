"""Outputs of several systems on the same sources, judged in one call: who is shown with whom, and in which order.

Each record walks by itself. Only its first asks meet those of the others in one call; what the reply lacks of an output
is asked about again, about that output alone.
"""

import asyncio
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple, TypeVar

from assay.domain.ask import Answer, MetricAsk
from assay.domain.outcome import LETTERS, Placement
from assay.domain.record import Record
from assay.judges.judge import Judge
from assay.units.passages import Passages

Value = TypeVar("Value")


def split_blocks(members: Sequence[Value]) -> list[Sequence[Value]]:
    """Blocks of nearly equal size that one call each can show: seven are four and three."""
    count = ceil(len(members) / len(LETTERS))
    sizes = [len(members) // count + (at < len(members) % count) for at in range(count)] if count else []
    return [members[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(count)]


def arrange(members: Sequence[Value], seed: str, round_: int) -> list[Sequence[Value]]:
    """The blocks of one round, drawn by lot; every second round is the one before in the opposite order, to be fair."""
    drawn = list(members)
    random.Random(f"{seed}:{round_ // 2}").shuffle(drawn)  # noqa: S311  # reproducible, not secret
    return split_blocks(drawn[::-1] if round_ % 2 else drawn)


def group_alike(records: Iterable[Record]) -> list[list[Record]]:
    """Records whose outputs are the same, which are shown once, in the order of the first of each."""
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.output, repr(record.citations)), []).append(record)
    return list(groups.values())


class Block(NamedTuple):
    """Outputs that one call shows, in the order of their letters. Those that are the same follow each other."""

    round: int
    number: int
    records: Sequence[Record]


def lay_out(records: Sequence[Record], rounds: int | None) -> list[Block]:
    """All blocks of all rounds: one round unless told otherwise, and two for two outputs that differ.

    It does not depend on the records' order, so that their calls are found in the cache when they are judged again.
    """
    names = {id(record): (record.id, record.system or "") for record in records}
    ordered = sorted(records, key=lambda record: names[id(record)])
    seed, outputs = repr(sorted(names.values())), group_alike(ordered)
    return [
        Block(round_, number, [record for alike in block for record in alike])
        for round_ in range(rounds or (2 if len(outputs) == 2 else 1))
        for number, block in enumerate(arrange(outputs, seed, round_))
    ]


class _Asked(NamedTuple):
    """What one record asks: its asks by the name of the call, and its passages."""

    calls: Mapping[str, Sequence[MetricAsk]]
    passages: Passages


@dataclass(slots=True, eq=False)
class Meeting:
    """Where the walks of a block wait until each has said what it asks, or that it asks nothing."""

    judge: Judge
    block: Block
    _asked: dict[int, _Asked] = field(default_factory=dict)
    _known: set[int] = field(default_factory=set)
    _complete: asyncio.Event = field(default_factory=asyncio.Event)
    _answers: dict[str, "asyncio.Task[dict[int, Sequence[Answer]]]"] = field(default_factory=dict)

    def bring(self, record: Record, calls: Mapping[str, Sequence[MetricAsk]], passages: Passages) -> None:
        if calls:
            self._asked[self._find(record)] = _Asked(calls, passages)
        self.leave(record)

    def leave(self, record: Record) -> None:
        """Nobody waits for what a record asks, any more or at all."""
        self._known.add(self._find(record))
        if len(self._known) == len(self.block.records):
            self._complete.set()

    async def answer(self, record: Record, call: str) -> Sequence[Answer]:
        """What the call says of this record; the first that wants to know sends it."""
        await self._complete.wait()
        task = self._answers.get(call)
        if task is None:
            task = self._answers[call] = asyncio.create_task(self._send(call))
        # One record may run out of time; the others still want their answers.
        return (await asyncio.shield(task))[self._find(record)]

    def place(self, record: Record) -> Placement | None:
        """Where its output stands; None where it is shown alone."""
        shown = self._list_shown()
        at = self._find(record)
        position = next((number for number, alike in enumerate(shown) if at in alike), None)
        if position is None or len(shown) < 2:
            return None
        return Placement(self.block.round, self.block.number, position, len(shown))

    async def close(self) -> None:
        """Ends the calls that nobody waits for any more."""
        for task in (waiting := list(self._answers.values())):
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    def _find(self, record: Record) -> int:
        return next(at for at, each in enumerate(self.block.records) if each is record)

    def _list_shown(self) -> list[list[int]]:
        """The members that ask, in their order; outputs that are the same are shown once."""
        places = {id(self.block.records[at]): at for at in sorted(self._asked)}
        alike = group_alike(self.block.records[at] for at in places.values())
        return [[places[id(record)] for record in each] for each in alike]

    async def _send(self, call: str) -> dict[int, Sequence[Answer]]:
        shown = [alike for alike in self._list_shown() if call in self._asked[alike[0]].calls]
        asked = [self._asked[alike[0]] for alike in shown]
        answers = await self.judge.answer_side_by_side(
            [each.calls[call] for each in asked], [each.passages for each in asked]
        )
        return {at: answer for alike, answer in zip(shown, answers, strict=True) for at in alike}
