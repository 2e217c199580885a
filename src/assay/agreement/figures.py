"""How far a judge agrees with people, of every metric and of single units, and the verdict on it in a sentence."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from assay.agreement.bootstrap import FEWEST_CLUSTERS, estimate
from assay.agreement.correction import CorrectedMean, correct_records
from assay.agreement.difference import compare_pairings, pair_with_others
from assay.agreement.estimate import Estimate, Figure, count_groups
from assay.agreement.join import Account, Joined, LabelledValue
from assay.agreement.pairs import Floats, Pairs, Ratings, as_floats, average_rows, build_pairs, build_ratings
from assay.agreement.statistics import (
    Measurement,
    auc,
    balanced_accuracy,
    krippendorff_alpha,
    mean_error,
    nominal_alpha,
    quadratic_kappa,
    spearman,
)
from assay.domain.parts import LabelPart, PickPart
from assay.domain.rubric import WEAKEST_SUPPORT, Rubric
from assay.domain.units import NAMES
from assay.errors import InputError
from assay.store.agreements import AgreementVerdict, JudgeFinding
from assay.store.labels import ADJUDICATED

# A judge's goodness from which it is called good, where labels are good or bad and no threshold is given.
DEFAULT_THRESHOLD = 0.5
_CLASSES = ("bad", "good")
_SAME_SHARE = 0.8
MEAN_ERROR = "mean error"


@dataclass(frozen=True, slots=True)
class MetricAgreement:
    """A metric's scores, or the labels of one of its parts. The first figure is the main one.

    `about` says what was labelled and how, `nouns` what one and several of them are called. `confusion[i][j]` counts
    what the judge calls `options[i]` and people `options[j]`.
    """

    metric: str
    name: str
    about: str
    people: tuple[str, ...]
    n: int
    clusters: int
    figures: tuple[Figure, ...]
    warnings: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    confusion: tuple[tuple[int, ...], ...] = ()
    corrected: CorrectedMean | None = None
    nouns: tuple[str, str] = ("record", "records")


@dataclass(frozen=True, slots=True)
class Agreement:
    """All scores are goodness, from 0 to 1 and 1 best; intervals are at 95 %, clustered by item."""

    run: str
    judge: str
    rubric: str
    labels: str
    people: Mapping[str, int]
    account: Account
    metrics: tuple[MetricAgreement, ...]
    units: tuple[MetricAgreement, ...] = ()
    preferences: tuple[MetricAgreement, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[MetricAgreement, ...]:
        return (*self.metrics, *self.units, *self.preferences)


@dataclass(frozen=True, slots=True)
class Scope:
    """Which run, which rubric, where the labels come from, and which metrics are asked for (none named: all).

    With a threshold, graded labels become good and bad too.
    """

    run: str
    rubric: Rubric
    labels: str
    metrics: tuple[str, ...] = ()
    threshold: float | None = None


def measure_agreement(scope: Scope, joined: Joined, preferences: tuple[MetricAgreement, ...] = ()) -> Agreement:
    """Raises InputError where no label found its record: empty tables would look like a result."""
    account = joined.account
    if not account.used:
        reasons = "; ".join(account.explain()) or "there are no labels"
        remedy = f"Use the ids that `assay runs show {scope.run}` shows, or label records: `assay label {scope.run}`"
        raise InputError(f"no label belongs to a record of run {scope.run}: {reasons}", remedy=remedy)
    chosen = [metric for metric in scope.rubric.metrics if not scope.metrics or metric.id in scope.metrics]
    metrics = [
        measure_metric((each.id, each.name), joined, scope.threshold)
        for each in (one for metric in chosen for one in (metric, metric.weakest_support))
        if any(record.people for record in joined.records.get(each.id, ()))
    ]
    units = [
        measure_units((metric.id, f"{metric.name}, {part.id}"), part, joined.units[metric.id, part.id])
        for metric in chosen
        for part in metric.parts
        if isinstance(part, LabelPart | PickPart) and (metric.id, part.id) in joined.units
    ]
    labelled = {each.metric for each in (*metrics, *units, *preferences)}
    return Agreement(
        *(scope.run, joined.judge, scope.rubric.id, scope.labels, dict(sorted(joined.people.items())), account),
        metrics=tuple(metrics),
        units=tuple(units),
        preferences=preferences,
        notes=tuple(f"{metric.id} has no labels" for metric in chosen if metric.id not in labelled),
    )


def measure_table(joined: Joined, source: str, metrics: tuple[str, ...], threshold: float | None) -> Agreement:
    """The same figures without a run: there are no units, and no rule that could score labels of them."""
    chosen = [name for name in joined.records if not metrics or name in metrics]
    if not joined.account.used or not chosen:
        known = ", ".join(joined.records) or "none"
        raise InputError("there is nothing to compare", path=source, remedy=f"Its metrics are: {known}")
    found = tuple(measure_metric((name, name), joined, threshold) for name in chosen)
    return Agreement("", joined.judge, "", source, dict(sorted(joined.people.items())), joined.account, found)


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """What was labelled, as arrays. `human` is people's mean, for classes the one that most chose; NaN if split.

    What people agreed on takes the place of both.
    """

    values: tuple[LabelledValue, ...]
    people: tuple[str, ...]
    judge: Floats
    human: Floats
    pairs: Pairs
    ratings: Ratings


def build_sides(values: Sequence[LabelledValue], *, are_classes: bool) -> Sides:
    labelled = tuple(each for each in values if each.people)
    people = tuple(sorted({person for each in labelled for person in each.people} - {ADJUDICATED}))
    rows = [[each.people.get(name, np.nan) for name in people] for each in labelled]
    table = np.array(rows, dtype=np.float64).reshape(len(labelled), len(people))
    if are_classes:
        counts = np.stack([np.sum(table == code, axis=1) for code in range(int(np.nanmax(table, initial=0)) + 1)], 1)
        top = counts.max(axis=1, initial=0)
        human = np.where((counts == top[:, None]).sum(axis=1) == 1, counts.argmax(axis=1), np.nan)
    else:
        human = average_rows(table)
    adjudicated = as_floats([each.people.get(ADJUDICATED) for each in labelled])
    human = np.where(np.isfinite(adjudicated), adjudicated, human)
    judge, items = as_floats([each.judge for each in labelled]), [each.item for each in labelled]
    return Sides(labelled, people, judge, human, build_pairs(judge, human, items), build_ratings(table, items))


def measure_metric(metric: tuple[str, str], joined: Joined, threshold: float | None) -> MetricAgreement:
    """`metric` is its id and its name."""
    scores = joined.records[metric[0]]
    is_binary = joined.kinds.get(metric[0].removesuffix(WEAKEST_SUPPORT)) == "binary"
    cut = DEFAULT_THRESHOLD if is_binary and threshold is None else threshold
    goodness = as_floats([each.judge for each in scores if each.people])
    if cut is None:
        values, sides = scores, build_sides(scores, are_classes=False)
        about, what = "records with graded labels", "mean normalized score"
        figures = list(_measure_scores(sides))
    else:
        values = [_classify(each, cut, DEFAULT_THRESHOLD if is_binary else cut) for each in scores]
        sides = build_sides(values, are_classes=True)
        about, what = f"records, good if the normalized score is at least {cut:g}", "share of good records"
        figures = list(_measure_classes(sides, _CLASSES))
        area = estimate(auc(build_pairs(goodness, sides.human, sides.ratings.clusters)))
        figures.append(Figure("AUC", area, constant=("a constant", 0.5)))
    labelled = zip([each.key for each in sides.values], sides.human.tolist(), strict=True)
    found = _build_agreement((*metric, about), sides, figures, () if cut is None else _CLASSES)
    warnings = (*found.warnings, *figures[0].judge.warnings)
    return replace(found, warnings=warnings, corrected=correct_records(what, values, dict(labelled)))


def _build_agreement(
    titled: tuple[str, str, str],
    sides: Sides,
    figures: Sequence[Figure],
    options: tuple[str, ...],
    nouns: tuple[str, str] = ("record", "records"),
) -> MetricAgreement:
    """`titled` is the metric's id, its name, and what was labelled."""
    return MetricAgreement(
        *(*titled, sides.people, sides.pairs.n, sides.pairs.cluster_count, tuple(figures)),
        warnings=_list_warnings(sides, nouns[1]),
        options=options,
        confusion=_count_confusion(sides.pairs, len(options)) if options else (),
        nouns=nouns,
    )


