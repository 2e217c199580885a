"""Systems judged on the same items: their means, how often each wins within an item, and the effect of its position.

All intervals resample items: outputs made from the same sources are not independent.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

import numpy as np

from assay.agreement.bootstrap import ClusterStatistic, divide, estimate
from assay.agreement.estimate import Estimate
from assay.agreement.pairs import Floats, Integers
from assay.domain.outcome import Outcome, Verdict
from assay.domain.parts import GradePart
from assay.domain.rubric import Metric
from assay.domain.scale import Scale, say_number

# Scores this near are a tie.
_SAME = 1e-9
_ROUNDS = 200
# Each pair of systems that met counts as having tied once more than it did, so that a system that wins always has a
# strength too.
_PRIOR = 0.5


def find_ranking_grade(metric: Metric) -> GradePart | None:
    return next((part for part in metric.grade_parts if part.for_ranking), None)


def find_order_scale(metric: Metric) -> Scale:
    """Of what its outputs are ordered by: a grade that is asked for side by side, or else the score."""
    grade = find_ranking_grade(metric)
    return metric.scale if grade is None else grade.scale


def find_order_value(outcome: Outcome, metric: Metric) -> float | None:
    """On that scale; negative where a low value is best, so that more is better."""
    grade = find_ranking_grade(metric)
    if grade is not None:
        found = outcome.trail.findings.grade(grade.id)
        value = None if found is None else float(found.level)
    else:
        value = float(outcome.score.value) if isinstance(outcome, Verdict) else None
    return value if value is None or find_order_scale(metric).best == "high" else -value


class SystemScore(NamedTuple):
    """One system's goodness on one item. The scores of several records are averaged."""

    item: Hashable
    system: str
    value: float


class PlacedScore(NamedTuple):
    """One answer to one output of a side-by-side call; `position` is its place among the outputs, from 0."""

    item: Hashable
    output: Hashable
    position: int
    value: float


@dataclass(frozen=True, slots=True)
class SystemStanding:
    """`win_rate` is over all meetings with another system on an item, a tie counting half.

    `strength` is Bradley and Terry's, in log-odds: the difference of two strengths says how likely one wins.
    """

    system: str
    items: int
    mean: Estimate
    win_rate: Estimate
    strength: Estimate


@dataclass(frozen=True, slots=True)
class Standings:
    """`wins[a][b]` is how often a beat b, ties counting half; `meetings[a][b]` on how many items both were scored."""

    systems: tuple[SystemStanding, ...]
    wins: tuple[tuple[float, ...], ...]
    meetings: tuple[tuple[int, ...], ...]

    def count_wins(self, at: int) -> list[tuple[str, float | None]]:
        """Against each system in their order: wins of meetings in words, and their share; None where they never met."""
        rows = zip(self.wins[at], self.meetings[at], strict=True)
        return [(f"{say_number(won)}/{met}", won / met) if met else ("–", None) for won, met in rows]


def rank_systems(scores: Sequence[SystemScore], names: Iterable[str] = ()) -> Standings:
    """The best mean first, and last the systems among `names` that have no score."""
    systems = sorted({*names, *(score.system for score in scores)})
    items = {item: number for number, item in enumerate(dict.fromkeys(score.item for score in scores))}
    sums, counts = np.zeros((len(items), len(systems))), np.zeros((len(items), len(systems)))
    for score in scores:
        at = items[score.item], systems.index(score.system)
        sums[at] += score.value
        counts[at] += 1
    values, is_scored = divide(sums, counts), (counts > 0).astype(float)
    met = is_scored[:, :, None] * is_scored[:, None, :] * (1 - np.eye(len(systems)))
    gaps = np.nan_to_num(values[:, :, None] - values[:, None, :])
    won = met * np.where(np.abs(gaps) <= _SAME, 0.5, (gaps > 0).astype(float))

    def measure(column: int, formula: Callable[[Integers], Floats], filled: Floats) -> Estimate:
        n = int(is_scored[:, column].sum())
        return estimate(ClusterStatistic(formula, len(items), int(filled.sum()), n))

    def stand(at: int) -> SystemStanding:
        meets = met[:, at].max(axis=1)
        mean = measure(
            at,
            lambda drawn: divide(drawn.astype(float) @ np.nan_to_num(values[:, at]), drawn @ is_scored[:, at]),
            is_scored[:, at],
        )
        rate = measure(at, lambda drawn: divide(drawn @ won[:, at].sum(axis=1), drawn @ met[:, at].sum(axis=1)), meets)
        strength = measure(at, lambda drawn: _fit(drawn, won)[:, at], meets)
        return SystemStanding(systems[at], int(is_scored[:, at].sum()), mean, rate, strength)

    found = sorted((stand(at) for at in range(len(systems))), key=_place)
    order = [systems.index(each.system) for each in found]
    wins, meetings = won.sum(axis=0)[np.ix_(order, order)], met.sum(axis=0)[np.ix_(order, order)]
    return Standings(
        tuple(found), tuple(map(tuple, wins.tolist())), tuple(tuple(map(int, row)) for row in meetings.tolist())
    )


def _place(found: SystemStanding) -> tuple[bool, float]:
    return found.mean.value is None, -(found.mean.value or 0.0)


def _fit(drawn: Integers, won: Floats) -> Floats:
    """Log-strengths that sum to 0, a row per resample, by Hunter's minorisation; NaN for a system that met nobody."""
    wins = np.einsum("ri,ist->rst", drawn.astype(float), won)
    met = wins + wins.transpose(0, 2, 1)
    wins += np.where(met > 0, _PRIOR, 0.0)
    met = wins + wins.transpose(0, 2, 1)
    strengths = np.ones(wins.shape[:2])
    for _ in range(_ROUNDS):
        shared = divide(met, strengths[:, :, None] + strengths[:, None, :])
        strengths = divide(wins.sum(axis=2), np.nan_to_num(shared).sum(axis=2))
        logs = np.log(strengths)
        means = divide(np.nansum(logs, axis=1), np.isfinite(logs).sum(axis=1).astype(float))
        strengths /= np.exp(means)[:, None]
    return np.log(strengths)


def measure_position(answers: Sequence[PlacedScore]) -> Estimate:
    """How much higher an output is scored in the first place than in a later one.

    An output that was judged in several orders is compared with itself, the others with each other: their places were
    drawn by lot.
    """
    times = Counter(answer.output for answer in answers)
    groups: dict[Hashable, list[PlacedScore]] = {}
    for answer in answers:
        groups.setdefault(answer.output if times[answer.output] > 1 else None, []).append(answer)
    items = {item: number for number, item in enumerate(dict.fromkeys(answer.item for answer in answers))}
    # The slope of a line through each group's own mean is a ratio of two sums.
    sums = np.zeros((len(items), 2))
    for group in groups.values():
        share_first, mean = fmean(each.position == 0 for each in group), fmean(each.value for each in group)
        for each in group:
            is_first = (each.position == 0) - share_first
            sums[items[each.item]] += is_first * (each.value - mean), is_first**2

    def formula(drawn: Integers) -> Floats:
        products, squares = (drawn @ sums).T
        return divide(products, squares)

    return estimate(ClusterStatistic(formula, len(items), len(items), len(answers)))
