"""Fills a record's banks: from a file, from what this run has already asked, or from the judge, once per source."""

import asyncio
from dataclasses import dataclass, field, replace

from assay.domain.ask import BankAsk, Fault
from assay.domain.rubric import Bank, Rubric
from assay.domain.scorecard import Notice
from assay.domain.units import Unit
from assay.files.banks import BankFile, digest_sources
from assay.judges.judge import Judge
from assay.runner.asking import AskedBank, ask_bank
from assay.runner.asks import Cut, plan_banks
from assay.units.banks import build_units, keep_major
from assay.units.passages import Passages, number_sources


@dataclass(frozen=True, slots=True)
class Banked:
    units: tuple[Unit, ...]
    notices: tuple[Notice, ...] = ()
    flags: tuple[str, ...] = ()


@dataclass(slots=True)
class BankShelf:
    """Twenty systems on one source ask once: the first record asks, the others wait for it."""

    file: BankFile | None = None
    _asked: dict[str, "asyncio.Task[AskedBank | Fault]"] = field(default_factory=dict)

    async def fetch(self, judge: Judge, ask: BankAsk, passages: Passages) -> AskedBank | Fault:
        digest = digest_sources(ask.sources)
        if self.file is not None and (kept := self.file.get(ask.rubric.id, ask.bank.id, digest)) is not None:
            return AskedBank(kept)
        key = f"{ask.bank.id} {digest}"
        if key not in self._asked:
            self._asked[key] = asyncio.create_task(self._ask(judge, ask, passages, digest))
        return await asyncio.shield(self._asked[key])

    async def _ask(self, judge: Judge, ask: BankAsk, passages: Passages, digest: str) -> AskedBank | Fault:
        asked = await ask_bank(judge, ask, passages)
        if self.file is not None and isinstance(asked, AskedBank):
            kept = self.file.add(ask.rubric.id, ask.bank.id, digest, judge.name, asked.written)
            return replace(asked, written=kept)
        return asked


async def fill_bank(judge: Judge, shelf: BankShelf, cut: Cut, rubric: Rubric, bank: Bank) -> Banked | Fault:
    asks = plan_banks(cut.record, rubric, bank)
    if not asks:
        return Banked(())
    passages = [number_sources(ask.sources, cut.language) for ask in asks]
    filled = await asyncio.gather(*(shelf.fetch(judge, *each) for each in zip(asks, passages, strict=True)))
    units: list[Unit] = []
    notices: list[Notice] = []
    flags: list[str] = []
    for ask, where, asked in zip(asks, passages, filled, strict=True):
        if isinstance(asked, Fault):
            return asked
        units += build_units(asked.written, bank, where, ask.sources)
        notices += asked.notices
        flags += asked.flags
        if bank.short_source_words and sum(len(each.text.split()) for each in ask.sources) < bank.short_source_words:
            notices.append(Notice("short_source", f"{', '.join(each.id for each in ask.sources)} is short"))
    empty = [source.id for source in cut.record.sources if bank.each_source and not source.text.strip()]
    notices += [Notice("empty_source", f"{name} has no text and is left out") for name in empty]
    kept, dropped = keep_major(units, bank, cut.record)
    numbered = tuple(unit.numbered(position) for position, unit in enumerate(kept, 1))
    return Banked(numbered, tuple(notices + dropped), tuple(dict.fromkeys(flags)))
