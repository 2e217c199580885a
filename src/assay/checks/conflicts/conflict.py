"""A conflict: two places, one in a claim and one in its source, that cannot both be true."""

from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class Absent:
    """A name or a quantity of a claim that no source has in any form."""

    kind: Literal["name", "number", "date", "dose", "price"]
    span: Span
