"""How far a run's judge agrees with people: every metric that has labels, single units, and marked spans."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from assay.agreement.bootstrap import Resampling, divide, estimate, sum_clusters
from assay.agreement.classification import count_confusion, kappa
from assay.agreement.estimate import Estimate
from assay.agreement.figures import MetricAgreement, measure_classes, measure_detection, measure_metric
from assay.agreement.join import Account, Joined, LabelledUnit, MarkedRecord
from assay.agreement.pairs import Pairs, as_floats, build_pairs, build_ratings, number_keys
from assay.agreement.replacement import average_pairs
from assay.agreement.values import Options
from assay.domain.parts import LabelPart, PickPart
from assay.domain.rubric import Rubric
from assay.domain.span import Span
from assay.errors import InputError

_WORSE = 1.0


@dataclass(frozen=True, slots=True)
class UnitFigures:
    """`confusion[i][j]`: units that the judge calls `options[i]` and people `options[j]`.

    `found` is how well units below the best label are found. `undecided` are the judge's, `split` those on which people
    do not agree. `commonest` is an option and the accuracy of always giving it. The kappas are means over people: of
    every two people, and of the judge with each.
    """

    metric: str
    part: str
    about: str
    n: int
    clusters: int
    undecided: int
    split: int
    figures: Mapping[str, Estimate]
    found: Mapping[str, Estimate]
    options: tuple[str, ...]
    confusion: tuple[tuple[int, ...], ...]
    commonest: tuple[str, float] | None
    people_kappa: Estimate | None
    judge_kappa: Estimate | None
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SpanFigures:
    """Precision, recall and F1 by characters: of the judge against each person, and of every two people."""

    metric: str
    records: int
    clusters: int
    characters: Mapping[str, Estimate]
    people: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Agreement:
    """All values are goodness, from 0 to 1 and 1 best; intervals are at 95 %, clustered by item."""

    run: str
    judge: str
    rubric: str
    labels: str
    people: Mapping[str, int]
    account: Account
    metrics: tuple[MetricAgreement, ...]
    units: tuple[UnitFigures, ...] = ()
    spans: tuple[SpanFigures, ...] = ()
    against: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """Which run, which rubric, where the labels come from, and which metrics are asked for (none named: all)."""

    run: str
    rubric: Rubric
    labels: str
    metrics: tuple[str, ...] = ()
    against: str | None = None


def measure_agreement(scope: Scope, joined: Joined, options: Options, rival: Joined | None = None) -> Agreement:
    """Raises InputError where no label found its record: empty tables would look like a result."""
    account = joined.account
    if not account.used:
        reasons = "; ".join(account.explain()) or "there are no labels"
        remedy = f"Name records as `assay runs show {scope.run}` does, or label some with `assay label {scope.run}`"
        raise InputError(f"no label belongs to a record of run {scope.run}: {reasons}", remedy=remedy)
    chosen = [metric for metric in scope.rubric.metrics if not scope.metrics or metric.id in scope.metrics]
    scored = [each for each in chosen if any(record.people for record in joined.records.get(each.id, ()))]
    rivals = {} if rival is None else {
        name: {record.key: record.judge for record in records} for name, records in rival.records.items()
    }  # fmt: skip
    units = [
        measure_units(metric.id, part, joined.units[metric.id, part.id], options.resampling)
        for metric in chosen
        for part in metric.parts
        if isinstance(part, LabelPart | PickPart) and (metric.id, part.id) in joined.units
    ]
    marked = [each.id for each in chosen if any(any(one.people.values()) for one in joined.marks.get(each.id, ()))]
    labelled = {*(each.id for each in scored), *marked, *(each.metric for each in units)}
    return Agreement(
        run=scope.run,
        judge=joined.judge,
        rubric=scope.rubric.id,
        labels=scope.labels,
        people=dict(sorted(joined.people.items())),
        account=account,
        metrics=tuple(
            measure_metric((each.id, each.name), joined, options, None if rival is None else rivals.get(each.id, {}))
            for each in scored
        ),
        units=tuple(units),
        spans=tuple(measure_spans(name, joined.marks[name], options.resampling) for name in marked),
        against=scope.against,
        notes=tuple(f"{metric.id} has no labels" for metric in chosen if metric.id not in labelled),
    )


def measure_table(joined: Joined, source: str, metrics: tuple[str, ...], options: Options) -> Agreement:
    """The same figures without a run: there are no units, and no rule that could score labels of them."""
    chosen = [name for name in joined.records if not metrics or name in metrics]
    if not joined.account.used or not chosen:
        known = ", ".join(joined.records) or "none"
        raise InputError("there is nothing to compare", path=source, remedy=f"Its metrics are: {known}")
    found = tuple(measure_metric((name, name), joined, options) for name in chosen)
    return Agreement("", joined.judge, "", source, dict(sorted(joined.people.items())), joined.account, found)


def measure_units(
    metric: str, part: LabelPart | PickPart, units: Sequence[LabelledUnit], resampling: Resampling
) -> UnitFigures:
    """Of single units, or of a choice about the whole. People's label is that of most of them."""
    options = tuple(option.name for option in part.options)
    codes = {name: float(number) for number, name in enumerate(options)}
    judge = [None if unit.judge is None else codes.get(unit.judge) for unit in units]
    human = [_find_majority(unit, codes) for unit in units]
    items = [unit.item for unit in units]
    pairs = build_pairs(judge, human, items)
    people = tuple(sorted({person for unit in units for person in unit.people}))
    said = [[None if (one := unit.people.get(name)) is None else codes[one] for name in people] for unit in units]
    ratings = build_ratings(said, items)
    columns, own = ratings.values.T, as_floats(judge)
    several = len(people) > 1
    counts = np.bincount(pairs.human.astype(np.int64), minlength=len(options))
    return UnitFigures(
        metric=metric,
        part=part.id,
        about=part.unit if isinstance(part, LabelPart) else "choice",
        n=pairs.n,
        clusters=pairs.cluster_count,
        undecided=sum(each is None for each in judge),
        split=sum(each is None for each in human),
        figures=measure_classes(pairs, tuple(codes.values()), resampling),
        found=_find_worse(part, pairs, codes, resampling) if isinstance(part, LabelPart) else {},
        options=options,
        confusion=count_confusion(pairs, len(options)),
        commonest=(options[int(counts.argmax())], float(counts.max() / pairs.n)) if pairs.n else None,
        people_kappa=average_pairs([ratings.pair(*two) for two in combinations(columns, 2)], kappa, resampling)
        if several
        else None,
        judge_kappa=average_pairs([ratings.pair(own, each) for each in columns], kappa, resampling)
        if several
        else None,
        people=people,
    )


