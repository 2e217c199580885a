"""What a judge, a person or code says about a record: labels on units, grades, picks, remarks and facts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, TypeVar

from assay.domain.span import Span

SUPPORTS = ("supported", "partial", "absent", "contradicted")
UNDECIDED = "undecided"
# A greeting, an offer of help, a cell that says "not available": labelled, shown, and never counted as a claim.
NO_FACT = "no_fact"
SUPPORT_WORDS = frozenset({*SUPPORTS, NO_FACT, UNDECIDED})
"""The labels of a claim that is held to sources."""

Severity = Literal["slight", "serious"]
Thing = TypeVar("Thing")
FactValue: TypeAlias = Fraction | str | None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quote found by code at `span` of a source, or of the output where a unit of the source is looked for there."""

    source: str
    span: Span
    quote: str


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a judge says its evidence stands, before code has looked."""

    sentence: str
    quote: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Words of a claim that are at fault: one separate fault. `span` is where they stand in the output."""

    words: str
    severity: Severity
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Label:
    """One unit's label under one part of a metric.

    `pieces` are the words at fault that a judge names for a claim below the best label. `qualifier` is the severity of
    the whole claim, from a person or a judge that names no words.

    `probability` is that of the part's best label, from a judge that is calibrated to know it. `suspicion` is what code
    noticed against the label and can't prove: the label stands, and the interval is widened. `fallen_from` is what the
    judge said where no quote proves it. `by` is `judge`, `code`, or the name of the built-in judge where it settled the
    claim before the judge was asked.
    """

    part: str
    unit: str
    label: str
    cited: tuple[Citation, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    qualifier: str | None = None
    note: str = ""
    by: str = "judge"
    probability: float | None = None
    suspicion: str = ""
    fallen_from: str = ""
    pieces: tuple[Piece, ...] = ()

    @property
    def decided(self) -> bool:
        return self.label != UNDECIDED


@dataclass(frozen=True, slots=True)
class Grade:
    """An opinion: a level on a scale with a reason. Never mistaken for a count."""

    part: str
    level: Fraction
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Pick:
    part: str
    chosen: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """An entry of a list. `span` is where its words stand in the output, where they were copied from there."""

    part: str
    fields: Mapping[str, str]
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A value that code works out about a record, or None; `words` say what it rests on, or why it is not known."""

    value: FactValue
    words: str = ""


@dataclass(frozen=True, slots=True)
class Findings:
    labels: tuple[Label, ...] = ()
    grades: tuple[Grade, ...] = ()
    picks: tuple[Pick, ...] = ()
    remarks: tuple[Remark, ...] = ()

    def of(self, part: str) -> tuple[Label, ...]:
        return tuple(label for label in self.labels if label.part == part)

    def grade(self, part: str) -> Grade | None:
        return next((grade for grade in self.grades if grade.part == part), None)

    def picked(self, part: str) -> tuple[str, ...] | None:
        return next((pick.chosen for pick in self.picks if pick.part == part), None)

    def remarked(self, part: str) -> tuple[Remark, ...]:
        return tuple(remark for remark in self.remarks if remark.part == part)

    def joined(self, later: "Findings") -> "Findings":
        """What both say; where both speak of one unit, grade or pick, the later word stands."""
        return Findings(
            labels=_latest(self.labels + later.labels, key=lambda label: (label.part, label.unit)),
            grades=_latest(self.grades + later.grades, key=lambda grade: grade.part),
            picks=_latest(self.picks + later.picks, key=lambda pick: pick.part),
            remarks=self.remarks + tuple(remark for remark in later.remarks if remark not in self.remarks),
        )


def _latest(things: Iterable[Thing], key: Callable[[Thing], object]) -> tuple[Thing, ...]:
    by_key = {key(thing): thing for thing in things}
    return tuple(by_key.values())
