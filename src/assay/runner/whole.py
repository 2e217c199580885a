"""The walk of a record that is answered by one whole reply: the model's own lists, our arithmetic."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from assay.domain.ask import Answer, Fault, Share, WholeAsk
from assay.domain.findings import Label
from assay.domain.outcome import Failure, Outcome, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.errors import JudgeError
from assay.judges.judge import Judge
from assay.runner.asking import Asked
from assay.runner.concluding import Shared, conclude, conclude_reported
from assay.runner.eligibility import explain_no_truth
from assay.scoring.rules import RULES
from assay.scoring.tally import is_unsupported
from assay.units.passages import number_record

JOINT = "joint"
_ECHO = "echoed_example"


async def walk_whole(judge: Judge, record: Record, rubric: Rubric, sample: int) -> Mapping[str, Outcome]:
    """Shares that are missing or do not fit are asked for again; one that was read stays."""
    passages = number_record(record)
    shares: dict[str, Share] = {}
    replies: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = (Fault("the judge did not answer"),)
    outcomes: Mapping[str, Outcome] = {}
    for attempt in range(judge.reasks + 1):
        words = tuple(fault.words for fault in faults) if attempt else ()
        try:
            answer = await judge.answer(WholeAsk(rubric.id, rubric, record, sample, attempt, words), passages)
        except JudgeError as error:
            if not replies:
                return {metric.id: Failure(error.status, str(error)) for metric in rubric.metrics}
            break
        replies += (answer.reply,)
        repairs = tuple(dict.fromkeys(repairs + answer.repairs))
        _merge(shares, answer)
        outcomes = _conclude(
            record, rubric, shares, Trail(flags=(JOINT,), repairs=repairs, replies=replies), answer.faults
        )
        faults = answer.faults + tuple(share.fault for share in shares.values() if share.fault is not None)
        if _ECHO in answer.flags and _is_corrected(outcomes):
            outcomes = {name: _with_flag(outcome, _ECHO) for name, outcome in outcomes.items()}
            faults += (Fault("the scores are those of an example, and do not follow from your lists"),)
            shares = {}
        if not faults:
            break
    return outcomes


def _merge(shares: dict[str, Share], answer: Answer) -> None:
    for name, share in answer.shares.items():
        if name not in shares or shares[name].fault is not None:
            shares[name] = share


def _conclude(
    record: Record, rubric: Rubric, shares: Mapping[str, Share], trail: Trail, faults: tuple[Fault, ...]
) -> Mapping[str, Outcome]:
    shared = _share_claims(rubric, shares)
    lists_differ = _lists_differ(rubric, shares)
    outcomes: dict[str, Outcome] = {}
    for metric in rubric.metrics:
        share = shares.get(metric.id)
        if share is None:
            fault = faults[0] if faults else Fault(f"{metric.id} is missing from the reply")
            outcomes[metric.id] = _conclude_missing(record, rubric, metric, fault, trail)
            continue
        flags = (*trail.flags, *share.flags, *(("inconsistent_extraneous",) if lists_differ and metric.caps else ()))
        own = replace(trail, flags=flags, repairs=trail.repairs + share.repairs, reported=share.reported)
        outcomes[metric.id] = _conclude_share(record, rubric, metric, share, own, shared)
    return outcomes


def _conclude_missing(record: Record, rubric: Rubric, metric: Metric, fault: Fault, trail: Trail) -> Outcome:
    """What code answers alone does not wait for a reply."""
    if metric.parts:
        return Failure(fault.status, fault.words, trail)
    return conclude(record, rubric, metric, Asked(flags=trail.flags, replies=trail.replies), (), None)


def _conclude_share(
    record: Record, rubric: Rubric, metric: Metric, share: Share, trail: Trail, shared: Shared | None
) -> Outcome:
    asked = Asked(
        findings=share.findings,
        flags=trail.flags,
        repairs=trail.repairs,
        replies=trail.replies,
        reported=share.reported,
        unplaced_words=share.unplaced_words,
        abstained=explain_no_truth(record, metric),
    )
    if share.fault is not None and metric.parts:
        return Failure(share.fault.status, share.fault.words, replace(trail, findings=share.findings))
    if share.level is not None:
        return conclude_reported(metric, share.level, trail)
    outcome = conclude(record, rubric, metric, asked, share.units, shared)
    return _audit(metric, outcome)


def _share_claims(rubric: Rubric, shares: Mapping[str, Share]) -> Shared | None:
    """Every claim the reply speaks of, in its claim list or as extraneous: either makes a cap hold."""
    if not any(metric.claims_from for metric in rubric.metrics):
        return None
    listed = [share for share in shares.values() if share.fault is None and share.findings.of("claim")]
    labels: tuple[Label, ...] = tuple(label for share in listed for label in share.findings.of("claim"))
    units = {unit.id: unit for share in listed for unit in share.units}
    return Shared(labels, units) if labels else None


def _lists_differ(rubric: Rubric, shares: Mapping[str, Share]) -> bool:
    """One list names an unsupported claim and the other none."""
    verdicts = set()
    for metric in rubric.metrics:
        share = shares.get(metric.id)
        if share is None or share.fault is not None or not any(cap.unit == "claim" for cap in metric.caps):
            continue
        if metric.labels("claim") is not None or metric.labels("key_point") is not None:
            verdicts.add(any(is_unsupported(label) for label in share.findings.of("claim")))
    return len(verdicts) > 1


def _audit(metric: Metric, outcome: Outcome) -> Outcome:
    """The reply's own number against ours, where both come from the same lists."""
    if not isinstance(outcome, Verdict) or RULES[metric.rule].grades != "none":
        return outcome
    reported = outcome.trail.reported.get("score")
    tolerance = Fraction(1) if metric.scale.high > 10 else Fraction(1, 20)
    if isinstance(reported, int | float) and abs(Fraction(str(reported)) - outcome.score.value) > tolerance:
        return _with_flag(outcome, "arithmetic_corrected")
    return outcome


def _is_corrected(outcomes: Mapping[str, Outcome]) -> bool:
    return any("arithmetic_corrected" in outcome.trail.flags for outcome in outcomes.values())


def _with_flag(outcome: Outcome, flag: str) -> Outcome:
    return replace(outcome, trail=replace(outcome.trail, flags=(*outcome.trail.flags, flag)))
