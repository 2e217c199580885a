"""Asks a judge for one metric or one bank until it has answered or no re-ask is left; every label is verified."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from assay.domain.ask import Answer, BankAsk, Fault, MetricAsk, Written
from assay.domain.findings import UNDECIDED, Findings, Label
from assay.domain.parts import LabelPart
from assay.domain.scorecard import Notice
from assay.errors import JudgeError
from assay.judges.judge import Judge
from assay.units.banks import explain_limits, screen
from assay.units.evidence import verify
from assay.units.passages import Passages

SUSPICIONS = ("polarity_suspect",)
UNHEARD = "the judge gave no label"


@dataclass(slots=True)
class Asked:
    """What all replies to one metric's asks came to. A fault is what no reply has mended."""

    findings: Findings = field(default_factory=Findings)
    faults: tuple[Fault, ...] = ()
    flags: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    error: JudgeError | None = None
    abstained: str | None = None
    reported: Mapping[str, object] = field(default_factory=dict)
    unplaced_words: int = 0

    def keep(self, answer: Answer) -> None:
        self.flags = tuple(dict.fromkeys(self.flags + answer.flags))
        self.repairs = tuple(dict.fromkeys(self.repairs + answer.repairs))
        self.replies += (answer.reply,)


async def ask_metric(judge: Judge, ask: MetricAsk, passages: Passages) -> Asked:
    """Each re-ask names the fault and covers only the units and grades that are still missing."""
    asked = Asked()
    current: MetricAsk | None = ask
    while current is not None:
        try:
            answer = await judge.answer(current, passages)
        except JudgeError as error:
            asked.error = error if not asked.findings.labels and not asked.findings.grades else None
            asked.faults = asked.faults or (Fault(str(error), error.status),)
            break
        asked.keep(answer)
        looked = [source.id for source in ask.record.sources]
        verified = verify(answer.findings, ask.metric, passages, looked)
        asked.findings = asked.findings.joined(verified.findings)
        asked.faults = (*answer.faults, *(Fault(words, "malformed") for words in verified.unproven.values()))
        suspicions = find_suspicions(ask, asked.findings)
        asked.flags = tuple(dict.fromkeys(flag for flag in asked.flags if flag not in SUSPICIONS)) + tuple(suspicions)
        current = _plan_reask(ask, current, asked, suspicions) if current.attempt < judge.reasks else None
    asked.findings = asked.findings.joined(_undecided(ask, asked.findings))
    if any(not label.decided for label in asked.findings.labels):
        asked.flags = tuple(dict.fromkeys((*asked.flags, *_doubt_flags(asked.findings))))
    if asked.replies[1:]:
        asked.repairs = (*asked.repairs, f"asked {len(asked.replies)} times")
    return asked


def find_suspicions(ask: MetricAsk, findings: Findings) -> list[str]:
    """Grades at the worst end with no issue listed, or at the best end beside listed ones, look like a flipped scale."""
    remarks = [remark for part in ask.metric.list_parts if part.least == 0 for remark in findings.remarked(part.id)]
    if not any(part.least == 0 for part in ask.metric.list_parts):
        return []
    for part in ask.metric.grade_parts:
        grade = findings.grade(part.id)
        if grade is None or part.kept:
            continue
        goodness = part.scale.goodness(grade.level)
        kind = part.id.partition("_")[0]
        about = [remark for remark in remarks if _is_about(kind, remark.fields)] if part.id != "grade" else remarks
        if (goodness == 0 and not remarks) or (goodness == 1 and about):
            return ["polarity_suspect"]
    return []


def _is_about(kind: str, fields: object) -> bool:
    return isinstance(fields, dict) and str(fields.get("type", "")).lower().startswith(kind)


def _plan_reask(first: MetricAsk, last: MetricAsk, asked: Asked, suspicions: list[str]) -> MetricAsk | None:
    """A unit left undecided is asked once more; one that got no label at all, and a missing grade, once again after."""
    done = {label.unit for label in asked.findings.labels if label.decided or last.attempt > 0}
    units = tuple(unit for unit in first.units if unit.id not in done and first.metric.labels(unit.kind) is not None)
    kinds = {unit.kind for unit in units}
    wanted = {part.id for part in first.metric.label_parts if part.unit in kinds}
    wanted |= {part.id for part in first.metric.grade_parts if asked.findings.grade(part.id) is None}
    faults = tuple(fault.words for fault in asked.faults)
    if suspicions:
        wanted |= {part.id for part in first.metric.parts if not isinstance(part, LabelPart)}
        faults += ("the grades and the list do not fit each other: mind which end of the scale is best",)
    if not wanted:
        return None
    return replace(first, units=units, attempt=last.attempt + 1, faults=faults, wanted=frozenset(wanted))


def _undecided(ask: MetricAsk, findings: Findings) -> Findings:
    """Every unit that was sent has a label: the denominator is ours, not the judge's."""
    answered = {(label.part, label.unit) for label in findings.labels}
    labels = [
        Label(part.id, unit.id, UNDECIDED, note=UNHEARD)
        for part in ask.metric.label_parts
        for unit in ask.units
        if unit.kind == part.unit and (part.id, unit.id) not in answered
    ]
    return Findings(tuple(labels))


def _doubt_flags(findings: Findings) -> list[str]:
    notes = [label.note for label in findings.labels if not label.decided]
    flags = ["undecided_units"]
    return [*flags, "unverifiable_quote"] if any("(said " in note for note in notes) else flags


@dataclass(frozen=True, slots=True)
class AskedBank:
    written: tuple[Written, ...]
    notices: tuple[Notice, ...] = ()
    flags: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()


async def ask_bank(judge: Judge, ask: BankAsk, passages: Passages) -> AskedBank | Fault:
    """A bank that stays outside its limits after one re-ask is kept with a flag; one that can't be read is a fault."""
    kept: AskedBank | None = None
    fault: Fault | None = None
    for attempt in range(min(judge.reasks, 1) + 1):
        faults = (fault.words,) if fault is not None else ()
        try:
            answer = await judge.answer(replace(ask, attempt=attempt, faults=faults), passages)
        except JudgeError as error:
            fault = Fault(str(error), error.status)
            break
        if answer.faults:
            fault = answer.faults[0]
            continue
        screened = screen(answer.written, ask.bank)
        outside = explain_limits(screened, ask.bank, ask.sources)
        flags = (ask.bank.outside_limits,) if outside else ()
        if screened.units and (kept is None or len(screened.units) > len(kept.written)):
            kept = AskedBank(screened.units, screened.dropped, flags, answer.repairs, (answer.reply,))
        if outside is None:
            break
        fault = Fault(outside)
    return kept if kept is not None else fault or Fault("no reply")
