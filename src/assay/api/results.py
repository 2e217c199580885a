"""The results of a run: by record, as rows, as a data frame, as a summary; compared, and derived again from labels."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from io import StringIO
from itertools import count
from typing import Any

from assay.domain.listed import build_listed
from assay.domain.outcome import Outcome, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.comparison import MetricComparison, RecordChange, compare_runs, read_scores
from assay.report.export import flatten
from assay.report.record_diff import RecordDiff, diff_cards
from assay.report.result import Result, build_result
from assay.report.summary import summarize
from assay.runner.conclude import conclude, share_claims
from assay.runner.empty import find_empty
from assay.runner.whole import WHOLE

_NUMBERS = ("score", "low", "high", "weakest_support")
_COLUMNS = ("record", "system", "metric", *_NUMBERS, "status", "flags")


@dataclass(frozen=True, repr=False)
class Run:
    """The results of one run, in the order of its records.

    `stopped` says that a limit (`max_failures`, a budget) left some records unjudged.
    """

    id: str
    rubric: Rubric
    judge: str
    cards: tuple[Scorecard, ...]
    stopped: bool = False

    def __repr__(self) -> str:
        return f"<{self._title}>"

    @property
    def _title(self) -> str:
        return f"Run {self.id}: {len(self.cards)} records, {self.rubric.id}, judged by {self.judge}"

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        from assay.report.notebook import render_run

        stopped = ", stopped by a limit" if self.stopped else ""
        return render_run(self._title + stopped, self.rubric, self.cards)

    def __iter__(self) -> Iterator[Result]:
        return (build_result(card) for card in self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def __getitem__(self, key: str | tuple[str, str | None]) -> Result:
        """By record id; by (id, system) where several systems answered the same record."""
        name, system = key if isinstance(key, tuple) else (key, None)
        found = [card for card in self.cards if card.record.id == name]
        if isinstance(key, tuple):
            found = [card for card in found if card.record.system == system]
        if len(found) != 1:
            raise KeyError(key if not found else f"{name} was answered by several systems: use (id, system)")
        return build_result(found[0])

    def rows(self) -> list[Mapping[str, object]]:
        """One flat row per record: score, interval, goodness, weakest_support and status of every metric.

        `total_goodness` is the mean of the metrics that have a score: `total_scored` of `total_asked`.
        """
        facets = sorted({name for card in self.cards for name in card.record.facets})
        return [flatten(result, facets) for result in self]

    def summary(self) -> str:
        """What `assay judge` prints at the end: per metric the mean and how many were scored, then the others."""
        from assay.report.terminal import open_console, print_summary

        text = StringIO()
        print_summary(open_console(text), summarize(self.rubric, map(build_listed, self.cards)))
        return text.getvalue()

    def to_frame(self) -> object:
        """A pandas or polars frame of the rows, whichever is installed."""
        from importlib import import_module

        for module in ("pandas", "polars"):
            try:
                return import_module(module).DataFrame(self.rows())
            except ModuleNotFoundError:
                continue
        raise InputError("a frame needs pandas or polars", remedy="Install one of them, or use rows().")

    def to_pandas(self) -> Any:
        """One row per record and metric: record, system, metric, score, low, high, weakest_support, status, flags."""
        return _load("pandas").DataFrame(self._build_columns()).astype(dict.fromkeys(_NUMBERS, "float64"))

    def to_polars(self) -> Any:
        """The rows of `to_pandas`, as a polars frame."""
        polars = _load("polars")
        types = {name: polars.Float64 if name in _NUMBERS else polars.String for name in _COLUMNS}
        return polars.DataFrame(self._build_columns(), schema=types)

    def to_arrow(self) -> Any:
        """The rows of `to_pandas`, as a pyarrow table."""
        arrow = _load("pyarrow")
        types = [(name, arrow.float64() if name in _NUMBERS else arrow.string()) for name in _COLUMNS]
        return arrow.table(self._build_columns(), schema=arrow.schema(types))

    def _build_columns(self) -> dict[str, list[object]]:
        """Without a verdict there are no numbers."""
        columns: dict[str, list[object]] = {name: [] for name in _COLUMNS}
        for result in self:
            for name, metric in result.metrics.items():
                numbers = (metric.score, *(metric.interval or (None, None)), metric.weakest_support)
                floats = (None if each is None else float(each) for each in numbers)
                row = (result.record, result.system, name, *floats, metric.status, " ".join(metric.flags))
                for column, value in zip(_COLUMNS, row, strict=True):
                    columns[column].append(value)
        return columns


def _load(package: str) -> Any:
    try:
        return import_module(package)
    except ModuleNotFoundError:
        remedy = f"Install it with `pip install {package}`, or use rows()."
        raise InputError(f"{package} is not installed", remedy=remedy) from None


class RunComparison(list[MetricComparison]):
    """One entry per metric, with every record that changed in its `changes`; a notebook shows it as tables."""

    def __init__(self, first: Run, second: Run) -> None:
        one, two = (read_scores(run.rubric, map(build_listed, run.cards, count())) for run in (first, second))
        super().__init__(compare_runs(one, two))
        self._cards = first.cards, second.cards

    def diff(self, change: RecordChange) -> RecordDiff:
        """The words of the output that changed, and the claims added, removed and relabelled."""
        one, two = self._cards
        return diff_cards(change.metric, one[change.first.position], two[change.second.position])

    def _repr_html_(self) -> str:
        from assay.report.notebook import render_comparison

        return render_comparison(self, self.diff)


def compare(first: Run, second: Run) -> RunComparison:
    """The difference of each metric, second minus first, in goodness, with its interval and its p-value.

    Raises:
        InputError: the runs are of different rubrics.

    """
    if first.rubric.id != second.rubric.id:
        message = f"the first run is of {first.rubric.id} and the second of {second.rubric.id}"
        raise InputError(message, remedy="Compare two runs of one rubric.")
    return RunComparison(first, second)


@dataclass(slots=True)
class Rescored:
    """`same` and `other` count scores; `skipped` are those of whole replies."""

    same: int = 0
    skipped: int = 0
    other: list[str] = field(default_factory=list)


def rescore(cards: Iterable[Scorecard], rubric: Rubric) -> Rescored:
    """Every answer of every judge and sample is derived again from its labels and the stored facts."""
    result = Rescored()
    for card in cards:
        for name, outcomes in _list_answers(card):
            _rescore_answer(card, rubric, name, outcomes, result)
    return result


def _list_answers(card: Scorecard) -> list[tuple[str, dict[str, Outcome]]]:
    """The outcomes of each answer that a card was combined from; those of the card itself where there was only one."""
    answers: dict[str, dict[str, Outcome]] = {}
    for metric, voices in card.voices.items():
        for voice in voices:
            answers.setdefault(f" by {voice.judge}, sample {voice.sample}", {})[metric] = voice.outcome
    return list(answers.items()) or [("", dict(card.outcomes))]


def _rescore_answer(card: Scorecard, rubric: Rubric, name: str, outcomes: dict[str, Outcome], result: Rescored) -> None:
    empty = find_empty(card.record, rubric)
    shared = {metric: share_claims(outcome) for metric, outcome in outcomes.items()}
    for metric in rubric.metrics:
        outcome = outcomes[metric.id]
        if not isinstance(outcome, Verdict):
            continue
        trail = outcome.trail
        if WHOLE in trail.flags:
            result.skipped += 1
            continue
        if empty is not None and not trail.units:
            again = empty[metric.id]
        else:
            claims = shared.get(metric.claims_from or metric.id)
            again = conclude(metric, trail, card.record, trail.facts, claims)
        stored, now = _describe(outcome), _describe(again)
        if stored == now:
            result.same += 1
        else:
            result.other.append(f"{card.record.id}, {metric.id}{name}: stored {stored}, now {now}")


def _describe(outcome: Outcome) -> str:
    """A score with its raw value and its interval, exactly."""
    if not isinstance(outcome, Verdict):
        return outcome.status
    score = outcome.score
    raw = "" if score.raw == score.value else f" ({score.raw})"
    interval = "" if len({score.value, *score.interval}) == 1 else f" [{score.interval[0]}–{score.interval[1]}]"
    return f"{score.value}{raw}{interval}"
