"""What a run came to: per metric how many were scored, why the rest was not, the mean and how sure it is."""

from array import array
from collections import Counter
from dataclasses import dataclass, field
from math import fsum
from statistics import fmean

from assay.agreement.estimate import estimate_from_sums
from assay.domain.outcome import Verdict
from assay.domain.rubric import Rubric
from assay.domain.scale import say_number
from assay.domain.scorecard import Scorecard
from assay.report.answers import Answers
from assay.report.facts import FactCounts
from assay.report.reasons import Reasons

_SAME_SHARE = 0.9
_ENOUGH = 10


@dataclass(slots=True)
class Goodness:
    """Values from 0 to 1 with the item each belongs to: outputs made from one source are not independent.

    Only the sum and the count of an item's values are kept. `numbers` may be shared: it says which place an item has,
    not that it has a value here.
    """

    numbers: dict[str, int] = field(default_factory=dict)
    count: int = 0
    items: int = 0
    _sums: "array[float]" = field(default_factory=lambda: array("d"))
    _counts: "array[int]" = field(default_factory=lambda: array("L"))

    def add(self, item: str, value: float) -> None:
        place = self.numbers.setdefault(item, len(self.numbers))
        while place >= len(self._counts):
            self._sums.append(0.0)
            self._counts.append(0)
        self.count += 1
        self.items += not self._counts[place]
        self._sums[place] += value
        self._counts[place] += 1

    @property
    def mean(self) -> float:
        return fsum(self._sums) / self.count

    @property
    def said(self) -> str:
        """The mean with its interval, in words."""
        if not self.count:
            return "–"
        interval = self.interval
        return f"{self.mean:.2f}" + ("" if interval is None else f" [{interval[0]:.2f}, {interval[1]:.2f}]")

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean, clustered by item; none for a single item."""
        return estimate_from_sums(self._sums, self._counts, (0.0, 1.0)).interval


@dataclass(slots=True)
class MetricSummary:
    """Means are over scored records only; `missing` says by status what became of the others."""

    name: str
    asked: int = 0
    scores: "array[float]" = field(default_factory=lambda: array("d"))
    goodness: Goodness = field(default_factory=Goodness)
    missing: Counter[str] = field(default_factory=Counter)

    @property
    def mean(self) -> str:
        return say_number(fmean(self.scores)) if self.scores else "–"

    @property
    def warning(self) -> str:
        """What to mind where nearly every record has one score; else empty."""
        if not self.is_constant:
            return ""
        score, count = self.commonest
        return f"{say_number(score)} for {count} of {len(self.scores)} records; the judge may not tell them apart"

    @property
    def commonest(self) -> tuple[float, int]:
        """The score that most records have, and how many have it."""
        return Counter(self.scores).most_common(1)[0]

    @property
    def is_constant(self) -> bool:
        """One value for nearly every record."""
        return len(self.scores) >= _ENOUGH and self.commonest[1] > _SAME_SHARE * len(self.scores)


@dataclass(slots=True)
class Summary:
    """Flags and notices are counted by records. Totals are of the records whose every metric is scored.

    Of a record there remain a few numbers, so that a run may be as long as it likes.
    """

    rubric: Rubric
    metrics: dict[str, MetricSummary] = field(default_factory=dict)
    totals: Goodness = field(default_factory=Goodness)
    flags: Counter[str] = field(default_factory=Counter)
    notices: Counter[str] = field(default_factory=Counter)
    reasons: Reasons = field(default_factory=Reasons)
    answers: Answers = field(default_factory=Answers)
    records: int = 0
    facts: FactCounts = field(default_factory=FactCounts)
    judges: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        numbers = self.totals.numbers
        self.facts = FactCounts.begin(self.rubric)
        self.metrics = {
            metric.id: MetricSummary(metric.name, goodness=Goodness(numbers)) for metric in self.rubric.metrics
        }

    def add(self, card: Scorecard) -> None:
        self.records += 1
        self.judges.add(card.judge)
        self.reasons.add(card)
        self.answers.add(card)
        self.notices.update({notice.check for notice in card.notices})
        self.flags.update({flag for outcome in card.outcomes.values() for flag in outcome.trail.flags})
        self.facts.add(card)
        if card.total.goodness is not None and card.total.scored == card.total.asked:
            self.totals.add(card.record.item, float(card.total.goodness))
        for name, outcome in card.outcomes.items():
            metric = self.metrics[name]
            metric.asked += 1
            if isinstance(outcome, Verdict):
                metric.scores.append(float(outcome.score.value))
                metric.goodness.add(card.record.item, float(outcome.score.goodness))
            else:
                metric.missing[outcome.status] += 1
