"""An ask is data: what is wanted about a record or a source. A judge answers asks; the runner decides when."""

from dataclasses import dataclass, field
from typing import TypeAlias

from assay.domain.findings import Findings
from assay.domain.record import Record, Source
from assay.domain.rubric import Bank, Metric, Rubric
from assay.domain.units import Unit, Weight
from assay.errors import FailureStatus


@dataclass(frozen=True, slots=True)
class BankAsk:
    """Write units from these sources, and for this query where the bank is for one.

    The output is not part of it, so it can't be shown by mistake. `repeats` where further calls show the same material.
    `origins` are the ids that its record has for these sources.
    """

    id: str
    rubric: Rubric
    bank: Bank
    record: str
    sources: tuple[Source, ...]
    query: str | None = None
    attempt: int = 0
    faults: tuple[str, ...] = ()
    repeats: bool = False
    origins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MetricAsk:
    """Label these units, give these grades. A re-ask names the last reply's faults and the parts still wanted.

    `repeats` where further calls of the run show the same material. `part` counts the calls that ask about some of the
    units each, where one would have too many.
    """

    id: str
    rubric: Rubric
    metric: Metric
    record: Record
    units: tuple[Unit, ...]
    sample: int = 0
    attempt: int = 0
    faults: tuple[str, ...] = ()
    wanted: frozenset[str] | None = None
    repeats: bool = False
    part: int = 1

    def wants(self, part: str) -> bool:
        return self.wanted is None or part in self.wanted


@dataclass(frozen=True, slots=True)
class WholeAsk:
    """One reply to the whole rubric in the rubric's own shape, as another tool or a user's own prompt gives it."""

    id: str
    rubric: Rubric
    record: Record
    sample: int = 0


Ask: TypeAlias = BankAsk | MetricAsk


@dataclass(frozen=True, slots=True)
class Fault:
    """Something a reply lacks, in words that can be sent back to the judge, and the status it ends in if it stays.

    One that `lasts` would come again if the same were asked again. `part` is the part of the metric that is lacking, or
    `unit` the unit without a label.
    """

    words: str
    status: FailureStatus = "malformed"
    lasts: bool = True
    part: str = ""
    unit: str = ""

    @property
    def request(self) -> str:
        """In words fit for a re-ask."""
        return f"{self.unit}: {self.words}" if self.unit else self.words


REFUSAL = Fault("the reply was a refusal", "refused")


@dataclass(frozen=True, slots=True)
class Written:
    """A unit of a bank as a judge wrote it, with the sentences it names as its origin, its weight and direction."""

    text: str
    sentences: tuple[str, ...] = ()
    weight: Weight = "main"
    direction: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What could be read of one reply. `faults` are what could not; an answer with faults may still hold findings.

    `lists` are the parts of remarks that the reply has as lists, empty ones included. `abstained` says why a judge that
    knows its limits declines to answer at all.
    """

    findings: Findings = field(default_factory=Findings)
    written: tuple[Written, ...] = ()
    faults: tuple[Fault, ...] = ()
    flags: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()
    reply: str = ""
    abstained: str | None = None
    lists: frozenset[str] = frozenset()

    def joined(self, later: "Answer") -> "Answer":
        """What two calls about different units of one metric say."""
        return Answer(
            self.findings.joined(later.findings),
            faults=self.faults + later.faults,
            flags=tuple(dict.fromkeys(self.flags + later.flags)),
            repairs=tuple(dict.fromkeys(self.repairs + later.repairs)),
            reply=f"{self.reply}\n{later.reply}",
            abstained=self.abstained or later.abstained,
            lists=self.lists | later.lists,
        )