def _find_majority(unit: LabelledUnit, codes: Mapping[str, float]) -> float | None:
    """None where two options are as common, or nobody could decide."""
    counted = Counter(option for option in unit.people.values() if option is not None).most_common(2)
    if not counted or (len(counted) == 2 and counted[0][1] == counted[1][1]):
        return None
    return codes[counted[0][0]]


def _find_worse(
    part: LabelPart, pairs: Pairs, codes: Mapping[str, float], resampling: Resampling
) -> dict[str, Estimate]:
    worse = [code for name, code in codes.items() if part.value(name) < part.value(part.best)]
    judge, human = (np.isin(side, worse).astype(np.float64) for side in (pairs.judge, pairs.human))
    return measure_detection(build_pairs(judge, human, pairs.clusters), _WORSE, resampling)


class Overlap(NamedTuple):
    """Of one text: what both marked, what the judge marked, what a person marked."""

    shared: int
    judge: int
    human: int


def measure_spans(metric: str, marks: Sequence[MarkedRecord], resampling: Resampling) -> SpanFigures:
    sides = [(record, spans) for record in marks for spans in record.people.values()]
    items = [record.item for record, _ in sides]
    pairs = [(record.item, *two) for record in marks for two in combinations(record.people.values(), 2)]
    met = [overlap_characters(one, two) for _, one, two in pairs]
    characters = [overlap_characters(each.judge, spans) for each, spans in sides]
    return SpanFigures(
        metric=metric,
        records=len(marks),
        clusters=len(set(items)),
        characters=measure_overlaps(characters, items, resampling),
        people=measure_overlaps(met, [item for item, _, _ in pairs], resampling) if met else {},
    )


def measure_overlaps(overlaps: Sequence[Overlap], items: Sequence[str], resampling: Resampling) -> dict[str, Estimate]:
    """Over all texts together, so that a long one counts for more; undefined where nothing was marked."""
    formulas = {
        "precision": lambda sums: divide(sums[0], sums[1]),
        "recall": lambda sums: divide(sums[0], sums[2]),
        "F1": lambda sums: divide(2 * sums[0], sums[1] + sums[2]),
    }
    counts, clusters = np.asarray(overlaps, dtype=np.float64).reshape(-1, 3), number_keys(items)
    number = len(set(items))
    return {
        name: estimate(sum_clusters(counts, clusters, number, formula), resampling)
        for name, formula in formulas.items()
    }


def overlap_characters(judge: Sequence[Span], human: Sequence[Span]) -> Overlap:
    """In characters, each counted once however many spans hold it."""
    first, second = ({at for span in side for at in range(*span)} for side in (judge, human))
    return Overlap(len(first & second), len(first), len(second))
