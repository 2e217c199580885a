"""An ask is data: what is wanted about a record or a source. A judge answers asks; the runner decides when."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from assay.domain.findings import Findings
from assay.domain.record import Record, Source
from assay.domain.rubric import Bank, Metric, Rubric
from assay.domain.units import Unit
from assay.errors import FailureStatus


@dataclass(frozen=True, slots=True)
class BankAsk:
    """Write units from these sources alone. The output is not part of it, so it can't be shown by mistake."""

    id: str
    rubric: Rubric
    bank: Bank
    record: str
    sources: tuple[Source, ...]
    sample: int = 0
    attempt: int = 0
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MetricAsk:
    """Label these units, give these grades. A re-ask names the last reply's faults and the parts still wanted."""

    id: str
    rubric: Rubric
    metric: Metric
    record: Record
    units: tuple[Unit, ...]
    sample: int = 0
    attempt: int = 0
    faults: tuple[str, ...] = ()
    wanted: frozenset[str] | None = None

    def wants(self, part: str) -> bool:
        return self.wanted is None or part in self.wanted


@dataclass(frozen=True, slots=True)
class WholeAsk:
    """One reply to the whole rubric in the rubric's own shape, as another tool or a user's own prompt gives it."""

    id: str
    rubric: Rubric
    record: Record
    sample: int = 0
    attempt: int = 0
    faults: tuple[str, ...] = ()


Ask: TypeAlias = BankAsk | MetricAsk


@dataclass(frozen=True, slots=True)
class Fault:
    """Something a reply lacks, in words that can be sent back to the judge, and the status it ends in if it stays.

    One that `lasts` would come again if the same were asked again.
    """

    words: str
    status: FailureStatus = "malformed"
    lasts: bool = True


@dataclass(frozen=True, slots=True)
class Written:
    """A unit of a bank as a judge wrote it, with the sentences it names as its origin."""

    text: str
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What could be read of one reply. `faults` are what could not; an answer with faults may still hold findings.

    `abstained` says why a judge that knows its limits declines to answer at all.
    """

    findings: Findings = field(default_factory=Findings)
    written: tuple[Written, ...] = ()
    faults: tuple[Fault, ...] = ()
    flags: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    reply: str = ""
    abstained: str | None = None


@dataclass(frozen=True, slots=True)
class ForeignMetric:
    """One metric's part of a whole reply: the model's own units and labels, its own numbers, and what was wrong.

    `level` is the number the reply gives where it holds no list to compute one from; `unplaced_words` counts the words
    of texts it calls unsupported that can't be found in the output.
    """

    units: tuple[Unit, ...] = ()
    findings: Findings = field(default_factory=Findings)
    reported: Mapping[str, object] = field(default_factory=dict)
    level: Fraction | None = None
    unplaced_words: int = 0
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
