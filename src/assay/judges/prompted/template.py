"""Templates with strict, single-pass slots: a slot that is unknown or unfilled is an error before any call."""

import re
from functools import cache
from hashlib import sha256
from importlib.resources import files

_SLOT = re.compile(r"\{\{([a-z_]+)\}\}")
# What an empty slot leaves.
_BLANK_LINES = re.compile(r"\n{3,}")


class SlotError(ValueError):
    """A template and its slots do not fit: a defect of ours, never of the data."""


@cache
def load_template(name: str) -> list[str]:
    """The words of a template and the names of its slots, in turn."""
    return _SLOT.split((files("assay.judges.prompted") / "templates" / f"{name}.md").read_text(encoding="utf-8"))


def render(name: str, slots: dict[str, str]) -> str:
    """Values go in once and are never looked at again, so braces in data stay braces."""
    pieces = load_template(name).copy()
    wanted = set(pieces[1::2])
    if wanted != slots.keys():
        missing, unknown = sorted(wanted - set(slots)), sorted(set(slots) - wanted)
        raise SlotError(f"template {name!r}: unfilled {missing}, unknown {unknown}")
    pieces[1::2] = [slots[slot] for slot in pieces[1::2]]
    return _BLANK_LINES.sub("\n\n", "".join(pieces)).strip() + "\n"


@cache
def templates_digest() -> str:
    """Part of a judge's name: other prompts are another judge."""
    folder = files("assay.judges.prompted") / "templates"
    texts = sorted((entry.name, entry.read_text(encoding="utf-8")) for entry in folder.iterdir())
    return sha256(repr(texts).encode()).hexdigest()[:8]
