"""What is known of one metric's answer on one record, from the first ask to the score."""

from dataclasses import dataclass, field

from assay.domain.ask import Fault, MetricAsk
from assay.domain.outcome import Outcome, Trail


@dataclass(frozen=True, slots=True)
class MetricAnswer:
    """The trail of an outcome as it grows, and what its score still waits for.

    `ended` is the outcome where none is to be computed from labels, with a trail that is still empty. `faults` are what
    no reply has mended, `unlabelled` the units that no reply has labelled. `unplaced_words` counts the words of texts
    that a whole reply lists as unsupported and that can't be found in the output; None where it has no such list.
    """

    trail: Trail = field(default_factory=Trail)
    ended: Outcome | None = None
    faults: tuple[Fault, ...] = ()
    unlabelled: frozenset[str] = frozenset()
    unplaced_words: int | None = None

    @classmethod
    def asked(cls, ask: MetricAsk, ended: Outcome | None = None) -> "MetricAnswer":
        """Nothing but the units to label. Those that are only picked from are no part of the answer."""
        return cls(Trail(tuple(unit for unit in ask.units if ask.metric.labels(unit.kind) is not None)), ended)
