"""Reads the attack families and the benign look-alikes that are shipped."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TypeVar

from assay.errors import InputError
from assay.labs.attack.encoding import ENCODERS
from assay.labs.attack.family import ACTIONS, PARTS, PLACES, PLAIN, Benign, Family, Part, Place, Template
from assay.labs.attack.slots import DEFAULTS, find_slots

_Word = TypeVar("_Word", bound=str)

_FAMILY_KEYS = {"id", "title", "note", "places", *PARTS}
_TEMPLATE_EXAMPLE = 'Write a template as "…" or as { text = "…", places = ["output"], encoding = "tags" }'


@cache
def load_families() -> tuple[Family, ...]:
    """In the order of their ids."""
    entries = files(__package__).joinpath("families").iterdir()
    found = [read_family(entry.read_text("utf-8"), entry.name) for entry in entries if entry.name.endswith(".toml")]
    return tuple(sorted(found, key=lambda family: family.id))


@cache
def load_benign() -> tuple[Benign, ...]:
    return read_benign(files(__package__).joinpath("benign.toml").read_text("utf-8"), "benign.toml")


def read_family(text: str, path: str) -> Family:
    """The file is named after the family's id."""
    table = _parse(text, path)
    unknown = sorted(set(table) - _FAMILY_KEYS - {"action"})
    missing = sorted(_FAMILY_KEYS - set(table))
    if unknown or missing:
        named = [*(f"`{key}` is missing" for key in missing), *(f"`{key}` is unknown" for key in unknown)]
        raise InputError(", ".join(named), path=path, remedy=f"A family has {', '.join(sorted(_FAMILY_KEYS))}")
    name = _read_text(table["id"], "id", path)
    if f"{name}.toml" != path:
        raise InputError(f"the id `{name}` is not the file's name", path=path, remedy=f"Name the file {name}.toml")
    places = _read_places(table["places"], path)
    action = _read_word(table.get("action", ACTIONS[0]), ACTIONS, "action", path)
    templates = tuple(template for part in PARTS for template in _read_templates(table[part], part, places, path))
    if action == "insert" and not all(template.text.strip() for template in templates):
        raise InputError("a template is blank", path=path, remedy='Only an `action = "replace"` may leave nothing')
    title, note = (_read_text(table[key], key, path) for key in ("title", "note"))
    return Family(name, title, note, places, action, templates)


def read_benign(text: str, path: str) -> tuple[Benign, ...]:
    """A table per part, a list of texts per kind."""
    table = _parse(text, path)
    if set(table) != set(PARTS):
        raise InputError("the tables are not the two parts", path=path, remedy=f"Write {' and '.join(PARTS)}")
    return tuple(
        Benign(f"{kind}.{part}-{number:02}", kind, part, _read_text(each, kind, path))
        for part in PARTS
        for kind, texts in _read_table(table[part], part, path).items()
        for number, each in enumerate(_read_list(texts, kind, path), start=1)
    )


def _read_templates(value: object, part: Part, places: tuple[Place, ...], path: str) -> list[Template]:
    return [
        _read_template(entry, number, part, places, path)
        for number, entry in enumerate(_read_list(value, part, path), start=1)
    ]


def _read_template(entry: object, number: int, part: Part, places: tuple[Place, ...], path: str) -> Template:
    fields = {"text": entry} if isinstance(entry, str) else entry
    if not isinstance(fields, Mapping) or not {"text"} <= set(fields) <= {"text", "places", "encoding"}:
        raise InputError(f"{part} {number} is not a template", path=path, remedy=_TEMPLATE_EXAMPLE)
    text = fields["text"]
    if not isinstance(text, str):
        raise InputError(f"the text of {part} {number} is not text", path=path, remedy=_TEMPLATE_EXAMPLE)
    unknown = sorted(set(find_slots(text)) - set(DEFAULTS))
    if unknown:
        known = ", ".join(DEFAULTS)
        raise InputError(
            f"{part} {number} has an unknown slot {{{unknown[0]}}}", path=path, remedy=f"Known are {known}"
        )
    own = _read_places(fields["places"], path) if "places" in fields else places
    if not set(own) <= set(places):
        raise InputError(
            f"{part} {number} goes where its family does not", path=path, remedy="Widen the family's places"
        )
    encoding = _read_word(fields.get("encoding", PLAIN), tuple(ENCODERS), "encoding", path)
    return Template(number, part, text, own, encoding)


def _read_places(value: object, path: str) -> tuple[Place, ...]:
    found = tuple(_read_word(each, PLACES, "place", path) for each in _read_list(value, "places", path))
    if len(set(found)) != len(found):
        raise InputError("a place is named twice", path=path)
    return found


def _read_word(value: object, allowed: Sequence[_Word], what: str, path: str) -> _Word:
    found = next((word for word in allowed if word == value), None)
    if found is None:
        raise InputError(f"the {what} {value!r} is unknown", path=path, remedy=f"Write one of {', '.join(allowed)}")
    return found


def _read_text(value: object, what: str, path: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InputError(f"`{what}` is not a text", path=path, remedy=f'Write {what} = "…"')
    return value


def _read_list(value: object, what: str, path: str) -> list[object]:
    if not isinstance(value, list) or not value:
        raise InputError(f"`{what}` is not a list with something in it", path=path, remedy=f'Write {what} = ["…"]')
    return value


def _read_table(value: object, what: str, path: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise InputError(f"`{what}` is not a table", path=path, remedy=f"Write [{what}]")
    return value


def _parse(text: str, path: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not TOML: {error}", path=path) from None
