"""Asks a judge about the metrics of a record until it has answered or no re-ask is left; every label is verified."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from assay.domain.ask import Answer, Fault, MetricAsk
from assay.domain.findings import NO_FACT, UNDECIDED, Findings, Label
from assay.domain.units import Unit
from assay.errors import EndpointDown, JudgeError, OverBudget
from assay.judges.judge import Judge
from assay.runner.deadline import Deadline
from assay.runner.suspicions import Suspicion, mark_suspicions
from assay.units.evidence import verify, void_uncopied
from assay.units.passages import Passages

UNANSWERED = "the judge gave no valid label"


@dataclass(slots=True)
class MetricReplies:
    """What all replies about one metric came to. `faults` are what no reply has mended.

    A whole reply brings its own `units`, its own numbers (`reported`), and `level` where it lists nothing to compute
    a score from.
    """

    units: tuple[Unit, ...] = ()
    findings: Findings = field(default_factory=Findings)
    faults: tuple[Fault, ...] = ()
    flags: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    error: JudgeError | None = None
    abstained: str | None = None
    reported: Mapping[str, object] = field(default_factory=dict)
    level: Fraction | None = None
    unplaced_words: int | None = None

    def add_flags(self, *flags: str) -> None:
        self.flags = tuple(dict.fromkeys((*self.flags, *flags)))

    def keep(self, answer: Answer) -> None:
        self.add_flags(*answer.flags)
        self.repairs = tuple(dict.fromkeys(self.repairs + answer.repairs))
        self.replies += (answer.reply,)


@dataclass(frozen=True, slots=True)
class Examination:
    """What the answers about one record are held to.

    `by_code` are labels that code has proved, by metric; `suspect` says what code noticed against an answer.
    """

    passages: Passages
    suspect: Callable[[MetricAsk, Findings], tuple[Suspicion, ...]]
    by_code: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)
    deadline: Deadline | None = None


async def ask_group(judge: Judge, asks: Sequence[MetricAsk], exam: Examination) -> dict[str, MetricReplies]:
    """Asks about several metrics in one call, or about one.

    Each re-ask names the faults and covers only the units and grades that are still missing or under suspicion. A
    re-ask that fails takes nothing of the first answer away; one that the run won't send leaves the ask unfinished.
    """
    asked = {ask.id: MetricReplies() for ask in asks}
    first = {ask.id: ask for ask in asks}
    raised: dict[str, tuple[Suspicion, ...]] = {}
    current = tuple(asks)
    while current:
        try:
            answers = await _answer(judge, current, exam)
        except JudgeError as error:
            for ask in current:
                state = asked[ask.id]
                state.error = error if not state.replies or isinstance(error, OverBudget | EndpointDown) else None
            break
        again = []
        for ask, answer in zip(current, answers, strict=True):
            state = asked[ask.id]
            _take_in(state, ask, answer, exam)
            raised[ask.id] = () if state.abstained else exam.suspect(first[ask.id], state.findings)
            reask = _plan_reask(first[ask.id], ask, state, exam, raised[ask.id])
            if reask is not None and ask.attempt < judge.reasks:
                again.append(reask)
        current = tuple(again)
    for name, state in asked.items():
        _finish(state, first[name], exam, raised.get(name, ()))
    return asked


async def _answer(judge: Judge, asks: Sequence[MetricAsk], exam: Examination) -> Sequence[Answer]:
    async def answer() -> Sequence[Answer]:
        if len(asks) == 1:
            return [await judge.answer(asks[0], exam.passages)]
        return await judge.answer_together(asks, exam.passages)

    return await (answer() if exam.deadline is None else exam.deadline.hold(answer))


def _take_in(state: MetricReplies, ask: MetricAsk, answer: Answer, exam: Examination) -> None:
    state.keep(answer)
    if answer.abstained is not None:
        state.abstained = answer.abstained
        return
    verified = verify(answer.findings, ask, exam.passages)
    found, void = void_uncopied(verified.findings, ask.metric.list_parts, ask.record.output)
    state.repairs = tuple(dict.fromkeys((*state.repairs, *verified.repairs)))
    if void:
        state.repairs = (*state.repairs, f"{void} entries of a list dropped, whose words are not in the output")
    state.findings = _forget_lists(state.findings, ask, found).joined(found)
    state.faults = (*answer.faults, *(Fault(words, "malformed") for words in verified.unproven.values()))


def _forget_lists(findings: Findings, ask: MetricAsk, later: Findings) -> Findings:
    """A list that was asked for anew replaces the old one, if the new reply got as far as its grades."""
    if ask.attempt == 0 or not later.grades:
        return findings
    anew = {part.id for part in ask.metric.list_parts if ask.wants(part.id)}
    return replace(findings, remarks=tuple(remark for remark in findings.remarks if remark.part not in anew))


def _plan_reask(
    first: MetricAsk, last: MetricAsk, state: MetricReplies, exam: Examination, suspicions: Sequence[Suspicion]
) -> MetricAsk | None:
    """An undecided unit is asked about once more; one without any label, and a missing grade, up to twice.

    A suspicion is asked about once. A grade that is only kept beside the score is not worth a call of its own.
    """
    if state.abstained is not None:
        return None
    if last.attempt:
        suspicions = ()
    known = {label.unit for label in exam.by_code.get(first.id, ())}
    doubted = {each.unit for each in suspicions} - known
    done = known | {label.unit for label in state.findings.labels if label.decided or last.attempt > 0}
    units = tuple(
        unit
        for unit in first.units
        if (unit.id not in done or unit.id in doubted) and first.metric.labels(unit.kind) is not None
    )
    kinds = {unit.kind for unit in units}
    wanted = {part.id for part in first.metric.label_parts if part.unit in kinds}
    lacking = [part for part in first.metric.grade_parts if state.findings.grade(part.id) is None]
    if wanted or any(not part.only_reported for part in lacking):
        wanted |= {part.id for part in lacking}
    wanted |= {part for each in suspicions for part in each.parts}
    if not last.attempt:
        wanted |= {part.id for part in first.metric.pick_parts for fault in state.faults if fault.part == part.id}
    if not wanted:
        return None
    faults = tuple(dict.fromkeys((*(fault.words for fault in state.faults), *(each.fault for each in suspicions))))
    return replace(first, units=units, attempt=last.attempt + 1, faults=faults, wanted=frozenset(wanted))


def _finish(state: MetricReplies, ask: MetricAsk, exam: Examination, suspicions: Sequence[Suspicion]) -> None:
    if state.abstained is not None or not state.replies:
        return
    state.add_flags(*(each.flag for each in suspicions))
    state.findings = mark_suspicions(state.findings, suspicions)
    proven = exam.by_code.get(ask.id, ())
    if proven:
        _prefer_proof(state, proven)
    unanswered = _label_unanswered(ask, state)
    if unanswered.labels:
        state.findings = state.findings.joined(unanswered)
    if any(not label.decided for label in state.findings.labels):
        state.add_flags(*_doubt_flags(state.findings))
    if state.replies[1:]:
        state.repairs = (*state.repairs, f"asked {len(state.replies)} times")


def _prefer_proof(state: MetricReplies, labels: tuple[Label, ...]) -> None:
    """What code has proved stands over the judge's label; a cell that states nothing is no disagreement."""
    said = {label.unit: label.label for label in state.findings.labels if label.decided}
    if any(said.get(label.unit, label.label) != label.label for label in labels if label.label != NO_FACT):
        state.add_flags("code_overrides_judge")
    state.findings = state.findings.joined(Findings(labels))


def _label_unanswered(ask: MetricAsk, state: MetricReplies) -> Findings:
    """Every unit that was sent has a label: the denominator is ours, not the judge's."""
    answered = {(label.part, label.unit) for label in state.findings.labels}
    why = {unit: f" ({words})" for fault in state.faults for unit, sign, words in [fault.words.partition(": ")] if sign}
    labels = [
        Label(part.id, unit.id, UNDECIDED, note=UNANSWERED + why.get(unit.id, ""))
        for part in ask.metric.label_parts
        for unit in ask.units
        if unit.kind == part.unit and (part.id, unit.id) not in answered
    ]
    return Findings(tuple(labels))


def _doubt_flags(findings: Findings) -> list[str]:
    has_fallen = any(label.fallen_from for label in findings.labels if not label.decided)
    return ["undecided_units", *(["unverifiable_quote"] if has_fallen else [])]
