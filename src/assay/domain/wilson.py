"""Wilson's interval of a rate. It stays within 0 and 1, and has a width even where all values are equal."""

from math import sqrt


def place_wilson(rate: float, n: float, reach: float) -> tuple[float, float]:
    """`n` is the number of independent values, `reach` the quantile of the curve that is used."""
    square = reach * reach / n
    centre = (rate + square / 2) / (1 + square)
    half = reach * sqrt(rate * (1 - rate) / n + square / (4 * n)) / (1 + square)
    return max(0.0, centre - half), min(1.0, centre + half)
