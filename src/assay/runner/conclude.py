"""From what was asked to the outcome of a metric: a failure, an abstention, or a tally that a rule scores."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from assay.domain.ask import Fault
from assay.domain.findings import Fact, Findings, Label
from assay.domain.outcome import Abstention, Failure, Outcome, Score, Trail, Verdict
from assay.domain.record import Record
from assay.domain.rubric import Metric, Rubric
from assay.domain.scale import number
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit
from assay.runner.asking import UNANSWERED, MetricReplies
from assay.scoring.rules import RULES
from assay.scoring.score import score_metric
from assay.scoring.severity import is_extraneous
from assay.scoring.tally import MetricTally

# A judge's own number that is this far from the computed score is flagged.
_GRADE_DIFFERS = 2
REPORTED_ONLY = "reported_only"


@dataclass(frozen=True, slots=True)
class SharedClaims:
    """The one claim set of a record, as the metric that labels it left it."""

    labels: tuple[Label, ...]
    units: Mapping[str, Unit]


@dataclass(frozen=True, slots=True)
class Case:
    """What all metrics of one record are concluded from."""

    record: Record
    rubric: Rubric
    facts: Mapping[str, Fact] = field(default_factory=dict)


def conclude_all(
    case: Case, asked: Mapping[str, MetricReplies], claims_of_reply: SharedClaims | None = None
) -> dict[str, Outcome]:
    """The outcome of every metric. One that takes its claims from another is concluded after it.

    A whole reply brings its claims with it, as one set for all metrics that have claims to count.
    """
    shared: dict[str, SharedClaims | None] = {}
    outcomes: dict[str, Outcome] = {}
    metrics = case.rubric.metrics
    for metric in sorted(metrics, key=lambda metric: metric.claims_from is not None):
        claims = claims_of_reply or shared.get(metric.claims_from or metric.id)
        # A list of claims that is there and empty has nothing to count, whatever another list calls extraneous.
        if (
            claims_of_reply is not None
            and metric.labels("claim") is not None
            and not asked[metric.id].findings.of("claim")
        ):
            claims = None
        outcomes[metric.id] = conclude(case, metric, asked[metric.id], claims)
        shared[metric.id] = share_claims(outcomes[metric.id])
    return {metric.id: outcomes[metric.id] for metric in metrics}


def share_claims(outcome: Outcome) -> SharedClaims | None:
    """The claims of a metric, where another may count them.

    That is if they are scored, or if none of them states a fact, or if one is extraneous: then caps hold, whatever
    becomes of the undecided claims.
    """
    labels = outcome.trail.findings.of("claim")
    is_known = isinstance(outcome, Verdict) or (
        isinstance(outcome, Abstention)
        and (outcome.status == "empty_input" or any(is_extraneous(label) for label in labels))
    )
    return SharedClaims(labels, {unit.id: unit for unit in outcome.trail.units}) if labels and is_known else None


def conclude(case: Case, metric: Metric, asked: MetricReplies, shared: SharedClaims | None) -> Outcome:
    """One metric's outcome from what was asked about it and, where it counts them, the record's claims."""
    kept = [part.id for part in metric.grade_parts if part.only_reported]
    trail = replace(_build_trail(metric, asked, kept), facts=case.facts if RULES[metric.rule].facts else {})
    if asked.abstained is not None:
        return Abstention("abstained", asked.abstained, trail)
    unanswered = _explain_unanswered(metric, asked)
    if unanswered is not None:
        return Failure(unanswered.status, unanswered.words, trail)
    if asked.level is not None:
        return _take_reported(metric, asked.level, trail)
    own = asked.findings.of("claim")
    tally = MetricTally(
        metric=metric,
        labels={part.id: asked.findings.of(part.id) for part in metric.label_parts},
        grades={grade.part: grade.level for grade in asked.findings.grades if grade.part not in kept},
        units={**(shared.units if shared is not None else {}), **{unit.id: unit for unit in asked.units}},
        claims=shared.labels if shared is not None else own if metric.labels("claim") is not None else None,
        ranking=next((pick for part in metric.pick_parts if (pick := asked.findings.picked(part.id))), ()),
        output=case.record.output,
        inputs={source.id: source.input for source in case.record.sources},
        facts=case.facts,
        remarks=asked.findings.remarks,
        unplaced_words=asked.unplaced_words,
    )
    outcome = score_metric(tally, trail)
    return _flag_reported(outcome, kept) if isinstance(outcome, Verdict) else outcome


def score_labels(card: Scorecard, metric: Metric, findings: Mapping[str, Findings]) -> Outcome:
    """What the metric's rule makes of other labels of the card's units, such as a person's; `findings` by metric."""
    shared = None
    if metric.claims_from is not None:
        units = card.outcomes[metric.claims_from].trail.units
        shared = SharedClaims(findings[metric.claims_from].of("claim"), {unit.id: unit for unit in units})
    asked = MetricReplies(card.outcomes[metric.id].trail.units, findings[metric.id], replies=("",))
    return conclude(Case(card.record, card.rubric, card.facts), metric, asked, shared)


