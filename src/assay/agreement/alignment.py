"""How a rubric agrees with people: answers beside theirs, halves of labels, the paired change, a mapping of levels."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from math import isfinite
from statistics import fmean

import numpy as np

from assay.agreement.difference import PairedDifference, compare_paired
from assay.agreement.estimate import Estimate, estimate_mean
from assay.agreement.figures import DEFAULT_THRESHOLD, build_sides
from assay.agreement.join import LabelledValue, join_labels
from assay.agreement.labels import BAD, GOOD, LabelRow
from assay.agreement.people import Key
from assay.domain.findings import UNDECIDED
from assay.domain.outcome import Failure, Verdict
from assay.domain.rubric import Metric, Rubric
from assay.domain.scorecard import Scorecard
from assay.domain.terms import plain

Mapped = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """One question: a unit's label, or a metric's score where `unit` is None.

    `agreement` is 1 where both say the same, 0 where they are as far apart as can be or the judge gives no answer, and
    None where it failed. `levels` are both answers as numbers on the metric's scale.
    """

    record: Key
    item: str
    metric: str
    unit: str | None
    text: str
    expected: str
    given: str
    expected_reason: str
    given_reason: str
    agreement: float | None
    levels: tuple[float, float] | None = None

    @property
    def question(self) -> tuple[Key, str, str | None]:
        return self.record, self.metric, self.unit

    @property
    def is_right(self) -> bool:
        return self.agreement == 1


def build_pair(
    card: Scorecard,
    question: tuple[str, str | None],
    expected: tuple[str, str],
    agreement: float,
    levels: tuple[float, float] | None = None,
) -> AnswerPair:
    """`question` is a metric and a unit of it, or None for its score; `expected` an answer and its reason."""
    metric, unit = question
    outcome, record = card.outcomes[metric], card.record
    label = next((each for each in outcome.trail.findings.labels if each.unit == unit), None)
    text = next((each.placed_text for each in outcome.trail.units if each.id == unit), record.output)
    if label is not None:
        given = (label.label, label.note)
    elif isinstance(outcome, Verdict):
        reasons = "; ".join(grade.reason for grade in outcome.trail.findings.grades if grade.reason)
        score = (outcome.score.scale.say(outcome.score.value), reasons or outcome.score.derivation)
        given = score if unit is None else (UNDECIDED, "")
    else:
        given = (plain(outcome.status), outcome.reason)
    found = None if isinstance(outcome, Failure) and label is None else agreement
    said = (expected[0], given[0], expected[1], given[1])
    return AnswerPair((record.id, record.system), record.item, metric, unit, text, *said, found, levels)


def pair_with_labels(cards: Sequence[Scorecard], rows: Sequence[LabelRow], rubric: Rubric) -> list[AnswerPair]:
    """The judge's scores and labels of units beside people's: their mean, and the label that most of them chose."""
    joined = join_labels(cards, rows, rubric)
    by_key = {(card.record.id, card.record.system): card for card in cards}
    notes: dict[tuple[str, str, str | None], list[LabelRow]] = defaultdict(list)
    for row in rows:
        notes[row.label.record, row.label.metric, row.label.unit].append(row)
    scored = {row.label.metric for row in rows if row.label.unit is None}

    def find_notes(value: LabelledValue, metric: Metric) -> str:
        said = [each.label for each in notes[value.key[0], metric.id, value.unit]]
        return "; ".join(dict.fromkeys(each.note for each in said if each.note and each.system in {None, value.key[1]}))

    pairs = []
    for metric in rubric.metrics:
        for part in metric.label_parts:
            sides = build_sides(joined.units.get((metric.id, part.id), ()), are_classes=True)
            for value, option in zip(sides.values, sides.human.tolist(), strict=True):
                if isfinite(option):
                    expected = (part.options[int(option)].name, find_notes(value, metric))
                    agreement = float(value.judge == option)
                    pairs.append(build_pair(by_key[value.key], (metric.id, value.unit), expected, agreement))
        # A score that follows from labels of all units is not compared a second time.
        sides = build_sides(joined.records.get(metric.id, ()) if metric.id in scored else (), are_classes=False)
        for value, human in zip(sides.values, sides.human.tolist(), strict=True):
            is_binary = joined.kinds.get(metric.id) == "binary"
            said, agreement, levels = _compare_score(human, value.judge, metric, is_binary=is_binary)
            expected = (said, find_notes(value, metric))
            pairs.append(build_pair(by_key[value.key], (metric.id, None), expected, agreement, levels))
    return pairs


def _compare_score(
    human: float, judge: float | None, metric: Metric, *, is_binary: bool
) -> tuple[str, float, tuple[float, float] | None]:
    """People's level in words, the agreement, and both levels; good and bad are no levels."""
    if is_binary:
        is_good = human >= DEFAULT_THRESHOLD
        agrees = judge is not None and (judge >= DEFAULT_THRESHOLD) == is_good
        return (GOOD if is_good else BAD)[0], float(agrees), None
    levels = [_place(each, metric) for each in (human, judge) if each is not None]
    said = metric.scale.say(Fraction(levels[0]).limit_denominator(1000))
    if judge is None:
        return said, 0.0, None
    return said, 1 - abs(human - judge), (levels[0], levels[1])


def _place(goodness: float, metric: Metric) -> float:
    scale = metric.scale
    share = goodness if scale.best == "high" else 1 - goodness
    return round(float(scale.stretch(Fraction(share))), 6)


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
