"""What people reach in the judge's place: the human ceiling."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.agreement.bootstrap import DEFAULT, PairStatistic, Resampling, combine, divide, estimate
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats, Pairs, Ratings, Values, as_floats


@dataclass(frozen=True, slots=True)
class Ceiling:
    """`annotators`: each against the mean of the others; `mean`: the mean of those.

    `judge` is the judge in the place of each annotator in turn, against the same means of the others.
    """

    annotators: tuple[float | None, ...]
    mean: Estimate
    judge: Estimate


def estimate_ceiling(
    ratings: Ratings, statistic: PairStatistic, judge: Values, resampling: Resampling = DEFAULT
) -> Ceiling:
    """Annotators whose statistic is undefined are left out of the mean and counted there."""
    if ratings.annotators < 2:
        raise ValueError("a ceiling needs at least two annotators")
    people, seats = [], []
    for each, own in enumerate(ratings.values.T):
        others = ratings.mean_without(each)
        people.append(ratings.pair(own, others))
        seats.append(ratings.pair(np.where(np.isfinite(own), as_floats(judge), np.nan), others))
    return Ceiling(
        annotators=tuple(statistic(pairs).value for pairs in people),
        mean=average_pairs(people, statistic, resampling),
        judge=average_pairs(seats, statistic, resampling),
    )


def average_pairs(pairs: Sequence[Pairs], statistic: PairStatistic, resampling: Resampling) -> Estimate:
    """The mean of a statistic over several pairings of the same items; undefined ones are counted and left out."""
    parts = [statistic(each) for each in pairs]
    defined = [part for part in parts if part.value is not None]
    if not defined:
        return Estimate(None, None, 0, 0, len(parts))
    return replace(estimate(combine(defined, _average), resampling), undefined=len(parts) - len(defined))


def _average(values: Floats) -> Floats:
    return divide(np.nansum(values, axis=0), np.isfinite(values).sum(axis=0).astype(np.float64))
