"""Finds claims of an output that say again what an earlier one said."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from assay.domain.findings import Label
from assay.domain.units import Unit
from assay.text.keywords import jaccard, keywords

REDUNDANT: Final = "redundant"
_SAME: Final = Fraction(4, 5)
# Two short claims may share all their stems and still differ in what they say of them.
_ENOUGH_STEMS: Final = 4


def label_repeated(units: Sequence[Unit], language: str = "en") -> tuple[Label, ...]:
    """A claim repeats an earlier one where four in five of their stems are the same; numbers count as stems."""
    labels: list[Label] = []
    seen: list[tuple[str, frozenset[str]]] = []
    for unit in units:
        if unit.kind != "claim":
            continue
        stems = keywords(unit.text, language)
        twin = next((name for name, other in seen if (jaccard(stems, other) or 0) >= _SAME), None)
        if twin is not None and len(stems) >= _ENOUGH_STEMS:
            labels.append(Label("claim", unit.id, REDUNDANT, note=f"says the same as {twin}", by="code"))
        else:
            seen.append((unit.id, stems))
    return tuple(labels)
