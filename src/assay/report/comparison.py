"""Compares two runs: records paired by item, the mean difference, its interval and the detectable difference."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from assay.agreement.difference import PairedDifference, compare_paired
from assay.domain.outcome import Verdict
from assay.domain.rubric import Metric, Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.store.runs import RunRow


def check_comparable(first: RunRow, second: RunRow) -> None:
    if first.rubric_id != second.rubric_id:
        raise InputError(
            f"{first.id} is of {first.rubric_id} and {second.id} of {second.rubric_id}",
            remedy="Compare two runs of one rubric.",
        )


@dataclass(frozen=True, slots=True)
class ScoredOnce:
    """A record of a run with its goodness by metric; a metric that has no score is not there."""

    id: str
    system: str | None
    goodness: dict[str, float]


Group = tuple[Sequence[ScoredOnce], Sequence[ScoredOnce]]
Likeness = Callable[[ScoredOnce], Hashable]


@dataclass(slots=True)
class RunScores:
    """The records of a run by item, those without a score too: a failed record is still a record."""

    items: dict[str, list[ScoredOnce]] = field(default_factory=dict)
    metrics: dict[str, Metric] = field(default_factory=dict)

    def add(self, card: Scorecard) -> None:
        self.metrics.update({metric.id: metric for metric in card.rubric.metrics})
        scored = {name: each.score for name, each in card.outcomes.items() if isinstance(each, Verdict)}
        goodness = {name: float(score.goodness) for name, score in scored.items()}
        self.put(card.record.item, ScoredOnce(card.record.id, card.record.system, goodness))

    def put(self, item: str, record: ScoredOnce) -> None:
        self.items.setdefault(item, []).append(record)


@dataclass(frozen=True, slots=True)
class Pairing:
    """The mean goodness of each item in the first run and the second, over what both have scored.

    `unpaired` counts records that only one of the runs has a score for.
    """

    items: dict[str, tuple[float, float]]
    unpaired: int

    @property
    def changes(self) -> dict[str, float]:
        return {item: second - first for item, (first, second) in self.items.items()}


@dataclass(frozen=True, slots=True)
class MetricComparison:
    """`unpaired` counts records that only one of the runs has a score for."""

    metric: Metric
    difference: PairedDifference
    unpaired: int


# What makes records of two runs the same, the closest match first. Records of different systems share only their item.
_LIKENESSES: tuple[Likeness, ...] = (lambda record: (record.id, record.system), lambda record: record.system)


def format_p_value(p_value: float | None) -> str:
    """Never 0: no test can show that."""
    if p_value is None:
        return "–"
    return "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def compare_runs(rubric: Rubric, first: RunScores, second: RunScores) -> list[MetricComparison]:
    """The rubric's metrics, then those that only the runs' own versions of it have: they have no pairs."""
    metrics = {metric.id: metric for metric in rubric.metrics}
    for metric in (*first.metrics.values(), *second.metrics.values()):
        metrics.setdefault(metric.id, metric)
    compared = []
    for metric in metrics.values():
        pairing = pair_runs(metric.id, first, second)
        means = [pairing.items[item] for item in sorted(pairing.items)]
        difference = compare_paired([each[0] for each in means], [each[1] for each in means])
        compared.append(MetricComparison(metric, difference, pairing.unpaired))
    return compared


def pair_runs(metric: str, first: RunScores, second: RunScores) -> Pairing:
    """Pairs records, then averages by item, so that a record which only one run scored moves no mean."""
    items: dict[str, tuple[float, float]] = {}
    unpaired = 0
    for item in {**first.items, **second.items}:
        ours, theirs = first.items.get(item, ()), second.items.get(item, ())
        pairs = list(_pair_item(metric, ours, theirs))
        both = [(_average(one), _average(two)) for one, two in pairs if one and two]
        unpaired += sum(len(one) + len(two) for one, two in pairs if not (one and two))
        if both:
            items[item] = _average([one for one, _ in both]), _average([two for _, two in both])
    return Pairing(items, unpaired)


def _pair_item(
    metric: str, ours: Sequence[ScoredOnce], theirs: Sequence[ScoredOnce]
) -> Iterator[tuple[list[float], list[float]]]:
    """The scores of the records that are the same by the closest likeness which the runs have for this item."""
    groupings = (_group(likeness, ours, theirs) for likeness in _LIKENESSES)
    closest = next((each for each in groupings if any(one and two for one, two in each)), [(ours, theirs)])
    for one, two in closest:
        yield _find_scores(metric, one), _find_scores(metric, two)


def _group(likeness: Likeness, ours: Sequence[ScoredOnce], theirs: Sequence[ScoredOnce]) -> list[Group]:
    groups: dict[Hashable, tuple[list[ScoredOnce], list[ScoredOnce]]] = {}
    for side, records in enumerate((ours, theirs)):
        for record in records:
            groups.setdefault(likeness(record), ([], []))[side].append(record)
    return list(groups.values())


def _find_scores(metric: str, records: Iterable[ScoredOnce]) -> list[float]:
    return [record.goodness[metric] for record in records if metric in record.goodness]


def _average(values: list[float]) -> float:
    return sum(values) / len(values)
