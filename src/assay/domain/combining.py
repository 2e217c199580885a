"""One value out of several answers: the rule of the combined card, and of the lists that show it unread."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from assay.domain.scale import half_up

DISAGREEMENT = "judges_disagree"
# Answers this far apart on the polarity-free scale do not mean the same.
_APART = Fraction(1, 2)


def mean_by_judge(answers: Iterable[tuple[str, Fraction]]) -> Fraction:
    """Each judge counts once, whatever the number of its samples."""
    by_judge: dict[str, list[Fraction]] = {}
    for judge, value in answers:
        by_judge.setdefault(judge, []).append(value)
    means = [sum(values, Fraction(0)) / len(values) for values in by_judge.values()]
    return half_up(sum(means, Fraction(0)) / len(means), 4)


def find_range(goodness: Sequence[Fraction]) -> Fraction:
    return max(goodness) - min(goodness)


def are_apart(goodness: Sequence[Fraction]) -> bool:
    return find_range(goodness) >= _APART
