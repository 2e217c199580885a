"""What judges label: stretches of the output, sources, criteria of the record, or what a bank holds."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, get_args

from assay.domain.span import Span

UnitKind = Literal["claim", "section", "key_point", "question", "item", "criterion", "source", "turn"]

Weight = Literal["main", "minor"]

BETWEEN_LABELS = " | "
"""Stands between the row and the column of a cell's place."""

PREFIXES: Mapping[UnitKind, str] = dict(zip(get_args(UnitKind), "cpkqirst", strict=True))
NAMES: Mapping[UnitKind, tuple[str, str]] = {
    kind: (name := kind.replace("_", " "), "criteria" if kind == "criterion" else f"{name}s") for kind in PREFIXES
}
"""One and several of a kind, as people read them."""


@dataclass(frozen=True, slots=True)
class Unit:
    """`span` points into the output, `sources` name where a written unit comes from.

    `context` is the place of a cell, or the turn of a conversation.

    A short text may leave out a `minor` unit of a bank. `direction` is how opinions on it go: praised, mixed. `points`
    is what a criterion counts for; below zero, that it is met lowers the score. Its `context` is the id it was given.
    """

    id: str
    kind: UnitKind
    text: str
    span: Span | None = None
    sources: tuple[str, ...] = ()
    context: str = ""
    weight: Weight = "main"
    direction: str = ""
    points: Fraction | None = None

    @property
    def is_fault(self) -> bool:
        """Whether its best label speaks against the output."""
        return self.points is not None and self.points < 0

    @property
    def is_cell(self) -> bool:
        return self.kind == "claim" and BETWEEN_LABELS in self.context

    @property
    def placed_text(self) -> str:
        """The text, behind its place where it has one."""
        return f"{self.context}: {self.text}" if self.context else self.text

    def numbered(self, position: int) -> "Unit":
        return replace(self, id=f"{PREFIXES[self.kind]}{position}")


def count_units(kind: UnitKind, count: int) -> str:
    """One claim is `1 claim`, three are `3 claims`."""
    one, many = NAMES[kind]
    return f"{count} {one if count == 1 else many}"
