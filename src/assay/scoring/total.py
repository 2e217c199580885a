"""The weighted total over the metrics that have a score."""

from collections.abc import Mapping
from fractions import Fraction

from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scale import half_up
from assay.domain.scorecard import Total


def compute_total(rubric: Rubric, outcomes: Mapping[str, Outcome]) -> Total:
    """Σ w·s / Σ w over scored metrics only; how many are missing stands beside it.

    There is no total where a cap could not be checked: a total that may be too high is not one.
    """
    verdicts = [
        (metric, outcome) for metric in rubric.metrics if isinstance(outcome := outcomes.get(metric.id), Verdict)
    ]
    asked = len(rubric.metrics)
    weight = sum((metric.weight for metric, _ in verdicts), Fraction(0))
    if not weight or any("cap_unknown" in verdict.trail.flags for _, verdict in verdicts):
        return Total(None, None, len(verdicts), asked)
    goodness = sum((metric.weight * verdict.score.goodness for metric, verdict in verdicts), Fraction(0)) / weight
    score = None
    if len({(metric.scale.low, metric.scale.high, metric.scale.best) for metric in rubric.metrics}) == 1:
        exact = sum((metric.weight * verdict.score.value for metric, verdict in verdicts), Fraction(0)) / weight
        score = half_up(exact, 2)
    return Total(score, half_up(goodness, 4), len(verdicts), asked)
