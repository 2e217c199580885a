"""A mean or a rate with an interval that knows which items belong together."""

from math import sqrt

import numpy as np

from assay.agreement.cautions import caution_about_size
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats, Integers, Keys, Values, as_floats, number_keys
from assay.domain.wilson import place_wilson

WILSON = "Wilson's interval at the effective number of items"
STUDENT = "Student's interval over clusters"
# A spread below this is that of values which are all the same, to the last bits of their sums.
ROUNDING = 1e-9

Bounds = tuple[float, float]


def estimate_mean(values: Values, clusters: Keys | None = None, bounds: Bounds | None = None) -> Estimate:
    """Of the values that are there, which lie between the bounds where they are known; those of 0 and 1 are known."""
    given = as_floats(values)
    there = np.flatnonzero(np.isfinite(given))
    codes = number_keys(np.arange(len(given)) if clusters is None else clusters)[there]
    kept, numbers = given[there], number_keys(codes)
    if not len(kept):
        return Estimate(None, None, 0, 0, len(given))
    mean, count = float(kept.mean()), int(numbers.max()) + 1
    error = measure_error((kept - mean) / len(kept), numbers, count)
    ends = find_bounds(kept, bounds)
    found = Estimate(mean, place_interval(mean, error, count, ends), len(kept), count, 0, WILSON if ends else STUDENT)
    return found.warned(*caution_about_size(len(kept), count))


def find_bounds(values: Floats, bounds: Bounds | None) -> Bounds | None:
    """The given bounds, which no value may exceed, or 0 and 1 where there are no other values."""
    if bounds is not None and np.any((values < bounds[0]) | (values > bounds[1])):
        raise ValueError(f"a value lies outside {bounds[0]} to {bounds[1]}")
    return bounds if bounds is not None or not is_binary(values) else (0.0, 1.0)


def is_binary(values: Floats) -> bool:
    return bool(np.isin(values, (0.0, 1.0)).all())


def measure_error(influences: Floats, clusters: Integers, count: int, freedom: int | None = None) -> float:
    """The standard error of a sum of influences, of which those of `count` clusters are independent."""
    if count < 2:
        return 0.0
    left = count - 1 if freedom is None else freedom
    error = sqrt(count / left * float(np.sum(np.bincount(clusters, influences) ** 2)))
    return error if error > ROUNDING else 0.0


def place_interval(value: float, error: float, clusters: int, bounds: Bounds | None) -> tuple[float, float] | None:
    """At 95 %, by Student's curve over clusters.

    Between bounds it is Wilson's, at the number of independent 0s and 1s that have this error: near a bound an interval
    of equal arms misses the truth too often. At a bound, or beyond, or where no value differs from another, there is no
    such number; there it is Wilson's at one item per cluster, and what Student's curve adds.
    """
    if clusters < 2:
        return None
    reach = student(clusters - 1)
    if bounds is None:
        return (value - reach * error, value + reach * error) if error > ROUNDING else None
    start, width = bounds[0], bounds[1] - bounds[0]
    share, deviation = (value - start) / width, error / width
    if 0 < share < 1 and deviation > ROUNDING:
        low, high = place_wilson(share, share * (1 - share) / deviation**2, reach)
    else:
        low, high = place_wilson(min(1.0, max(0.0, share)), clusters, reach)
        low, high = max(0.0, min(low, share - reach * deviation)), min(1.0, max(high, share + reach * deviation))
    return start + width * low, start + width * high


def student(freedom: float) -> float:
    """The 97.5 % quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))
