"""From what was asked to the outcome of a metric: a failure, an abstention, or a tally that a rule scores."""

from collections.abc import Mapping
from dataclasses import replace

from assay.domain.ask import Fault
from assay.domain.findings import Fact, Findings
from assay.domain.outcome import Abstention, Failure, Outcome, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric
from assay.domain.scale import number
from assay.domain.scorecard import Scorecard
from assay.runner.planning import Case
from assay.scoring.rules import RULES
from assay.scoring.score import score_metric
from assay.scoring.severity import is_extraneous
from assay.scoring.tally import MetricTally

REPORTED_ONLY = "reported_only"


def conclude_all(case: Case, trails: Mapping[str, Trail], claims_of_reply: Trail | None = None) -> dict[str, Outcome]:
    """The outcome of every metric. One that takes its claims from another is concluded after it.

    A whole reply brings its claims with it, as one set for all metrics that have claims to count.
    """
    shared: dict[str, Trail | None] = {}
    outcomes: dict[str, Outcome] = {}
    metrics = case.rubric.metrics
    for metric in sorted(metrics, key=lambda metric: metric.claims_from is not None):
        trail = trails[metric.id]
        claims = claims_of_reply or shared.get(metric.claims_from or metric.id)
        # A list of claims that is there and empty has nothing to count, whatever another list calls extraneous.
        if claims_of_reply is not None and metric.labels("claim") is not None and not trail.findings.of("claim"):
            claims = None
        outcomes[metric.id] = conclude(metric, trail, case.record, case.facts, claims)
        shared[metric.id] = share_claims(outcomes[metric.id])
    return {metric.id: outcomes[metric.id] for metric in metrics}


def share_claims(outcome: Outcome) -> Trail | None:
    """The trail with the claims of a metric, where another may count them.

    That is if they are scored, or if none of them states a fact, or if one is extraneous: then caps hold, whatever
    becomes of the undecided claims.
    """
    labels = outcome.trail.findings.of("claim")
    is_known = isinstance(outcome, Verdict) or (
        isinstance(outcome, Abstention)
        and (outcome.status == "empty_input" or any(is_extraneous(label) for label in labels))
    )
    return outcome.trail if labels and is_known else None


def conclude(
    metric: Metric, known: Trail, record: Record, facts: Mapping[str, Fact], claims: Trail | None = None
) -> Outcome:
    """One metric's outcome from its trail and, where it counts them, the record's claims by another metric."""
    found, unscored = known.findings, {part.id for part in metric.grade_parts if part.only_reported}
    labelled = {part.id for part in metric.label_parts}
    # A grade that is only reported stands among the judge's own numbers.
    own = {grade.part: number(grade.level) for grade in found.grades if grade.part in unscored}
    trail = replace(known.noted(_find_wordy(metric, found)), reported={**known.reported, **own})
    trail = replace(trail, facts=facts if RULES[metric.rule].facts else {})
    trail = replace(trail, ended=None, faults=(), unlabelled=frozenset(), unplaced_words=None)
    if known.ended is not None:
        return replace(known.ended, trail=trail.noted([REPORTED_ONLY] if isinstance(known.ended, Verdict) else ()))
    if (fault := _find_fault(metric, known)) is not None:
        return Failure(fault.status, fault.request, trail)
    counts_claims = claims is None and metric.labels("claim") is not None
    labels = tuple(label for label in found.labels if label.part in labelled)
    grades = tuple(grade for grade in found.grades if grade.part not in unscored)
    tally = MetricTally(
        metric,
        record,
        replace(found, labels=labels, grades=grades),
        units={unit.id: unit for unit in (*(claims.units if claims is not None else ()), *trail.units)},
        claims=found.of("claim") if counts_claims else None if claims is None else claims.findings.of("claim"),
        facts=facts,
        unplaced_words=known.unplaced_words,
    )
    return score_metric(tally, trail)


def score_labels(card: Scorecard, metric: Metric, findings: Mapping[str, Findings]) -> Outcome:
    """What the metric's rule makes of other labels of the card's units, such as a person's; `findings` by metric."""

    def build(name: str) -> Trail:
        return Trail(card.outcomes[name].trail.units, findings[name])

    claims = None if metric.claims_from is None else build(metric.claims_from)
    return conclude(metric, build(metric.id), card.record, card.facts, claims)


def _find_fault(metric: Metric, trail: Trail) -> Fault | None:
    """Why a judge has failed that never gave what the rule needs: its last fault."""
    findings = trail.findings
    last = trail.faults[-1] if trail.faults else Fault("the judge did not answer")
    lists = {part.id for part in metric.list_parts}
    if unread := [fault for fault in trail.faults if fault.part in lists]:
        return unread[0]  # what the list says could have lowered the score
    grades = RULES[metric.rule].grades
    # An optional grade may be left out, but one that was given and can't be read is a failure.
    needs_grade = grades in {"one", "several"} or (grades == "optional" and bool(trail.faults))
    for part in metric.grade_parts if needs_grade else ():
        if not part.only_reported and findings.grade(part.id) is None:
            return next((fault for fault in trail.faults if fault.part == part.id), last)
    is_labelled = any(label.by == "judge" and label.unit not in trail.unlabelled for label in findings.labels)
    if not metric.label_parts or not trail.faults or is_labelled:
        return None
    kept = {part.id for part in metric.grade_parts if part.only_reported}
    about_labels = [fault for fault in trail.faults if fault.part not in kept]
    return about_labels[-1] if about_labels else last


def _find_wordy(metric: Metric, findings: Findings) -> tuple[str, ...]:
    """A remark past its limit of words does not change the score; it is flagged."""
    for part in metric.list_parts:
        words = sum(len(text.split()) for remark in findings.remarked(part.id) for text in remark.fields.values())
        if part.words_at_most is not None and words > part.words_at_most:
            return ("over_word_limit",)
    return ()
