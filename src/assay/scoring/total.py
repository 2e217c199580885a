"""The weighted total over the metrics that have a score."""

from collections.abc import Mapping

from assay.domain.combining import Scored, weigh, weigh_goodness
from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scale import half_up
from assay.domain.scorecard import Total


def compute_total(rubric: Rubric, outcomes: Mapping[str, Outcome]) -> Total:
    """Over scored metrics only; how many are missing stands beside it."""
    verdicts = [
        (metric, outcome) for metric in rubric.metrics if isinstance(outcome := outcomes.get(metric.id), Verdict)
    ]
    asked = len(rubric.metrics)
    goodness = weigh_goodness(
        [Scored(metric.weight, verdict.score.goodness, verdict.trail.flags) for metric, verdict in verdicts]
    )
    value = weigh((metric.weight, verdict.score.value) for metric, verdict in verdicts)
    if goodness is None or value is None:
        return Total(None, None, len(verdicts), asked)
    scales = {(metric.scale.low, metric.scale.high, metric.scale.best) for metric in rubric.metrics}
    return Total(half_up(value, 2) if len(scales) == 1 else None, goodness, len(verdicts), asked)
