"""Takes in a whole reply in the rubric's own shape: the model's own lists and labels, held to our arithmetic."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeGuard

from assay.domain.ask import MetricAsk, WholeAsk
from assay.domain.findings import Fact, Findings, Label, Remark
from assay.domain.outcome import Abstention, Failure, Outcome, Trail, Verdict, add_flags
from assay.domain.rubric import Bank, Metric, Rubric
from assay.domain.scale import number
from assay.errors import JudgeError
from assay.judges.judge import Judge
from assay.packs import Hooks
from assay.runner.conclude import REPORTED_ONLY, conclude, conclude_all
from assay.runner.planning import Case, explain_need
from assay.runner.suspicions import mark_suspicions
from assay.scoring.rules import RULES
from assay.scoring.severity import is_unsupported
from assay.text.normal import fold_wording
from assay.units.banks import least_wanted

WHOLE = "whole_reply"


async def judge_whole(
    judge: Judge, case: Case, hooks: Hooks, sample: int
) -> tuple[dict[str, Outcome], Mapping[str, Fact]]:
    """Asks for the whole reply once and scores it. It comes from elsewhere, so there is nobody to ask again."""
    rubric = case.rubric
    try:
        read = await judge.answer_whole(WholeAsk(rubric.id, rubric, case.record, sample), case.passages)
    except JudgeError as error:
        failed = Trail(flags=(WHOLE,), ended=Failure(error.status, str(error)))
        return conclude_all(case, {metric.id: failed for metric in rubric.metrics}), case.facts
    # What a reply's reasons say about the output may be a fact that a pack reads.
    said = {name: str(each.reported.get("reason") or "") for name, each in read.items()}
    reasons = {name: Findings(remarks=(Remark("reason", {"text": text}),)) for name, text in said.items() if text}
    case = replace(case, facts=hooks.facts(case.record, reasons, rubric))
    complete = {metric.id: _complete(read[metric.id], metric, case) for metric in rubric.metrics}
    outcomes = _conclude(case, complete, echoes=_echoes_example(rubric, read))
    return {name: _limit_by_proof(each, name, case) for name, each in outcomes.items()}, case.facts


def _echoes_example(rubric: Rubric, read: Mapping[str, Trail]) -> bool:
    """Whether the numbers are those of the example that the rubric's own prompt shows."""
    example = rubric.shape.example if rubric.shape is not None else ()
    reported = [read[metric.id].reported.get("score") for metric in rubric.metrics]
    numbers = [Fraction(str(each)) if _is_number(each) else None for each in reported]
    return bool(example) and numbers == list(example)


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _conclude(case: Case, complete: Mapping[str, Trail], *, echoes: bool) -> dict[str, Outcome]:
    """The score uses the lists without repeated and surplus units; the reply's number is audited on all of them."""
    shared = _share_claims(case.rubric, complete)
    outcomes = conclude_all(case, complete, shared)
    outcomes = {name: _audit(case.rubric.metric(name), outcome) for name, outcome in outcomes.items()}
    flags: dict[str, tuple[str, ...]] = {name: outcome.trail.flags for name, outcome in outcomes.items()}
    if echoes and not _follows(case.rubric, outcomes):
        flags = {name: (*each, "echoed_example") for name, each in flags.items()}
    screened = {metric.id: _screen(complete[metric.id], metric, case) for metric in case.rubric.metrics}
    if screened != complete:
        outcomes = conclude_all(case, screened, shared)
    return {name: add_flags(outcome, *flags[name]) for name, outcome in outcomes.items()}


def _complete(read: Trail, metric: Metric, case: Case) -> Trail:
    """One metric's part of the reply, with what code noticed against it."""
    needed = explain_need(metric, case.facts, case.record)
    if needed is not None:
        return Trail(flags=(WHOLE,), replies=read.replies, ended=Abstention("abstained", needed))
    # Half a list is no list: what was cut off would be missing from the score.
    trail = replace(read, units=(), findings=Findings()) if read.faults else read
    suspicions = case.suspect(MetricAsk(metric.id, case.rubric, metric, case.record, trail.units), trail.findings)
    undecided = ["undecided_units"] if any(not label.decided for label in trail.findings.labels) else []
    trail = replace(trail, findings=mark_suspicions(trail.findings, suspicions), flags=(WHOLE, *trail.flags))
    return trail.noted((*undecided, *(each.flag for each in suspicions)))


