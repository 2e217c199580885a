"""Takes in a whole reply in the rubric's own shape: the model's own lists and labels, held to our arithmetic."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from assay.domain.ask import Fault, MetricAsk
from assay.domain.findings import Fact, Findings, Label
from assay.domain.outcome import Outcome, Verdict, add_flags
from assay.domain.rubric import Bank, Metric, Rubric
from assay.domain.scale import number
from assay.errors import JudgeError
from assay.foreign.answer import ForeignMetric, WholeAnswer, WholeAsk
from assay.judges.judge import Judge
from assay.packs import NO_HOOKS, Hooks
from assay.runner.asking import Examination, MetricReplies
from assay.runner.conclude import REPORTED_ONLY, Case, SharedClaims, conclude, conclude_all
from assay.runner.planning import Cut, explain_need
from assay.runner.suspicions import mark_suspicions
from assay.scoring.rules import RULES
from assay.scoring.severity import is_unsupported
from assay.text.normal import fold_wording
from assay.units.banks import least_wanted

WHOLE = "whole_reply"
_ECHO = "echoed_example"


async def judge_whole(
    judge: Judge, cut: Cut, case: Case, exam: Examination, hooks: Hooks = NO_HOOKS, sample: int = 0
) -> tuple[dict[str, Outcome], Mapping[str, Fact]]:
    """Asks for the whole reply once and scores it, with the facts as the reply's reasons tell them.

    It comes from elsewhere, so there is nobody to ask again.
    """
    try:
        answer = await judge.answer_whole(WholeAsk(case.rubric.id, case.rubric, cut.record, sample), exam.passages)
    except JudgeError as error:
        failed = {metric.id: MetricReplies(error=error, flags=(WHOLE,)) for metric in case.rubric.metrics}
        return conclude_all(case, failed), case.facts
    case = replace(case, facts=hooks.facts(case.record, answer.list_reasons(), case.rubric))
    complete = {metric.id: _build_asked(metric, case, answer, exam) for metric in case.rubric.metrics}
    outcomes = _conclude(case, complete, echoes=_ECHO in answer.flags)
    return {name: _limit_by_proof(each, name, case, cut, exam) for name, each in outcomes.items()}, case.facts


def _conclude(case: Case, complete: Mapping[str, MetricReplies], *, echoes: bool) -> dict[str, Outcome]:
    """The score uses the lists without repeated and surplus units; the reply's number is audited on all of them."""
    shared = _share_claims(case.rubric, complete)
    outcomes = conclude_all(case, complete, shared)
    outcomes = {name: _audit(case.rubric.metric(name), outcome) for name, outcome in outcomes.items()}
    flags: dict[str, tuple[str, ...]] = {name: outcome.trail.flags for name, outcome in outcomes.items()}
    if echoes and not _follows(case.rubric, outcomes):
        flags = {name: (*each, _ECHO) for name, each in flags.items()}
    if _lists_differ(case.rubric, complete):
        flags |= {each.id: (*flags[each.id], "inconsistent_extraneous") for each in case.rubric.metrics if each.caps}
    screened = {metric.id: _screen(complete[metric.id], metric, case) for metric in case.rubric.metrics}
    if screened != complete:
        outcomes = conclude_all(case, screened, shared)
    return {name: add_flags(outcome, *flags[name]) for name, outcome in outcomes.items()}


def _build_asked(metric: Metric, case: Case, answer: WholeAnswer, exam: Examination) -> MetricReplies:
    needed = explain_need(metric, case.facts, case.record)
    if needed is not None:
        return MetricReplies(abstained=needed, flags=(WHOLE,), replies=(answer.reply,))
    missing = next(iter(answer.faults), Fault(f"{metric.id} is missing from the reply"))
    found = answer.metrics.get(metric.id, ForeignMetric(fault=missing))
    if found.fault is not None:
        # Half a list is no list: what was cut off would be missing from the score.
        found = replace(found, units=(), findings=Findings())
    suspicions = exam.suspect(MetricAsk(metric.id, case.rubric, metric, case.record, found.units), found.findings)
    asked = MetricReplies(
        units=found.units,
        findings=mark_suspicions(found.findings, suspicions),
        faults=() if found.fault is None else (found.fault,),
        flags=(WHOLE,),
        repairs=(*answer.repairs, *found.repairs),
        replies=(answer.reply,),
        reported=found.reported,
        level=found.level,
        unplaced_words=found.unplaced_words,
    )
    undecided = ["undecided_units"] if any(not label.decided for label in found.findings.labels) else []
    asked.add_flags(*(set(answer.flags) - {_ECHO}), *found.flags, *undecided, *(each.flag for each in suspicions))
    return asked


