"""All that the pages read from the store; results of slow work are remembered."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TypeVar

from assay.agreement.label_queue import OutputPair, order_pairs, order_places
from assay.agreement.labels import find_labels
from assay.domain.listed import Listed
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.judges.prompted.prompt import ALL
from assay.report.agreement import AgreementView, build_agreement_view
from assay.report.comparison import MetricComparison, compare_runs, format_alone, read_scores
from assay.report.run_report import RunReport, build_run_report
from assay.report.summary import Summary, summarize
from assay.runner.run import rubric_of
from assay.runner.whole import WHOLE
from assay.store.browsing import Choices
from assay.store.labels import DrawnBy
from assay.store.runs import DamagedRun, RunRow
from assay.store.store import KeptReply, Store

Value = TypeVar("Value")
_REMEMBERED = 32
# What a list of runs shows of each is small: a few numbers for each record and metric.
_REMEMBERED_RUNS = 500
# A record whose stored size is beyond this is not opened for a line in a list.
_MOST_BYTES = 300_000


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

    def card(self, run: RunRow, position: int) -> Scorecard:
        listed = self.store.browser.find_places(run.id, [position]).get(position)
        return self._open(run, listed, position)

    def small_card(self, run: RunRow, listed: Listed) -> Scorecard | None:
        """The card of a row in a list; None where it is too large to be opened for one row."""
        return self._open(run, listed, listed.position) if listed.size_bytes < _MOST_BYTES else None

    def _open(self, run: RunRow, listed: Listed | None, position: int) -> Scorecard:
        card = listed and self.store.get_record(run.id, listed.record, listed.system, rubric_of(run))
        if card is None:
            raise InputError(f"the run has no record {position + 1}", remedy="Go back to its list.")
        return card

    def replies(self, run: RunRow, card: Scorecard) -> dict[str, Sequence[KeptReply | str]]:
        """By the name of its prompt every reply about the record, re-asks included."""
        kept: dict[str, list[KeptReply | str]] = {}
        for reply in self.store.replies(run.id, card.record.id):
            kept.setdefault(reply.purpose.ask, []).append(reply)
        # Replies of a recording are not in the store's cache; the card has them, each text once.
        recorded: dict[str, dict[str | KeptReply, None]] = {}
        for name, outcome in card.outcomes.items():
            about = card.rubric.id if WHOLE in outcome.trail.flags else name
            if outcome.trail.replies and not {about, ALL}.intersection(kept):
                recorded.setdefault(about, {}).update(dict.fromkeys(outcome.trail.replies))
        return {**kept, **{name: list(texts) for name, texts in recorded.items()}}

    def remember(self, run: RunRow, what: str, build: Callable[[], Value], *more: Hashable) -> Value:
        """The result of slow work on a run; it is done again where the run has grown, or `more` is another."""
        return self._results.get((run.id, what, self.store.count(run.id), *more), build)

    def summary(self, run: RunRow) -> Summary:
        """From the lists alone: no card is opened for it."""
        rows, count = self.store.browser, self.store.count(run.id)
        return self._summaries.get((run.id, count), lambda: summarize(rubric_of(run), rows.all(run.id)))

    def choices(self, run: RunRow) -> Choices:
        """The values to filter by."""
        return self.remember(run, "choices", lambda: self.store.browser.choices(run.id))

    def queue(self, run: RunRow, metrics: tuple[str, ...]) -> dict[int, DrawnBy]:
        """The places in the order in which people label, and how each was drawn; it grows with the run."""
        doubts = self.store.browser.find_doubts
        return self.remember(run, "queue", lambda: order_places(run.id, doubts(run.id, metrics)), metrics)

    def pairs(self, run: RunRow) -> dict[str, OutputPair]:
        """By their keys, in the order in which people compare them; they grow with the run."""
        outputs = self.store.browser.outputs
        return self.remember(run, "pairs", lambda: {pair.key: pair for pair in order_pairs(run.id, outputs(run.id))})

    def report(self, run: RunRow) -> RunReport:
        """With breakdowns and a ranking, for which every card is opened."""
        rubric, usage = rubric_of(run), self.store.usage(run.id)
        cards, summary = self.store.cards(run.id, rubric), self.summary(run)
        return self.remember(run, "report", lambda: build_run_report(run, rubric, cards, usage, summary))

    def agreement(self, run: RunRow) -> AgreementView | None:
        """Measured anew where a label or a record was added since."""
        said, kept = find_labels(self.store.labels, run.id), self.store.agreements.all(run.judge, run.rubric_digest)
        rubric = rubric_of(run)
        moments = [*(each.label.moment for each in said.rows), *(each.preference.moment for each in said.preferences)]
        return self.remember(
            run,
            "agreement",
            lambda: build_agreement_view(run, rubric, said, kept, lambda: self.store.cards(run.id, rubric)),
            *(len(moments), max(moments, default=None), tuple(kept)),
        )

    def compare(self, first: RunRow, second: RunRow) -> tuple[list[MetricComparison], str]:
        """The differences of two runs with every change, from the lists alone, and which records have no partner."""

        def build() -> tuple[list[MetricComparison], str]:
            one, two = (read_scores(rubric_of(run), self.store.browser.all(run.id)) for run in (first, second))
            return compare_runs(one, two), format_alone(one, two)

        return self._compared.get(tuple((run.id, self.store.count(run.id)) for run in (first, second)), build)