def measure_units(
    metric: tuple[str, str], part: LabelPart | PickPart, units: Sequence[LabelledValue]
) -> MetricAgreement:
    """Of single units, or of a choice about the whole."""
    names = tuple(option.name for option in part.options)
    about, nouns = f"choices of {part.id}", ("record", "records")
    if isinstance(part, LabelPart):
        nouns = NAMES[part.unit]
        about = f"labels of each {part.unit.replace('_', ' ')}"
    sides = build_sides(units, are_classes=True)
    return _build_agreement((*metric, about), sides, list(_measure_classes(sides, names)), names, nouns)


def _classify(value: LabelledValue, judge_from: float, people_from: float) -> LabelledValue:
    """Good is 1 and bad is 0. One person may say good or bad and another label units: that score is classified too."""
    judge = None if value.judge is None else float(value.judge >= judge_from)
    return replace(value, judge=judge, people={name: float(each >= people_from) for name, each in value.people.items()})


def _measure_scores(sides: Sides) -> Iterator[Figure]:
    pairs = sides.pairs
    yield Figure("Spearman, all records", estimate(spearman(pairs)), constant=("a constant", 0.0))
    if sides.ratings.is_comparable:
        pairings = pair_with_others(sides.ratings, sides.judge)
        yield compare_pairings("Spearman, judge vs each annotator", *pairings, spearman)
    yield Figure("quadratic weighted kappa", estimate(quadratic_kappa(pairs)), constant=("a constant", 0.0))
    yield _measure_alpha(sides, "interval")
    # No constant answer has a smaller mean error than the median.
    median = float(np.abs(pairs.human - np.median(pairs.human)).mean()) if pairs.n else 0.0
    yield Figure(MEAN_ERROR, estimate(mean_error(pairs)), constant=("always the median label", median))


