"""The walk of one record: cut, ask, verify, score. Every metric ends in an outcome, and its end is only its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain

from assay.checks.catalogue import run_checks
from assay.domain.ask import Fault
from assay.domain.defences import DEFENDED, Defences
from assay.domain.outcome import Outcome, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Bank, Metric, Rubric
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.units import NAMES, Unit, UnitKind
from assay.errors import TimedOut
from assay.judges.judge import Judge
from assay.packs.lookup import find_hooks
from assay.runner.asking import Asked, ask_metric
from assay.runner.asks import Cut, cut_record, explain_unasked, find_language, plan_metric
from assay.runner.banking import Banked, BankShelf, fill_bank
from assay.runner.canary import CanariedJudge
from assay.runner.concluding import Shared, conclude, share_claims
from assay.runner.deadline import Deadline, HurriedJudge
from assay.runner.defending import SecondHearing, can_be_talked_to, mark_effects, strike_suspicions
from assay.runner.eligibility import read_facts
from assay.runner.emptiness import find_emptiness
from assay.runner.proofs import find_code_labels
from assay.runner.thin_sources import note_thin_sources
from assay.runner.together import together
from assay.runner.whole import walk_whole
from assay.scoring.total import compute_total

_SUSPECT = "injection_suspect"


@dataclass(frozen=True, slots=True)
class Walk:
    """What stays the same from record to record of a run."""

    rubric: Rubric
    judge: Judge
    shelf: BankShelf
    run: str = ""
    sample: int = 0
    defences: Defences = DEFENDED

    async def judge_record(self, record: Record, deadline: Deadline | None = None) -> Scorecard:
        """Past the deadline what was answered is scored, and each metric still without an answer has timed out."""
        judge = self.judge if deadline is None else HurriedJudge(self.judge, deadline)
        notices = (*run_checks(record, self.rubric, self.defences), *find_hooks(self.rubric.id).notices(record))
        heard = CanariedJudge(judge) if self.defences.canary and can_be_talked_to(judge) else judge
        outcomes, dropped = await self._walk_record(record, heard, deadline)
        notices += dropped
        if any(notice.check == _SUSPECT for notice in notices):
            outcomes, effects = await self._hear_again(record, outcomes, judge, deadline)
            outcomes, notices = _flag(outcomes), notices + effects
        total = compute_total(self.rubric, outcomes)
        facts = read_facts(record, self.rubric, outcomes)
        return Scorecard(record, self.rubric, self.judge.name, outcomes, total, notices, facts, self.run, self.sample)

    async def _walk_record(
        self, record: Record, judge: Judge, deadline: Deadline | None
    ) -> tuple[Mapping[str, Outcome], tuple[Notice, ...]]:
        empty = find_emptiness(record, self.rubric, short_circuit=self.defences.short_circuit)
        if empty is not None:
            return empty, ()
        cut = cut_record(record, self.rubric)
        if self.judge.answers_whole(record, self.rubric):
            outcomes = await walk_whole(judge, cut, self.rubric, self.sample)
            thin = (note_thin_sources(record, bank) for bank in self.rubric.banks)
            return outcomes, tuple(chain.from_iterable(thin))
        banks = await self._fill_banks(cut, deadline)
        return await self._walk_metrics(cut, banks, judge)

    async def _hear_again(
        self, record: Record, outcomes: Mapping[str, Outcome], judge: Judge, deadline: Deadline | None
    ) -> tuple[Mapping[str, Outcome], tuple[Notice, ...]]:
        """Without the words of the output that may speak to the judge; what a failing judge leaves open stays so.

        What can't be paid for leaves the record unfinished: its scores stand once they were heard twice.
        """
        scored = any(isinstance(outcome, Verdict) for outcome in outcomes.values())
        if not (self.defences.deletion and scored and can_be_talked_to(judge)):
            return outcomes, ()
        struck = strike_suspicions(record, self.rubric, find_language(record.output))
        if struck is None:
            return outcomes, ()
        without, _ = await self._walk_record(struck.record, SecondHearing(judge), deadline)
        unpaid = {name: each for name, each in without.items() if each.status == "over_budget"}
        if unpaid:
            return {**outcomes, **unpaid}, ()
        return mark_effects(self.rubric, outcomes, without, struck)

    async def _walk_metrics(
        self, cut: Cut, banks: Mapping[UnitKind, Banked | Fault], judge: Judge
    ) -> tuple[Mapping[str, Outcome], tuple[Notice, ...]]:
        metrics = self.rubric.metrics
        heard = await together(*(self._ask(metric, cut, banks, judge) for metric in metrics))
        asked = {metric.id: each for metric, each in zip(metrics, heard, strict=True)}
        shared: dict[str, Shared | None] = {}
        outcomes: dict[str, Outcome] = {}
        # A metric that takes its claims from another is concluded after it.
        for metric in sorted(metrics, key=lambda metric: metric.claims_from is not None):
            units = _units_of(metric, cut, banks)
            claims = shared.get(metric.claims_from or metric.id)
            outcomes[metric.id] = conclude(cut.record, self.rubric, metric, asked[metric.id], units, claims)
            shared[metric.id] = share_claims(outcomes[metric.id])
        notices = tuple(notice for bank in banks.values() if isinstance(bank, Banked) for notice in bank.notices)
        return {metric.id: outcomes[metric.id] for metric in metrics}, notices

    async def _fill_banks(self, cut: Cut, deadline: Deadline | None) -> dict[UnitKind, Banked | Fault]:
        banks = self.rubric.banks
        filled = await together(*(self._fill_bank(cut, bank, deadline) for bank in banks))
        return {bank.unit: each for bank, each in zip(banks, filled, strict=True)}

    async def _fill_bank(self, cut: Cut, bank: Bank, deadline: Deadline | None) -> Banked | Fault:
        """A bank is asked for all records that share it, so a deadline ends the wait for it and never the ask."""
        if deadline is None:
            return await fill_bank(self.judge, self.shelf, cut, self.rubric, bank)
        try:
            return await deadline.hold(lambda: fill_bank(self.judge, self.shelf, cut, self.rubric, bank))
        except TimedOut as error:
            return Fault(str(error), error.status)

    async def _ask(self, metric: Metric, cut: Cut, banks: Mapping[UnitKind, Banked | Fault], judge: Judge) -> Asked:
        for part in metric.label_parts:
            bank = banks.get(part.unit)
            if isinstance(bank, Fault):
                return Asked(faults=(replace(bank, words=f"no {NAMES[part.unit][1]} could be had: {bank.words}"),))
            if bank is not None and bank.abstained is not None:
                return Asked(abstained=bank.abstained)
        units = _units_of(metric, cut, banks)
        ask = plan_metric(cut, self.rubric, metric, [unit for unit in units if unit.span is None], self.sample)
        flags = tuple(
            flag
            for part in metric.label_parts
            if isinstance(bank := banks.get(part.unit), Banked)
            for flag in bank.flags
        )
        unasked = explain_unasked(ask)
        if unasked is not None:
            return Asked(abstained=unasked.reason) if unasked.abstains else Asked(flags=flags)
        by_code = find_code_labels(cut.record, self.rubric, metric, ask.units)
        asked = await ask_metric(judge, ask, cut.passages, by_code, source_evidence=self.defences.source_evidence)
        asked.flags = tuple(dict.fromkeys(asked.flags + flags))
        return asked


def _units_of(metric: Metric, cut: Cut, banks: Mapping[UnitKind, Banked | Fault]) -> tuple[Unit, ...]:
    banked = [unit for bank in banks.values() if isinstance(bank, Banked) for unit in bank.units]
    kinds = {part.unit for part in metric.label_parts}
    return tuple(unit for unit in (*cut.units, *banked) if unit.kind in kinds)


def _flag(outcomes: Mapping[str, Outcome]) -> Mapping[str, Outcome]:
    """A record that may speak to its judge taints every metric of it, visibly and without a penalty."""
    return {
        name: replace(outcome, trail=replace(outcome.trail, flags=(*outcome.trail.flags, _SUSPECT)))
        for name, outcome in outcomes.items()
    }
