"""Two runs of one rubric side by side: what got better and worse, and every record that changed, page by page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from assay.report.comparison import (
    CHANGE_TITLES,
    Direction,
    MetricComparison,
    RecordChange,
    check_comparable,
    find_largest,
    name_changed,
)
from assay.report.record_diff import RecordDiff, diff_cards
from assay.store.runs import RunRow
from assay.web.library import Library

PAGE_CHANGES = 30
# None where a record is too large to be opened for a line in a list.
ChangedRecord = tuple[RecordChange, RecordDiff | None]


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """`changes` are those of this page under `chosen`, what got worse first: a title, a count of all pages, records.

    `alone` says how many records have no partner.
    """

    first: RunRow
    second: RunRow
    chosen: MetricComparison
    differences: list[MetricComparison]
    changes: Sequence[tuple[str, int, Sequence[ChangedRecord]]]
    alone: str
    page: int
    pages: int

    def name_metrics(self, direction: Direction) -> str:
        return name_changed(self.differences, direction)


def build_comparison(library: Library, first: RunRow, second: RunRow, metric: str, page: int = 1) -> ComparisonView:
    """`metric` is the one whose changes are listed; the one that changed most where it is unknown or empty."""
    check_comparable(first, second)
    differences, alone = library.compare(first, second)
    known = {each.metric.id: each for each in differences}
    chosen = known[metric if metric in known else find_largest(differences)]
    pages = max(1, -(-len(chosen.changes) // PAGE_CHANGES))
    page = min(page, pages)
    counts = dict(chosen.counts)
    shown = _open_records(library, first, second, chosen.changes[(page - 1) * PAGE_CHANGES : page * PAGE_CHANGES])
    changes = [
        (CHANGE_TITLES[kind][0], counts[kind], list(group))
        for kind, group in groupby(shown, key=lambda each: each[0].kind)
        if kind is not None
    ]
    return ComparisonView(first, second, chosen, differences, changes, alone, page, pages)


def _open_records(
    library: Library, first: RunRow, second: RunRow, shown: Sequence[RecordChange]
) -> Iterator[ChangedRecord]:
    """Only the cards of one page are opened."""
    for change in shown:
        one, two = library.small_card(first, change.first), library.small_card(second, change.second)
        yield change, None if one is None or two is None else diff_cards(change.metric, one, two)