def _measure_classes(sides: Sides, names: Sequence[str]) -> Iterator[Figure]:
    """Of good and bad, or of the labels of units."""
    pairs, ratings = sides.pairs, sides.ratings
    values, counts = np.unique(pairs.human, return_counts=True)
    constant = (f"always {names[int(values[counts.argmax()])]}", 1 / len(values)) if pairs.n else None
    yield Figure("balanced accuracy", estimate(balanced_accuracy(pairs)), constant=constant)
    if ratings.is_comparable:
        seats = [ratings.pair(sides.judge, each) for each in ratings.values.T]
        couples = [ratings.pair(*two) for two in combinations(ratings.values.T, 2)]
        yield compare_pairings("alpha, judge vs each annotator", seats, couples, nominal_alpha)
    yield _measure_alpha(sides, "nominal")


def _measure_alpha(sides: Sides, measurement: Measurement) -> Figure:
    judge = estimate(krippendorff_alpha(sides.pairs, measurement))
    people = estimate(krippendorff_alpha(sides.ratings, measurement)) if sides.ratings.is_comparable else None
    return Figure(f"Krippendorff alpha ({measurement})", judge, people)


def _count_confusion(pairs: Pairs, classes: int) -> tuple[tuple[int, ...], ...]:
    counts = np.zeros((classes, classes), dtype=np.int64)
    np.add.at(counts, (pairs.judge.astype(np.int64), pairs.human.astype(np.int64)), 1)
    return tuple(tuple(row) for row in counts.tolist())


def _list_warnings(sides: Sides, kind: str) -> tuple[str, ...]:
    found: list[str] = []
    if unscored := int(np.isnan(sides.judge).sum()):
        found.append(f"the judge has no value for {unscored} of {len(sides.values)} labelled {kind}")
    if split := int(np.isnan(sides.human).sum()):
        found.append(f"people are evenly split on {split} {kind}, which are left out")
    if not sides.pairs.n:
        found.append(f"none of the {kind} has both a value of the judge and a label: every figure is undefined")
    return (*found, *caution_about_values(sides.pairs, kind))


