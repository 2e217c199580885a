"""Two runs of one rubric side by side: what got better and worse, and the records and claims that changed most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.report.comparison import (
    MetricComparison,
    RunScores,
    check_comparable,
    compare_runs,
    find_largest,
    pair_alike,
    pair_runs,
)
from assay.report.display import Tone, format_label, tone_of
from assay.store.browsing import Listed
from assay.store.runs import RunRow
from assay.web.library import Library
from assay.web.record_list import build_chips
from assay.web.record_view import ScoreChip

_LISTED = 15
_LISTED_UNITS = 2

# How a label looks, and its words.
Said = tuple[Tone, str]


@dataclass(frozen=True, slots=True)
class ChangedUnit:
    text: str
    before: Said
    after: Said


@dataclass(frozen=True, slots=True)
class ChangedRecord:
    """The record that stands for an item, in both runs, the change of its goodness, and the units that changed."""

    amount: float
    sides: tuple[tuple[Listed, ScoreChip], ...]
    units: tuple[ChangedUnit, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """`count` is of all items that changed this way; `records` are those that changed most."""

    title: str
    count: int
    records: tuple[ChangedRecord, ...]


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """`changes` are under the metric `metric`, what got worse first."""

    first: RunRow
    second: RunRow
    rubric: Rubric
    metric: str
    differences: list[MetricComparison]
    changes: tuple[Changes, ...]

    def name_metrics(self, direction: str) -> str:
        """The metrics whose change the interval shows."""
        return ", ".join(each.metric.name for each in self.differences if each.direction == direction)


def build_comparison(library: Library, first: RunRow, second: RunRow, metric: str) -> ComparisonView:
    """`metric` is the one whose changes are listed; the one that changed most where it is unknown or empty."""
    check_comparable(first, second)
    rubric, runs = library.rubric(second), (first, second)
    scores = [library.scores(run) for run in runs]
    differences = compare_runs(rubric, *scores)
    names = [each.id for each in rubric.metrics]
    if metric not in names:
        largest = find_largest(differences)
        metric = largest if largest in names else names[0]
    changed = _rank_changes(metric, *scores)
    changes = []
    for title, sign in (("Worse in the second run", -1), ("Better in the second run", 1)):
        items = [each for each in changed if each[1] * sign > 0]
        records = tuple(_find_records(library, runs, metric, items[:_LISTED]))
        changes.append(Changes(title, len(items), records))
    return ComparisonView(first, second, rubric, metric, differences, tuple(changes))


def _rank_changes(metric: str, first: RunScores, second: RunScores) -> list[tuple[str, float]]:
    means, _ = pair_runs(metric, first, second)
    changes = [(item, after - before) for item, (before, after) in means.items()]
    return sorted((each for each in changes if abs(each[1]) > 1e-9), key=lambda each: (-abs(each[1]), each[0]))


def _find_records(
    library: Library, runs: tuple[RunRow, RunRow], metric: str, changed: list[tuple[str, float]]
) -> Iterator[ChangedRecord]:
    items = [item for item, _ in changed]
    ours, theirs = (library.store.browser.find_items(run.id, items) for run in runs)
    at = [each.id for each in library.rubric(runs[1]).metrics].index(metric)
    for item, amount in changed:
        pair = _choose_pair(ours[item], theirs[item], metric, amount)
        cards = [next(library.small_cards(run, [each]))[1] for run, each in zip(runs, pair, strict=True)]
        units = () if None in cards else tuple(_find_units(metric, [card for card in cards if card]))[:_LISTED_UNITS]
        chips = [list(build_chips(library.rubric(runs[1]), each))[at] for each in pair]
        yield ChangedRecord(amount, tuple(zip(pair, chips, strict=True)), units)


def _find_units(metric: str, cards: Sequence[Scorecard]) -> Iterator[ChangedUnit]:
    """Units of the same text with another label, in the order of the second run."""
    before, after = (_read_labels(metric, card) for card in cards)
    for key, said in after.items():
        if key in before and before[key][1] != said[1]:
            yield ChangedUnit(key[1], before[key], said)


def _read_labels(metric: str, card: Scorecard) -> dict[tuple[str, str], Said]:
    """By part and text. Units that two judges wrote may have the same id and another text."""
    if metric not in card.outcomes:
        return {}
    trail, asked = card.outcomes[metric].trail, card.rubric.metric(metric)
    units = {unit.id: unit for unit in trail.units}
    return {
        (label.part, unit.text): (tone_of(label, asked.labels(unit.kind)), format_label(label))
        for label in trail.findings.labels
        if (unit := units.get(label.unit)) is not None
    }


def _choose_pair(ours: list[Listed], theirs: list[Listed], metric: str, amount: float) -> tuple[Listed, Listed]:
    """Of the records that are alike in both runs, those that changed most in the direction of their item."""
    pairs = [(one[0], two[0]) for one, two in pair_alike(ours, theirs) if one and two]
    return max(pairs, key=lambda pair: amount * _measure_change(pair, metric))


def _measure_change(pair: tuple[Listed, Listed], metric: str) -> float:
    before, after = (each.find_goodness(metric) for each in pair)
    return 0.0 if before is None or after is None else after - before
