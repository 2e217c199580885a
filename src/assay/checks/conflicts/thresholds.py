"""Two bounds on one thing, set at different values: doses above 400 IU, and doses above 4,000 IU."""

from fractions import Fraction
from typing import Final

from assay.text.quantity import Bound, Kind, Quantity

_SIDES: Final = {Bound.OVER: 1, Bound.AT_LEAST: 1, Bound.UNDER: -1, Bound.AT_MOST: -1}
# A bound may be moved outwards to print it rounder, though not so far: "over 1,200" may be told as "over 1,000".
_FARTHEST: Final = 2


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
    return not (max(own, other) <= _FARTHEST * min(own, other) and _is_rounding(own, other, side))


def _is_rounding(own: Fraction, other: Fraction, side: int) -> bool:
    """Whether the one is the other rounded down (a bound below) or up (a bound above) to the last place it prints."""
    step = Fraction(1, 1000)
    while own % (10 * step) == 0:
        step *= 10
    if own % (5 * step) == 0:
        step *= 5
    return own == (other // step * step if side > 0 else -(-other // step) * step)
