"""Reads the attack families and the benign look-alikes that are shipped."""

import tomllib
from functools import cache
from importlib.resources import files

from assay.labs.attack.family import PARTS, PLAIN, Benign, Family, Template

_FOLDER = files(__package__)


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


@cache
def load_benign() -> tuple[Benign, ...]:
    """A table per part, a list of texts per kind."""
    table = tomllib.loads((_FOLDER / "benign.toml").read_text("utf-8"))
    return tuple(
        Benign(f"{kind}.{part}-{number:02}", kind, part, text)
        for part in PARTS
        for kind, texts in table[part].items()
        for number, text in enumerate(texts, start=1)
    )
