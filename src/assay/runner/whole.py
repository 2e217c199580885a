"""The walk of a record that is answered by one whole reply: the model's own lists, our arithmetic."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from assay.domain.ask import Answer, Fault, Share
from assay.domain.findings import Label
from assay.domain.outcome import Failure, Outcome, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.errors import JudgeError, OverBudget
from assay.judges.judge import Judge
from assay.runner.asking import Asked
from assay.runner.asks import Cut, plan_whole
from assay.runner.code_items import limit_reported, set_wrong_items
from assay.runner.concluding import Shared, conclude, conclude_reported, explain_left_to_judge
from assay.runner.eligibility import explain_no_truth
from assay.runner.shares import explain_doubt, hold_share
from assay.scoring.rules import RULES
from assay.scoring.tally import is_unsupported

JOINT = "joint"
_ECHO = "echoed_example"
# A number of the judge's own that is this far from what code measures is worth a look.
_REPORTED_DIFFERS = 2


@dataclass(slots=True)
class _Heard:
    """What the replies so far came to. A share that can't be read, or is in doubt, gives way to a later one."""

    shares: dict[str, Share] = field(default_factory=dict)
    doubts: dict[str, str] = field(default_factory=dict)
    faults: tuple[Fault, ...] = (Fault("the judge did not answer"),)
    replies: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    echoed: bool = False

    def keep(self, answer: Answer, shares: Mapping[str, Share]) -> None:
        for name, share in shares.items():
            kept = self.shares.get(name)
            if kept is None or kept.fault is not None or (name in self.doubts and share.fault is None):
                self.shares[name] = share
        self.faults = answer.faults
        self.replies += (answer.reply,)
        self.repairs = tuple(dict.fromkeys(self.repairs + answer.repairs))

    @property
    def wanting(self) -> tuple[str, ...]:
        """What the next reply has to mend."""
        faults = (*self.faults, *(share.fault for share in self.shares.values() if share.fault is not None))
        return tuple(dict.fromkeys((*(fault.words for fault in faults), *self.doubts.values())))

    @property
    def trail(self) -> Trail:
        repairs = (*self.repairs, f"asked {len(self.replies)} times") if self.replies[1:] else self.repairs
        return Trail(flags=(JOINT, _ECHO) if self.echoed else (JOINT,), repairs=repairs, replies=self.replies)


async def walk_whole(judge: Judge, cut: Cut, rubric: Rubric, sample: int) -> Mapping[str, Outcome]:
    """Shares that are missing, unreadable or in doubt are asked for again; a re-ask that fails takes nothing away.

    One that can't be paid for leaves the record unfinished, to be taken up again.
    """
    record = cut.record
    first = plan_whole(cut, rubric, sample)
    heard = _Heard()
    metrics = {metric.id: metric for metric in rubric.metrics}
    for attempt in range(judge.reasks + 1):
        words = heard.wanting if attempt else ()
        try:
            answer = await judge.answer(replace(first.ask, attempt=attempt, faults=words), first.passages)
        except JudgeError as error:
            if isinstance(error, OverBudget):
                heard = _Heard(faults=(Fault(str(error), error.status),))
            elif not heard.replies:
                heard.faults = (Fault(str(error), error.status),)
            break
        shares = {name: hold_share(share, metrics[name], rubric, record) for name, share in answer.shares.items()}
        heard.keep(answer, shares)
        if shares:
            heard.echoed = _ECHO in answer.flags and not _follows(rubric, _conclude(record, rubric, heard))
        heard.doubts = _find_doubts(heard, rubric) if attempt == 0 else {}
        if not heard.wanting:
            break
    heard.shares = {name: set_wrong_items(cut, rubric, metrics[name], share) for name, share in heard.shares.items()}
    outcomes = _conclude(record, rubric, heard)
    return {metric.id: limit_reported(cut, rubric, metric, outcomes[metric.id]) for metric in rubric.metrics}


