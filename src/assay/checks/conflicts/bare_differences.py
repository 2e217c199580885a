"""Differences told without a unit: "60 million more than planned"."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from assay.text.quantity import Kind, Quantity

_COMPARED: Final = re.compile(
    r"\s(?:(?:more|less|fewer|higher|lower|cheaper)(?:\sthan)?\b(?!\s[a-z]+s\b)|above\b|below\b|over\b|under\b|short\b)"
)
_UNITLESS: Final = (Kind.COUNT, Kind.NUMBER)


def find_bare_differences(text: str, quantities: Iterable[Quantity]) -> Iterator[Quantity]:
    """The numbers that say how much more or less, and leave it to another place to say of what."""
    for each in quantities:
        if each.unit is None and each.kind in _UNITLESS and _COMPARED.match(text, each.span.end):
            yield each


def lend_unit(differences: Sequence[Quantity], claim: Quantity) -> tuple[Quantity, ...]:
    """What the differences are if they are told of what the claim measures; of a date there is no such difference."""
    if claim.unit is None or claim.kind in {Kind.DATE, Kind.ORDINAL}:
        return ()
    return tuple(replace(each, unit=claim.unit, kind=claim.kind) for each in differences)