def caution_about_values(pairs: Pairs, kind: str = "records") -> tuple[str, ...]:
    """Where one value is nearly all there is: agreement then rests on the few others."""
    found = []
    for name, values in (("the judge gives", pairs.judge), ("people give", pairs.human)):
        share = float(np.unique(values, return_counts=True)[1].max(initial=0)) / max(1, len(values))
        if share == 1 and len(values):
            found.append(f"{name} all {kind} the same value: correlations are undefined")
        elif share > _SAME_SHARE:
            found.append(f"{name} {share:.0%} of the {kind} the same value: figures depend on the few others")
    return tuple(found)


# People and judge differ by less than this at most: about as well. With fewer labels than this, more may show it.
_MARGIN, _MANY = 0.1, 100
# What is said before and after the counts.
_WORDS: dict[JudgeFinding, tuple[str, str]] = {
    "too_few": ("Too few labels for a verdict", "Label more."),
    "undefined": ("No verdict, because the figure is undefined", ""),
    "no_better": ("No better than a constant guess", "Do not use it for this metric."),
    "not_shown": ("Not shown to be better than a constant guess", "Label more."),
    "better": ("Better than a constant guess", "How well people agree with each other is not known."),
    "unclear": ("Better than a constant guess", "Whether it agrees as well as people do needs more labels."),
    "below_people": (
        "Better than a constant guess, but agrees with people less well than they agree with each other",
        "",
    ),
    "as_people": ("Agrees with people about as well as they agree with each other", ""),
    "above_people": ("Agrees with people better than they agree with each other", ""),
}
_ORDER_ONLY = "Use its scores only to rank records: the median label is closer to people's labels than its scores are."


def reach_verdict(found: MetricAgreement) -> AgreementVerdict:
    """From the intervals of the main figure, of the human ceiling and of the mean error."""
    finding = _judge(found)
    before, after = _WORDS[finding]
    noun = found.nouns[found.n != 1]
    size = f"{found.n} {noun} from {count_groups(found.clusters)}"
    sentence = f"{before} ({size})." + (f" {after}" if after else "")
    verdict = AgreementVerdict(finding, sentence, found.n, found.clusters, len(found.people))
    return (
        replace(verdict, sentence=f"{sentence} {_ORDER_ONLY}") if verdict.is_better and _is_far_off(found) else verdict
    )


def find_ceiling(found: MetricAgreement) -> Figure | None:
    """The judge beside people in the same place; None where no record has two people's labels."""
    return next((each for each in found.figures if each.gap is not None and each.beside is not None), None)


def find_ends(found: Estimate) -> tuple[float, float] | None:
    """A figure that is the same in every resample has no interval: its value is both ends."""
    if found.interval is not None or found.value is None:
        return found.interval
    return (found.value, found.value) if found.clusters >= FEWEST_CLUSTERS else None


def _judge(found: MetricAgreement) -> JudgeFinding:
    main, ceiling = found.figures[0], find_ceiling(found)
    ends, constant = find_ends(main.judge), main.constant[1] if main.constant else 0.0
    if found.clusters < FEWEST_CLUSTERS:
        return "too_few"
    if main.judge.value is None:
        return "undefined"
    if ends is None:
        return "too_few"
    if ends[0] <= constant:
        return "no_better" if main.judge.value <= constant or found.n >= _MANY else "not_shown"
    gap = None if ceiling is None or ceiling.gap is None else find_ends(ceiling.gap)
    if gap is None:
        return "better"
    if gap[0] > 0:
        return "above_people"
    if gap[1] < 0:
        return "below_people"
    return "as_people" if gap[0] >= -_MARGIN else "unclear"


def _is_far_off(found: MetricAgreement) -> bool:
    """Whether a constant answer, the median of the labels, is nearer to them."""
    error = next((each for each in found.figures if each.name == MEAN_ERROR), None)
    ends = None if error is None else find_ends(error.judge)
    return error is not None and ends is not None and error.constant is not None and ends[0] > error.constant[1]
