"""The attack families, the texts made from their templates, and the trials in which those texts are placed."""

from dataclasses import dataclass
from typing import Literal

from assay.domain.record import Record

Part = Literal["development", "set_aside"]
Place = Literal["output", "source"]
Action = Literal["insert", "replace"]

PARTS: tuple[Part, ...] = ("development", "set_aside")
PLACES: tuple[Place, ...] = ("output", "source")
ACTIONS: tuple[Action, ...] = ("insert", "replace")
PLAIN = "plain"
# The id of a record, and the system that answered it.
Key = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Template:
    """A text with slots such as {mark}. `number` counts from 1 in its part; `encoding` comes after the slots."""

    number: int
    part: Part
    text: str
    places: tuple[Place, ...]
    encoding: str = PLAIN


@dataclass(frozen=True, slots=True)
class Family:
    """A detector may be tuned on the development templates; it is measured on those set aside."""

    id: str
    title: str
    note: str
    places: tuple[Place, ...]
    action: Action
    templates: tuple[Template, ...]

    @property
    def development(self) -> tuple[Template, ...]:
        return self.of_part("development")

    @property
    def set_aside(self) -> tuple[Template, ...]:
        return self.of_part("set_aside")

    def of_part(self, part: Part) -> tuple[Template, ...]:
        return tuple(template for template in self.templates if template.part == part)


@dataclass(frozen=True, slots=True)
class Variant:
    """The text of one attack, ready to be placed. `plain` is what it says before it was hidden or buried."""

    id: str
    family: str
    part: Part
    text: str
    plain: str
    places: tuple[Place, ...]
    action: Action
    encoding: str = PLAIN


@dataclass(frozen=True, slots=True)
class Benign:
    """An ordinary text that looks like an attack: a detector that flags it raises a false alarm."""

    id: str
    kind: str
    part: Part
    text: str


@dataclass(frozen=True, slots=True)
class Trial:
    """`record` is `clean` with the variant in it, under an id of its own. What is benign only looks like an attack."""

    variant: Variant
    place: Place
    clean: Record
    record: Record
    is_benign: bool = False


def key_of(record: Record) -> Key:
    return record.id, record.system
