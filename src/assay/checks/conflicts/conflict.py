"""A conflict: two places, one in a claim and one in its source, that cannot both be true."""

from dataclasses import dataclass
from typing import Literal, Self

from assay.checks.conflicts.reading import Reading
from assay.domain.span import Span

ConflictKind = Literal[
    "number", "unit", "date", "dose", "price", "name", "negation", "direction", "quantifier", "role", "hedge",
    "laterality", "route",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Conflict:
    """`claim` is a stretch of the claim, `passage` the stretch of the passage it cannot be true with."""

    kind: ConflictKind
    claim: Span
    passage: Span
    note: str

    @classmethod
    def between(cls, kind: ConflictKind, claim: Reading, own: Span, passage: Reading, other: Span) -> Self:
        """The note sets the two stretches side by side, in the words of their texts."""
        note = f"“{own.of(claim.text)}” where the source has “{other.of(passage.text)}”"
        return cls(kind, own, other, note)


@dataclass(frozen=True, slots=True)
class Absent:
    """A name or a quantity of a claim that no source has in any form."""

    kind: Literal["name", "number", "date", "dose", "price"]
    span: Span
