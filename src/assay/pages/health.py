"""How the judge did, as against the texts: what failed, what was mended, where it differs from code and from itself."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from statistics import fmean

from assay.domain.combining import find_range
from assay.domain.outcome import Failure, Outcome, Verdict
from assay.domain.rubric import Rubric
from assay.domain.scale import in_words, say_number
from assay.domain.scorecard import Scorecard, Voice
from assay.pages.excerpts import clip_name
from assay.report.answers import Answers, Tally, list_answers
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
    """Failures and abstentions are counted by answers; `failed_records` have at least one failure among theirs.

    `answers` has a row for each judge and metric where a record has several answers.
    """

    failures: tuple[tuple[str, int], ...]
    failed_records: int
    abstentions: tuple[tuple[str, int], ...]
    flags: tuple[tuple[str, int], ...]
    notices: tuple[tuple[str, int], ...]
    repairs: tuple[tuple[str, int], ...]
    answers: tuple[tuple[str, str, Tally], ...]
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
    """Reported minus computed, on the metric's own scale. Of one answer: a mean is what nobody reported."""
    reported = find_reported(outcome)
    return reported - outcome.score.value if reported is not None and isinstance(outcome, Verdict) else None


def measure_spread(voices: tuple[Voice, ...]) -> Fraction | None:
    """From the lowest to the highest goodness; None where fewer than two answers have a score."""
    goodness = [voice.outcome.score.goodness for voice in voices if isinstance(voice.outcome, Verdict)]
    return find_range(goodness) if len(goodness) > 1 else None


@dataclass(slots=True)
class Health:
    """Collects what scorecards say about their judge."""

    rubric: Rubric
    failures: Counter[str] = field(default_factory=Counter)
    failed_records: int = 0
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
        answers = {name: list_answers(card, name) for name in card.outcomes}
        self.failed_records += any(isinstance(each, Failure) for found in answers.values() for each in found)
        for name, found in answers.items():
            for answer in found:
                if not isinstance(answer, Verdict):
                    counts = self.failures if isinstance(answer, Failure) else self.abstentions
                    counts[answer.status] += 1
                if (difference := measure_difference(answer)) is not None:
                    self.differences.setdefault(name, []).append((difference, clip_name(card.record.id)))
            if (spread := measure_spread(card.voices.get(name, ()))) is not None:
                self.spreads.setdefault(name, []).append((spread, clip_name(card.record.id)))

    def build(self, answers: Answers) -> HealthView:
        names = {metric.id: metric.name for metric in self.rubric.metrics}
        return HealthView(
            failures=_rank(self.failures),
            failed_records=self.failed_records,
            abstentions=_rank(self.abstentions),
            flags=_rank(self.flags),
            notices=_rank(self.notices),
            repairs=_rank(self.repairs),
            answers=tuple(
                (judge, names[metric], tally)
                for judge, tallies in answers.by_judge.items()
                for metric, tally in tallies.items()
            ),
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
