"""The weighted total over the metrics that have a score."""

from collections.abc import Mapping
from fractions import Fraction

from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scale import half_up
from assay.domain.scorecard import Total

UNCHECKED_CAP = "cap_unknown"


def compute_total(rubric: Rubric, outcomes: Mapping[str, Outcome]) -> Total:
    """Over scored metrics only; none where a cap could not be checked, for it may be too high."""
    verdicts = [
        (metric.weight, outcome) for metric in rubric.metrics if isinstance(outcome := outcomes.get(metric.id), Verdict)
    ]
    asked = len(rubric.metrics)
    weights = sum((weight for weight, _ in verdicts), Fraction(0))
    if not weights or any(UNCHECKED_CAP in verdict.trail.flags for _, verdict in verdicts):
        return Total(None, None, len(verdicts), asked)
    goodness = sum((weight * verdict.score.goodness for weight, verdict in verdicts), Fraction(0)) / weights
    value = sum((weight * verdict.score.value for weight, verdict in verdicts), Fraction(0)) / weights
    scales = {(metric.scale.low, metric.scale.high, metric.scale.best) for metric in rubric.metrics}
    return Total(half_up(value, 2) if len(scales) == 1 else None, half_up(goodness, 4), len(verdicts), asked)
