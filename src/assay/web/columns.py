"""The outputs of one source by several systems: how far apart their scores are, and how far each is from the best."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.domain.listed import Listed, build_listed
from assay.domain.rubric import Metric
from assay.domain.scale import say_number
from assay.domain.scorecard import Scorecard
from assay.report.display import clip_name
from assay.report.ranking import record_key
from assay.runner.placing import find_group
from assay.web.record_view import RecordView, build_record_views

_HAIR = 1e-9


@dataclass(frozen=True, slots=True)
class SourceGroup:
    """Judged records of one source."""

    rows: Sequence[Listed]

    @property
    def name(self) -> str:
        """Their id if all have the same, else what groups them."""
        ids = {row.record for row in self.rows}
        return clip_name(ids.pop() if len(ids) == 1 else self.rows[0].item)

    @property
    def is_of_several(self) -> bool:
        """Whether more than one system wrote them. Without a name is a system of its own."""
        return len({row.system for row in self.rows}) > 1

    @property
    def position(self) -> int:
        return self.rows[0].position

    @property
    def key(self) -> str:
        """The anchor of its outputs on a page."""
        return f"{record_key(self.position)}-group"

    @property
    def largest_difference(self) -> float:
        """In any metric, as a share of its scale; below 0 where no metric has two scores."""
        found = ([row.find_goodness(name) for row in self.rows] for name in self.rows[0].scores)
        scores = ([each for each in values if each is not None] for values in found)
        return max((max(values) - min(values) for values in scores if len(values) > 1), default=-1.0)

    def list_scored(self, metric: Metric) -> list[Listed]:
        """Those with a score, the worst first."""
        scored = [row for row in self.rows if row.find_goodness(metric.id) is not None]
        return sorted(scored, key=lambda row: row.find_goodness(metric.id) or 0.0)

    def measure(self, metric: Metric) -> float | None:
        """The difference between the best and the worst, on the metric's scale; None without two scores."""
        scores = [row.scores[metric.id].score or 0.0 for row in self.list_scored(metric)]
        return abs(scores[-1] - scores[0]) if len(scores) > 1 else None

    def compare(self, row: Listed, metric: Metric) -> str:
        """`best`, or the signed distance from the best, on the metric's scale; empty if nothing is to compare."""
        found, difference = row.scores[metric.id].score, self.measure(metric)
        if found is None or difference is None:
            return ""
        distance = found - (self.list_scored(metric)[-1].scores[metric.id].score or 0.0)
        if abs(distance) > _HAIR:
            return f"{'+' if distance > 0 else '−'}{say_number(abs(distance))}"
        return "best" if difference > _HAIR else "same"


def name_system(row: Listed) -> str:
    """Without a system, the record."""
    return clip_name(row.system or row.record)


def build_columns(cards: Mapping[int, Scorecard]) -> list[tuple[SourceGroup, list[RecordView]]]:
    """Records by their positions in the run: outputs of several systems on the same sources together, others alone."""
    by_source: dict[object, list[int]] = {}
    for position, card in cards.items():
        by_source.setdefault(find_group(card.record, card.rubric), []).append(position)
    columns = []
    for positions in by_source.values():
        rows = [build_listed(cards[position], position) for position in positions]
        for group in [SourceGroup(rows)] if SourceGroup(rows).is_of_several else [SourceGroup([row]) for row in rows]:
            shown = {record_key(row.position): cards[row.position] for row in group.rows}
            columns.append((group, build_record_views(shown)))
    return columns
