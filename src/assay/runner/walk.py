"""The walk of one record: cut, ask, verify, score. Every metric ends in an outcome of its own."""

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.checks.catalogue import run_checks
from assay.domain.answer import MetricAnswer
from assay.domain.ask import Fault, MetricAsk
from assay.domain.findings import Fact
from assay.domain.outcome import Outcome, add_flags
from assay.domain.record import Record
from assay.domain.rubric import Bank, Metric, Rubric
from assay.domain.scale import in_words
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.units import NAMES, UnitKind
from assay.errors import TimedOut
from assay.gather import gather_or_cancel
from assay.judges.judge import Judge
from assay.packs import NO_HOOKS, Hooks
from assay.runner.asking import ask_group
from assay.runner.banks import BankCache, FilledBank, fill_bank
from assay.runner.conclude import conclude_all
from assay.runner.deadline import Deadline
from assay.runner.empty import find_empty
from assay.runner.planning import Case, cut_record, explain_unasked, group_asks, plan_metric, prove_claims
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
            case = replace(cut_record(record, self.rubric, repeats=repeats), deadline=deadline)
            outcomes, facts, noted = await self._judge_text(case)
            notices += noted
        if any(notice.check == _SUSPECT for notice in notices):
            outcomes = {name: add_flags(outcome, _SUSPECT) for name, outcome in outcomes.items()}
        total = compute_total(self.rubric, outcomes)
        card = Scorecard(record, self.rubric, self.judge.name, outcomes, total, notices, facts, self.run, self.sample)
        return _tell_unjudged(card) if card.unjudged else card

    async def _judge_text(self, case: Case) -> tuple[Mapping[str, Outcome], Mapping[str, Fact], tuple[Notice, ...]]:
        record = case.record
        facts = self.hooks.facts(record, {}, self.rubric)
        suspect = build_suspect(record, facts, case.passages)
        case = replace(case, facts=facts, proven=prove_claims(case, self.hooks), suspect=suspect)
        if self.judge.answers_whole(record, self.rubric):
            outcomes, facts = await judge_whole(self.judge, case, self.hooks, self.sample)
            thin = tuple(notice for bank in self.rubric.banks for notice in note_thin_sources(record, bank))
            return outcomes, facts, thin
        banks = await self._fill_banks(case)
        answers = await self._ask_metrics(case, banks)
        facts = self.hooks.facts(record, {name: each.findings for name, each in answers.items()}, self.rubric)
        notices = tuple(notice for bank in banks.values() if isinstance(bank, FilledBank) for notice in bank.notices)
        return conclude_all(replace(case, facts=facts), answers), facts, notices

    async def _fill_banks(self, case: Case) -> dict[UnitKind, FilledBank | Fault]:
        banks = self.rubric.banks
        filled = await gather_or_cancel(*(self._fill_bank(case, bank) for bank in banks))
        return {bank.unit: each for bank, each in zip(banks, filled, strict=True)}

    async def _fill_bank(self, case: Case, bank: Bank) -> FilledBank | Fault:
        """A bank is asked for all records that share it, so a deadline ends the wait for it and never the ask."""

        def fill() -> Awaitable[FilledBank | Fault]:
            return fill_bank(self.judge, self.banks, case.record, self.rubric, bank)

        try:
            return await (fill() if case.deadline is None else case.deadline.hold(fill))
        except TimedOut as error:
            return Fault(str(error), error.status)

    async def _ask_metrics(self, case: Case, banks: Mapping[UnitKind, FilledBank | Fault]) -> dict[str, MetricAnswer]:
        """The answer about each metric, in the rubric's order; one that needs no call holds no reply."""
        banked = [unit for bank in banks.values() if isinstance(bank, FilledBank) for unit in bank.units]
        answers: dict[str, MetricAnswer] = {}
        asks: list[MetricAsk] = []
        for metric in self.rubric.metrics:
            ask = plan_metric(case, self.rubric, metric, banked, self.sample)
            settled = _settle(ask, banks, case.facts)
            if settled is None:
                asks.append(ask)
            else:
                answers[metric.id] = settled
        groups = group_asks(asks, joint=self.judge.answers_jointly(case.record), repeats=case.repeats)
        for answered in await gather_or_cancel(*(ask_group(self.judge, group, case) for group in groups)):
            answers |= answered
        return {each.id: answers[each.id].flagged(*_bank_flags(each, banks)) for each in self.rubric.metrics}


def _settle(
    ask: MetricAsk, banks: Mapping[UnitKind, FilledBank | Fault], facts: Mapping[str, Fact]
) -> MetricAnswer | None:
    """What is known of a metric without asking the judge about it; None where the judge has to be asked."""
    asked = MetricAnswer.asked(ask)
    for part in ask.metric.label_parts:
        bank = banks.get(part.unit)
        if isinstance(bank, Fault):
            words = f"no {NAMES[part.unit][1]} could be had: {bank.words}"
            return replace(asked, faults=(replace(bank, words=words),))
        if bank is not None and bank.abstained is not None:
            return replace(asked, abstained=bank.abstained)
    unasked = explain_unasked(ask, facts)
    if unasked is None:
        return None
    return replace(asked, abstained=unasked.reason) if unasked.abstains else asked


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
