"""Tells the quantities that a text must have from a source."""

from typing import Final

from assay.text.quantity import Kind, Quantity

_SMALL: Final = 10


def is_checkable(quantity: Quantity, *, small: bool = False) -> bool:
    """Ordinals are left alone, and so are small bare counts unless asked for."""
    if quantity.kind is Kind.ORDINAL:
        return False
    return small or quantity.unit is not None or quantity.value.denominator != 1 or abs(quantity.value) >= _SMALL
