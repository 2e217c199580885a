"""Does a judge, asked again, say the same: over samples of one judge, or over the judges of a panel."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assay.agreement.bootstrap import DEFAULT, Resampling, estimate
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats
from assay.agreement.ratings import Ratings
from assay.agreement.reliability import Measurement, krippendorff_alpha
from assay.agreement.tally import Tally, divide, tally_sums


@dataclass(frozen=True, slots=True)
class Consistency:
    """`alike`: items whose values are all the same; `deviation`: the standard deviation within an item.

    Values are taken as a set, so that the order of samples or judges changes nothing.
    """

    alpha: Estimate
    alike: Estimate
    deviation: Estimate


def estimate_consistency(ratings: Ratings, measurement: Measurement, resampling: Resampling = DEFAULT) -> Consistency:
    """Over items with at least two values."""
    return Consistency(
        alpha=estimate(krippendorff_alpha(ratings, measurement), resampling),
        alike=estimate(_tally_items(ratings, _all_alike), resampling),
        deviation=estimate(_tally_items(ratings, _variance, np.sqrt), resampling),
    )


def estimate_flips(ratings: Ratings, threshold: float, resampling: Resampling = DEFAULT) -> Estimate:
    """How often two values of one item fall on different sides of the threshold, reaching it being one side."""

    def flip(values: Floats) -> Floats:
        given = np.isfinite(values)
        count, above = given.sum(axis=1), np.sum(given & (np.nan_to_num(values, nan=-np.inf) >= threshold), axis=1)
        return np.asarray(2 * above * (count - above) / (count * (count - 1)), dtype=np.float64)

    return estimate(_tally_items(ratings, flip), resampling)


def _all_alike(values: Floats) -> Floats:
    return np.asarray(np.nanmax(values, axis=1) == np.nanmin(values, axis=1), dtype=np.float64)


def _variance(values: Floats) -> Floats:
    return np.asarray(np.nanvar(values, axis=1, ddof=1), dtype=np.float64)


def _tally_items(
    ratings: Ratings, measure: Callable[[Floats], Floats], finish: Callable[[Floats], Floats] = np.asarray
) -> Tally:
    """The mean over items of a measure of each item's values."""
    kept = np.flatnonzero(ratings.given >= 2)
    measured = measure(ratings.values[kept])
    return tally_sums(
        np.column_stack([np.ones(len(kept)), measured]),
        ratings.clusters[kept],
        ratings.cluster_count,
        lambda sums: finish(divide(sums[1], sums[0])),
    )
