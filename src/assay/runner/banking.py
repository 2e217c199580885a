"""Fills a record's banks: from a file, from what this run has already asked, or from the judge, once per source."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from assay.domain.ask import BankAsk, Fault, Written
from assay.domain.rubric import Bank, Rubric
from assay.domain.scorecard import Notice
from assay.domain.units import Unit
from assay.files.banks import digest_sources
from assay.judges.judge import Judge
from assay.runner.asking import AskedBank, ask_bank
from assay.runner.asks import Cut, group_sources, number_bank, plan_banks
from assay.runner.together import together
from assay.units.banks import build_units, keep_major, least_wanted
from assay.units.passages import Passages


@dataclass(frozen=True, slots=True)
class Banked:
    units: tuple[Unit, ...]
    notices: tuple[Notice, ...] = ()
    flags: tuple[str, ...] = ()


class Banks(Protocol):
    """Banks that outlast a run: in a file of their own, or in a store."""

    def get(self, rubric: str, bank: str, source: str) -> tuple[Written, ...] | None: ...

    def add(self, rubric: str, bank: str, source: str, judge: str, units: Sequence[Written]) -> tuple[Written, ...]:
        """Gives back the units that hold: the new ones, or those that were there before."""
        ...


@dataclass(slots=True)
class BankShelf:
    """Twenty systems on one source ask once: the first record asks, the others wait for it."""

    file: Banks | None = None
    _asked: dict[str, "asyncio.Task[AskedBank | Fault]"] = field(default_factory=dict)

    async def fetch(self, judge: Judge, ask: BankAsk, passages: Passages) -> AskedBank | Fault:
        """Where the judge could not be reached for one record, the next one that needs the bank tries for itself."""
        digest = digest_sources(ask.sources)
        if self.file is not None and (kept := self.file.get(ask.rubric.id, ask.bank.id, digest)) is not None:
            short = len(kept) < least_wanted(ask.bank, ask.sources)
            return AskedBank(kept, flags=(ask.bank.outside_limits,) if short else ())
        key = f"{ask.bank.id} {digest}"
        while (task := self._asked.get(key)) is not None:
            asked = await asyncio.shield(task)
            if isinstance(asked, AskedBank) or asked.status != "unreachable":
                return asked
            if self._asked.get(key) is task:
                del self._asked[key]
        self._asked[key] = asyncio.create_task(self._ask(judge, ask, passages, digest))
        return await asyncio.shield(self._asked[key])

    async def close(self) -> None:
        """Ends the asks that no record waits for any more."""
        waiting = [task for task in self._asked.values() if not task.done()]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)
        self._asked = {key: task for key, task in self._asked.items() if task not in waiting}

    async def _ask(self, judge: Judge, ask: BankAsk, passages: Passages, digest: str) -> AskedBank | Fault:
        asked = await ask_bank(judge, ask, passages)
        if self.file is not None and isinstance(asked, AskedBank):
            kept = self.file.add(ask.rubric.id, ask.bank.id, digest, judge.name, asked.written)
            return replace(asked, written=kept)
        return asked


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
        ids = {shown.id: source.id for shown, source in zip(ask.sources, group, strict=True)}
        written = build_units(asked.written, bank, where, ask.sources)
        units += [replace(unit, sources=tuple(ids[name] for name in unit.sources)) for unit in written]
        notices += asked.notices
        flags += asked.flags
        if sum(len(each.text.split()) for each in group) < bank.short_source_words:
            notices.append(Notice("short_source", f"{', '.join(each.id for each in group)} is short"))
    empty = [source.id for source in cut.record.sources if bank.each_source and not source.text.strip()]
    notices += [Notice("empty_source", f"{name} has no text and is left out") for name in empty]
    kept, dropped = keep_major(units, bank, cut.record)
    numbered = tuple(unit.numbered(position) for position, unit in enumerate(kept, 1))
    return Banked(numbered, tuple(notices + dropped), tuple(dict.fromkeys(flags)))
