"""Two runs of one rubric side by side: the paired differences, and the records that changed most."""

from collections.abc import Iterator
from dataclasses import dataclass

from assay.agreement.difference import PairedDifference
from assay.domain.rubric import Rubric
from assay.report.comparison import (
    MetricComparison,
    RunScores,
    ScoredOnce,
    check_comparable,
    compare_runs,
    format_p_value,
    pair_runs,
)
from assay.serve.library import Library
from assay.serve.rows import ScoreChip, build_chips
from assay.store.browsing import Listed, Wanted
from assay.store.store import RunRow

_LISTED = 25
_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class DifferenceView:
    """One metric's difference, second minus first, in goodness; with how far the drawing must reach."""

    id: str
    name: str
    first: str
    second: str
    difference: str
    interval: str
    p_value: str
    pairs: int
    unpaired: int
    detectable: str
    tone: str
    dot: tuple[float, float, float] | None


@dataclass(frozen=True, slots=True)
class Side:
    number: int
    id: str
    system: str | None
    chips: tuple[ScoreChip, ...]


@dataclass(frozen=True, slots=True)
class Change:
    item: str
    amount: float
    first: Side
    second: Side

    @property
    def said(self) -> str:
        return f"{self.amount:+.2f}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class ComparisonView:
    first: RunRow
    second: RunRow
    rubric: Rubric
    metric: str
    differences: tuple[DifferenceView, ...]
    changes: tuple[Change, ...]
    changed: int
    is_other_version: bool


def build_comparison(library: Library, first: RunRow, second: RunRow, metric: str) -> ComparisonView:
    """`metric` is the one whose changes are listed; empty for the first of the rubric."""
    check_comparable(first, second)
    rubric = library.rubric(second)
    names = [each.id for each in rubric.metrics]
    metric = metric if metric in names else names[0]
    scores = [_read_scores(library, run) for run in (first, second)]
    compared = compare_runs(rubric, *scores)
    changed = _rank_changes(metric, *scores)
    return ComparisonView(
        first=first,
        second=second,
        rubric=rubric,
        metric=metric,
        differences=tuple(_view_difference(each) for each in compared),
        changes=tuple(_find_records(library, rubric, (first, second), changed[:_LISTED])),
        changed=len(changed),
        is_other_version=first.rubric_digest != second.rubric_digest,
    )


def _read_scores(library: Library, run: RunRow) -> RunScores:
    scores = RunScores(metrics={metric.id: metric for metric in library.rubric(run).metrics})
    browser = library.store.browser
    for start in range(0, browser.count(run.id), _AT_ONCE):
        for each in browser.page(run.id, Wanted(), start, _AT_ONCE).rows:
            goodness = {name: mark.goodness for name, mark in each.marks.items() if mark.goodness is not None}
            scores.put(each.item, ScoredOnce(each.record, each.system, goodness))
    return scores


def _rank_changes(metric: str, first: RunScores, second: RunScores) -> list[tuple[str, float]]:
    changes = pair_runs(metric, first, second).changes.items()
    return sorted((each for each in changes if abs(each[1]) > 1e-9), key=lambda each: (-abs(each[1]), each[0]))


def _find_records(
    library: Library, rubric: Rubric, runs: tuple[RunRow, RunRow], changed: list[tuple[str, float]]
) -> Iterator[Change]:
    """Where an item has several records, the first that both runs have stands for it, else the first of one system."""
    items = [item for item, _ in changed]
    ours, theirs = (library.store.browser.find_items(run.id, items) for run in runs)
    for item, amount in changed:
        one, two = _choose_pair(ours[item], theirs[item])
        yield Change(item, amount, _build_side(rubric, one), _build_side(rubric, two))


def _choose_pair(ours: list[Listed], theirs: list[Listed]) -> tuple[Listed, Listed]:
    both = {(two.record, two.system): two for two in reversed(theirs)}
    for one in ours:
        if (one.record, one.system) in both:
            return one, both[one.record, one.system]
    systems = {two.system: two for two in reversed(theirs)}
    for one in ours:
        if one.system in systems:
            return one, systems[one.system]
    return ours[0], theirs[0]


def _build_side(rubric: Rubric, listed: Listed) -> Side:
    return Side(listed.position + 1, listed.record, listed.system, tuple(build_chips(rubric, listed)))


def _view_difference(compared: MetricComparison) -> DifferenceView:
    found = compared.difference
    interval = found.interval
    tone = "none"
    if interval is not None and (interval[0] > 0 or interval[1] < 0):
        tone = "high" if found.mean > 0 else "low"
    return DifferenceView(
        id=compared.metric.id,
        name=compared.metric.name,
        first=f"{found.first_mean:.3f}" if found.n else "–",
        second=f"{found.second_mean:.3f}" if found.n else "–",
        difference=_sign(found.mean) if found.n else "–",
        interval="" if interval is None else f"{_sign(interval[0])} to {_sign(interval[1])}",
        p_value=format_p_value(found.p_value),
        pairs=found.n,
        unpaired=compared.unpaired,
        detectable="–" if found.detectable is None else f"{found.detectable:.3f}",
        tone=tone,
        dot=_draw(found),
    )


def _draw(found: PairedDifference) -> tuple[float, float, float] | None:
    """Places on a line from −1 to 1 that is 200 wide."""
    if found.n == 0:
        return None
    low, high = found.interval or (found.mean, found.mean)
    return tuple(round(100 + 94 * max(-1.0, min(1.0, value)), 2) for value in (found.mean, low, high))  # type: ignore[return-value]  # three of them


def _sign(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")
