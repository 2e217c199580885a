"""Finds claims of an output that repeat an earlier one word for word."""

from collections.abc import Iterator, Sequence
from typing import Final

from assay.domain.findings import Label
from assay.domain.units import Unit
from assay.text.normal import fold_wording

REDUNDANT: Final = "redundant"


def label_repeated(units: Sequence[Unit]) -> Iterator[Label]:
    """A claim with the same words in the same order as an earlier one is redundant; the note names the earlier one."""
    first: dict[tuple[str, str], str] = {}
    for unit in units:
        if unit.kind == "claim" and (wording := fold_wording(unit.text)):
            said = first.setdefault((unit.context, wording), unit.id)
            if said != unit.id:
                yield Label("claim", unit.id, REDUNDANT, note=f"says the same as {said}", by="code")
