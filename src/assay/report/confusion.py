"""How what outputs state falls against the truth over many records: a table of counts, and a rate to watch."""

from collections import Counter
from dataclasses import dataclass, field

from assay.domain.rubric import Alarm, Comparison, Rubric
from assay.domain.scorecard import Scorecard
from assay.domain.wilson import place_wilson

_Z = 1.959963984540054
"""The standard normal deviate of a two-sided 95 % interval."""
UNKNOWN = "not known"


@dataclass(frozen=True, slots=True)
class Proportion:
    """`count` of `total`; nothing of nothing has no share and no interval."""

    count: int
    total: int

    def __post_init__(self) -> None:
        if not 0 <= self.count <= self.total:
            raise ValueError(f"{self.count} of {self.total} is no share")

    @property
    def share(self) -> float | None:
        return self.count / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval, which stays within 0 and 1 and has a width even at none of n."""
        if not self.total:
            return None
        low, high = place_wilson(self.count / self.total, self.total, _Z)
        return 0.0 if self.count == 0 else low, 1.0 if self.count == self.total else high


@dataclass(slots=True)
class Confusion:
    """Counts by (truth, stated), for a rubric that compares two facts; records without a known truth are left out."""

    comparison: Comparison
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, card: Scorecard) -> None:
        truth, stated = (card.facts.get(name) for name in (self.comparison.truth, self.comparison.stated))
        if truth is not None and truth.value is not None:
            said = None if stated is None else stated.value
            self.counts[str(truth.value), UNKNOWN if said is None else str(said)] += 1

    @property
    def values(self) -> tuple[str, ...]:
        """The values that the truth or an output can have, in the order of the rubric."""
        return self.comparison.values

    @property
    def columns(self) -> tuple[str, ...]:
        """What outputs state: the values first, then whatever else was found."""
        others = sorted({stated for _, stated in self.counts} - {*self.values, UNKNOWN})
        return (*self.values, *others, UNKNOWN)

    def rows(self) -> list[tuple[str, tuple[int, ...]]]:
        return [(truth, tuple(self.counts[truth, stated] for stated in self.columns)) for truth in self.values]

    def watched(self, alarm: Alarm) -> Proportion:
        """Outputs that state one value among all whose truth is another, whatever those state."""
        total = sum(count for (truth, _), count in self.counts.items() if truth == alarm.truth)
        return Proportion(self.counts[alarm.truth, alarm.stated], total)


def build_confusion(rubric: Rubric) -> Confusion | None:
    comparison = next((metric.compares for metric in rubric.metrics if metric.compares is not None), None)
    return None if comparison is None else Confusion(comparison)


def describe_confusion(confusion: Confusion) -> list[str]:
    """Never an accuracy without what a constant answer would have reached."""
    truths: Counter[str] = Counter()
    for (truth, _), count in confusion.counts.items():
        truths[truth] += count
    right = sum(count for (truth, stated), count in confusion.counts.items() if truth == stated)
    total, majority = truths.total(), max(truths.values(), default=0)
    lines = []
    if confusion.comparison.alarm is not None:
        alarm, rate = confusion.comparison.alarm, confusion.watched(confusion.comparison.alarm)
        said = f"{alarm.name.capitalize()}: {rate.count} of {rate.total}"
        if rate.share is not None and rate.interval is not None:
            low, high = (round(100 * end) for end in rate.interval)
            said += f", {round(100 * rate.share)} % (95 % interval {low} to {high} %)"
        lines.append(f"{said}.")
    name = confusion.comparison.stated.replace("_", " ").capitalize()
    lines.append(f"{name} right: {right} of {total}. Always the commonest truth would be right: {majority} of {total}.")
    return lines
