"""Which records deserve a look first: the worst, the most disputed, and those without a score."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from assay.domain.outcome import Verdict
from assay.domain.scorecard import Scorecard
from assay.pages.health import measure_difference, measure_spread
from assay.pages.naming import name_record
from assay.pages.unit_view import UnitView, list_doubts
from assay.report.answers import list_answers
from assay.report.tainting import list_taints

_LISTED = 10
# Less than a tenth of the scale is nothing to argue about.
_WORTH_A_LOOK = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A record in a list, at its `position` in the run; `why` is the reason it stands there."""

    position: int
    name: str
    goodness: float | None
    why: str
    doubts: tuple[UnitView, ...]
    taints: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return record_key(self.position)


@dataclass(frozen=True, slots=True)
class Dispute:
    """How far the answers about one record are apart, 0 to 1, and between whom."""

    amount: Fraction
    words: str


def record_key(position: int) -> str:
    """The anchor of the record at this place of the run, counted from 0."""
    return f"r{position + 1}"


def find_dispute(card: Scorecard) -> Dispute:
    """The widest gap: between judges or samples, between model and code, or what labels or probabilities leave open."""
    return max(_disputes(card), key=lambda dispute: dispute.amount, default=Dispute(Fraction(0), ""))


def _disputes(card: Scorecard) -> Iterator[Dispute]:
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        if (spread := measure_spread(card.voices.get(metric.id, ()))) is not None:
            yield Dispute(spread, f"{metric.name}: answers {float(spread):.2f} apart in goodness")
        if not isinstance(outcome, Verdict):
            continue
        room = metric.scale.high - metric.scale.low
        for answer in list_answers(card, metric.id):
            if difference := measure_difference(answer):
                amount = min(Fraction(1), abs(difference) / room)
                yield Dispute(amount, f"{metric.name}: the model's own number is {float(abs(difference)):.4g} off")
        low, high = outcome.score.interval
        if low < high:
            words = f"{float(low):.4g} to {float(high):.4g} is left open"
            yield Dispute((high - low) / room, f"{metric.name}: {words}")


@dataclass(slots=True)
class Ranking:
    """Keeps the few that are listed and one line for each of the others: a run may be larger than memory."""

    order: list[tuple[float, float, int]] = field(default_factory=list)
    worst: list[tuple[float, int, Ranked]] = field(default_factory=list)
    disputed: list[tuple[float, int, Ranked]] = field(default_factory=list)
    unscored: list[Ranked] = field(default_factory=list)
    unscored_count: int = 0
    tainted: list[tuple[float, int, Ranked]] = field(default_factory=list)
    tainted_count: int = 0

    def add(self, position: int, card: Scorecard) -> None:
        goodness = None if card.total.goodness is None else float(card.total.goodness)
        dispute = find_dispute(card)
        # Without a score nobody knows how bad it is: it comes first.
        self.order.append((-1.0 if goodness is None else goodness, -float(dispute.amount), position))
        if goodness is not None and goodness < 1:
            _keep(self.worst, -goodness, position, card, _say_scores(card))
        if dispute.amount >= _WORTH_A_LOOK:
            _keep(self.disputed, float(dispute.amount), position, card, dispute.words)
        if card.scored < len(card.outcomes):
            self.unscored_count += 1
            if len(self.unscored) < _LISTED:
                self.unscored.append(_rank(position, card, _say_missing(card)))
        if list_taints(card):
            self.tainted_count += 1
            # The best first: what speaks to the judge and has a good score is what it may have talked itself into.
            _keep(self.tainted, -1.0 if goodness is None else goodness, position, card, _say_scores(card))

    def choose(self, most: int) -> frozenset[int]:
        """The places of the records that are shown in full: all, or those listed, the most disputed and the worst."""
        if len(self.order) <= most:
            return frozenset(position for _, _, position in self.order)
        ranked = (*list_ranked(self.worst), *list_ranked(self.disputed), *self.unscored, *list_ranked(self.tainted))
        listed = [each.position for each in ranked]
        worst = [position for _, _, position in sorted(self.order)]
        apart = sorted((dispute, goodness, position) for goodness, dispute, position in self.order if dispute < 0)
        disputed = [position for _, _, position in apart[: most // 2]]
        return frozenset(list(dict.fromkeys(listed + disputed + worst))[:most])


def list_ranked(heap: list[tuple[float, int, Ranked]]) -> tuple[Ranked, ...]:
    return tuple(ranked for _, _, ranked in sorted(heap, key=lambda each: (-each[0], -each[1])))


def _keep(heap: list[tuple[float, int, Ranked]], weight: float, position: int, card: Scorecard, words: str) -> None:
    """Of equals the earlier stays."""
    if len(heap) < _LISTED:
        heapq.heappush(heap, (weight, -position, _rank(position, card, words)))
    elif (weight, -position) > heap[0][:2]:
        heapq.heapreplace(heap, (weight, -position, _rank(position, card, words)))


def _rank(position: int, card: Scorecard, words: str) -> Ranked:
    goodness = None if card.total.goodness is None else float(card.total.goodness)
    doubts = tuple(list_doubts(card, most=3))
    return Ranked(position, name_record(card.record), goodness, words, doubts, list_taints(card))


def _say_scores(card: Scorecard) -> str:
    return ", ".join(f"{each.name} {_say(card, each.id)}" for each in card.rubric.metrics)


def _say(card: Scorecard, metric: str) -> str:
    outcome = card.outcomes[metric]
    return f"{float(outcome.score.value):.4g}" if isinstance(outcome, Verdict) else outcome.status.replace("_", " ")


def _say_missing(card: Scorecard) -> str:
    reasons: dict[str, list[str]] = {}
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        if not isinstance(outcome, Verdict):
            reasons.setdefault(f"{outcome.status.replace('_', ' ')}: {outcome.reason}", []).append(metric.name)
    return "; ".join(f"{', '.join(names)} {reason}" for reason, names in reasons.items())
