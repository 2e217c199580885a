"""Which records to look at first: the worst, the disputed, those with suspected injection, and those not scored."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from operator import itemgetter

from assay.domain.listed import Listed
from assay.domain.outcome import Outcome, Verdict
from assay.domain.scorecard import Scorecard
from assay.domain.terms import plain
from assay.report.display import is_injection_suspect, name_record
from assay.report.findings import Finding, Nearest, add_closest, list_doubts
from assay.report.summary import list_reasons
from assay.scoring.rules.counts import count_severity

_LISTED, _LISTED_DOUBTS = 10, 3
# A dispute over less than a tenth of the scale is not listed.
_LEAST_DISPUTE = Fraction(1, 10)
_REPORTED = ("score", "grade")
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


def _find_disputes(card: Scorecard) -> Iterator[tuple[Fraction, str]]:
    """Gaps as shares of the scale, with their reasons: between answers, between model and code, or undecided."""
    for metric in card.rubric.metrics:
        outcome = card.outcomes[metric.id]
        answers = card.list_answers(metric.id)
        goodness = [each.score.goodness for each in answers if isinstance(each, Verdict)]
        if len(goodness) > 1:
            spread = max(goodness) - min(goodness)
            yield spread, f"{metric.name}: answers {float(spread):.2f} apart in normalized score"
        if not isinstance(outcome, Verdict):
            continue
        room = metric.scale.high - metric.scale.low
        for answer in answers:
            if difference := abs(_measure_difference(answer)):
                amount = min(Fraction(1), difference / room)
                yield amount, f"{metric.name}: the model's own number differs by {float(difference):.4g}"
        low, high = outcome.score.interval
        if low < high:
            yield (high - low) / room, f"{metric.name}: between {float(low):.4g} and {float(high):.4g}"


def _measure_difference(outcome: Outcome) -> Fraction:
    """The number that the model gave minus the computed score, on the metric's own scale; 0 where it gave none."""
    for name in _REPORTED:
        value = outcome.trail.reported.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9:
            return Fraction(str(value)) - outcome.score.value if isinstance(outcome, Verdict) else Fraction(0)
    return Fraction(0)


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
        dispute, words = max(_find_disputes(card), key=lambda each: each[0], default=(Fraction(0), ""))
        self.order.append((goodness - float(dispute), position))
        severity = _find_severity(card)
        if goodness < 1:
            # By the faults of its claims, and by its scores among records with as many.
            self.worst.add(float(severity) - goodness / _FINEST, position, card, _format_scores(card))
        if dispute >= _LEAST_DISPUTE:
            self.disputed.add(float(dispute), position, card, words)
        if reasons := "; ".join(list_reasons(row)):
            self.unscored.add(0, position, card, reasons)
        if is_injection_suspect(card):
            # The best first: a text that speaks to the judge and has a good score may have talked it into the score.
            self.injection_suspects.add(goodness, position, card, _format_scores(card))

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


def _find_severity(card: Scorecard) -> Fraction:
    """The severity count of the metric that finds most."""
    counts = (count_severity(card.outcomes[metric.id], metric) for metric in card.rubric.metrics)
    return max((count for count in counts if count is not None), default=Fraction(0))


def _format_scores(card: Scorecard) -> str:
    outcomes = ((metric.name, card.outcomes[metric.id]) for metric in card.rubric.metrics)
    return ", ".join(
        f"{name} {float(each.score.value):.4g}" if isinstance(each, Verdict) else f"{name} {plain(each.status)}"
        for name, each in outcomes
        if card.weakest_support is None or isinstance(each, Verdict) or each.trail.findings.labels
    ) + ("" if card.weakest_support is None else f"; weakest claim {card.weakest_support:.2f}")
