"""Asks a judge about the metrics of a record until it has answered or no re-ask is left; every label is verified."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from assay.domain.ask import Answer, Fault, MetricAsk
from assay.domain.findings import NO_FACT, UNDECIDED, Findings, Label
from assay.domain.outcome import Abstention, Failure, Trail
from assay.errors import EndpointDown, JudgeError, OverBudget
from assay.gather import gather_or_cancel
from assay.judges.judge import Judge
from assay.runner.planning import Case, begin_trail, split_asks
from assay.runner.suspicions import Suspicion, mark_suspicions
from assay.units.evidence import verify, void_uncopied

_UNANSWERED = "the judge gave no valid label"


async def ask_group(judge: Judge, asks: Sequence[MetricAsk], case: Case) -> dict[str, Trail]:
    """Asks about several metrics in one call, or about one.

    Each re-ask names the faults and covers only the units and grades that are still missing or under suspicion. A
    re-ask that fails takes nothing of the first answer away; one that the run won't send leaves the ask unfinished.
    """
    known = {ask.id: begin_trail(ask) for ask in asks}
    first = {ask.id: ask for ask in asks}
    raised: dict[str, tuple[Suspicion, ...]] = {}
    current = tuple(asks)
    while current:
        try:
            answers = await _answer(judge, current, case)
        except JudgeError as error:
            for ask in current:
                if not known[ask.id].replies or isinstance(error, OverBudget | EndpointDown):
                    known[ask.id] = replace(known[ask.id], ended=Failure(error.status, str(error)))
            break
        again = []
        for ask, answer in zip(current, answers, strict=True):
            grown = known[ask.id] = _take_in(known[ask.id], ask, answer, case)
            if grown.ended is not None:
                continue
            raised[ask.id] = case.suspect(first[ask.id], grown.findings)
            reask = _plan_reask(first[ask.id], ask, grown, case, raised[ask.id])
            if reask is not None and ask.attempt < judge.reasks:
                again.append(reask)
        current = tuple(again)
    return {name: _finish(each, first[name], case, raised.get(name, ())) for name, each in known.items()}


def is_shown(asks: Sequence[MetricAsk]) -> bool:
    """Whether they are asked beside those of other outputs: not again, and not with what the others must not see."""
    return not any(ask.attempt or ask.metric.shows for ask in asks)


def name_call(asks: Sequence[MetricAsk]) -> str:
    return asks[0].id if len(asks) == 1 else ""


async def _answer(judge: Judge, asks: Sequence[MetricAsk], case: Case) -> Sequence[Answer]:
    """One answer to each ask, in as many calls as their units need."""
    meeting = case.meeting
    if meeting is not None and is_shown(asks):
        return await case.deadline.hold(lambda: meeting.answer(case.record, name_call(asks)))
    calls = split_asks(asks, judge.most_units)
    answered = await case.deadline.hold(
        lambda: gather_or_cancel(*(judge.answer_together(call, case.passages) for call in calls))
    )
    answers: dict[str, list[Answer]] = {ask.id: [] for ask in asks}
    for call, found in zip(calls, answered, strict=True):
        for ask, each in zip(call, found, strict=True):
            answers[ask.id].append(each)
    return [reduce(Answer.joined, each) for each in answers.values()]


def _take_in(known: Trail, ask: MetricAsk, answer: Answer, case: Case) -> Trail:
    trail = known.noted(answer.flags, answer.repairs)
    trail = replace(trail, replies=(*trail.replies, answer.reply))
    if answer.abstained is not None:
        return replace(trail, ended=Abstention("abstained", answer.abstained))
    verified = verify(answer.findings, ask, case.passages)
    found, void = void_uncopied(verified.findings, ask.metric.list_parts, ask.record.output)
    earlier = trail.findings
    if ask.attempt and found.grades:
        # A list that was asked for anew replaces the old one, if the new reply got as far as its grades.
        anew = {part.id for part in ask.metric.list_parts if ask.wants(part.id)}
        earlier = replace(earlier, remarks=tuple(each for each in earlier.remarks if each.part not in anew))
    # A list that could not be read stays so until a reply has it.
    unread = {part.id for part in ask.metric.list_parts} - answer.lists
    lasting = (fault for fault in known.faults if fault.part in unread)
    dropped = [f"{void} entries of a list dropped, whose words are not in the output"] if void else []
    faults = (*lasting, *answer.faults, *verified.unproven)
    return replace(trail.noted(repairs=(*verified.repairs, *dropped)), findings=earlier.joined(found), faults=faults)


def _plan_reask(
    first: MetricAsk, last: MetricAsk, known: Trail, case: Case, suspicions: Sequence[Suspicion]
) -> MetricAsk | None:
    """An undecided unit is asked about once more; one without any label, and a missing grade, up to twice.

    A suspicion is asked about once. A grade that is only kept beside the score is not worth a call of its own.
    """
    if last.attempt:
        suspicions = ()
    proven = {label.unit for label in case.proven.get(first.id, ())}
    doubted = {each.unit for each in suspicions} - proven
    findings = known.findings
    done = proven | {label.unit for label in findings.labels if label.decided or last.attempt > 0}
    units = tuple(
        unit
        for unit in first.units
        if (unit.id not in done or unit.id in doubted) and first.metric.labels(unit.kind) is not None
    )
    kinds = {unit.kind for unit in units}
    wanted = {part.id for part in first.metric.label_parts if part.unit in kinds}
    lacking = [part for part in first.metric.grade_parts if findings.grade(part.id) is None]
    if wanted or any(not part.only_reported for part in lacking):
        wanted |= {part.id for part in lacking}
    wanted |= {part for each in suspicions for part in each.parts}
    if wanted or not last.attempt:
        named = {*(part.id for part in first.metric.pick_parts), *(part.id for part in first.metric.list_parts)}
        wanted |= named & {fault.part for fault in known.faults}
    if not wanted:
        return None
    faults = tuple(dict.fromkeys((*(fault.request for fault in known.faults), *(each.fault for each in suspicions))))
    return replace(first, units=units, attempt=last.attempt + 1, faults=faults, wanted=frozenset(wanted))


def _finish(known: Trail, ask: MetricAsk, case: Case, suspicions: Sequence[Suspicion]) -> Trail:
    """Every label marked, proven ones in place, and one for each unit that has none."""
    if isinstance(known.ended, Abstention) or not known.replies:
        return known
    said = mark_suspicions(known.findings, suspicions)
    flags = [each.flag for each in suspicions]
    proven = case.proven.get(ask.id, ())
    # What code has proved stands over the judge's label; a cell that states nothing is no disagreement.
    decided = {label.unit: label.label for label in said.labels if label.decided}
    if any(decided.get(label.unit, label.label) != label.label for label in proven if label.label != NO_FACT):
        flags.append("code_overrides_judge")
    found = said.joined(Findings(proven)) if proven else said
    unlabelled = _label_unanswered(ask, found, known.faults)
    found = found.joined(Findings(unlabelled))
    undecided = [label for label in found.labels if not label.decided]
    flags += ["undecided_units"] if undecided else []
    flags += ["unverifiable_quote"] if any(label.fallen_from for label in undecided) else []
    times = len(known.replies)
    trail = replace(known, findings=found, unlabelled=frozenset(label.unit for label in unlabelled))
    return trail.noted(flags, [f"asked {times} times"] if times > 1 else ())


def _label_unanswered(ask: MetricAsk, found: Findings, faults: Sequence[Fault]) -> tuple[Label, ...]:
    """Every unit that was sent has a label: the denominator is ours, not the judge's."""
    answered = {(label.part, label.unit) for label in found.labels}
    why = {fault.unit: f" ({fault.words})" for fault in faults}
    return tuple(
        Label(part.id, unit.id, UNDECIDED, note=_UNANSWERED + why.get(unit.id, ""))
        for part in ask.metric.label_parts
        for unit in ask.units
        if unit.kind == part.unit and (part.id, unit.id) not in answered
    )