def _limit_by_proof(outcome: Outcome, name: str, case: Case) -> Outcome:
    """A score that is only reported is at most what it would be if nothing were wrong but what code has refuted."""
    metric = case.rubric.metric(name)
    part = metric.labels("claim")
    wrong = {each.unit: each for each in case.proven.get(name, ()) if is_unsupported(each)}
    if not isinstance(outcome, Verdict) or REPORTED_ONLY not in outcome.trail.flags or part is None or not wrong:
        return outcome
    claims = tuple(unit for unit in case.units if unit.kind == "claim")
    labels = tuple(wrong.get(unit.id, Label(part.id, unit.id, part.best)) for unit in claims)
    best = conclude(metric, Trail(claims, Findings(labels)), case.record, case.facts)
    goodness, limit = metric.scale.goodness, best.score.value if isinstance(best, Verdict) else outcome.score.value
    if goodness(outcome.score.value) <= goodness(limit):
        return outcome
    notes = "; ".join(label.note for label in wrong.values())
    words = f"{outcome.score.derivation}; at most {number(limit)}, proven by code: {notes}"
    return replace(outcome, score=replace(outcome.score, value=limit, interval=(limit, limit), derivation=words))


def _screen(trail: Trail, metric: Metric, case: Case) -> Trail:
    """Without units that repeat an earlier one, are too many, or are about a source without a text."""
    banks = (case.rubric.bank(part.unit) for part in metric.label_parts if trail.units)
    for bank in banks:
        trail = trail if bank is None else _screen_bank(trail, bank, case)
    return trail


def _screen_bank(trail: Trail, bank: Bank, case: Case) -> Trail:
    seen: dict[tuple[tuple[str, ...], str], str] = {}
    repeated, surplus = set(), set()
    empty = {source.id for source in case.record.sources if not source.text.strip()}
    for unit in trail.units:
        if unit.kind != bank.unit:
            continue
        key = (unit.sources if bank.each_source else (), fold_wording(unit.text))
        if seen.setdefault(key, unit.id) != unit.id:
            repeated.add(unit.id)
        elif (unit.sources and empty.issuperset(unit.sources)) or (not bank.each_source and len(seen) > bank.most):
            surplus.add(unit.id)
    flags = ["repeated_unit"] if repeated else []
    if _is_outside_limits(bank, [key[0] for key in seen], case):
        flags.append(bank.outside_limits)
    dropped = repeated | surplus
    labels = tuple(label for label in trail.findings.labels if label.unit not in dropped)
    units = tuple(unit for unit in trail.units if unit.id not in dropped)
    return replace(trail, units=units, findings=replace(trail.findings, labels=labels)).noted(flags)


def _is_outside_limits(bank: Bank, origins: Sequence[tuple[str, ...]], case: Case) -> bool:
    """Too few units for a source that has a text, or too few or too many for all sources together."""
    if not bank.each_source:
        return not least_wanted(bank, case.record.sources) <= len(origins) <= bank.most
    sources = [source for source in case.record.sources if source.text.strip()]
    return any(origins.count((source.id,)) < least_wanted(bank, (source,)) for source in sources)


def _share_claims(rubric: Rubric, answers: Mapping[str, Trail]) -> Trail | None:
    """Every claim the reply speaks of, in its claim list or as extraneous: either makes a cap hold."""
    if not any(metric.claims_from for metric in rubric.metrics):
        return None
    listed = [each for each in answers.values() if not each.faults and each.findings.of("claim")]
    labels = tuple(label for each in listed for label in each.findings.of("claim"))
    units = tuple(unit for each in listed for unit in each.units)
    return Trail(units, Findings(labels)) if labels else None


def _follows(rubric: Rubric, outcomes: Mapping[str, Outcome]) -> bool:
    """Whether every score that has a list to follow from does."""
    listed = [outcomes[metric.id] for metric in rubric.metrics if metric.label_parts]
    return all(isinstance(each, Verdict) and "arithmetic_corrected" not in each.trail.flags for each in listed)


def _audit(metric: Metric, outcome: Outcome) -> Outcome:
    """The reply's own number against ours, where both come from the same complete lists or subscores."""
    if not isinstance(outcome, Verdict) or RULES[metric.rule].grades not in {"none", "several"}:
        return outcome
    reported = outcome.trail.reported.get("score")
    if not _is_number(reported):
        return outcome
    difference = abs(Fraction(str(reported)) - outcome.score.value)
    tolerance = Fraction(1) if metric.scale.high > 10 else Fraction(1, 20)
    return add_flags(outcome, "arithmetic_corrected") if difference > tolerance else outcome
