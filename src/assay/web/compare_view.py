"""Two runs of one rubric side by side: the paired differences, and the records that changed most."""

from collections.abc import Iterator
from dataclasses import dataclass

from assay.domain.rubric import Rubric
from assay.report.comparison import MetricComparison, RunScores, check_comparable, compare_runs, pair_alike, pair_runs
from assay.store.browsing import Listed
from assay.store.runs import RunRow
from assay.web.library import Library
from assay.web.record_list import build_chips
from assay.web.record_view import ScoreChip

_LISTED = 25


@dataclass(frozen=True, slots=True)
class ChangedRecord:
    """The record that stands for an item, in both runs, and the change of its goodness."""

    amount: float
    sides: tuple[tuple[Listed, tuple[ScoreChip, ...]], ...]


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """`changes` are under the metric `metric`; `changed` counts all items that changed."""

    first: RunRow
    second: RunRow
    rubric: Rubric
    metric: str
    differences: list[MetricComparison]
    changes: tuple[ChangedRecord, ...]
    changed: int


def build_comparison(library: Library, first: RunRow, second: RunRow, metric: str) -> ComparisonView:
    """`metric` is the one whose changes are listed; the rubric's first where it is unknown or empty."""
    check_comparable(first, second)
    rubric = library.rubric(second)
    names = [each.id for each in rubric.metrics]
    metric = metric if metric in names else names[0]
    scores = [library.scores(run) for run in (first, second)]
    changed = _rank_changes(metric, *scores)
    return ComparisonView(
        first,
        second,
        rubric,
        metric,
        differences=compare_runs(rubric, *scores),
        changes=tuple(_find_records(library, (first, second), metric, changed[:_LISTED])),
        changed=len(changed),
    )


def _rank_changes(metric: str, first: RunScores, second: RunScores) -> list[tuple[str, float]]:
    means, _ = pair_runs(metric, first, second)
    changes = [(item, after - before) for item, (before, after) in means.items()]
    return sorted((each for each in changes if abs(each[1]) > 1e-9), key=lambda each: (-abs(each[1]), each[0]))


def _find_records(
    library: Library, runs: tuple[RunRow, RunRow], metric: str, changed: list[tuple[str, float]]
) -> Iterator[ChangedRecord]:
    rubric, items = library.rubric(runs[1]), [item for item, _ in changed]
    ours, theirs = (library.store.browser.find_items(run.id, items) for run in runs)
    for item, amount in changed:
        pair = _choose_pair(ours[item], theirs[item], metric)
        yield ChangedRecord(amount, tuple((each, tuple(build_chips(rubric, each))) for each in pair))


def _choose_pair(ours: list[Listed], theirs: list[Listed], metric: str) -> tuple[Listed, Listed]:
    """Of the records that are alike in both runs, those that changed most."""
    pairs = [(one[0], two[0]) for one, two in pair_alike(ours, theirs) if one and two]
    return max(pairs, key=lambda pair: _measure_change(pair, metric))


def _measure_change(pair: tuple[Listed, Listed], metric: str) -> float:
    goodness = [each.marks[metric].goodness for each in pair if metric in each.marks]
    known = [value for value in goodness if value is not None]
    return abs(known[1] - known[0]) if len(known) == 2 else -1.0