def _find_doubts(heard: _Heard, rubric: Rubric) -> dict[str, str]:
    """What can be scored as it is, but is worth one more ask."""
    if heard.echoed:
        copied = "the scores are those of an example, and do not follow from your lists"
        return dict.fromkeys(heard.shares, copied)
    doubts = ((metric, heard.shares.get(metric.id)) for metric in rubric.metrics)
    said = {metric.id: explain_doubt(share, metric, rubric) for metric, share in doubts if share is not None}
    return {name: words for name, words in said.items() if words is not None}


def _follows(rubric: Rubric, outcomes: Mapping[str, Outcome]) -> bool:
    """Whether every score that has a list to follow from does."""
    listed = [outcomes[metric.id] for metric in rubric.metrics if metric.label_parts]
    return all(isinstance(each, Verdict) and "arithmetic_corrected" not in each.trail.flags for each in listed)


def _conclude(record: Record, rubric: Rubric, heard: _Heard) -> Mapping[str, Outcome]:
    shared = _share_claims(rubric, heard.shares)
    lists_differ = _lists_differ(rubric, heard.shares)
    outcomes: dict[str, Outcome] = {}
    for metric in rubric.metrics:
        share = heard.shares.get(metric.id)
        if share is None:
            share = Share(fault=next(iter(heard.faults), Fault(f"{metric.id} is missing from the reply")))
        differ = ("inconsistent_extraneous",) if lists_differ and metric.caps else ()
        trail = replace(
            heard.trail,
            flags=(*heard.trail.flags, *share.flags, *differ),
            repairs=(*heard.trail.repairs, *share.repairs),
            reported=share.reported,
        )
        outcomes[metric.id] = _conclude_share(record, rubric, metric, share, trail, shared)
    return outcomes


def _conclude_share(
    record: Record, rubric: Rubric, metric: Metric, share: Share, trail: Trail, shared: Shared | None
) -> Outcome:
    """What code answers alone does not wait for a reply, and what has no truth to compare with does not fail.

    Where code can't tell after all, the judge decides, if its reply gives a number.
    """
    left = explain_left_to_judge(record, metric)
    level = share.level if left is None else _read_own_score(metric, share)
    if not metric.parts and level is None:
        # What code answers alone owes nothing to the reply, so nothing about it was repaired.
        trail = replace(trail, repairs=())
    asked = Asked(
        findings=share.findings,
        flags=trail.flags,
        repairs=trail.repairs,
        replies=trail.replies,
        reported=share.reported,
        unplaced_words=share.unplaced_words,
        abstained=explain_no_truth(record, metric),
    )
    if share.fault is not None and metric.parts and asked.abstained is None:
        return Failure(share.fault.status, share.fault.words, replace(trail, findings=share.findings))
    if level is not None:
        return conclude_reported(metric, level, trail, left)
    # A list of claims that is there and empty has nothing to count, whatever another list calls extraneous.
    is_empty = metric.labels("claim") is not None and not share.findings.of("claim")
    outcome = conclude(record, rubric, metric, asked, share.units, None if is_empty else shared)
    return _audit(metric, outcome)


def _read_own_score(metric: Metric, share: Share) -> Fraction | None:
    """The reply's own number, where it is a whole one on the scale."""
    score = share.reported.get("score")
    if not isinstance(score, int) or isinstance(score, bool):
        return None
    level = Fraction(score)
    return level if metric.scale.contains(level) else None


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
    """The reply's own number against ours, where both come from the same lists or subscores."""
    if not isinstance(outcome, Verdict) or RULES[metric.rule].grades not in {"none", "several"}:
        return outcome
    reported = outcome.trail.reported.get("score")
    if not isinstance(reported, int | float) or isinstance(reported, bool):
        return outcome
    difference = abs(Fraction(str(reported)) - outcome.score.value)
    if not metric.parts:
        return _with_flag(outcome, "reported_differs") if difference >= _REPORTED_DIFFERS else outcome
    tolerance = Fraction(1) if metric.scale.high > 10 else Fraction(1, 20)
    return _with_flag(outcome, "arithmetic_corrected") if difference > tolerance else outcome


def _with_flag(outcome: Verdict, flag: str) -> Verdict:
    return replace(outcome, trail=replace(outcome.trail, flags=(*outcome.trail.flags, flag)))
