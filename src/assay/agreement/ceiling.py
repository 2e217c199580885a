"""How well a person agrees with the others: what can be asked of a judge."""

from dataclasses import dataclass, replace

import numpy as np

from assay.agreement.bootstrap import DEFAULT, Resampling, estimate
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats, Values, as_floats
from assay.agreement.ratings import Ratings
from assay.agreement.table import Statistic, tally_pairs
from assay.agreement.tally import Tally, combine, divide


@dataclass(frozen=True, slots=True)
class Ceiling:
    """`annotators`: each against the mean of the others; `mean`: of those.

    `judge` is the judge in the place of each annotator in turn, against the same means, so that both sides are compared
    with people who are equally many.
    """

    annotators: tuple[Estimate, ...]
    mean: Estimate
    judge: Estimate | None


def estimate_ceiling(
    ratings: Ratings, statistic: Statistic, judge: Values | None = None, resampling: Resampling = DEFAULT
) -> Ceiling:
    """Annotators whose statistic is undefined are left out of the mean and counted there."""
    if ratings.annotators < 2:
        raise ValueError("a ceiling needs at least two annotators")
    people = [
        tally_pairs(ratings.pair(ratings.values[:, each], ratings.mean_without(each)), statistic)
        for each in range(ratings.annotators)
    ]
    seats: list[Tally] = []
    if judge is not None:
        said = as_floats(judge)
        for each in range(ratings.annotators):
            seat = np.where(np.isfinite(ratings.values[:, each]), said, np.nan)
            seats.append(tally_pairs(ratings.pair(seat, ratings.mean_without(each)), statistic))
    return Ceiling(
        annotators=tuple(estimate(person, resampling) for person in people),
        mean=_estimate_mean(people, resampling),
        judge=_estimate_mean(seats, resampling) if seats else None,
    )


def _estimate_mean(tallies: list[Tally], resampling: Resampling) -> Estimate:
    defined = [tally for tally in tallies if tally.value is not None]
    if not defined:
        return Estimate(None, None, 0, 0, len(tallies))
    found = estimate(combine(defined, average), resampling)
    return replace(found, undefined=len(tallies) - len(defined))


def average(values: Floats) -> Floats:
    """The mean of the rows that are defined, column by column."""
    defined = np.isfinite(values)
    return divide(np.where(defined, values, 0).sum(axis=0), defined.sum(axis=0))
