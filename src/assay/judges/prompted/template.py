"""Templates with strict, single-pass slots: a slot that is unknown or unfilled is an error before any call."""

import re
from functools import cache
from hashlib import sha256
from importlib.resources import files

_SLOT = re.compile(r"\{\{([a-z_]+)\}\}")


class SlotError(ValueError):
    """A template and its slots do not fit: a defect of ours, never of the data."""


@cache
def load_template(name: str) -> str:
    return (files("assay.judges.prompted") / "templates" / f"{name}.md").read_text(encoding="utf-8")


def render(name: str, slots: dict[str, str]) -> str:
    """Values go in once and are never looked at again, so braces in data stay braces."""
    text = load_template(name)
    wanted = set(_SLOT.findall(text))
    if wanted != set(slots):
        missing, unknown = sorted(wanted - set(slots)), sorted(set(slots) - wanted)
        raise SlotError(f"template {name!r}: unfilled {missing}, unknown {unknown}")
    return _SLOT.sub(lambda match: slots[match[1]], text).strip() + "\n"


@cache
def templates_digest() -> str:
    """Part of a judge's name: other prompts are another judge."""
    folder = files("assay.judges.prompted") / "templates"
    texts = sorted((entry.name, entry.read_text(encoding="utf-8")) for entry in folder.iterdir())
    return sha256(repr(texts).encode()).hexdigest()[:8]
