"""How the judge did, as against the texts: what failed, what was mended, where it differs from code and from itself."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import fmean

from assay.domain.outcome import Failure, Outcome, Score, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scale import in_words
from assay.domain.scorecard import Scorecard, Voice
from assay.pages.excerpts import clip_name
from assay.pages.headlines import say_number
from assay.report.terminal import QUIET_FLAGS

_REPORTED = ("score", "grade")
_SAME = Fraction(1, 20)


@dataclass(frozen=True, slots=True)
class ReportedView:
    """The model's own numbers beside the computed ones: how many there were, how many differ, and by how much."""

    metric: str
    reported: int
    differ: int
    mean: str
    largest: str
    record: str


@dataclass(frozen=True, slots=True)
class SpreadView:
    """How far apart several answers to one metric of one record are, in goodness."""

    metric: str
    records: int
    mean: str
    largest: str
    record: str


@dataclass(frozen=True, slots=True)
class HealthView:
    failures: tuple[tuple[str, int], ...]
    abstentions: tuple[tuple[str, int], ...]
    flags: tuple[tuple[str, int], ...]
    notices: tuple[tuple[str, int], ...]
    repairs: tuple[tuple[str, int], ...]
    reported: tuple[ReportedView, ...]
    spread: tuple[SpreadView, ...]


def find_reported(outcome: Outcome) -> Fraction | None:
    """The number a model gave for the metric itself, where it gave one that can be compared."""
    for name in _REPORTED:
        value = outcome.trail.reported.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9:
            return Fraction(str(value))
    return None


def measure_difference(outcome: Outcome) -> Fraction | None:
    """Reported minus computed, on the metric's own scale."""
    reported = find_reported(outcome)
    return reported - outcome.score.value if reported is not None and isinstance(outcome, Verdict) else None


def measure_spread(voices: tuple[Voice, ...]) -> Fraction | None:
    """From the lowest to the highest goodness; None where fewer than two answers have a score."""
    found: list[Score] = [voice.outcome.score for voice in voices if isinstance(voice.outcome, Verdict)]
    goodness = [score.goodness for score in found]
    return max(goodness) - min(goodness) if len(goodness) > 1 else None


@dataclass(slots=True)
class Health:
    """Collects what scorecards say about their judge."""

    rubric: Rubric
    failures: Counter[str] = field(default_factory=Counter)
    abstentions: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    notices: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    differences: dict[str, list[tuple[Fraction, str]]] = field(default_factory=dict)
    spreads: dict[str, list[tuple[Fraction, str]]] = field(default_factory=dict)

    def add(self, card: Scorecard) -> None:
        self.notices.update({notice.check for notice in card.notices})
        flags = {flag for outcome in card.outcomes.values() for flag in outcome.trail.flags}
        self.flags.update(flags - QUIET_FLAGS)
        self.repairs.update({repair for outcome in card.outcomes.values() for repair in outcome.trail.repairs})
        for name, outcome in card.outcomes.items():
            if not isinstance(outcome, Verdict):
                counts = self.failures if isinstance(outcome, Failure) else self.abstentions
                counts[outcome.status] += 1
            if (difference := measure_difference(outcome)) is not None:
                self.differences.setdefault(name, []).append((difference, clip_name(card.record.id)))
            if (spread := measure_spread(card.voices.get(name, ()))) is not None:
                self.spreads.setdefault(name, []).append((spread, clip_name(card.record.id)))

    def build(self) -> HealthView:
        return HealthView(
            failures=_rank(self.failures),
            abstentions=_rank(self.abstentions),
            flags=_rank(self.flags),
            notices=_rank(self.notices),
            repairs=_rank(self.repairs),
            reported=tuple(self._build_reported()),
            spread=tuple(self._build_spread()),
        )

    def _build_reported(self) -> Iterator[ReportedView]:
        for metric in self.rubric.metrics:
            found = self.differences.get(metric.id)
            if found:
                largest, record = max(found, key=lambda each: abs(each[0]))
                differ = sum(abs(difference) > _SAME for difference, _ in found)
                mean = fmean(float(abs(difference)) for difference, _ in found)
                where = record if differ else ""
                yield ReportedView(metric.name, len(found), differ, say_number(mean), _signed(largest), where)

    def _build_spread(self) -> Iterator[SpreadView]:
        for metric in self.rubric.metrics:
            found = self.spreads.get(metric.id)
            if found:
                largest, record = max(found, key=lambda each: each[0])
                mean = fmean(float(spread) for spread, _ in found)
                yield SpreadView(metric.name, len(found), f"{mean:.2f}", f"{float(largest):.2f}", record)


def _rank(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _signed(value: Fraction) -> str:
    return f"+{in_words(value)}" if value > 0 else in_words(value).replace("-", "−")