def _limit_by_proof(outcome: Outcome, name: str, case: Case, cut: Cut, exam: Examination) -> Outcome:
    """A score that is only reported is at most what it would be if nothing were wrong but what code has refuted."""
    metric = case.rubric.metric(name)
    part, wrong = (
        metric.labels("claim"),
        {each.unit: each for each in exam.by_code.get(name, ()) if is_unsupported(each)},
    )
    if not isinstance(outcome, Verdict) or REPORTED_ONLY not in outcome.trail.flags or part is None or not wrong:
        return outcome
    claims = tuple(unit for unit in cut.units if unit.kind == "claim")
    labels = tuple(wrong.get(unit.id, Label(part.id, unit.id, part.best)) for unit in claims)
    best = conclude(case, metric, MetricReplies(claims, Findings(labels), replies=("",)), None)
    goodness, limit = metric.scale.goodness, best.score.value if isinstance(best, Verdict) else outcome.score.value
    if goodness(outcome.score.value) <= goodness(limit):
        return outcome
    notes = "; ".join(label.note for label in wrong.values())
    words = f"{outcome.score.derivation}; at most {number(limit)}, proven by code: {notes}"
    return replace(outcome, score=replace(outcome.score, value=limit, interval=(limit, limit), derivation=words))


def _screen(asked: MetricReplies, metric: Metric, case: Case) -> MetricReplies:
    """Without units that repeat an earlier one, are too many, or are about a source without a text."""
    for part in metric.label_parts:
        bank = case.rubric.bank(part.unit)
        if bank is not None and asked.units:
            asked = _screen_bank(asked, bank, case)
    return asked


def _screen_bank(asked: MetricReplies, bank: Bank, case: Case) -> MetricReplies:
    seen: dict[tuple[tuple[str, ...], str], str] = {}
    repeated, surplus = set(), set()
    empty = {source.id for source in case.record.sources if not source.text.strip()}
    for unit in asked.units:
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
    if not dropped and not flags:
        return asked
    labels = tuple(label for label in asked.findings.labels if label.unit not in dropped)
    return replace(
        asked,
        units=tuple(unit for unit in asked.units if unit.id not in dropped),
        findings=replace(asked.findings, labels=labels),
        flags=tuple(dict.fromkeys((*asked.flags, *flags))),
    )


def _is_outside_limits(bank: Bank, origins: Sequence[tuple[str, ...]], case: Case) -> bool:
    """Too few units for a source that has a text, or too few or too many for all sources together."""
    if not bank.each_source:
        return not least_wanted(bank, case.record.sources) <= len(origins) <= bank.most
    sources = [source for source in case.record.sources if source.text.strip()]
    return any(origins.count((source.id,)) < least_wanted(bank, (source,)) for source in sources)


def _share_claims(rubric: Rubric, asked: Mapping[str, MetricReplies]) -> SharedClaims | None:
    """Every claim the reply speaks of, in its claim list or as extraneous: either makes a cap hold."""
    if not any(metric.claims_from for metric in rubric.metrics):
        return None
    listed = [each for each in asked.values() if not each.faults and each.findings.of("claim")]
    labels: tuple[Label, ...] = tuple(label for each in listed for label in each.findings.of("claim"))
    units = {unit.id: unit for each in listed for unit in each.units}
    return SharedClaims(labels, units) if labels else None


def _lists_differ(rubric: Rubric, asked: Mapping[str, MetricReplies]) -> bool:
    """Whether one list names an unsupported claim and another none."""
    verdicts = set()
    for metric in rubric.metrics:
        each = asked[metric.id]
        if each.faults or each.error or not any(cap.unit == "claim" for cap in metric.caps):
            continue
        if metric.labels("claim") is not None or each.findings.of("claim") or metric.labels("key_point") is not None:
            verdicts.add(any(is_unsupported(label) for label in each.findings.of("claim")))
    return len(verdicts) > 1


def _follows(rubric: Rubric, outcomes: Mapping[str, Outcome]) -> bool:
    """Whether every score that has a list to follow from does."""
    listed = [outcomes[metric.id] for metric in rubric.metrics if metric.label_parts]
    return all(isinstance(each, Verdict) and "arithmetic_corrected" not in each.trail.flags for each in listed)


def _audit(metric: Metric, outcome: Outcome) -> Outcome:
    """The reply's own number against ours, where both come from the same complete lists or subscores."""
    if not isinstance(outcome, Verdict) or RULES[metric.rule].grades not in {"none", "several"}:
        return outcome
    reported = outcome.trail.reported.get("score")
    if not isinstance(reported, int | float) or isinstance(reported, bool):
        return outcome
    difference = abs(Fraction(str(reported)) - outcome.score.value)
    tolerance = Fraction(1) if metric.scale.high > 10 else Fraction(1, 20)
    return add_flags(outcome, "arithmetic_corrected") if difference > tolerance else outcome
