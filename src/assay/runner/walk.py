"""The walk of one record: cut, ask, verify, score. Every metric ends in an outcome of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.checks.catalogue import run_checks
from assay.domain.ask import Fault, MetricAsk
from assay.domain.findings import Fact
from assay.domain.outcome import Outcome, add_flags
from assay.domain.record import Record
from assay.domain.rubric import Bank, Metric, Rubric
from assay.domain.scale import in_words
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.units import NAMES, Unit, UnitKind
from assay.errors import TimedOut
from assay.gather import gather_or_cancel
from assay.judges.judge import Judge
from assay.packs import NO_HOOKS, Hooks
from assay.runner.asking import Examination, MetricReplies, ask_group
from assay.runner.banks import BankCache, FilledBank, fill_bank
from assay.runner.conclude import Case, conclude_all
from assay.runner.deadline import Deadline
from assay.runner.empty import find_empty
from assay.runner.planning import Cut, cut_record, explain_unasked, group_asks, plan_metric, prove_claims
from assay.runner.suspicions import build_suspect
from assay.runner.whole import judge_whole
from assay.scoring.total import compute_total
from assay.units.banks import note_thin_sources

_SUSPECT = "injection_suspect"
_UNJUDGED = "unjudged_text"
# An output of which more than this share of words asserts nothing is flagged.
_MUCH_UNJUDGED = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class Walk:
    """What stays the same from record to record of a run."""

    rubric: Rubric
    judge: Judge
    banks: BankCache
    run: str = ""
    sample: int = 0
    hooks: Hooks = NO_HOOKS

    async def judge_record(
        self, record: Record, deadline: Deadline | None = None, *, repeats: bool = False
    ) -> Scorecard:
        """Past the deadline what was answered is scored, and each metric still without an answer has timed out.

        `repeats` where the run judges the record again, or others made from the same sources.
        """
        notices = run_checks(record, self.rubric) + self.hooks.notices(record)
        facts: Mapping[str, Fact] = {}
        empty = find_empty(record, self.rubric)
        if empty is not None:
            outcomes = empty
        else:
            outcomes, facts, noted = await self._judge_text(cut_record(record, self.rubric, repeats=repeats), deadline)
            notices += noted
        if any(notice.check == _SUSPECT for notice in notices):
            outcomes = {name: add_flags(outcome, _SUSPECT) for name, outcome in outcomes.items()}
        total = compute_total(self.rubric, outcomes)
        card = Scorecard(record, self.rubric, self.judge.name, outcomes, total, notices, facts, self.run, self.sample)
        return _tell_unjudged(card) if card.unjudged else card

    async def _judge_text(
        self, cut: Cut, deadline: Deadline | None
    ) -> tuple[Mapping[str, Outcome], Mapping[str, Fact], tuple[Notice, ...]]:
        record = cut.record
        facts = self.hooks.facts(record, {}, self.rubric)
        exam = Examination(
            cut.passages,
            build_suspect(record, facts, cut.passages),
            prove_claims(cut, self.rubric, self.hooks),
            deadline,
        )
        if self.judge.answers_whole(record, self.rubric):
            case = Case(record, self.rubric, facts)
            outcomes, facts = await judge_whole(self.judge, cut, case, exam, self.hooks, self.sample)
            thin = tuple(notice for bank in self.rubric.banks for notice in note_thin_sources(record, bank))
            return outcomes, facts, thin
        banks = await self._fill_banks(cut, deadline)
        asked = await self._ask_metrics(cut, banks, facts, exam)
        facts = self.hooks.facts(record, {name: each.findings for name, each in asked.items()}, self.rubric)
        notices = tuple(notice for bank in banks.values() if isinstance(bank, FilledBank) for notice in bank.notices)
        return conclude_all(Case(record, self.rubric, facts), asked), facts, notices

    async def _fill_banks(self, cut: Cut, deadline: Deadline | None) -> dict[UnitKind, FilledBank | Fault]:
        banks = self.rubric.banks
        filled = await gather_or_cancel(*(self._fill_bank(cut, bank, deadline) for bank in banks))
        return {bank.unit: each for bank, each in zip(banks, filled, strict=True)}

    async def _fill_bank(self, cut: Cut, bank: Bank, deadline: Deadline | None) -> FilledBank | Fault:
        """A bank is asked for all records that share it, so a deadline ends the wait for it and never the ask."""
        if deadline is None:
            return await fill_bank(self.judge, self.banks, cut, self.rubric, bank)
        try:
            return await deadline.hold(lambda: fill_bank(self.judge, self.banks, cut, self.rubric, bank))
        except TimedOut as error:
            return Fault(str(error), error.status)

    async def _ask_metrics(
        self, cut: Cut, banks: Mapping[UnitKind, FilledBank | Fault], facts: Mapping[str, Fact], exam: Examination
    ) -> dict[str, MetricReplies]:
        """What was asked about each metric, in the rubric's order; a metric that needs no call has an empty one."""
        asked: dict[str, MetricReplies] = {}
        asks: list[MetricAsk] = []
        for metric in self.rubric.metrics:
            units = _units_of(metric, cut, banks)
            ask = plan_metric(cut, self.rubric, metric, [unit for unit in units if unit.span is None], self.sample)
            settled = _settle(metric, ask, banks, facts)
            if settled is None:
                asks.append(ask)
            else:
                asked[metric.id] = settled
        groups = group_asks(asks, joint=self.judge.answers_jointly(cut.record), repeats=cut.repeats)
        for answered in await gather_or_cancel(*(ask_group(self.judge, group, exam) for group in groups)):
            asked |= answered
        for metric in self.rubric.metrics:
            asked[metric.id].units = _units_of(metric, cut, banks)
            asked[metric.id].add_flags(*_bank_flags(metric, banks))
        return {metric.id: asked[metric.id] for metric in self.rubric.metrics}


