"""A statistic with its 95 % interval, and the clustered mean that run summaries, comparisons and agreement share.

Standard library only: a run's summary needs neither numpy nor scipy.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import fsum, isfinite, sqrt

from assay.domain.wilson import place_wilson

Bounds = tuple[float, float]

# Below this a spread is rounding: all values are the same.
ROUNDING = 1e-9
# From here on intervals hold the truth in 93 to 97 % of simulated studies: bench/results/coverage.md.
_ENOUGH, _ENOUGH_CLUSTERS = 100, 30
# The 97.5 % quantiles of Student's t for 1 to 10 degrees of freedom, and of the normal distribution.
_STUDENT = (
    *(12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836),
    *(2.446911851, 2.364624252, 2.306004135, 2.262157163, 2.228138852),
)
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Estimate:
    """`value` is None where the statistic is undefined, never NaN; `interval` is at 95 %, or None where there is none.

    `n` counts what the statistic is over (records, items, units or systems) and `clusters` what is independent.
    """

    value: float | None
    interval: tuple[float, float] | None
    n: int
    clusters: int
    warnings: tuple[str, ...] = ()

    def warned(self, *sentences: str) -> "Estimate":
        return replace(self, warnings=(*self.warnings, *sentences))


@dataclass(frozen=True, slots=True)
class Figure:
    """The judge's statistic. `beside` is people's, or another judge's; `gap` is the judge's less that one.

    `constant` is the statistic of an answer that needs no judge, with its name.
    """

    name: str
    judge: Estimate
    beside: Estimate | None = None
    gap: Estimate | None = None
    constant: tuple[str, float] | None = None
    note: str = ""


def count_groups(clusters: int) -> str:
    """Outputs on one item are a source group: they are not independent."""
    return f"{clusters} {'source group' if clusters == 1 else 'source groups'}"


def caution_about_size(n: int, clusters: int) -> tuple[str, ...]:
    """A warning for sizes at which intervals are known to be too narrow."""
    if n >= _ENOUGH and clusters >= _ENOUGH_CLUSTERS:
        return ()
    limits = f"with fewer than {_ENOUGH} values or {_ENOUGH_CLUSTERS} source groups"
    contain = "95 % intervals contain the true value in less than 93 % of studies"
    return (f"n {n}, {count_groups(clusters)}: {limits}, {contain}",)


def estimate_mean(
    values: Iterable[float | None], clusters: Iterable[Hashable] | None = None, bounds: Bounds | None = None
) -> Estimate:
    """The mean of the values that are there. Without clusters each value is independent.

    `bounds` are the ends of the scale; values that are all 0 or 1 have these as bounds.
    """
    given = list(values)
    keys = range(len(given)) if clusters is None else clusters
    kept = [(key, value) for key, value in zip(keys, given, strict=True) if value is not None and isfinite(value)]
    sums: dict[Hashable, float] = {}
    counts: dict[Hashable, int] = {}
    for key, value in kept:
        sums[key] = sums.get(key, 0.0) + value
        counts[key] = counts.get(key, 0) + 1
    ends = find_bounds([value for _, value in kept], bounds)
    return estimate_from_sums(list(sums.values()), list(counts.values()), ends)


def estimate_from_sums(sums: Sequence[float], counts: Sequence[int], bounds: Bounds | None) -> Estimate:
    """The mean of values of which only each cluster's sum and count are known."""
    n, clusters = sum(counts), sum(count > 0 for count in counts)
    if not n:
        return Estimate(None, None, 0, 0)
    mean = fsum(sums) / n
    error = measure_error(((total - mean * count) / n for total, count in zip(sums, counts, strict=True)), clusters)
    interval = place_interval(mean, error, clusters, bounds)
    return Estimate(mean, interval, n, clusters)


def find_bounds(values: Sequence[float], bounds: Bounds | None) -> Bounds | None:
    """The given bounds, which no value may exceed, or 0 and 1 where there are no other values."""
    if bounds is not None and any(not bounds[0] <= value <= bounds[1] for value in values):
        raise ValueError(f"a value lies outside {bounds[0]} to {bounds[1]}")
    return (0.0, 1.0) if bounds is None and all(value in (0, 1) for value in values) else bounds


def measure_error(influences: Iterable[float], clusters: int, freedom: int | None = None) -> float:
    """The standard error of a sum to which each cluster adds its influence."""
    if clusters < 2:
        return 0.0
    squares = fsum(each * each for each in influences)
    error = sqrt(clusters / (clusters - 1 if freedom is None else freedom) * squares)
    return error if error > ROUNDING else 0.0


def place_interval(value: float, error: float, clusters: int, bounds: Bounds | None) -> tuple[float, float] | None:
    """Student's interval over clusters; between bounds Wilson's, with the same quantile.

    Near a bound an interval with equal arms misses the truth too often. Wilson's is taken at the number of independent
    0s and 1s that have this error. At a bound, or where all values are equal, it is taken at one value per cluster.
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


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t: a table, then Cornish and Fisher's expansion, which is within 5e-6."""
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z, v = _Z, freedom
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + fsum(term / v**power for power, term in enumerate(terms, start=1))
