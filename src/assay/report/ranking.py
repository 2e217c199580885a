"""Which records to look at first: the worst, the disputed, those with suspected injection, and those not scored."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from assay.domain.listed import Listed
from assay.domain.rubric import Rubric
from assay.domain.scale import exceeds
from assay.domain.scorecard import Scorecard
from assay.domain.terms import plain
from assay.report.display import is_injection_suspect, name_record
from assay.report.findings import Finding, Nearest, add_closest, list_doubts
from assay.report.summary import list_reasons
from assay.scoring.rules.counts import count_severity

_LISTED, _LISTED_DOUBTS = 10, 3
# A dispute over less than a tenth of the scale is not listed.
_LEAST_DISPUTE = 0.1
# Severity counts differ by thirds; what goodness adds stays below that.
_FINEST = 10


@dataclass(frozen=True, slots=True)
class RankedRecord:
    """A record in a list, at its `position` in the run; `why` is the reason it stands there."""

    position: int
    name: str
    why: str
    doubts: tuple[Finding, ...]
    is_injection_suspect: bool = False

    @property
    def key(self) -> str:
        return record_key(self.position)


def record_key(position: int) -> str:
    """The anchor of the record at this position of the run, counted from 0."""
    return f"r{position + 1}"


def _find_disputes(row: Listed, rubric: Rubric) -> Iterator[tuple[float, str]]:
    """Gaps as shares of the scale, with their reasons: between answers, or what is undecided."""
    for metric in rubric.metrics:
        found = row.scores[metric.id]
        yield found.spread, f"{metric.name}: answers {found.spread:.2f} apart in normalized score"
        yield found.width, f"{metric.name}: between {found.low or 0:.4g} and {found.high or 0:.4g}"


@dataclass(slots=True)
class TopRecords:
    """Of all records that were added, their count and the few with the most weight; of equals the earlier."""

    count: int = 0
    _top: list[tuple[float, int, RankedRecord]] = field(default_factory=list)

    def add(self, weight: float, position: int, card: Scorecard, why: str) -> None:
        self.count += 1
        if len(self._top) < _LISTED or (weight, -position) > self._top[-1][:2]:
            doubts = tuple(add_closest(Nearest(card), list_doubts(card)[:_LISTED_DOUBTS]))
            ranked = RankedRecord(position, name_record(card.record), why, doubts, is_injection_suspect(card))
            self._top = sorted([*self._top, (weight, -position, ranked)], key=itemgetter(0, 1), reverse=True)[:_LISTED]

    @property
    def records(self) -> list[RankedRecord]:
        return [ranked for _, _, ranked in self._top]


@dataclass(slots=True)
class Ranking:
    """Keeps the few records that are listed and two numbers for each of the others: a run may exceed memory."""

    worst: TopRecords = field(default_factory=TopRecords)
    disputed: TopRecords = field(default_factory=TopRecords)
    injection_suspects: TopRecords = field(default_factory=TopRecords)
    unscored: TopRecords = field(default_factory=TopRecords)
    order: list[tuple[float, int]] = field(default_factory=list)
    # By source group the system of each position: outputs of several systems are shown together.
    groups: dict[str, dict[int, str | None]] = field(default_factory=dict)

    def add(self, row: Listed, card: Scorecard) -> None:
        position, goodness = row.position, row.rank
        self.groups.setdefault(row.item, {})[position] = row.system
        dispute, words = max(_find_disputes(row, card.rubric), key=itemgetter(0))
        self.order.append((goodness - dispute, position))
        if goodness < 1:
            counts = (count_severity(card.outcomes[metric.id], metric) for metric in card.rubric.metrics)
            severity = max((count for count in counts if count is not None), default=0)
            # By the faults of its claims, and by its scores among records with as many.
            self.worst.add(float(severity) - goodness / _FINEST, position, card, _format_scores(row, card.rubric))
        if not exceeds(_LEAST_DISPUTE, dispute):
            self.disputed.add(dispute, position, card, words)
        if reasons := "; ".join(list_reasons(row)):
            self.unscored.add(0, position, card, reasons)
        if is_injection_suspect(card):
            # The best first: a text that speaks to the judge and has a good score may have talked it into the score.
            self.injection_suspects.add(goodness, position, card, _format_scores(row, card.rubric))

    def choose(self, most: int) -> frozenset[int]:
        """The positions of the records to show in full: those listed, then the others, bad or disputed ones first.

        Each with the outputs of other systems on its source, as far as there is room.
        """
        tops = (self.worst, self.disputed, self.unscored, self.injection_suspects)
        listed = [ranked.position for top in tops for ranked in top.records]
        others = [position for _, position in sorted(self.order)]
        several = (list(group) for group in self.groups.values() if len(set(group.values())) > 1)
        siblings = {position: group for group in several for position in group}
        chosen: dict[int, None] = {}
        for position in listed + others:
            if len(chosen) >= most:
                break
            chosen.update(dict.fromkeys([position, *siblings.get(position, ())]))
        return frozenset(list(chosen)[:most])


def _format_scores(row: Listed, rubric: Rubric) -> str:
    """Where there are weakest claims, only of what was scored or labelled."""
    found = [(metric.name, row.scores[metric.id]) for metric in rubric.metrics]
    supports = [each.weakest_support for _, each in found if each.weakest_support is not None]
    return ", ".join(
        f"{name} {plain(each.status) if each.score is None else f'{each.score:.4g}'}"
        for name, each in found
        if not supports or each.score is not None or each.labels
    ) + (f"; weakest claim {min(supports):.2f}" if supports else "")
