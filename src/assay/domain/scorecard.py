"""All outcomes of one record under one rubric by one judge."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from assay.domain.findings import NO_FACT, Fact
from assay.domain.outcome import Abstention, Failure, Outcome, Verdict, is_unpaid
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.span import Span, count_words
from assay.domain.units import Unit


@dataclass(frozen=True, slots=True)
class Notice:
    """Something code found in a record with no judge: a dangling citation, a price that differs, a foreign trial id."""

    check: str
    note: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Total:
    """`score` exists only where all metrics share a scale; nothing is averaged in for a metric that has no score."""

    score: Fraction | None
    goodness: Fraction | None
    scored: int
    asked: int


@dataclass(frozen=True, slots=True)
class Voice:
    """One answer among several: of which judge, which of its samples, and what it came to."""

    judge: str
    sample: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Scorecard:
    """`voices` are the answers a card was combined from, by metric; none where there was only one."""

    record: Record
    rubric: Rubric
    judge: str
    outcomes: Mapping[str, Outcome]
    total: Total
    notices: tuple[Notice, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)
    run: str = ""
    sample: int = 0
    voices: Mapping[str, tuple[Voice, ...]] = field(default_factory=dict)

    def list_answers(self, metric: str) -> list[Outcome]:
        """The answers to a metric before any mean; the outcome itself where there was only one."""
        return [voice.outcome for voice in self.voices.get(metric, ())] or [self.outcomes[metric]]

    @property
    def failed(self) -> bool:
        return any(isinstance(outcome, Failure) for outcome in self.outcomes.values())

    @property
    def unpaid(self) -> bool:
        """Whether a spent budget left something of it undone: it is finished when its run is taken up again."""
        return any(map(is_unpaid, self._all_outcomes))

    @property
    def lacks_answers(self) -> bool:
        """Whether anything failed, be it one answer among several."""
        return any(isinstance(outcome, Failure) for outcome in self._all_outcomes)

    @property
    def asked(self) -> list[Outcome]:
        """Of the metrics that a judge was asked about; a metric without parts is answered by code."""
        found = [self.outcomes[metric.id] for metric in self.rubric.metrics if metric.parts]
        found = [each for each in found if each.trail.replies or not isinstance(each, Abstention)]
        return [each for each in found if each.status != "invalid_record"]

    @property
    def _all_outcomes(self) -> list[Outcome]:
        voiced = [voice.outcome for voices in self.voices.values() for voice in voices]
        return [*self.outcomes.values(), *voiced]

    @property
    def weakest_support(self) -> float | None:
        """The lowest of its metrics; None where the judge gives none."""
        supports = (outcome.trail.weakest_support for outcome in self.outcomes.values())
        return min((each for each in supports if each is not None), default=None)

    @property
    def unjudged(self) -> tuple[Unit, ...]:
        """The claims of the output that assert nothing, by the judge's word."""
        for outcome in self.outcomes.values():
            claims = outcome.trail.findings.of("claim")
            labels = {label.unit for label in claims if label.label == NO_FACT and label.by == "judge"}
            if labels:
                return tuple(unit for unit in outcome.trail.units if unit.id in labels and unit.span is not None)
        return ()

    @property
    def unjudged_share(self) -> Fraction:
        """Their share of the output's words."""
        words = len(self.record.output.split())
        spans = (unit.span for unit in self.unjudged if unit.span is not None)
        return Fraction(count_words(self.record.output, spans), words) if words else Fraction(0)

    @property
    def scored(self) -> int:
        return sum(isinstance(outcome, Verdict) for outcome in self.outcomes.values())
