"""All that the pages read from the store and write to it; results of slow work are remembered."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeVar

from assay.agreement.label_queue import LabelQueue, order_places
from assay.api.results import rubric_of
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.agreement import AgreementView, build_agreement_view
from assay.report.comparison import MetricComparison, RunScores, compare_runs, format_alone
from assay.report.run_report import RunReport, build_run_report
from assay.report.summary import Summary
from assay.store.browsing import Choices, Listed
from assay.store.runs import DamagedRun, RunRow
from assay.store.store import Store

Value = TypeVar("Value")
_REMEMBERED = 32
# What a list of runs shows of each is small: a few numbers for each record and metric.
_REMEMBERED_RUNS = 500
# A record whose stored size is beyond this is not opened for a line in a list.
_MOST_BYTES = 300_000


@dataclass(frozen=True, slots=True)
class Overview:
    """A run's summary and the values to filter by, from the lists alone: no card is opened for it."""

    summary: Summary
    failed: int
    choices: Choices


@dataclass(slots=True)
class Memory:
    """The last few results of slow work. Two requests for the same result wait for one to compute it."""

    most: int = _REMEMBERED
    _values: OrderedDict[Hashable, object] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def get(self, key: Hashable, build: Callable[[], Value]) -> Value:
        with self._lock:
            if key not in self._values:
                self._values[key] = build()
                if len(self._values) > self.most:
                    self._values.popitem(last=False)
            self._values.move_to_end(key)
            found: Value = self._values[key]  # type: ignore[assignment]  # each key has its own kind of value
            return found


@dataclass(frozen=True, slots=True)
class Library:
    store: Store
    _results: Memory = field(default_factory=Memory)
    _summaries: Memory = field(default_factory=lambda: Memory(_REMEMBERED_RUNS))
    # Of two long runs a comparison is large.
    _compared: Memory = field(default_factory=lambda: Memory(2))

    def runs(self) -> tuple[list[RunRow], list[DamagedRun]]:
        """Newest first; those that can't be read apart."""
        found = self.store.runs()
        runs = [each for each in found if isinstance(each, RunRow)]
        return runs, [each for each in found if isinstance(each, DamagedRun)]

    def find_run(self, name: str) -> RunRow:
        return self.store.find_run(name)

    def rubric(self, run: RunRow) -> Rubric:
        return rubric_of(run)

    def card(self, run: RunRow, position: int) -> Scorecard:
        listed = self.store.browser.find_place(run.id, position)
        if listed is None:
            raise InputError(f"the run has no record {position + 1}", remedy="Go back to its list.")
        return self._open(run, listed)

    def find_card(self, run: RunRow, record: str, system: str | None) -> Scorecard:
        position = self.store.browser.find_position(run.id, record, system)
        return self.card(run, -1 if position is None else position)

    def small_cards(self, run: RunRow, listed: Sequence[Listed]) -> Iterator[tuple[Listed, Scorecard | None]]:
        """Each row of a list with its card; None for a card too large to open for one row."""
        for each in listed:
            yield each, self._open(run, each) if each.size_bytes < _MOST_BYTES else None

    def _open(self, run: RunRow, listed: Listed) -> Scorecard:
        card = self.store.get_record(run.id, listed.record, listed.system, self.rubric(run))
        if card is None:
            raise InputError(f"the run has no record {listed.position + 1}", remedy="Go back to its list.")
        return card

    def cards(self, run: RunRow) -> Iterator[Scorecard]:
        return self.store.cards(run.id, self.rubric(run))

    def systems(self, run: RunRow) -> dict[str, set[str | None]]:
        """The systems that answered each record."""
        found: dict[str, set[str | None]] = {}
        for judged in self.store.list_judged(run.id):
            found.setdefault(judged.record, set()).add(judged.system)
        return found

    def compare(self, first: RunRow, second: RunRow) -> tuple[list[MetricComparison], str]:
        """The differences of two runs with every change, from the lists alone, and which records have no partner."""
        key = tuple((run.id, self.store.browser.count(run.id)) for run in (first, second))
        return self._compared.get(key, lambda: self._compare(first, second))

    def _compare(self, first: RunRow, second: RunRow) -> tuple[list[MetricComparison], str]:
        scores = []
        for run in (first, second):
            found = RunScores(metrics={metric.id: metric for metric in self.rubric(run).metrics})
            for each in self.store.browser.all(run.id):
                found.add_listed(each)
            scores.append(found)
        return compare_runs(self.rubric(second), *scores), format_alone(*scores)

    def summary(self, run: RunRow) -> Summary:
        """The means of each metric with their counts, from the lists alone."""
        count = self.store.browser.count(run.id)
        return self._summaries.get((run.id, count), lambda: self._summarise(run))

    def _summarise(self, run: RunRow) -> Summary:
        summary = Summary(self.rubric(run))
        for row in self.store.browser.all(run.id):
            summary.add_listed(row)
        return summary

    def queue(self, run: RunRow, metrics: tuple[str, ...]) -> LabelQueue:
        """The order in which people label; it grows with the run."""
        key = (run.id, "queue", metrics, self.store.browser.count(run.id))
        return self._results.get(key, lambda: order_places(run.id, self.store.browser.find_doubts(run.id, metrics)))

    def overview(self, run: RunRow) -> Overview:
        count = self.store.browser.count(run.id)
        return self._results.get((run.id, "overview", count), lambda: self._build_overview(run))

    def report(self, run: RunRow) -> RunReport:
        """With breakdowns and a ranking, for which every card is opened."""
        key = (run.id, "report", self.store.browser.count(run.id))
        usage = self.store.usage(run.id)
        return self._results.get(key, lambda: build_run_report(run, self.rubric(run), self.cards(run), usage))

    def agreement(self, run: RunRow) -> AgreementView | None:
        """Measured anew where a label or a record was added since."""
        labels, kept = self.store.labels.all(run.id), self.store.agreements.of(run.judge, run.rubric_digest)
        latest = max((each.moment for each in labels), default=None)
        key = (run.id, "agreement", self.store.browser.count(run.id), len(labels), latest, tuple(kept))
        rubric = self.rubric(run)
        return self._results.get(key, lambda: build_agreement_view(run, rubric, labels, kept, lambda: self.cards(run)))

    def _build_overview(self, run: RunRow) -> Overview:
        return Overview(self.summary(run), self.store.count_failed(run.id), self.store.browser.choices(run.id))
