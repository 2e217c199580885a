"""What the pages read: runs, rubrics, combined cards, and what a run came to; the costly of it remembered."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeVar

from assay.api.stored_runs import cards_of, rubric_of
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.pages.headlines import GoodnessView, Headline, build_headlines, view_goodness
from assay.pages.run_view import RunView, build_run_view
from assay.report.summary import Summary
from assay.store.browsing import Choices, Listed
from assay.store.store import RunRow, Store

Value = TypeVar("Value")
_REMEMBERED = 32


@dataclass(frozen=True, slots=True)
class Overview:
    """A run's head, from the lists alone: no card is opened for it."""

    records: int
    failed: int
    headlines: tuple[Headline, ...]
    total: GoodnessView | None
    choices: Choices


@dataclass(slots=True)
class Memory:
    """The last few results of slow work. Two that ask for the same at once wait for one to do it."""

    _values: OrderedDict[Hashable, object] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: Hashable, build: Callable[[], Value]) -> Value:
        with self._lock:
            if key not in self._values:
                self._values[key] = build()
                if len(self._values) > _REMEMBERED:
                    self._values.popitem(last=False)
            self._values.move_to_end(key)
            found: Value = self._values[key]  # type: ignore[assignment]  # each key has its own kind of value
            return found


@dataclass(frozen=True, slots=True)
class Library:
    store: Store
    _rubrics: Memory = field(default_factory=Memory)
    _overviews: Memory = field(default_factory=Memory)

    def rubric(self, run: RunRow) -> Rubric:
        return self._rubrics.get(run.rubric_text, lambda: rubric_of(run))

    def card(self, run: RunRow, position: int) -> Scorecard:
        listed = self.store.browser.find_place(run.id, position)
        if listed is None:
            raise InputError(f"the run has no record {position + 1}", remedy="Go back to its list.")
        return self.open(run, listed)

    def open(self, run: RunRow, listed: Listed) -> Scorecard:
        """One record of a run, its judges and samples combined."""
        card = self.store.get_record(run.id, listed.record, listed.system, self.rubric(run))
        if card is None:
            raise InputError(f"the run has no record {listed.position + 1}", remedy="Go back to its list.")
        return card

    def cards(self, run: RunRow) -> Iterator[Scorecard]:
        return cards_of(self.store, run, self.rubric(run))

    def overview(self, run: RunRow) -> Overview:
        count = self.store.browser.count(run.id)
        return self._overviews.get((run.id, "overview", count), lambda: self._build_overview(run, count))

    def view(self, run: RunRow) -> RunView:
        """With breakdowns and the judge's health, for which every card is opened."""
        count = self.store.browser.count(run.id)
        return self._overviews.get(
            (run.id, "view", count), lambda: build_run_view(run, self.rubric(run), self.cards(run))
        )

    def _build_overview(self, run: RunRow, count: int) -> Overview:
        summary = Summary(self.rubric(run), records=count)
        browser = self.store.browser
        for scored in browser.scores(run.id):
            metric = summary.metrics.get(scored.metric)
            if metric is None:
                continue
            metric.asked += 1
            if scored.goodness is None or scored.score is None:
                metric.missing[scored.status] += 1
            else:
                metric.scores.append(scored.score)
                metric.goodness.add(scored.item, scored.goodness)
        for item, goodness in browser.totals(run.id):
            summary.totals.add(item, goodness)
        several = len(summary.metrics) > 1
        total = view_goodness(summary.totals) if several else None
        failed = self.store.count_failed(run.id)
        return Overview(count, failed, build_headlines(summary), total, browser.choices(run.id))
