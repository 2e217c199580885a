"""Asks a judge for one metric or one bank until it has answered or no re-ask is left; every label is verified."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from assay.domain.ask import Answer, BankAsk, Fault, MetricAsk, Written
from assay.domain.findings import NO_FACT, UNDECIDED, Findings, Label, Remark
from assay.domain.parts import LabelPart
from assay.domain.rubric import Bank, Metric
from assay.domain.scorecard import Notice
from assay.domain.units import count_units
from assay.errors import JudgeError, OverBudget
from assay.judges.judge import Judge
from assay.units.banks import Screened, explain_limits, screen
from assay.units.evidence import verify
from assay.units.passages import Passages

SUSPICIONS = ("polarity_suspect",)
UNHEARD = "the judge gave no valid label"


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


async def ask_metric(
    judge: Judge,
    ask: MetricAsk,
    passages: Passages,
    by_code: tuple[Label, ...] = (),
    *,
    source_evidence: bool = True,
) -> Asked:
    """Each re-ask names the fault and covers only the units and grades that are still missing.

    What code can decide, it decides, and never asks for again. A re-ask that fails takes nothing of the first away;
    one that can't be paid for leaves the ask unfinished, to be taken up again.
    """
    asked = Asked()
    looked = [source.id for source in ask.record.sources]
    current: MetricAsk | None = ask
    while current is not None:
        try:
            answer = await judge.answer(current, passages)
        except JudgeError as error:
            asked.error = error if not asked.replies or isinstance(error, OverBudget) else None
            break
        asked.keep(answer)
        if answer.abstained is not None:
            asked.abstained = answer.abstained
            return asked
        verified = verify(answer.findings, ask.metric, passages, looked, source_evidence=source_evidence)
        asked.findings = _forget_lists(asked.findings, current, verified.findings).joined(verified.findings)
        asked.faults = (*answer.faults, *(Fault(words, "malformed") for words in verified.unproven.values()))
        suspicions = find_suspicions(ask.metric, asked.findings)
        asked.flags = tuple(dict.fromkeys(flag for flag in asked.flags if flag not in SUSPICIONS)) + suspicions
        known = {label.unit for label in by_code}
        current = _plan_reask(ask, current, asked, known) if current.attempt < judge.reasks else None
    if by_code:
        _prefer_code(asked, by_code)
    unheard = _undecided(ask, asked.findings)
    if unheard.labels:
        asked.findings = asked.findings.joined(unheard)
    if any(not label.decided for label in asked.findings.labels):
        asked.flags = tuple(dict.fromkeys((*asked.flags, *_doubt_flags(asked.findings))))
    if asked.replies[1:]:
        asked.repairs = (*asked.repairs, f"asked {len(asked.replies)} times")
    return asked


def find_suspicions(metric: Metric, findings: Findings) -> tuple[str, ...]:
    """Grades at the worst end with no issue listed, or at the best end beside listed ones: a scale may be flipped."""
    lists = [part for part in metric.list_parts if part.least == 0]
    remarks = [remark for part in lists for remark in findings.remarked(part.id)]
    for part in metric.grade_parts if lists else ():
        grade = findings.grade(part.id)
        if grade is None or part.kept:
            continue
        goodness = part.scale.goodness(grade.level)
        kind = part.id.partition("_")[0]
        about = [remark for remark in remarks if _is_about(kind, remark)] if part.id != "grade" else remarks
        if (goodness == 0 and not remarks) or (goodness == 1 and about):
            return SUSPICIONS
    return ()


def _is_about(kind: str, remark: Remark) -> bool:
    return remark.fields.get("type", "").lower().startswith(kind)


def _forget_lists(findings: Findings, ask: MetricAsk, later: Findings) -> Findings:
    """A list that was asked for anew replaces the old one, if the new reply got as far as its grades."""
    if ask.attempt == 0 or not later.grades:
        return findings
    anew = {part.id for part in ask.metric.list_parts if ask.wants(part.id)}
    return replace(findings, remarks=tuple(remark for remark in findings.remarks if remark.part not in anew))


def _plan_reask(first: MetricAsk, last: MetricAsk, asked: Asked, known: set[str]) -> MetricAsk | None:
    """A unit left undecided is asked once more; one that got no label at all, and a missing grade, once again after.

    A grade that is only kept beside the score is not worth a call of its own.
    """
    done = known | {label.unit for label in asked.findings.labels if label.decided or last.attempt > 0}
    units = tuple(unit for unit in first.units if unit.id not in done and first.metric.labels(unit.kind) is not None)
    kinds = {unit.kind for unit in units}
    wanted = {part.id for part in first.metric.label_parts if part.unit in kinds}
    lacking = [part for part in first.metric.grade_parts if asked.findings.grade(part.id) is None]
    if wanted or any(not part.kept for part in lacking):
        wanted |= {part.id for part in lacking}
    faults = tuple(fault.words for fault in asked.faults)
    if any(flag in SUSPICIONS for flag in asked.flags):
        wanted |= {part.id for part in first.metric.parts if not isinstance(part, LabelPart)}
        faults += ("the grades and the list do not fit each other: mind which end of the scale is best",)
    if not wanted:
        return None
    return replace(first, units=units, attempt=last.attempt + 1, faults=faults, wanted=frozenset(wanted))


def _prefer_code(asked: Asked, labels: tuple[Label, ...]) -> None:
    """A price that differs is contradicted, whatever the judge made of it; a cell that says nothing is no quarrel."""
    said = {label.unit: label.label for label in asked.findings.labels if label.decided}
    if any(said.get(label.unit, label.label) != label.label for label in labels if label.label != NO_FACT):
        asked.flags = tuple(dict.fromkeys((*asked.flags, "code_overrides_judge")))
    asked.findings = asked.findings.joined(Findings(labels))


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
    """`abstained` says why a judge declines to write one; there is nothing else in it then."""

    written: tuple[Written, ...]
    notices: tuple[Notice, ...] = ()
    flags: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    abstained: str | None = None


async def ask_bank(judge: Judge, ask: BankAsk, passages: Passages) -> AskedBank | Fault:
    """A bank that stays outside its limits after one re-ask is kept with a flag; one that can't be read is a fault.

    So is one that was cut off both times: what would have come after the cut is missing from every score. And so is
    one that counts who raises a point, where none of its points names a sentence that there is.
    """
    best: tuple[tuple[bool, bool, int], AskedBank] | None = None
    fault: Fault | None = None
    for attempt in range(min(judge.reasks, 1) + 1):
        words = (fault.words,) if fault is not None else ()
        current = replace(ask, attempt=attempt, faults=words) if attempt else ask
        try:
            answer = await judge.answer(current, passages)
        except OverBudget as error:
            return Fault(str(error), error.status)
        except JudgeError as error:
            passes = error.retry_helps or error.status == "unreachable"
            fault = replace(fault or Fault(str(error), error.status), lasts=not passes)
            break
        if answer.abstained is not None:
            return AskedBank((), abstained=answer.abstained)
        screened = screen(answer.written, ask.bank)
        outside = explain_limits(screened, ask.bank, ask.sources)
        astray = _find_astray(screened, ask.bank, passages)
        wrong = outside or _explain_astray(astray, ask.bank)
        fault = next(iter(answer.faults), Fault(wrong) if wrong else None)
        placed = len(screened.units) - len(astray)
        rank = (fault is None, outside is None, placed)
        if placed and not answer.faults and (best is None or rank > best[0]):
            best = rank, _keep_bank(ask, answer, screened, outside)
        if fault is None:
            break
    return best[1] if best is not None else fault or Fault("no reply")


def _find_astray(screened: Screened, bank: Bank, passages: Passages) -> list[Written]:
    """The units that name no sentence of the sources, where it counts which sources raise a unit."""
    if bank.discussed_in is None:
        return []
    return [unit for unit in screened.units if all(passages.get(name) is None for name in unit.sentences)]


def _explain_astray(astray: Sequence[Written], bank: Bank) -> str | None:
    """In words fit for a re-ask; the first few stand for all."""
    if not astray:
        return None
    named = ", ".join(f"{unit.text[:60]!r} ({', '.join(unit.sentences)[:40] or 'none'})" for unit in astray[:3])
    return f"{count_units(bank.unit, len(astray))} without the id of any sentence in the sources: {named}"


def _keep_bank(ask: BankAsk, answer: Answer, screened: Screened, outside: str | None) -> AskedBank:
    flags = (ask.bank.outside_limits,) if outside else ()
    return AskedBank(screened.units, screened.dropped, flags, answer.repairs, (answer.reply,))
