"""A run cut by who wrote the outputs and by the records' facets: goodness by metric, with its interval."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from assay.domain.outcome import Verdict
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.pages.excerpts import clip_name
from assay.pages.headlines import GoodnessView, view_goodness
from assay.report.summary import Goodness

_MOST_VALUES = 15
_NONE = "none given"


@dataclass(slots=True)
class _Cell:
    records: int = 0
    by_metric: dict[str, Goodness] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BreakdownRow:
    value: str
    records: int
    cells: tuple[GoodnessView, ...]


@dataclass(frozen=True, slots=True)
class Breakdown:
    """`unlisted` counts the values beyond the most frequent ones."""

    name: str
    rows: tuple[BreakdownRow, ...]
    unlisted: int


@dataclass(slots=True)
class Breakdowns:
    """Collects scorecards by system and by facet."""

    rubric: Rubric
    cells: dict[str, dict[str, _Cell]] = field(default_factory=dict)

    def add(self, card: Scorecard) -> None:
        record = card.record
        scored = [
            (metric, float(outcome.score.goodness))
            for metric, outcome in card.outcomes.items()
            if isinstance(outcome, Verdict)
        ]
        values = {"System": record.system or _NONE} | {f"Facet {name}": each for name, each in record.facets.items()}
        for name, value in values.items():
            cell = self.cells.setdefault(name, {}).setdefault(value, _Cell())
            cell.records += 1
            for metric, goodness in scored:
                cell.by_metric.setdefault(metric, Goodness()).add(record.item, goodness)

    def build(self) -> Iterator[Breakdown]:
        """Only what tells something apart: one value for everything is no breakdown."""
        for name, by_value in self.cells.items():
            if len(by_value) > 1:
                ranked = sorted(by_value.items(), key=lambda each: (-each[1].records, each[0]))
                rows = tuple(self._build_row(value, cell) for value, cell in ranked[:_MOST_VALUES])
                yield Breakdown(clip_name(name), rows, max(0, len(ranked) - _MOST_VALUES))

    def _build_row(self, value: str, cell: _Cell) -> BreakdownRow:
        found = (cell.by_metric.get(metric.id, Goodness()) for metric in self.rubric.metrics)
        return BreakdownRow(clip_name(value), cell.records, tuple(view_goodness(goodness) for goodness in found))