def _settle(
    metric: Metric, ask: MetricAsk, banks: Mapping[UnitKind, FilledBank | Fault], facts: Mapping[str, Fact]
) -> MetricReplies | None:
    """What is known of a metric without asking the judge about it; None where the judge has to be asked."""
    for part in metric.label_parts:
        bank = banks.get(part.unit)
        if isinstance(bank, Fault):
            return MetricReplies(faults=(replace(bank, words=f"no {NAMES[part.unit][1]} could be had: {bank.words}"),))
        if bank is not None and bank.abstained is not None:
            return MetricReplies(abstained=bank.abstained)
    unasked = explain_unasked(ask, facts)
    if unasked is None:
        return None
    return MetricReplies(abstained=unasked.reason) if unasked.abstains else MetricReplies()


def _units_of(metric: Metric, cut: Cut, banks: Mapping[UnitKind, FilledBank | Fault]) -> tuple[Unit, ...]:
    banked = [unit for bank in banks.values() if isinstance(bank, FilledBank) for unit in bank.units]
    kinds = {part.unit for part in metric.label_parts}
    return tuple(unit for unit in (*cut.units, *banked) if unit.kind in kinds)


def _bank_flags(metric: Metric, banks: Mapping[UnitKind, FilledBank | Fault]) -> tuple[str, ...]:
    found = (banks.get(part.unit) for part in metric.label_parts)
    return tuple(flag for bank in found if isinstance(bank, FilledBank) for flag in bank.flags)


def _tell_unjudged(card: Scorecard) -> Scorecard:
    """A notice lists the claims that assert nothing; where they are much of the output, a flag says so too."""
    said = ", ".join(f"“{' '.join(unit.text.split())}”" for unit in card.unjudged)
    note = f"{in_words(100 * card.unjudged_share, 0)} % of the words assert nothing, by the judge's word: {said}"
    outcomes = card.outcomes
    if card.unjudged_share > _MUCH_UNJUDGED:
        claims = {name for name, outcome in outcomes.items() if outcome.trail.findings.of("claim")}
        outcomes = {name: add_flags(each, _UNJUDGED) if name in claims else each for name, each in outcomes.items()}
    return replace(card, outcomes=outcomes, notices=(*card.notices, Notice(_UNJUDGED, note, card.unjudged[0].span)))
