"""Two runs side by side: paired by item, with the difference, its interval, and what so many pairs could have shown."""

from dataclasses import dataclass, field

from assay.agreement.paired import PairedDifference, compare_paired
from assay.domain.outcome import Verdict
from assay.domain.rubric import Metric, Rubric
from assay.domain.scorecard import Scorecard


@dataclass(slots=True)
class RunScores:
    """Goodness by metric and item; several records of one item count as their mean."""

    by_metric: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    def add(self, card: Scorecard) -> None:
        for name, outcome in card.outcomes.items():
            if isinstance(outcome, Verdict):
                items = self.by_metric.setdefault(name, {})
                items.setdefault(card.record.item, []).append(float(outcome.score.goodness))

    def mean(self, metric: str, item: str) -> float:
        values = self.by_metric[metric][item]
        return sum(values) / len(values)


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """`unpaired` counts items that only one of the runs has a score for."""

    metric: Metric
    difference: PairedDifference
    unpaired: int


def say_p_value(p_value: float | None) -> str:
    """Never 0: no test can say that."""
    if p_value is None:
        return "–"
    return "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def compare_runs(rubric: Rubric, first: RunScores, second: RunScores) -> list[MetricComparison]:
    compared = []
    for metric in rubric.metrics:
        ours, theirs = first.by_metric.get(metric.id, {}), second.by_metric.get(metric.id, {})
        items = sorted(ours.keys() & theirs.keys())
        difference = compare_paired(
            [first.mean(metric.id, item) for item in items], [second.mean(metric.id, item) for item in items]
        )
        compared.append(MetricComparison(metric, difference, len(ours.keys() ^ theirs.keys())))
    return compared
