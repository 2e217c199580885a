"""What is known of one metric's answer on one record, from the first ask to the score."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from assay.domain.ask import Answer, Fault, MetricAsk
from assay.domain.findings import Fact, Findings
from assay.domain.outcome import Placement, Trail
from assay.domain.rubric import Metric
from assay.domain.scale import number
from assay.domain.units import Unit


@dataclass(frozen=True, slots=True)
class MetricAnswer:
    """One value that grows: asked, answered (as often as it is asked), verified, and scored by way of its trail.

    `faults` are what no reply has mended; `failed` says why there is no reply. A whole reply brings its own `units`,
    its own numbers (`reported`), and `level` where it lists nothing to compute a score from. `unplaced_words` counts
    the words of texts it lists as unsupported that can't be found in the output; None where it has no such list.
    """

    units: tuple[Unit, ...] = ()
    findings: Findings = field(default_factory=Findings)
    faults: tuple[Fault, ...] = ()
    flags: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    failed: Fault | None = None
    abstained: str | None = None
    reported: Mapping[str, object] = field(default_factory=dict)
    level: Fraction | None = None
    unplaced_words: int | None = None
    placement: Placement | None = None

    @classmethod
    def asked(cls, ask: MetricAsk) -> "MetricAnswer":
        """Nothing but the units to label. Those that are only picked from are no part of the answer."""
        return cls(tuple(unit for unit in ask.units if ask.metric.labels(unit.kind) is not None))

    @classmethod
    def from_trail(cls, trail: Trail) -> "MetricAnswer":
        """As it was before it was scored, for a score from the same labels."""
        return cls(trail.units, trail.findings, repairs=trail.repairs, replies=trail.replies or ("",))

    def answered(self, answer: Answer) -> "MetricAnswer":
        """With one more reply; what it found is added once it is verified."""
        grown = self.flagged(*answer.flags).repaired(*answer.repairs)
        abstained = self.abstained if answer.abstained is None else answer.abstained
        return replace(grown, replies=(*self.replies, answer.reply), abstained=abstained)

    def flagged(self, *flags: str) -> "MetricAnswer":
        return replace(self, flags=tuple(dict.fromkeys((*self.flags, *flags))))

    def repaired(self, *repairs: str) -> "MetricAnswer":
        return replace(self, repairs=tuple(dict.fromkeys((*self.repairs, *repairs))))

    def build_trail(self, metric: Metric, facts: Mapping[str, Fact]) -> Trail:
        """What is kept of it. A grade that is only reported stands among the judge's own numbers."""
        reported = dict(self.reported)
        for part in metric.grade_parts:
            if part.only_reported and (grade := self.findings.grade(part.id)) is not None:
                reported[part.id] = number(grade.level)
        known = (self.units, self.findings, self.flags, self.repairs, reported, self.replies, facts)
        return Trail(*known, self.placement)
