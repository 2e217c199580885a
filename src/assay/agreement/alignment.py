"""How a changed rubric agrees with people: labels in two halves, the paired change, and a mapping of levels."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from hashlib import sha256
from statistics import fmean

import numpy as np

from assay.agreement.answer_pairs import AnswerPair
from assay.agreement.difference import PairedDifference, compare_paired
from assay.agreement.estimate import Estimate, estimate_mean

Mapped = tuple[tuple[float, float], ...]


def is_hidden(item: str) -> bool:
    """Which half a source group is in. It depends on nothing else: more labels move none to the other half."""
    return bool(sha256(item.encode("utf-8", "replace")).digest()[0] & 1)


@dataclass(frozen=True, slots=True)
class AgreementChange:
    """Agreement with people before and after an edit: a mean over source groups, from 0 to 1, with 95 % intervals.

    The interval of `difference` is at `level`, 0.05 for 95 %. `failed` counts answers that one of the two runs lacks;
    their questions are left out.
    """

    name: str
    metrics: tuple[str, ...]
    answers: int
    failed: int
    before: Estimate
    after: Estimate
    difference: PairedDifference
    level: float

    @property
    def is_better(self) -> bool:
        interval = self.difference.interval
        return interval is not None and interval[0] > 0

    @property
    def is_worse(self) -> bool:
        interval = self.difference.interval
        return interval is not None and interval[1] < 0


def measure_change(
    name: str,
    before: Iterable[AnswerPair],
    after: Iterable[AnswerPair],
    metrics: Collection[str],
    level: float = 0.05,
) -> AgreementChange:
    """Of these metrics. Answers about one source group are averaged first: they are not independent."""
    earlier = {each.question: each for each in before if each.metric in metrics}
    groups: dict[str, list[tuple[float, float]]] = defaultdict(list)
    answers = 0
    for each in after:
        other = earlier.get(each.question)
        if other is not None and other.agreement is not None and each.agreement is not None:
            groups[each.item].append((other.agreement, each.agreement))
            answers += 1
    means = [tuple(map(fmean, zip(*group, strict=True))) for _, group in sorted(groups.items())]
    first, second = [each[0] for each in means], [each[1] for each in means]
    return AgreementChange(
        name,
        tuple(sorted(metrics)),
        answers,
        len(earlier) - answers,
        estimate_mean(first, bounds=(0.0, 1.0)),
        estimate_mean(second, bounds=(0.0, 1.0)),
        compare_paired(first, second, level=level),
        level,
    )


def fit_mapping(pairs: Iterable[AnswerPair]) -> Mapped:
    """For each level that the judge gives, people's level: the increasing mapping with the least squared error.

    Empty where the judge's levels are people's already.
    """
    from scipy.optimize import isotonic_regression

    said: dict[float, list[float]] = defaultdict(list)
    for each in pairs:
        if each.levels is not None:
            said[each.levels[1]].append(each.levels[0])
    levels = sorted(said)
    counts = [len(said[level]) for level in levels]
    people = isotonic_regression([fmean(said[level]) for level in levels], weights=counts).x if levels else []
    mapped = tuple((level, round(float(mean), 4)) for level, mean in zip(levels, people, strict=True))
    return mapped if any(level != mean for level, mean in mapped) else ()


def measure_error(pairs: Iterable[AnswerPair], mapped: Mapped) -> tuple[float, float] | None:
    """The mean distance of the judge's levels from people's, as they are and mapped."""
    levels = np.array([each.levels for each in pairs if each.levels is not None])
    if not len(levels):
        return None
    people, judge = levels.T
    given, mean = np.array(mapped).T
    nearer = np.interp(judge, given, mean)
    return round(float(np.abs(judge - people).mean()), 4), round(float(np.abs(nearer - people).mean()), 4)
