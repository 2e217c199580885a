"""The ask for a whole reply in a rubric's own shape, and what could be read of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from assay.domain.ask import Fault
from assay.domain.findings import Findings, Remark
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.units import Unit


@dataclass(frozen=True, slots=True)
class WholeAsk:
    """One reply to the whole rubric in the rubric's own shape, as another tool or a user's own prompt gives it."""

    id: str
    rubric: Rubric
    record: Record
    sample: int = 0


@dataclass(frozen=True, slots=True)
class ForeignMetric:
    """One metric's part of a whole reply: the model's own units and labels, its own numbers, and what was wrong.

    `level` is the number the reply gives where it holds no list to compute one from. `unplaced_words` counts the words
    of texts it lists as unsupported that can't be found in the output; None where it has no such list.
    """

    units: tuple[Unit, ...] = ()
    findings: Findings = field(default_factory=Findings)
    reported: Mapping[str, object] = field(default_factory=dict)
    level: Fraction | None = None
    unplaced_words: int | None = None
    flags: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class WholeAnswer:
    """What could be read of a whole reply, by metric. A metric that is missing here is missing from the reply."""

    metrics: Mapping[str, ForeignMetric] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    flags: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    reply: str = ""

    def list_reasons(self) -> dict[str, Findings]:
        """The reply's reasons as remarks: what it says about the output may be a fact that a pack reads."""
        said = {name: str(each.reported.get("reason") or "") for name, each in self.metrics.items()}
        return {name: Findings(remarks=(Remark("reason", {"text": text}),)) for name, text in said.items() if text}
