"""Facts of scorecards counted over a run: what outputs state against the truth, and a rate to watch.

A rubric says which two facts are compared (`- compares:`) and which cell of their table is watched (`- watch:`).
"""

from collections import Counter
from dataclasses import dataclass, field

from assay.domain.rubric import Comparison, Rubric
from assay.domain.scorecard import Scorecard
from assay.domain.wilson import place_wilson
from assay.report.display import plain

UNKNOWN = "not known"
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class TruthTable:
    """Answers by truth: `rows` hold a truth with one count for each of `columns`."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int, ...]], ...]
    said: str


@dataclass(slots=True)
class FactCounts:
    """Counts by (truth, stated) for each comparison of a rubric; records without a known truth are left out."""

    counts: dict[Comparison, Counter[tuple[str, str]]] = field(default_factory=dict)

    @classmethod
    def begin(cls, rubric: Rubric) -> "FactCounts":
        return cls({metric.compares: Counter() for metric in rubric.metrics if metric.compares is not None})

    def add(self, card: Scorecard) -> None:
        for comparison, counts in self.counts.items():
            truth, stated = (card.facts.get(name) for name in (comparison.truth, comparison.stated))
            if truth is not None and truth.value is not None:
                said = None if stated is None else stated.value
                counts[str(truth.value), UNKNOWN if said is None else str(said)] += 1

    def tables(self) -> tuple[TruthTable, ...]:
        return tuple(_build_table(comparison, counts) for comparison, counts in self.counts.items() if counts)

    def sentences(self) -> tuple[str, ...]:
        """The watched rates, each over all records with that truth, whatever they state."""
        return tuple(
            _describe_rate(comparison, counts)
            for comparison, counts in self.counts.items()
            if counts and comparison.alarm is not None
        )


def _describe_rate(comparison: Comparison, counts: Counter[tuple[str, str]]) -> str:
    alarm = comparison.alarm
    if alarm is None:
        raise AssertionError("only a comparison with an alarm has a rate")
    total = sum(count for (truth, _), count in counts.items() if truth == alarm.truth)
    count = counts[alarm.truth, alarm.stated]
    said = f"{alarm.name.capitalize()}: {count} of {total}"
    if not total:
        return f"{said}."
    low, high = place_wilson(count / total, total, _Z)
    return f"{said}, {round(100 * count / total)} % (95 % interval {round(100 * low)} to {round(100 * high)} %)."


def _build_table(comparison: Comparison, counts: Counter[tuple[str, str]]) -> TruthTable:
    """An accuracy always stands beside what a constant answer would reach."""
    truths: Counter[str] = Counter()
    for (truth, _), count in counts.items():
        truths[truth] += count
    others = sorted({stated for _, stated in counts} - set(comparison.values))
    columns = (*comparison.values, *others)
    rows = tuple((plain(truth), tuple(counts[truth, each] for each in columns)) for truth in comparison.values)
    right, total = sum(counts[truth, truth] for truth in truths), counts.total()
    commonest, count = truths.most_common(1)[0]
    name = plain(comparison.stated)
    said = (
        f"{name.capitalize()} equals the truth in {right} of {total} records. "
        f"Always answering “{plain(commonest)}” would be right in {count} of {total}."
    )
    return TruthTable(name, tuple(map(plain, columns)), rows, said)
