"""Compares two runs: records paired by item, the mean difference, its interval and the detectable difference."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Literal, TypeVar

from assay.agreement.difference import PairedDifference, compare_paired
from assay.domain.outcome import Verdict
from assay.domain.rubric import ESTIMATE, Metric, Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.store.browsing import Listed
from assay.store.runs import RunRow

Direction = Literal["better", "worse", "unclear"]
COMPARED = ("metric", "first", "second", "difference, 95 %", "p", "pairs", "detectable")
COMPARED_NOTE = (
    "Goodness: 0–1, best 1. Detectable: the smallest true difference that this many pairs show 4 times in 5."
)


def check_comparable(first: RunRow, second: RunRow) -> None:
    if first.rubric_id != second.rubric_id:
        raise InputError(
            f"{first.id} is of {first.rubric_id} and {second.id} of {second.rubric_id}",
            remedy="Compare two runs of one rubric.",
        )


@dataclass(frozen=True, slots=True)
class ScoredRecord:
    """A record of a run with its goodness by metric, and its estimates; a metric that has no score is not there."""

    record: str
    system: str | None
    goodness: dict[str, float]


Each = TypeVar("Each", ScoredRecord, Listed)


@dataclass(slots=True)
class RunScores:
    """The records of a run by item, those without a score too: a failed record is still a record."""

    items: dict[str, list[ScoredRecord]] = field(default_factory=dict)
    metrics: dict[str, Metric] = field(default_factory=dict)

    def add(self, card: Scorecard) -> None:
        self.metrics.update({metric.id: metric for metric in card.rubric.metrics})
        scored = {name: each.score for name, each in card.outcomes.items() if isinstance(each, Verdict)}
        goodness = {name: float(score.goodness) for name, score in scored.items()}
        for name, outcome in card.outcomes.items():
            if outcome.trail.estimate is not None:
                goodness[f"{name}{ESTIMATE}"] = outcome.trail.estimate
        self.put(card.record.item, ScoredRecord(card.record.id, card.record.system, goodness))

    def put(self, item: str, record: ScoredRecord) -> None:
        self.items.setdefault(item, []).append(record)


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """`unpaired` counts records that only one of the runs has a score for."""

    metric: Metric
    difference: PairedDifference
    unpaired: int

    @property
    def direction(self) -> Direction:
        """Which way the mean changed, where the interval shows that it did."""
        interval = self.difference.interval
        if interval is None or interval[0] <= 0 <= interval[1]:
            return "unclear"
        return "better" if self.difference.mean > 0 else "worse"


def format_p_value(p_value: float | None) -> str:
    """Never 0: no test can show that."""
    if p_value is None:
        return "–"
    return "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def find_largest(differences: Sequence[MetricComparison]) -> str:
    """The metric, no estimate, whose mean changed most; the first where none has pairs."""
    scored = [each for each in differences if not each.metric.id.endswith(ESTIMATE)]
    return max(scored, key=lambda each: abs(each.difference.mean) if each.difference.n else -1.0).metric.id


def list_cells(compared: MetricComparison) -> tuple[str, ...]:
    """A row under the columns of `COMPARED`."""
    found = compared.difference
    interval = "" if found.interval is None else f" [{found.interval[0]:+.3f}, {found.interval[1]:+.3f}]"
    means = (f"{found.first_mean:.3f}", f"{found.second_mean:.3f}", f"{found.mean:+.3f}{interval}")
    return (
        compared.metric.name,
        *(means if found.n else ("–", "–", "–")),
        format_p_value(found.p_value),
        f"{found.n}" + (f", {compared.unpaired} unpaired" if compared.unpaired else ""),
        "–" if found.detectable is None else f"{found.detectable:.3f}",
    )


def compare_runs(rubric: Rubric, first: RunScores, second: RunScores) -> list[MetricComparison]:
    """The rubric's metrics, then those that only the runs' own versions of it have: they have no pairs.

    The estimates of a metric follow it where both runs have some.
    """
    metrics = {metric.id: metric for metric in rubric.metrics}
    for metric in (*first.metrics.values(), *second.metrics.values()):
        metrics.setdefault(metric.id, metric)
    compared = []
    for metric in (one for each in metrics.values() for one in (each, each.estimate)):
        means, unpaired = pair_runs(metric.id, first, second)
        if not means and metric.id not in metrics:
            continue
        ordered = [means[item] for item in sorted(means)]
        difference = compare_paired([each[0] for each in ordered], [each[1] for each in ordered])
        compared.append(MetricComparison(metric, difference, unpaired))
    return compared


def pair_runs(metric: str, first: RunScores, second: RunScores) -> tuple[dict[str, tuple[float, float]], int]:
    """The mean goodness of each item in both runs, and how many records only one of the runs has a score for.

    Pairs records, then averages by item, so that a record which only one run scored moves no mean.
    """
    items: dict[str, tuple[float, float]] = {}
    unpaired = 0
    for item in {**first.items, **second.items}:
        both = []
        for group in pair_alike(first.items.get(item, ()), second.items.get(item, ())):
            ours, theirs = ([each.goodness[metric] for each in side if metric in each.goodness] for side in group)
            if ours and theirs:
                both.append((fmean(ours), fmean(theirs)))
            else:
                unpaired += len(ours) + len(theirs)
        if both:
            items[item] = fmean(ours for ours, _ in both), fmean(theirs for _, theirs in both)
    return items, unpaired


def pair_alike(ours: Sequence[Each], theirs: Sequence[Each]) -> list[tuple[list[Each], list[Each]]]:
    """The records of one item in groups that are the same in both runs: by id and system, else by system, else all."""
    for is_close in (True, False):
        groups: dict[tuple[str | None, ...], tuple[list[Each], list[Each]]] = {}
        for side, records in enumerate((ours, theirs)):
            for each in records:
                key = (each.record, each.system) if is_close else (each.system,)
                groups.setdefault(key, ([], []))[side].append(each)
        if any(one and two for one, two in groups.values()):
            return list(groups.values())
    return [(list(ours), list(theirs))]
