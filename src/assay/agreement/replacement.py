"""Can the judge replace a person: the human ceiling, and the alternative annotator test.

The test is that of Calderon, Reichart and Dror (2025).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import (
    DEFAULT,
    CellStatistic,
    Resampling,
    combine,
    divide,
    estimate,
    resample_pairs,
)
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats, Integers, Pairs, Ratings, Values, as_floats
from assay.errors import InputError

# How close one answer is to those of others: the share that are equal, or the root mean square of the gaps.
Closeness = Literal["equal", "near"]

_FEWEST_ITEMS, _FEW_ITEMS, _FEW_ANNOTATORS = 30, 50, 3
_FALSE_DISCOVERIES = 0.05
_PASSES = 0.5


@dataclass(frozen=True, slots=True)
class Ceiling:
    """`annotators`: each against the mean of the others; `mean`: the mean of those.

    `judge` is the judge in the place of each annotator in turn, against the same means of the others.
    """

    annotators: tuple[Estimate, ...]
    mean: Estimate
    judge: Estimate | None


def estimate_ceiling(
    ratings: Ratings, statistic: CellStatistic, judge: Values | None = None, resampling: Resampling = DEFAULT
) -> Ceiling:
    """Annotators whose statistic is undefined are left out of the mean and counted there."""
    if ratings.annotators < 2:
        raise ValueError("a ceiling needs at least two annotators")
    numbers, others = range(ratings.annotators), [ratings.mean_without(each) for each in range(ratings.annotators)]
    people = [ratings.pair(ratings.values[:, each], others[each]) for each in numbers]
    seats = None
    if judge is not None:
        answers = [np.where(np.isfinite(ratings.values[:, each]), as_floats(judge), np.nan) for each in numbers]
        seats = [ratings.pair(answer, other) for answer, other in zip(answers, others, strict=True)]
    return Ceiling(
        annotators=tuple(estimate(resample_pairs(pairs, statistic), resampling) for pairs in people),
        mean=average_pairs(people, statistic, resampling),
        judge=None if seats is None else average_pairs(seats, statistic, resampling),
    )


def average_pairs(pairs: Sequence[Pairs], statistic: CellStatistic, resampling: Resampling) -> Estimate:
    """The mean of a statistic over several pairings of the same items; undefined ones are counted and left out."""
    parts = [resample_pairs(each, statistic) for each in pairs]
    defined = [part for part in parts if part.value is not None]
    if not defined:
        return Estimate(None, None, 0, 0, len(parts))
    return replace(estimate(combine(defined, _average), resampling), undefined=len(parts) - len(defined))


def _average(values: Floats) -> Floats:
    is_defined = np.isfinite(values)
    return divide(np.where(is_defined, values, 0).sum(axis=0), is_defined.sum(axis=0).astype(np.float64))


@dataclass(frozen=True, slots=True)
class Seat:
    """One annotator's place: how often the judge is at least as close to the others, and is it so beyond chance.

    `judge_advantage` and `human_advantage` both count ties, so their sum is at least 1.
    """

    annotator: int
    items: int
    judge_advantage: float
    human_advantage: float
    p_value: float
    won: bool


@dataclass(frozen=True, slots=True)
class Replacement:
    """`winning_rate` (omega) is the share of annotators that the judge beats; `advantage` (rho) compares judges."""

    seats: tuple[Seat, ...]
    epsilon: float
    winning_rate: float
    advantage: float
    skipped: tuple[int, ...]
    warnings: tuple[str, ...]

    @property
    def passes(self) -> bool:
        return self.winning_rate >= _PASSES


def assess_replacement(judge: Values, ratings: Ratings, closeness: Closeness, epsilon: float = 0.2) -> Replacement:
    """Leaves one annotator out at a time and asks who is closer to the rest, judge or annotator.

    The judge wins a seat where the annotator's lead is below `epsilon` beyond chance: a one-sided t test over clusters,
    corrected as by Benjamini and Yekutieli. The authors suggest an epsilon of 0.2 for experts, 0.15 for skilled
    annotators, 0.1 for a crowd. Raises InputError where there are too few annotators or shared items.
    """
    from scipy.stats import false_discovery_control

    answers = as_floats(judge)
    if len(answers) != ratings.items:
        raise ValueError("the judge needs a value, or None, for each item")
    if ratings.annotators < 2:
        raise InputError("the alternative annotator test needs at least two annotators", remedy="Add a second person.")
    compared = [_compare_seat(answers, ratings, each, closeness) for each in range(ratings.annotators)]
    enough = [each for each, (items, _, _) in enumerate(compared) if len(items) >= _FEWEST_ITEMS]
    if not enough:
        most = max(len(items) for items, _, _ in compared)
        raise InputError(
            f"no annotator shares {_FEWEST_ITEMS} items with the judge and another annotator; the most is {most}",
            remedy=f"Label at least {_FEWEST_ITEMS} items twice, better {_FEW_ITEMS} to 100.",
        )
    p_values = [_test_lead(compared[each], epsilon, ratings.clusters) for each in enough]
    won = false_discovery_control(p_values, method="by") <= _FALSE_DISCOVERIES
    seats = tuple(
        Seat(
            each, len(compared[each][0]), float(compared[each][1].mean()), float(compared[each][2].mean()), p, bool(win)
        )
        for each, p, win in zip(enough, p_values, won, strict=True)
    )
    return Replacement(
        seats=seats,
        epsilon=epsilon,
        winning_rate=float(won.mean()),
        advantage=float(np.mean([seat.judge_advantage for seat in seats])),
        skipped=tuple(each for each in range(ratings.annotators) if each not in enough),
        warnings=_warn(seats),
    )


def _warn(seats: tuple[Seat, ...]) -> tuple[str, ...]:
    fewest = min(seat.items for seat in seats)
    found = []
    if len(seats) < _FEW_ANNOTATORS:
        found.append(f"only {len(seats)} annotators: the test was made for three or more")
    if fewest < _FEW_ITEMS:
        found.append(f"an annotator has only {fewest} items: below {_FEW_ITEMS} a good judge often fails the test")
    return tuple(found)


def _compare_seat(
    judge: Floats, ratings: Ratings, annotator: int, closeness: Closeness
) -> tuple[Integers, Floats, Floats]:
    """The items, and on each whether the judge, and whether the annotator, is at least as close to the others."""
    person, others = ratings.values[:, annotator], np.delete(ratings.values, annotator, axis=1)
    items = np.flatnonzero(np.isfinite(judge) & np.isfinite(person) & np.isfinite(others).any(axis=1))
    mine, theirs = (_measure_closeness(side[items], others[items], closeness) for side in (judge, person))
    # Equal up to rounding is equal: the same gaps in another order must not decide.
    return items, (mine >= theirs - 1e-12).astype(np.float64), (theirs >= mine - 1e-12).astype(np.float64)


def _measure_closeness(answers: Floats, others: Floats, closeness: Closeness) -> Floats:
    given = np.isfinite(others)
    gaps = np.where(given, others, 0) - answers[:, None]
    each = (gaps == 0).astype(np.float64) if closeness == "equal" else gaps**2
    means: Floats = np.where(given, each, 0).sum(axis=1) / given.sum(axis=1)
    return means if closeness == "equal" else -np.sqrt(means)


def _test_lead(compared: tuple[Integers, Floats, Floats], epsilon: float, clusters: Integers) -> float:
    """One-sided t test, over clusters, that the annotator's lead is below epsilon."""
    from scipy.special import stdtr

    items, judge, person = compared
    leads = person - judge
    numbers = np.unique(clusters[items], return_inverse=True)[1].reshape(-1)
    count = int(numbers.max()) + 1
    if count < 2:
        return 1.0
    mean = leads.mean()
    error = np.sqrt(count / (count - 1) * np.sum(np.bincount(numbers, leads - mean) ** 2)) / len(leads)
    if error == 0:
        return 0.0 if mean < epsilon else 1.0
    return float(stdtr(count - 1, (mean - epsilon) / error))