def _build_trail(metric: Metric, asked: MetricReplies, kept: list[str]) -> Trail:
    reported: dict[str, object] = dict(asked.reported)
    for name in kept:
        if (grade := asked.findings.grade(name)) is not None:
            reported[name] = number(grade.level)
    flags = asked.flags + _find_wordy(metric, asked.findings)
    return Trail(asked.units, asked.findings, flags, asked.repairs, reported, asked.replies)


def _take_reported(metric: Metric, level: Fraction, trail: Trail) -> Verdict:
    """A whole reply that holds a number and no list in JSON to compute it from is taken at its word, and says so."""
    score = Score(level, level, (level, level), metric.scale, "the reply's own number")
    return Verdict(score, replace(trail, flags=(*trail.flags, REPORTED_ONLY)))


def _explain_unanswered(metric: Metric, asked: MetricReplies) -> Fault | None:
    """A judge that never answered, or never gave what the rule needs, has failed; the reason is its last fault."""
    if asked.error is not None:
        return Fault(str(asked.error), asked.error.status)
    last = asked.faults[-1] if asked.faults else Fault("the judge did not answer")
    grades = RULES[metric.rule].grades
    # An optional grade may be left out, but one that was given and can't be read is a failure.
    needs_grade = grades in {"one", "several"} or (grades == "optional" and bool(asked.faults))
    if asked.level is None:
        for part in metric.grade_parts if needs_grade else ():
            if not part.only_reported and asked.findings.grade(part.id) is None:
                return next((fault for fault in asked.faults if fault.part == part.id), last)
    said = [label for label in asked.findings.labels if label.by == "judge"]
    if not metric.label_parts or not asked.faults or any(_is_answered(label) for label in said):
        return None
    kept = [part.id for part in metric.grade_parts if part.only_reported]
    about_labels = [fault for fault in asked.faults if fault.part not in kept]
    return about_labels[-1] if about_labels else last


def _is_answered(label: Label) -> bool:
    return label.decided or bool(label.cited) or not label.note.startswith(UNANSWERED)


def _find_wordy(metric: Metric, findings: Findings) -> tuple[str, ...]:
    """A remark past its limit of words does not change the score; it is flagged."""
    for part in metric.list_parts:
        words = sum(len(text.split()) for remark in findings.remarked(part.id) for text in remark.fields.values())
        if part.words_at_most is not None and words > part.words_at_most:
            return ("over_word_limit",)
    return ()


def _flag_reported(verdict: Verdict, kept: list[str]) -> Verdict:
    for name in kept:
        level = verdict.trail.reported.get(name)
        if isinstance(level, int | float) and abs(Fraction(str(level)) - verdict.score.value) >= _GRADE_DIFFERS:
            return replace(verdict, trail=replace(verdict.trail, flags=(*verdict.trail.flags, "reported_differs")))
    return verdict
