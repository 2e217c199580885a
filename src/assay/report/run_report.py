"""A whole run in figures: the summary, breakdowns by system and facet, how the judge did, and where to look first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import fmean

from assay.domain.outcome import Failure, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.report.display import QUIET_FLAGS, clip_name
from assay.report.ranking import Ranking, measure_difference, measure_spread
from assay.report.summary import Goodness, Summary, Tally, list_answers
from assay.store.runs import RunRow

_MOST_VALUES = 15
_NONE = "none given"
# On the metric's own scale; smaller differences are rounding.
_SAME = Fraction(1, 20)

Counts = tuple[tuple[str, int], ...]


@dataclass(slots=True)
class BreakdownRow:
    """The records of one system or one value of a facet, with the goodness of each metric."""

    value: str
    records: int = 0
    goodness: dict[str, Goodness] = field(default_factory=dict)

    def add(self, card: Scorecard) -> None:
        self.records += 1
        for metric, outcome in card.outcomes.items():
            if isinstance(outcome, Verdict):
                found = self.goodness.setdefault(metric, Goodness())
                found.add(card.record.item, float(outcome.score.goodness))

    def cell(self, metric: str) -> Goodness:
        return self.goodness.get(metric) or Goodness()


@dataclass(frozen=True, slots=True)
class Breakdown:
    """`unlisted` counts the values beyond the most frequent ones."""

    name: str
    rows: Sequence[BreakdownRow]
    unlisted: int


@dataclass(frozen=True, slots=True)
class Distances:
    """How far numbers of one metric are apart, each with the name of its record."""

    metric: str
    found: list[tuple[Fraction, str]] = field(default_factory=list)

    @property
    def differ(self) -> int:
        return sum(abs(distance) > _SAME for distance, _ in self.found)

    @property
    def mean(self) -> float:
        return fmean(float(abs(distance)) for distance, _ in self.found)

    @property
    def largest(self) -> tuple[float, str]:
        distance, record = max(self.found, key=lambda each: abs(each[0]))
        return float(distance), record


@dataclass(slots=True)
class JudgeHealth:
    """What scorecards say about their judge. Failures and abstentions are counted by answers, repairs by records.

    `reported` are the model's own numbers minus the computed ones, on the metric's scale; `spread` is how far several
    answers to one metric of one record are apart, in goodness.
    """

    rubric: Rubric
    failures: Counter[str] = field(default_factory=Counter)
    failed_records: int = 0
    abstentions: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    reported: dict[str, Distances] = field(default_factory=dict)
    spread: dict[str, Distances] = field(default_factory=dict)

    def add(self, card: Scorecard) -> None:
        self.repairs.update({repair for outcome in card.outcomes.values() for repair in outcome.trail.repairs})
        name, has_failed = clip_name(card.record.id), False
        for metric in self.rubric.metrics:
            for answer in list_answers(card, metric.id):
                if isinstance(answer, Failure):
                    has_failed = True
                    self.failures[answer.status] += 1
                elif not isinstance(answer, Verdict):
                    self.abstentions[answer.status] += 1
                if (difference := measure_difference(answer)) is not None:
                    self.reported.setdefault(metric.id, Distances(metric.name)).found.append((difference, name))
            if (spread := measure_spread(card.voices.get(metric.id, ()))) is not None:
                self.spread.setdefault(metric.id, Distances(metric.name)).found.append((spread, name))
        self.failed_records += has_failed


@dataclass(slots=True)
class RunReport:
    """Takes scorecards one by one, so that memory does not grow with the texts of a run."""

    run: RunRow
    rubric: Rubric
    summary: Summary = field(init=False)
    health: JudgeHealth = field(init=False)
    ranking: Ranking = field(default_factory=Ranking)
    _values: dict[str, dict[str, BreakdownRow]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.summary = Summary(self.rubric)
        self.health = JudgeHealth(self.rubric)

    def add(self, card: Scorecard) -> None:
        self.ranking.add(self.summary.records, card)
        self.summary.add(card)
        self.health.add(card)
        facets = {f"Facet {name}": value for name, value in card.record.facets.items()}
        for name, value in {"System": card.record.system or _NONE, **facets}.items():
            rows = self._values.setdefault(clip_name(name), {})
            rows.setdefault(value, BreakdownRow(clip_name(value))).add(card)

    @property
    def breakdowns(self) -> list[Breakdown]:
        """By system and by facet, where records differ in it."""
        found = []
        for name, rows in self._values.items():
            if len(rows) > 1:
                ranked = sorted(rows.values(), key=lambda row: (-row.records, row.value))
                found.append(Breakdown(name, ranked[:_MOST_VALUES], max(0, len(ranked) - _MOST_VALUES)))
        return found

    @property
    def counts(self) -> Iterator[tuple[str, Counts]]:
        """Titles with what was counted under them, the most frequent first."""
        flags = Counter({name: count for name, count in self.summary.flags.items() if name not in QUIET_FLAGS})
        for title, counts in (
            ("Failures, by kind", self.health.failures),
            ("Declined", self.health.abstentions),
            ("Flags, by records", flags),
            ("Repairs, by records", self.health.repairs),
            ("Found by code, by records", self.summary.notices),
        ):
            yield title, tuple(sorted(counts.items(), key=lambda each: (-each[1], each[0])))

    @property
    def answers(self) -> Iterator[tuple[str, str, Tally]]:
        """A row for each judge and metric, where records have several answers."""
        for judge, tallies in self.summary.answers.items():
            for metric, tally in tallies.items():
                yield judge, self.summary.metrics[metric].name, tally


def build_run_report(run: RunRow, rubric: Rubric, cards: Iterable[Scorecard]) -> RunReport:
    """One card per record, its judges and samples combined, in the order of the run."""
    report = RunReport(run, rubric)
    for card in cards:
        report.add(card)
    return report
