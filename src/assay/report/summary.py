"""What a run came to: per metric how many were scored, why the rest was not, the mean and how sure it is."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import fmean, pstdev

from assay.checks.determination import DETERMINATIONS, Determination
from assay.checks.eligibility_table import EligibilityTable, build_eligibility_table
from assay.domain.outcome import Verdict
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard

_ROUNDS = 1000
_RESAMPLED = 2000
_SAME_SHARE = 0.9
_ENOUGH = 10


@dataclass(slots=True)
class MetricSummary:
    """Means are over scored records only; `missing` says by status what became of the others."""

    name: str
    asked: int = 0
    scores: list[float] = field(default_factory=list)
    goodness: list[float] = field(default_factory=list)
    missing: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    repaired: int = 0

    @property
    def is_constant(self) -> bool:
        """One value for nearly every record: the judge may not be looking."""
        if len(self.scores) < _ENOUGH:
            return False
        return Counter(self.scores).most_common(1)[0][1] > _SAME_SHARE * len(self.scores)


@dataclass(slots=True)
class Summary:
    rubric: Rubric
    metrics: dict[str, MetricSummary] = field(default_factory=dict)
    totals: list[float] = field(default_factory=list)
    notices: Counter[str] = field(default_factory=Counter)
    records: int = 0
    determinations: list[tuple[Determination, Determination | None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.metrics = {metric.id: MetricSummary(metric.name) for metric in self.rubric.metrics}

    def add(self, card: Scorecard) -> None:
        self.records += 1
        self.notices.update(notice.check for notice in card.notices)
        if "truth" in card.facts:
            found: dict[str, Determination] = {each: each for each in DETERMINATIONS}
            self.determinations.append((found[card.facts["truth"]], found.get(card.facts["determination"])))
        if card.total.goodness is not None:
            self.totals.append(float(card.total.goodness))
        for name, outcome in card.outcomes.items():
            metric = self.metrics[name]
            metric.asked += 1
            metric.flags.update(outcome.trail.flags)
            metric.repaired += outcome.status == "repaired"
            if isinstance(outcome, Verdict):
                metric.scores.append(float(outcome.score.value))
                metric.goodness.append(float(outcome.score.goodness))
            else:
                metric.missing[outcome.status] += 1

    def eligibility(self) -> EligibilityTable | None:
        return build_eligibility_table(self.determinations) if self.determinations else None


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """A 95 % interval of the mean: by bootstrap for few records, by the normal curve for many, none for fewer than two."""
    if len(values) < 2:
        return None
    mean = fmean(values)
    if len(values) > _RESAMPLED:
        half = 1.96 * pstdev(values) / sqrt(len(values))
        return mean - half, mean + half
    chance = random.Random(0)  # noqa: S311  # resampling, not secrecy; a fixed seed makes reports repeatable
    means = sorted(fmean(chance.choices(values, k=len(values))) for _ in range(_ROUNDS))
    return means[int(0.025 * _ROUNDS)], means[int(0.975 * _ROUNDS) - 1]
