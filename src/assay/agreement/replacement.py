"""Can the judge replace a person: the alternative annotator test of Calderon, Reichart and Dror (2025)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.agreement.pairs import Floats, Integers, Values, as_floats
from assay.agreement.ratings import Ratings
from assay.agreement.tally import sum_by
from assay.errors import InputError

# How close one answer is to those of others: the share that are equal, or the root mean square of the gaps.
Closeness = Literal["equal", "near"]

_FEWEST_ITEMS, _FEW_ITEMS, _FEW_ANNOTATORS = 30, 50, 3
_FALSE_DISCOVERIES = 0.05
_PASSES = 0.5


@dataclass(frozen=True, slots=True)
class Seat:
    """One annotator's place: how often the judge is at least as close to the others, and is it so beyond chance.

    `judge_advantage` and `human_advantage` both count ties, so that they add up to more than 1.
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


def assess_replacement(
    judge: Values, ratings: Ratings, closeness: Closeness, epsilon: float = 0.2, *, by_cluster: bool = False
) -> Replacement:
    """Leaves one annotator out at a time and asks who is closer to the rest, judge or annotator.

    The judge wins a seat where the annotator's lead is below `epsilon` beyond chance, by a one-sided t test corrected
    as Benjamini and Yekutieli do. The authors suggest an epsilon of 0.2 for experts, 0.15 for skilled annotators, 0.1
    for a crowd.
    """
    said = as_floats(judge)
    if len(said) != ratings.items:
        raise ValueError("the judge needs a value, or None, for each item")
    if ratings.annotators < 2:
        raise InputError(
            "the alternative annotator test needs at least two annotators",
            remedy="have a second person label the items",
        )
    compared = [_compare_seat(said, ratings, each, closeness) for each in range(ratings.annotators)]
    enough = [each for each, (items, _, _) in enumerate(compared) if len(items) >= _FEWEST_ITEMS]
    if not enough:
        most = max(len(items) for items, _, _ in compared)
        raise InputError(
            f"no annotator shares {_FEWEST_ITEMS} items with the judge and another annotator; the most is {most}",
            remedy=f"label at least {_FEWEST_ITEMS} items twice, better {_FEW_ITEMS} to 100",
        )
    p_values = np.array(
        [_test_lead(compared[each], epsilon, ratings.clusters if by_cluster else None) for each in enough]
    )
    won = reject_dependent(p_values, _FALSE_DISCOVERIES)
    seats = tuple(
        Seat(
            each,
            len(compared[each][0]),
            float(compared[each][1].mean()),
            float(compared[each][2].mean()),
            float(p),
            bool(win),
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
    person = ratings.values[:, annotator]
    others = np.delete(ratings.values, annotator, axis=1)
    items = np.flatnonzero(np.isfinite(judge) & np.isfinite(person) & np.isfinite(others).any(axis=1))
    mine = _score(judge[items], others[items], closeness)
    theirs = _score(person[items], others[items], closeness)
    # Equal up to rounding is equal: the same gaps in another order must not decide.
    return items, (mine >= theirs - 1e-12).astype(np.float64), (theirs >= mine - 1e-12).astype(np.float64)


def _score(answers: Floats, others: Floats, closeness: Closeness) -> Floats:
    given = np.isfinite(others)
    gaps = np.where(given, others, 0) - answers[:, None]
    each = (gaps == 0).astype(np.float64) if closeness == "equal" else gaps**2
    means: Floats = np.where(given, each, 0).sum(axis=1) / given.sum(axis=1)
    return means if closeness == "equal" else -np.sqrt(means)


def _test_lead(compared: tuple[Integers, Floats, Floats], epsilon: float, clusters: Integers | None) -> float:
    """One-sided t test that the annotator's lead is below epsilon, over items or over clusters of them."""
    from scipy.stats import t

    items, judge, person = compared
    leads = person - judge
    numbers = np.arange(len(items)) if clusters is None else np.unique(clusters[items], return_inverse=True)[1]
    count = int(numbers.max()) + 1
    if count < 2:
        return 1.0
    mean = leads.mean()
    error = np.sqrt(count / (count - 1) * np.sum(sum_by(numbers, leads - mean, count) ** 2)) / len(leads)
    if error == 0:
        return 0.0 if mean < epsilon else 1.0
    return float(t.cdf((mean - epsilon) / error, count - 1))


def reject_dependent(p_values: Floats, rate: float) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Which hypotheses Benjamini and Yekutieli's procedure rejects, whatever the dependence between the tests."""
    count = len(p_values)
    order = np.argsort(p_values, kind="stable")
    ranks = np.arange(1, count + 1)
    limits = ranks / count * rate / np.sum(1 / ranks)
    passing = np.flatnonzero(p_values[order] <= limits)
    rejected = np.zeros(count, dtype=np.bool_)
    rejected[order[: passing[-1] + 1 if len(passing) else 0]] = True
    return rejected
