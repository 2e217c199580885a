"""Fills a record's banks: from a file or store, from what this run has already asked, or from the judge."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from assay.domain.ask import BankAsk, Fault, Written
from assay.domain.outcome import Abstention
from assay.domain.rubric import Bank
from assay.domain.scorecard import Notice
from assay.domain.units import NAMES, Unit, count_units
from assay.errors import JudgeError, OverBudget, TimedOut
from assay.files.banks import digest_sources
from assay.gather import gather_or_cancel
from assay.judges.judge import Judge
from assay.runner.planning import Case, RecordBank, number_bank, plan_banks
from assay.units.banks import FilledBank, build_units, least_wanted, note_thin_sources, screen
from assay.units.passages import Passages

# By rubric, bank and the digest of the sources.
_Key: TypeAlias = tuple[str, str, str]


WrittenBank: TypeAlias = FilledBank[Written]
AskedBank: TypeAlias = WrittenBank | Abstention | Fault


class BankStore(Protocol):
    """Banks that outlast a run: in a file of their own, or in a store."""

    def get(self, rubric: str, bank: str, source: str) -> tuple[Written, ...] | None: ...

    def add(self, rubric: str, bank: str, source: str, judge: str, units: Sequence[Written]) -> tuple[Written, ...]:
        """Gives back the units that hold: the new ones, or those that were there before."""
        ...


@dataclass(slots=True)
class BankCache:
    """Asks for each bank once: the first record on a source asks, the others wait for its answer."""

    stored: BankStore | None = None
    _asked: dict[_Key, tuple[str, "asyncio.Task[AskedBank]"]] = field(default_factory=dict)
    _known: dict[_Key, WrittenBank] = field(default_factory=dict)
    _faults: dict[tuple[_Key, str], Fault] = field(default_factory=dict)

    async def fetch(self, judge: Judge, ask: BankAsk, passages: Passages) -> AskedBank:
        """Where one judge declined or failed, another tries for itself, and the same one for a later record.

        It does not where it would fail in the same way again. Records that waited for a failed ask share its fault.
        """
        key = (ask.rubric.id, ask.bank.id, digest_sources(ask.sources, ask.query))
        while True:
            if (known := self._known.get(key)) is not None:
                return known
            if (fault := self._faults.get((key, judge.name))) is not None:
                return fault
            if self.stored is not None and (kept := self.stored.get(*key)) is not None:
                return take_over(kept, ask)
            if key not in self._asked:
                task = asyncio.create_task(self._ask(judge, ask, passages, key))
                self._asked[key] = (judge.name, task)
                return await asyncio.shield(task)
            name, task = self._asked[key]
            asked = await asyncio.shield(task)
            if name == judge.name or isinstance(asked, FilledBank):
                return asked

    async def close(self) -> None:
        """Ends the asks that no record waits for any more."""
        for task in (waiting := [task for _, task in self._asked.values()]):
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        self._asked.clear()  # a task that was cancelled before it began has not removed itself

    async def _ask(self, judge: Judge, ask: BankAsk, passages: Passages, key: _Key) -> AskedBank:
        try:
            asked = await self._write(judge, ask, passages, key)
            if isinstance(asked, Fault) and asked.lasts:
                self._faults[key, judge.name] = asked
            if isinstance(asked, FilledBank):
                if self.stored is not None:
                    asked = replace(asked, units=self.stored.add(*key, judge.name, asked.units))
                self._known[key] = asked
            return asked
        finally:
            del self._asked[key]

    async def _write(self, judge: Judge, ask: BankAsk, passages: Passages, key: _Key) -> AskedBank:
        """By the judge. Processes that share one run first find out which of them is to ask."""
        del key
        return await ask_bank(judge, ask, passages)


def take_over(kept: tuple[Written, ...], ask: BankAsk) -> WrittenBank:
    """A bank of an earlier run."""
    short = len(kept) < least_wanted(ask.bank, ask.sources)
    return FilledBank(kept, flags=(ask.bank.outside_limits,) if short else ())


async def ask_bank(judge: Judge, ask: BankAsk, passages: Passages) -> AskedBank:
    """A bank that stays outside its limits after one re-ask is kept with a flag; one that can't be read is a fault.

    So is one that was cut off both times: what would have come after the cut is missing from every score.
    """
    best: tuple[tuple[bool, bool, int], WrittenBank] | None = None
    fault: Fault | None = None
    for attempt in range(min(judge.reasks, 1) + 1):
        words = (fault.words,) if fault is not None else ()
        try:
            answer = await judge.answer(replace(ask, attempt=attempt, faults=words) if attempt else ask, passages)
        except OverBudget as error:
            return Fault(str(error), error.status)
        except JudgeError as error:
            passes = error.retry_helps or error.status == "unreachable"
            fault = replace(fault or Fault(str(error), error.status), lasts=not passes)
            break
        if answer.abstained is not None:
            return Abstention("abstained", answer.abstained)
        screened, outside = screen(answer.written, ask.bank, ask.sources)
        # Units that name no sentence of the sources, where they come from all sources together.
        whole = () if ask.bank.each_source else screened.units
        unplaced = [unit for unit in whole if not any(map(passages.get, unit.sentences))]
        wrong = outside
        if unplaced and not wrong:
            # The first few stand for all.
            few = ((unit.text[:60], ", ".join(unit.sentences)[:40] or "none") for unit in unplaced[:3])
            named = ", ".join(f"{text!r} ({sentences})" for text, sentences in few)
            count = count_units(ask.bank.unit, len(unplaced))
            wrong = f"{count} without the id of any sentence in the sources: {named}"
        fault = next(iter(answer.faults), Fault(wrong) if wrong else None)
        placed = len(screened.units) - len(unplaced)
        rank = (fault is None, outside is None, placed)
        # An empty list is an answer where the bank may be empty.
        is_bank = bool(screened.units) or outside is None
        if is_bank and not answer.faults and (best is None or rank > best[0]):
            best = rank, screened
        if fault is None:
            break
    return best[1] if best is not None else fault or Fault("no reply")


async def fill_bank(judge: Judge, cache: BankCache, bank: Bank, case: Case) -> RecordBank:
    """All units of one bank for a record, under the source ids that the record knows.

    A bank is asked for all records that share it, so a deadline ends the wait for it and never the ask.
    """
    pairs = [(ask, number_bank(ask)) for ask in plan_banks(case.record, case.rubric, bank)]
    try:
        written = await case.deadline.hold(
            lambda: gather_or_cancel(*(cache.fetch(judge, ask, where) for ask, where in pairs))
        )
    except TimedOut as error:
        return Fault(str(error), error.status)
    units: list[Unit] = []
    notices: list[Notice] = []
    flags: list[str] = []
    for (ask, where), found in zip(pairs, written, strict=True):
        if not isinstance(found, FilledBank):
            return found
        origins = {shown.id: origin for shown, origin in zip(ask.sources, ask.origins, strict=True)}
        units += build_units(found.units, bank, where, origins)
        notices += found.notices
        flags += found.flags
    if not pairs and not bank.from_sources:
        return Abstention("abstained", f"the record has no {bank.origin.removeprefix('the ')}")
    if pairs and not units:
        texts = "the sources" if bank.from_sources else bank.origin
        none = f"the judge found no {NAMES[bank.unit][1]} in {texts}"
        if bank.for_query:
            none = "the judge found nothing in the sources that the query asks for"
        return Abstention("abstained", none)
    notices += note_thin_sources(case.record, bank)
    numbered = tuple(unit.numbered(position) for position, unit in enumerate(units, 1))
    return FilledBank(numbered, tuple(notices), tuple(dict.fromkeys(flags)))
