"""Fills a record's banks: from a file, from what this run has already asked, or from the judge, once per source."""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from assay.domain.ask import BankAsk, Fault, Written
from assay.domain.record import Source
from assay.domain.rubric import Bank, Rubric
from assay.domain.scorecard import Notice
from assay.domain.units import Unit
from assay.files.banks import digest_sources
from assay.judges.judge import Judge
from assay.runner.asking import AskedBank, ask_bank
from assay.runner.asks import Cut, group_sources, number_bank, plan_banks
from assay.runner.thin_sources import note_thin_sources
from assay.runner.together import together
from assay.units.banks import build_units, keep_major, least_wanted
from assay.units.passages import Passages

# By rubric, bank and the digest of the sources.
_Key: TypeAlias = tuple[str, str, str]
_REMEMBERED_FAULTS = 10_000


@dataclass(frozen=True, slots=True)
class Banked:
    units: tuple[Unit, ...]
    notices: tuple[Notice, ...] = ()
    flags: tuple[str, ...] = ()
    abstained: str | None = None


class Banks(Protocol):
    """Banks that outlast a run: in a file of their own, or in a store."""

    def get(self, rubric: str, bank: str, source: str) -> tuple[Written, ...] | None: ...

    def add(self, rubric: str, bank: str, source: str, judge: str, units: Sequence[Written]) -> tuple[Written, ...]:
        """Gives back the units that hold: the new ones, or those that were there before."""
        ...


@dataclass(slots=True)
class BankShelf:
    """Twenty systems on one source ask once: the first record asks, the others wait for it.

    With a file, a bank is held here only until it can be read from there; without one, for as long as the run.
    `written` counts the banks that went to the file.
    """

    file: Banks | None = None
    written: int = 0
    _asked: dict[_Key, tuple[str, "asyncio.Task[AskedBank | Fault]"]] = field(default_factory=dict)
    _known: dict[_Key, AskedBank] = field(default_factory=dict)
    _unread: deque[_Key] = field(default_factory=deque)
    _faults: dict[tuple[_Key, str], Fault] = field(default_factory=dict)

    async def fetch(self, judge: Judge, ask: BankAsk, passages: Passages) -> AskedBank | Fault:
        """Where one judge declined, or has failed, another tries for itself.

        So does the same judge for a later record, unless it would fail in the same way again; the records that
        waited for it share its fault, for each of them would wait as long once more.
        """
        key = (ask.rubric.id, ask.bank.id, digest_sources(ask.sources))
        while True:
            if (known := self._known.get(key)) is not None:
                return known
            if (fault := self._faults.get((key, judge.name))) is not None:
                return fault
            if self.file is not None and (kept := self.file.get(*key)) is not None:
                short = len(kept) < least_wanted(ask.bank, ask.sources)
                return AskedBank(kept, flags=(ask.bank.outside_limits,) if short else ())
            if key not in self._asked:
                task = asyncio.create_task(self._ask(judge, ask, passages, key))
                self._asked[key] = (judge.name, task)
                return await asyncio.shield(task)
            name, task = self._asked[key]
            asked = await asyncio.shield(task)
            if name == judge.name or (isinstance(asked, AskedBank) and asked.abstained is None):
                return asked

    def forget(self, written: int) -> None:
        """As many of the banks written can be read from the file by now."""
        while len(self._unread) > self.written - written:
            del self._known[self._unread.popleft()]

    async def close(self) -> None:
        """Ends the asks that no record waits for any more."""
        for task in (waiting := [task for _, task in self._asked.values()]):
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        self._asked.clear()  # one that was cancelled before it began is still in it

    async def _ask(self, judge: Judge, ask: BankAsk, passages: Passages, key: _Key) -> AskedBank | Fault:
        try:
            asked = await ask_bank(judge, ask, passages)
            if isinstance(asked, Fault):
                if asked.lasts:
                    self._remember(asked, (key, judge.name))
            elif asked.abstained is None:
                if self.file is not None:
                    asked = replace(asked, written=self.file.add(*key, judge.name, asked.written))
                    self._unread.append(key)
                    self.written += 1
                self._known[key] = replace(asked, replies=())
            return asked
        finally:
            del self._asked[key]

    def _remember(self, fault: Fault, key: tuple[_Key, str]) -> None:
        self._faults[key] = fault
        if len(self._faults) > _REMEMBERED_FAULTS:
            del self._faults[next(iter(self._faults))]


def _give_back_ids(units: Sequence[Unit], shown: Sequence[Source], group: Sequence[Source]) -> list[Unit]:
    """The sources under the ids that the record knows them by."""
    ids = {given.id: source.id for given, source in zip(shown, group, strict=True)}
    return [replace(unit, sources=tuple(ids[name] for name in unit.sources)) for unit in units]


async def fill_bank(judge: Judge, shelf: BankShelf, cut: Cut, rubric: Rubric, bank: Bank) -> Banked | Fault:
    asks = plan_banks(cut.record, rubric, bank)
    passages = [number_bank(ask) for ask in asks]
    filled = await together(*(shelf.fetch(judge, *each) for each in zip(asks, passages, strict=True)))
    units: list[Unit] = []
    notices: list[Notice] = []
    flags: list[str] = []
    groups = [group for _, group in group_sources(cut.record, bank)]
    for group, ask, where, asked in zip(groups, asks, passages, filled, strict=True):
        if isinstance(asked, Fault):
            return asked
        if asked.abstained is not None:
            return Banked((), abstained=asked.abstained)
        written = build_units(asked.written, bank, where, ask.sources)
        units += written if ask.sources == group else _give_back_ids(written, ask.sources, group)
        notices += asked.notices
        flags += asked.flags
    notices += note_thin_sources(cut.record, bank)
    kept, dropped = keep_major(units, bank, cut.record)
    numbered = tuple(unit.numbered(position) for position, unit in enumerate(kept, 1))
    return Banked(numbered, tuple(notices + dropped), tuple(dict.fromkeys(flags)))
