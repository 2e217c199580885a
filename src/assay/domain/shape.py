"""The shape of a whole reply: where a rubric's own reply format keeps scores, lists, labels and reasons."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from assay.domain.units import UnitKind

Form = Literal["object", "objects", "explanation", "score"]
Holds = Literal[
    "score", "reason", "grade", "figure", "list", "pick", "unit", "label", "note", "source", "sources", "count", "text"
]


@dataclass(frozen=True)
class ShapeRow:
    """What stands at one place of the reply.

    `place` is a path of keys, where `[]` goes through a list, or in an explanation the heading of a list. `name` is the
    part, figure or field that it holds; `unit` and `label` say which units a list holds, and the label of all of them.
    """

    metric: str
    place: str
    holds: Holds
    name: str = ""
    unit: UnitKind | None = None
    label: str | None = None

    @cached_property
    def steps(self) -> tuple[str, ...]:
        """`a.b[].c` is the steps a, b[] and c."""
        return tuple(self.place.split("."))

    @property
    def listing(self) -> str:
        """The path of the innermost list; empty where the place is in none."""
        head, bracket, _ = self.place.rpartition("[]")
        return head + bracket

    @property
    def key(self) -> str:
        """The key inside the innermost list; empty where the entry itself is the value."""
        return self.place.removeprefix(self.listing).removeprefix(".")


@dataclass(frozen=True, slots=True)
class ShapeWord:
    """The reply's word for a label, and other words that mean the same. The first word of a label is written."""

    unit: UnitKind
    word: str
    label: str
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Shape:
    """The form and the places of a reply.

    `object`: one JSON object; `objects`: one per metric, named by the key `named_by`; `explanation`: prose under
    headings, which are only written, and a score tag; `score`: one score in a tag, a JSON key or a last line. A reply
    that repeats the `example` scores may have copied them. `opening` is the first line of an explanation.
    """

    form: Form
    rows: tuple[ShapeRow, ...]
    words: tuple[ShapeWord, ...] = ()
    named_by: str = ""
    example: tuple[Fraction, ...] = ()
    opening: str = ""

    def of(self, metric: str) -> tuple[ShapeRow, ...]:
        return tuple(row for row in self.rows if row.metric == metric)
