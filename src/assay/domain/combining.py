"""One value out of several: the rules of the combined card and its total, and of the lists that show them unread."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.domain.scale import half_up

DISAGREEMENT = "judges_disagree"
UNCHECKED_CAP = "cap_unknown"
# Answers this far apart on the polarity-free scale do not mean the same.
_APART = Fraction(1, 2)


def mean_by_judge(answers: Iterable[tuple[str, Fraction]]) -> Fraction:
    """Each judge counts once, whatever the number of its samples."""
    by_judge: dict[str, list[Fraction]] = {}
    for judge, value in answers:
        by_judge.setdefault(judge, []).append(value)
    means = [sum(values, Fraction(0)) / len(values) for values in by_judge.values()]
    return half_up(sum(means, Fraction(0)) / len(means), 4)


def mean_interval(answers: Sequence[tuple[str, tuple[Fraction, Fraction]]]) -> tuple[Fraction, Fraction]:
    """What is left open of the mean: from the mean of the low ends to that of the high ends, each judge counting once.

    How far the answers themselves are apart is no part of it.
    """
    low = mean_by_judge((judge, ends[0]) for judge, ends in answers)
    return low, mean_by_judge((judge, ends[1]) for judge, ends in answers)


@dataclass(frozen=True, slots=True)
class Scored:
    """One metric's part in a total."""

    weight: Fraction
    goodness: Fraction
    flags: Collection[str]


def weigh_goodness(scored: Sequence[Scored]) -> Fraction | None:
    """Over scored metrics only. None where a cap could not be checked: a total that may be too high is not one."""
    if any(UNCHECKED_CAP in each.flags for each in scored):
        return None
    exact = weigh((each.weight, each.goodness) for each in scored)
    return None if exact is None else half_up(exact, 4)


def weigh(pairs: Iterable[tuple[Fraction, Fraction]]) -> Fraction | None:
    """Σ w·s / Σ w, not rounded; None where nothing has weight."""
    weights = total = Fraction(0)
    for weight, value in pairs:
        weights += weight
        total += weight * value
    return total / weights if weights else None


def find_range(goodness: Sequence[Fraction]) -> Fraction:
    return max(goodness) - min(goodness)


def are_apart(goodness: Sequence[Fraction]) -> bool:
    return find_range(goodness) >= _APART
