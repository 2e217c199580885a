"""Finds claims of an output that say again what an earlier one said."""

from collections.abc import Sequence
from typing import Final

from assay.domain.findings import Label
from assay.domain.units import Unit
from assay.text.keywords import keywords
from assay.text.repetition import Said

REDUNDANT: Final = "redundant"
# Two short claims may share all their stems and still differ in what they say of them.
_ENOUGH_STEMS: Final = 4


def label_repeated(units: Sequence[Unit], language: str = "en") -> tuple[Label, ...]:
    """A claim repeats an earlier one where four in five of their stems are the same; numbers count as stems."""
    labels: list[Label] = []
    names: list[str] = []
    said = Said(over=False)
    for unit in units:
        if unit.kind != "claim":
            continue
        stems = keywords(unit.text, language)
        # Three stems are never four in five of those of a longer claim either, so a short one need not be kept.
        if len(stems) < _ENOUGH_STEMS:
            continue
        twin = said.find(stems)
        if twin is not None:
            labels.append(Label("claim", unit.id, REDUNDANT, note=f"says the same as {names[twin]}", by="code"))
        else:
            said.add(stems)
            names.append(unit.id)
    return tuple(labels)
