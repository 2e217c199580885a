"""Two bounds on one thing, set at different values: doses above 400 IU, and doses above 4,000 IU."""

from fractions import Fraction
from typing import Final

from assay.text.quantity import Bound, Kind, Quantity

_SIDES: Final = {Bound.OVER: 1, Bound.AT_LEAST: 1, Bound.UNDER: -1, Bound.AT_MOST: -1}
# A bound may be moved outwards to print it rounder, though not so far: "over 1,200" may be told as "over 1,000".
_FARTHEST: Final = 2
# Moved inwards it says more than is known, so little may be added: "over 3,967" may be told as "over 4,000".
_MOST_ADDED: Final = Fraction(2, 100)


def is_another_threshold(claim: Quantity, source: Quantity) -> bool:
    """Whether two bounds on the same side differ by more than rounding; the words around must be the same.

    Of values a looser bound is true as well, but what holds of doses above 4,000 need not hold above 400.
    """
    side = _SIDES.get(claim.bound)
    if side is None or side != _SIDES.get(source.bound) or claim.unit != source.unit or claim.kind is Kind.DATE:
        return False
    own, other = claim.value, source.value
    if own == other or min(own, other) <= 0:
        return False
    if is_looser(claim, source):
        return not (max(own, other) <= _FARTHEST * min(own, other) and _is_rounding(own, other, side))
    return not (abs(own - other) <= _MOST_ADDED * other and _is_rounding(own, other, -side))


def is_looser(claim: Quantity, source: Quantity) -> bool:
    """Whether all that is within the source's bound is within the claim's, and more: at least 18, and at least 20."""
    side = _SIDES.get(claim.bound)
    if side is None or side != _SIDES.get(source.bound) or claim.unit != source.unit:
        return False
    return side * (source.value - claim.value) > 0


def _is_rounding(own: Fraction, other: Fraction, side: int) -> bool:
    """Whether the one is the other rounded to the last place it prints: down (side 1) or up (side -1)."""
    step = Fraction(1, 1000)
    while own % (10 * step) == 0:
        step *= 10
    if own % (5 * step) == 0:
        step *= 5
    return own == (other // step * step if side > 0 else -(-other // step) * step)
