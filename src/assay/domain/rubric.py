"""A rubric: what is asked of a text, in an expert's words, with the rule and the numbers that make it a score."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from assay.domain.parts import GradePart, LabelPart, ListPart, Part, PickPart
from assay.domain.scale import Scale
from assay.domain.shape import Shape
from assay.domain.units import UnitKind

Role = Literal["output", "source", "query", "context", "criteria", "reference", "truth", "citations", "other"]
InputKind = Literal["text", "value", "texts", "documents", "criteria", "messages", "table", "objects", "any"]
Origin = Literal["all sources together", "each source", "the query", "the reference"]
WEAKEST_SUPPORT = ".weakest_support"
QUERY = "query"
"""What a metric may need beside facts."""


@dataclass(frozen=True, slots=True)
class Input:
    """`role` says what a judge may do with it: judge, quote, answer, know, or see only where a metric shows it."""

    name: str
    role: Role
    kind: InputKind
    required: bool
    meaning: str
    count: int | None = None
    fields: tuple["Input", ...] = ()

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Cap:
    """The score is at most `limit` when any unit has one of `labels`: a claim also if it is `extraneous`."""

    limit: Fraction
    unit: UnitKind
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bank:
    """Units a judge writes from the sources, the query or the reference (`origin`) alone, once, without the output.

    `input` is the input of the query or reference. `outside_limits` is the flag of a bank with too few or too many
    units. Where it has `weights`, each unit is main or minor; where it has `directions`, each has one of them. With
    `for_query` its units are what the query asks for.
    """

    id: str
    unit: UnitKind
    origin: Origin
    least: int
    most: int
    question: str
    outside_limits: str
    short_source_words: int = 0
    weights: bool = False
    directions: tuple[str, ...] = ()
    for_query: bool = False
    input: str = ""

    @property
    def each_source(self) -> bool:
        return self.origin == "each source"

    @property
    def from_sources(self) -> bool:
        return self.origin in {"each source", "all sources together"}


@dataclass(frozen=True, slots=True)
class Alarm:
    """A rate to watch: outputs that state one value where the truth is another."""

    name: str
    stated: str
    truth: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two facts that a report sets against each other over many records: what outputs state, and the truth."""

    stated: str
    truth: str
    values: tuple[str, ...]
    alarm: Alarm | None = None


@dataclass(frozen=True)
class Metric:
    """`needs` names a fact, or QUERY, without which it abstains. No slots, so that parts by kind are cached.

    `ranking` is a grade that orders outputs which are judged side by side, beside a score that code computes.
    """

    id: str
    name: str
    question: str
    scale: Scale
    rule: str
    settings: Mapping[str, str]
    bands: tuple[Mapping[str, str], ...]
    parts: tuple[Part, ...]
    caps: tuple[Cap, ...] = ()
    weight: Fraction = Fraction(1)
    shows: tuple[str, ...] = ()
    claims_from: str | None = None
    needs: str | None = None
    compares: Comparison | None = None
    truth_labels: Mapping[str, str] = field(default_factory=dict)
    examples: tuple[str, ...] = ()
    ranking: GradePart | None = None

    @cached_property
    def label_parts(self) -> tuple[LabelPart, ...]:
        return tuple(part for part in self.parts if isinstance(part, LabelPart))

    @cached_property
    def grade_parts(self) -> tuple[GradePart, ...]:
        return tuple(part for part in self.parts if isinstance(part, GradePart))

    @cached_property
    def pick_parts(self) -> tuple[PickPart, ...]:
        return tuple(part for part in self.parts if isinstance(part, PickPart))

    @cached_property
    def list_parts(self) -> tuple[ListPart, ...]:
        return tuple(part for part in self.parts if isinstance(part, ListPart))

    @cached_property
    def weakest_support(self) -> "Metric":
        """What gates and comparisons call the support of the weakest claims under this metric, which is no score."""
        return replace(self, id=f"{self.id}{WEAKEST_SUPPORT}", name=f"{self.name}, weakest claim")

    def for_side_by_side(self) -> "Metric":
        """Its grades have at least one decimal, so that they can differ, and the one for rankings is asked for."""
        known = (*self.parts, self.ranking) if self.ranking is not None else self.parts
        parts = tuple(
            replace(part, scale=part.scale.with_decimals()) if isinstance(part, GradePart) else part for part in known
        )
        is_graded = any(isinstance(part, GradePart) and not part.only_reported for part in parts)
        return replace(self, parts=parts, scale=self.scale.with_decimals() if is_graded else self.scale, ranking=None)

    def labels(self, unit: UnitKind) -> LabelPart | None:
        return next((part for part in self.label_parts if part.unit == unit), None)


@dataclass(frozen=True, slots=True)
class Rubric:
    """`digest` is over the canonical content: no version changes in silence. `validation` is agreement with people."""

    id: str
    version: str
    title: str
    purpose: str
    inputs: tuple[Input, ...]
    banks: tuple[Bank, ...]
    metrics: tuple[Metric, ...]
    digest: str
    text: str
    shape: Shape | None = None
    checks: tuple[str, ...] = ()
    notice: str | None = None
    tables_as_cells: bool = False
    task: str = ""
    validation: str = ""
    label_map: Mapping[str, str] = field(default_factory=dict)
    """The user's own words for truth labels, folded: they are translated as records are read."""
    not_asked: tuple[str, ...] = ()
    """The metrics that a run leaves out."""

    def for_side_by_side(self) -> "Rubric":
        return replace(self, metrics=tuple(metric.for_side_by_side() for metric in self.metrics))

    def only(self, metrics: Collection[str]) -> "Rubric":
        """With these metrics, and the banks and places in replies that they need."""
        kept = tuple(metric for metric in self.metrics if metric.id in metrics)
        kinds = {part.unit for metric in kept for part in metric.label_parts}
        rows = () if self.shape is None else tuple(row for row in self.shape.rows if row.metric in metrics)
        return replace(
            self,
            metrics=kept,
            banks=tuple(bank for bank in self.banks if bank.unit in kinds),
            shape=None if self.shape is None else replace(self.shape, rows=rows),
            not_asked=self.not_asked + tuple(metric.id for metric in self.metrics if metric.id not in metrics),
        )

    def metric(self, identifier: str) -> Metric:
        return next(metric for metric in self.metrics if metric.id == identifier)

    def bank(self, unit: UnitKind) -> Bank | None:
        return next((bank for bank in self.banks if bank.unit == unit), None)

    @property
    def is_conversation(self) -> bool:
        """Whether the output are the assistant's turns of a conversation."""
        return any(each.kind == "messages" for each in self.inputs)

    def input(self, role: Role) -> Input | None:
        return next((each for each in self.inputs if each.role == role), None)
