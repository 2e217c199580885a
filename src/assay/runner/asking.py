"""Asks a judge about the metrics of a record until it has answered or no re-ask is left; every label is verified."""

from collections.abc import Sequence
from dataclasses import replace

from assay.domain.answer import MetricAnswer
from assay.domain.ask import Answer, Fault, MetricAsk
from assay.domain.findings import NO_FACT, UNDECIDED, Findings, Label
from assay.errors import EndpointDown, JudgeError, OverBudget
from assay.judges.judge import Judge
from assay.runner.planning import Case
from assay.runner.suspicions import Suspicion, mark_suspicions
from assay.units.evidence import verify, void_uncopied

UNANSWERED = "the judge gave no valid label"


async def ask_group(judge: Judge, asks: Sequence[MetricAsk], case: Case) -> dict[str, MetricAnswer]:
    """Asks about several metrics in one call, or about one.

    Each re-ask names the faults and covers only the units and grades that are still missing or under suspicion. A
    re-ask that fails takes nothing of the first answer away; one that the run won't send leaves the ask unfinished.
    """
    known = {ask.id: MetricAnswer.asked(ask) for ask in asks}
    first = {ask.id: ask for ask in asks}
    raised: dict[str, tuple[Suspicion, ...]] = {}
    current = tuple(asks)
    while current:
        try:
            answers = await _answer(judge, current, case)
        except JudgeError as error:
            for ask in current:
                if not known[ask.id].replies or isinstance(error, OverBudget | EndpointDown):
                    known[ask.id] = replace(known[ask.id], failed=Fault(str(error), error.status))
            break
        again = []
        for ask, answer in zip(current, answers, strict=True):
            grown = known[ask.id] = _take_in(known[ask.id], ask, answer, case)
            raised[ask.id] = () if grown.abstained else case.suspect(first[ask.id], grown.findings)
            reask = _plan_reask(first[ask.id], ask, grown, case, raised[ask.id])
            if reask is not None and ask.attempt < judge.reasks:
                again.append(reask)
        current = tuple(again)
    return {name: _finish(each, first[name], case, raised.get(name, ())) for name, each in known.items()}


async def _answer(judge: Judge, asks: Sequence[MetricAsk], case: Case) -> Sequence[Answer]:
    async def answer() -> Sequence[Answer]:
        if len(asks) == 1:
            return [await judge.answer(asks[0], case.passages)]
        return await judge.answer_together(asks, case.passages)

    return await (answer() if case.deadline is None else case.deadline.hold(answer))


def _take_in(known: MetricAnswer, ask: MetricAsk, answer: Answer, case: Case) -> MetricAnswer:
    grown = known.answered(answer)
    if answer.abstained is not None:
        return grown
    verified = verify(answer.findings, ask, case.passages)
    found, void = void_uncopied(verified.findings, ask.metric.list_parts, ask.record.output)
    dropped = [f"{void} entries of a list dropped, whose words are not in the output"] if void else []
    return replace(
        grown.repaired(*verified.repairs, *dropped),
        findings=_forget_lists(grown.findings, ask, found).joined(found),
        faults=(*answer.faults, *(Fault(words, "malformed") for words in verified.unproven.values())),
    )


def _forget_lists(findings: Findings, ask: MetricAsk, later: Findings) -> Findings:
    """A list that was asked for anew replaces the old one, if the new reply got as far as its grades."""
    if ask.attempt == 0 or not later.grades:
        return findings
    anew = {part.id for part in ask.metric.list_parts if ask.wants(part.id)}
    return replace(findings, remarks=tuple(remark for remark in findings.remarks if remark.part not in anew))


def _plan_reask(
    first: MetricAsk, last: MetricAsk, answer: MetricAnswer, case: Case, suspicions: Sequence[Suspicion]
) -> MetricAsk | None:
    """An undecided unit is asked about once more; one without any label, and a missing grade, up to twice.

    A suspicion is asked about once. A grade that is only kept beside the score is not worth a call of its own.
    """
    if answer.abstained is not None:
        return None
    if last.attempt:
        suspicions = ()
    proven = {label.unit for label in case.proven.get(first.id, ())}
    doubted = {each.unit for each in suspicions} - proven
    done = proven | {label.unit for label in answer.findings.labels if label.decided or last.attempt > 0}
    units = tuple(
        unit
        for unit in first.units
        if (unit.id not in done or unit.id in doubted) and first.metric.labels(unit.kind) is not None
    )
    kinds = {unit.kind for unit in units}
    wanted = {part.id for part in first.metric.label_parts if part.unit in kinds}
    lacking = [part for part in first.metric.grade_parts if answer.findings.grade(part.id) is None]
    if wanted or any(not part.only_reported for part in lacking):
        wanted |= {part.id for part in lacking}
    wanted |= {part for each in suspicions for part in each.parts}
    if not last.attempt:
        wanted |= {part.id for part in first.metric.pick_parts for fault in answer.faults if fault.part == part.id}
    if not wanted:
        return None
    faults = tuple(dict.fromkeys((*(fault.words for fault in answer.faults), *(each.fault for each in suspicions))))
    return replace(first, units=units, attempt=last.attempt + 1, faults=faults, wanted=frozenset(wanted))


def _finish(known: MetricAnswer, ask: MetricAsk, case: Case, suspicions: Sequence[Suspicion]) -> MetricAnswer:
    """Every label marked, proven ones in place, and one for each unit that has none."""
    if known.abstained is not None or not known.replies:
        return known
    said = mark_suspicions(known.findings, suspicions)
    flags = [each.flag for each in suspicions]
    proven = case.proven.get(ask.id, ())
    if _is_overridden(said, proven):
        flags.append("code_overrides_judge")
    found = said.joined(Findings(proven)) if proven else said
    found = found.joined(Findings(_label_unanswered(ask, found, known.faults)))
    flags += _doubt_flags(found)
    repairs = (f"asked {len(known.replies)} times",) if known.replies[1:] else ()
    return replace(known, findings=found).flagged(*flags).repaired(*repairs)


def _is_overridden(said: Findings, proven: Sequence[Label]) -> bool:
    """What code has proved stands over the judge's label; a cell that states nothing is no disagreement."""
    labels = {label.unit: label.label for label in said.labels if label.decided}
    return any(labels.get(label.unit, label.label) != label.label for label in proven if label.label != NO_FACT)


def _label_unanswered(ask: MetricAsk, found: Findings, faults: Sequence[Fault]) -> tuple[Label, ...]:
    """Every unit that was sent has a label: the denominator is ours, not the judge's."""
    answered = {(label.part, label.unit) for label in found.labels}
    why = {unit: f" ({words})" for fault in faults for unit, sign, words in [fault.words.partition(": ")] if sign}
    return tuple(
        Label(part.id, unit.id, UNDECIDED, note=UNANSWERED + why.get(unit.id, ""))
        for part in ask.metric.label_parts
        for unit in ask.units
        if unit.kind == part.unit and (part.id, unit.id) not in answered
    )


def _doubt_flags(findings: Findings) -> list[str]:
    undecided = [label for label in findings.labels if not label.decided]
    is_unproven = any(label.fallen_from for label in undecided)
    return [*(["undecided_units"] if undecided else []), *(["unverifiable_quote"] if is_unproven else [])]
