"""The walk of one record: cut, ask, verify, score. Every metric ends in an outcome of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.checks.catalogue import run_checks
from assay.domain.findings import Fact
from assay.domain.outcome import Failure, Outcome, Trail, add_flags
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scale import in_words
from assay.domain.scorecard import Notice, Scorecard
from assay.domain.units import UnitKind
from assay.files.records import InvalidRecord
from assay.gather import gather_or_cancel
from assay.judges.judge import Judge
from assay.packs import NO_HOOKS, Hooks
from assay.runner.asking import ask_group, is_shown, name_call
from assay.runner.banks import BankCache, fill_bank
from assay.runner.conclude import conclude_all
from assay.runner.empty import find_empty
from assay.runner.planning import NO_DEADLINE, Case, Deadline, RecordBank, cut_record, plan_metrics, prove_claims
from assay.runner.side_by_side import Meeting
from assay.runner.whole import judge_whole
from assay.scoring.total import compute_total
from assay.units.banks import FilledBank, note_thin_sources

_SUSPECT = "injection_suspect"
_UNJUDGED = "unjudged_text"
# An output of which more than this share of words asserts nothing is flagged.
_MUCH_UNJUDGED = Fraction(1, 10)


def stand_in(invalid: InvalidRecord) -> Record:
    """What is kept in the place of a record that can't be read: its names, and nothing else."""
    return Record(id=invalid.id, item="", output="", sources=(), system=invalid.system)


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
        self,
        record: Record | InvalidRecord,
        deadline: Deadline = NO_DEADLINE,
        *,
        repeats: bool = False,
        meeting: Meeting | None = None,
    ) -> Scorecard:
        """Past the deadline what was answered is scored, and each metric still without an answer has timed out.

        `repeats` where the run judges the record again, or others made from the same sources. In a `meeting` it is
        judged beside other outputs.
        """
        rubric, judge = self.rubric, self.judge.name
        if isinstance(record, InvalidRecord):
            failed = {metric.id: Failure("invalid_record", record.reason) for metric in rubric.metrics}
            total = compute_total(rubric, failed)
            return Scorecard(stand_in(record), rubric, judge, failed, total, run=self.run, sample=self.sample)
        notices = run_checks(record, rubric) + self.hooks.notices(record)
        facts: Mapping[str, Fact] = {}
        empty = find_empty(record, rubric)
        if empty is not None:
            outcomes = empty
        else:
            case = cut_record(record, rubric, self.hooks, repeats=repeats)
            case = replace(case, proven=prove_claims(case, self.hooks), deadline=deadline, meeting=meeting)
            outcomes, facts, noted = await self._judge_text(case)
            notices += noted
        if any(notice.check == _SUSPECT for notice in notices):
            outcomes = {name: add_flags(outcome, _SUSPECT) for name, outcome in outcomes.items()}
        total = compute_total(rubric, outcomes)
        card = Scorecard(record, rubric, judge, outcomes, total, notices, facts, self.run, self.sample)
        return _tell_unjudged(card) if card.unjudged else card

    async def _judge_text(self, case: Case) -> tuple[Mapping[str, Outcome], Mapping[str, Fact], tuple[Notice, ...]]:
        """Has the judge asked; the outcomes, the facts that they rest on, and what was noticed on the way."""
        record, rubric, judge = case.record, self.rubric, self.judge
        if judge.answers_whole(record, rubric):
            outcomes, facts = await judge_whole(judge, case, self.hooks, self.sample)
            return outcomes, facts, tuple(note for bank in rubric.banks for note in note_thin_sources(record, bank))
        fills = (fill_bank(judge, self.banks, bank, case) for bank in rubric.banks)
        filled = zip(rubric.banks, await gather_or_cancel(*fills), strict=True)
        banks: dict[UnitKind, RecordBank] = {bank.unit: found for bank, found in filled}
        groups, unasked = plan_metrics(case, banks, joint=judge.answers_jointly(record), sample=self.sample)
        trails: dict[str, Trail] = {each.id: each.trail for each in unasked}
        if case.meeting is not None:
            shown = {name_call(group): group for group in groups if is_shown(group)}
            case.meeting.bring(record, shown, case.passages)
        for answered in await gather_or_cancel(*(ask_group(judge, group, case) for group in groups)):
            trails |= answered
        placement = None if case.meeting is None else case.meeting.place(record)
        written = {unit: bank for unit, bank in banks.items() if isinstance(bank, FilledBank)}
        for metric in rubric.metrics:
            flags = [flag for part in metric.label_parts if part.unit in written for flag in written[part.unit].flags]
            trails[metric.id] = replace(trails[metric.id], placement=placement).noted(flags)
        found = {metric.id: trails[metric.id].findings for metric in rubric.metrics}
        facts = self.hooks.facts(record, found, rubric)
        notices = tuple(notice for bank in written.values() for notice in bank.notices)
        return conclude_all(replace(case, facts=facts), trails), facts, notices


def _tell_unjudged(card: Scorecard) -> Scorecard:
    """A notice lists the claims that assert nothing; where they are much of the output, a flag says so too."""
    said = ", ".join(f"“{' '.join(unit.text.split())}”" for unit in card.unjudged)
    note = (
        f"{in_words(100 * card.unjudged_share, 0)} % of the words make no factual claim, according to the judge: {said}"
    )
    outcomes = card.outcomes
    if card.unjudged_share > _MUCH_UNJUDGED:
        claims = {name for name, outcome in outcomes.items() if outcome.trail.findings.of("claim")}
        outcomes = {name: add_flags(each, _UNJUDGED) if name in claims else each for name, each in outcomes.items()}
    return replace(card, outcomes=outcomes, notices=(*card.notices, Notice(_UNJUDGED, note, card.unjudged[0].span)))
