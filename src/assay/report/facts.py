"""Facts of scorecards counted over a run: shares of yes, and tables of values against the truth.

A pack names facts of a record. The core knows three conventions: a fact with the value `yes` or `no` is a rate over
the records that have it; where a record has the fact `truth`, every other fact is an answer to compare with it; a fact
whose name ends in `_match` is the result of that comparison for one record, and is not counted again.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from assay.domain.wilson import place_wilson
from assay.report.display import plain

TRUTH = "truth"
_MATCH = "_match"
_ANSWERS = {"yes", "no"}
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
    rates: dict[str, Counter[str]] = field(default_factory=dict)
    pairs: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)

    def add(self, facts: Mapping[str, str]) -> None:
        truth = facts.get(TRUTH)
        for name, value in facts.items():
            if value in _ANSWERS:
                self.rates.setdefault(name, Counter())[value] += 1
            elif truth is not None and name != TRUTH and not name.endswith(_MATCH):
                self.pairs.setdefault(name, Counter())[truth, value] += 1

    def tables(self) -> tuple[TruthTable, ...]:
        return tuple(_build_table(name, counts) for name, counts in self.pairs.items())

    def sentences(self) -> Iterator[str]:
        for name, counts in self.rates.items():
            total, count = counts.total(), counts["yes"]
            low, high = place_wilson(count / total, total, _Z)
            share = f"{round(100 * count / total)} % (95 % interval {round(100 * low)} to {round(100 * high)} %)"
            yield f"{plain(name).capitalize()}: {count} of {total}, {share}."


def _build_table(name: str, counts: Counter[tuple[str, str]]) -> TruthTable:
    """An accuracy always stands beside what a constant answer would reach."""
    truths: Counter[str] = Counter()
    for (truth, _), count in counts.items():
        truths[truth] += count
    order = sorted(truths, key=lambda truth: (-truths[truth], truth))
    columns = order + sorted({value for _, value in counts} - set(order))
    rows = tuple((plain(truth), tuple(counts[truth, value] for value in columns)) for truth in order)
    right, total = sum(counts[truth, truth] for truth in order), counts.total()
    said = (
        f"{plain(name).capitalize()} equals the truth in {right} of {total} records. "
        f"Always answering “{plain(order[0])}” would be right in {truths[order[0]]} of {total}."
    )
    return TruthTable(plain(name), tuple(plain(value) for value in columns), rows, said)
