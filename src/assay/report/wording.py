"""An outcome in words, for replies that people read."""

from collections.abc import Mapping, Sequence

from assay.checks.citations import choose_relevant
from assay.domain.findings import NO_FACT, Label
from assay.domain.json import JSON
from assay.domain.outcome import Outcome, Verdict
from assay.domain.parts import LabelPart
from assay.domain.record import Source
from assay.domain.rubric import Metric
from assay.domain.scale import half_up, number
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit, UnitKind


def score_of(outcome: Outcome) -> int | float | None:
    """As fine as the scale: who reads the shape expects one of its grades. The derivation tells a mean in full."""
    if not isinstance(outcome, Verdict):
        return None
    return number(half_up(outcome.score.value, outcome.score.scale.decimals))


def say_outcome(outcome: Outcome) -> str:
    """The derivation of a score, or why there is none."""
    if isinstance(outcome, Verdict):
        return outcome.score.derivation
    return f"not scored: {outcome.status}: {outcome.reason}"


def say_grade(outcome: Outcome) -> str:
    """The judge's own reason for its grade, and the derivation behind it."""
    grade = outcome.trail.findings.grade("grade")
    if not isinstance(outcome, Verdict) or grade is None or not grade.reason:
        return say_outcome(outcome)
    return f"{grade.reason} ({outcome.score.derivation})"


def labelled(outcome: Outcome, part: str) -> list[tuple[Unit, Label]]:
    """The units that count, in their order; one that states no fact has no place in a reply."""
    labels = {label.unit: label for label in outcome.trail.findings.of(part) if label.label != NO_FACT}
    return [(unit, labels[unit.id]) for unit in outcome.trail.units if unit.id in labels]


def part_of(metric: Metric, unit: UnitKind) -> LabelPart:
    part = metric.labels(unit)
    if part is None:
        raise AssertionError(f"the shape needs a metric that labels each {unit}")
    return part


def resolve(label: Label, part: LabelPart) -> str:
    """The label as the score counts it: an undecided unit stands in the middle."""
    return label.label if label.decided else part.middle


def justify(label: Label) -> str:
    quotes = "; ".join(f"{each.source}: “{each.quote}”" for each in label.evidence)
    return " — ".join(part for part in (quotes, label.note) if part)


def find_relevant(card: Scorecard) -> list[Source] | None:
    """The sources a judge picked as relevant that support a claim; None where the rubric asks for no such pick.

    Claims narrow the pick only where their own metric was scored: half a set of labels proves nothing.
    """
    for metric in card.rubric.metrics:
        part = next((part for part in metric.pick_parts if part.over == "sources"), None)
        picked = None if part is None else card.outcomes[metric.id].trail.findings.picked(part.id)
        if picked is not None:
            claims = card.outcomes.get(metric.claims_from or "")
            labels = claims.trail.findings.of("claim") if isinstance(claims, Verdict) else ()
            return choose_relevant(card.record, picked, labels or None)
    return None


def list_sources(sources: Sequence[Source], numbers: Mapping[str, int]) -> list[JSON]:
    return [{"number": numbers[each.id], "title": each.title or "", "url": each.url or ""} for each in sources]
