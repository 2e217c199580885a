"""Amounts told in two units: 2 euros and 80 cents, 1 hour 30 minutes."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

from assay.domain.span import Span
from assay.text.measures import measure_of
from assay.text.quantity import Kind, Quantity

_JOINT: Final = re.compile(r",?\s(?:and\s)?")
_COINS: Final = re.compile(r"(?:cents?|pence|p|c)$", re.IGNORECASE)


def find_compounds(text: str, quantities: Sequence[Quantity]) -> Iterator[Quantity]:
    """What two neighbours come to, where the second is worth less than one of what the first counts."""
    for first, second in pairwise(quantities):
        if len(between := text[first.span.end : second.span.start]) < 8 and _JOINT.fullmatch(between):
            extra = _worth(text, first, second)
            if extra is not None:
                value = first.value + extra
                span = Span(first.span.start, second.span.end)
                yield replace(first, low=value, high=value, value=value, span=span)


def _worth(text: str, first: Quantity, second: Quantity) -> Fraction | None:
    """The second in the unit of the first; cents are of the currency that was named."""
    if first.unit is None or second.unit is None or first.value.denominator != 1 or second.value < 0:
        return None
    if first.kind is second.kind is Kind.PRICE:
        return second.value if second.value < 1 and _COINS.search(second.span.of(text)) else None
    one, other = measure_of(first.unit), measure_of(second.unit)
    if first.unit == second.unit or one.dimension != other.dimension:
        return None
    extra = second.value * other.factor / one.factor
    return extra if extra < 1 else None
