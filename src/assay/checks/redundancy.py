"""Finds claims of an output that repeat an earlier one word for word."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from assay.domain.findings import Label
from assay.domain.units import Unit

REDUNDANT: Final = "redundant"
# A point or a comma between digits belongs to the number.
_PUNCTUATION: Final = re.compile(r"(?<![0-9])[.,:]|[.,:](?![0-9])|[;!\"'“”‘’«»…*_`()\[\]]")


def fold_wording(text: str) -> str:
    """The text without differences of case, white space and punctuation; signs such as - % $ ? stay."""
    return " ".join(_PUNCTUATION.sub(" ", text.casefold()).split())


def label_repeated(units: Sequence[Unit]) -> Iterator[Label]:
    """A claim with the same words in the same order as an earlier one is redundant; the note names the earlier one."""
    first: dict[tuple[str, str], str] = {}
    for unit in units:
        if unit.kind == "claim" and (wording := fold_wording(unit.text)):
            said = first.setdefault((unit.context, wording), unit.id)
            if said != unit.id:
                yield Label("claim", unit.id, REDUNDANT, note=f"says the same as {said}", by="code")
