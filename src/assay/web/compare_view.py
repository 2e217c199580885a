"""Two runs of one rubric side by side: what got better and worse, and every record that changed, page by page."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from assay.domain.rubric import Rubric
from assay.report.comparison import (
    CHANGE_TITLES,
    Direction,
    MetricComparison,
    RecordChange,
    check_comparable,
    find_largest,
    name_changed,
)
from assay.report.record_diff import ClaimChange, RecordDiff, diff_cards
from assay.store.runs import RunRow
from assay.web.library import Library
from assay.web.record_list import build_chip
from assay.web.record_view import ScoreChip

PAGE_CHANGES = 30
_MOST_CLAIMS = 6


@dataclass(frozen=True, slots=True)
class ChangedRecord:
    """`diff` is None where a record is too large to be opened for a line in a list."""

    change: RecordChange
    chips: tuple[ScoreChip, ScoreChip]
    diff: RecordDiff | None

    @property
    def claims(self) -> tuple[ClaimChange, ...]:
        return self.diff.claims[:_MOST_CLAIMS] if self.diff else ()

    @property
    def tone(self) -> str:
        return {"worse": "low", "unscored": "failed", "better": "high"}.get(self.change.kind or "", "none")


@dataclass(frozen=True, slots=True)
class Changes:
    """The records of this page that changed in one way; `count` is of all pages."""

    title: str
    count: int
    records: tuple[ChangedRecord, ...]


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """`changes` are under `chosen`, what got worse first. `alone` says how many records have no partner."""

    first: RunRow
    second: RunRow
    rubric: Rubric
    chosen: MetricComparison
    differences: list[MetricComparison]
    changes: tuple[Changes, ...]
    alone: str
    page: int = 1

    @property
    def pages(self) -> int:
        return max(1, -(-len(self.chosen.changes) // PAGE_CHANGES))

    @property
    def start(self) -> int:
        return (self.page - 1) * PAGE_CHANGES

    def name_metrics(self, direction: Direction) -> str:
        return name_changed(self.differences, direction)


def build_comparison(library: Library, first: RunRow, second: RunRow, metric: str, page: int = 1) -> ComparisonView:
    """`metric` is the one whose changes are listed; the one that changed most where it is unknown or empty."""
    check_comparable(first, second)
    rubric, runs = library.rubric(second), (first, second)
    differences, alone = library.compare(first, second)
    known = {each.metric.id: each for each in differences}
    chosen = known[metric if metric in known else find_largest(differences)]
    page = min(page, max(1, -(-len(chosen.changes) // PAGE_CHANGES)))
    shown = chosen.changes[(page - 1) * PAGE_CHANGES : page * PAGE_CHANGES]
    counts, changes = dict(chosen.counts), []
    found = _open_records(library, runs, chosen, shown)
    for kind, group in groupby(found, key=lambda each: each.change.kind):
        if kind is not None:
            changes.append(Changes(CHANGE_TITLES[kind][0], counts[kind], tuple(group)))
    return ComparisonView(first, second, rubric, chosen, differences, tuple(changes), alone, page)


def _open_records(
    library: Library, runs: tuple[RunRow, RunRow], chosen: MetricComparison, shown: tuple[RecordChange, ...]
) -> Iterator[ChangedRecord]:
    """Only the cards of one page are opened."""
    places = [[getattr(each, side).position for each in shown] for side in ("first", "second")]
    listed = [library.store.browser.find_places(run.id, wanted) for run, wanted in zip(runs, places, strict=True)]
    for change in shown:
        rows = listed[0][change.first.position], listed[1][change.second.position]
        one, two = (next(library.small_cards(run, [row]))[1] for run, row in zip(runs, rows, strict=True))
        diff = None if one is None or two is None else diff_cards(change.metric, one, two)
        before, after = (build_chip(chosen.metric, mark) for mark in (change.before, change.after))
        yield ChangedRecord(change, (before, after), diff)
