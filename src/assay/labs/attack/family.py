"""The attack families and benign look-alikes that are shipped, and the trials in which their texts are placed."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from assay.domain.record import Record

Part = Literal["development", "set_aside"]
Place = Literal["output", "source"]
Action = Literal["insert", "replace"]

PARTS: tuple[Part, ...] = ("development", "set_aside")
PLACES: tuple[Place, ...] = ("output", "source")
PLAIN = "plain"
# The id of a record, and the system that answered it.
Key = tuple[str, str | None]

_FOLDER = files(__package__)


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
class Trial:
    """`record` is `clean` with the variant in it, under an id of its own. A benign one only looks like an attack."""

    variant: Variant
    place: Place
    clean: Record
    record: Record
    is_benign: bool = False


def key_of(record: Record) -> Key:
    return record.id, record.system


@cache
def load_families() -> tuple[Family, ...]:
    """In the order of their ids."""
    entries = (_FOLDER / "families").iterdir()
    found = [parse_family(entry.read_text("utf-8")) for entry in entries if entry.name.endswith(".toml")]
    return tuple(sorted(found, key=lambda family: family.id))


def parse_family(text: str) -> Family:
    """A template is a text, or a table with a text and, where they differ, its places and encoding."""
    table = tomllib.loads(text)
    places = tuple(table["places"])
    templates = []
    for part in PARTS:
        for number, entry in enumerate(table[part], start=1):
            fields = {"text": entry} if isinstance(entry, str) else entry
            own = tuple(fields.get("places", places))
            templates.append(Template(number, part, fields["text"], own, fields.get("encoding", PLAIN)))
    action = table.get("action", "insert")
    return Family(table["id"], table["title"], table["note"], places, action, tuple(templates))


def load_benign() -> tuple[Variant, ...]:
    """Ordinary texts that look like attacks: a detector that flags one raises a false alarm. Families are kinds."""
    table = tomllib.loads((_FOLDER / "benign.toml").read_text("utf-8"))
    return tuple(
        Variant(f"{kind}.{part}-{number:02}", kind, part, text, text, PLACES, "insert")
        for part in PARTS
        for kind, texts in table[part].items()
        for number, text in enumerate(texts, start=1)
    )
