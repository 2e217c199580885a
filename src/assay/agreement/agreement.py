"""How far a run's judge agrees with people: every metric that has labels, and single units."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from assay.agreement.bootstrap import Resampling
from assay.agreement.ceiling import average_pairs
from assay.agreement.classification import build_baselines, count_confusion, kappa
from assay.agreement.estimate import Estimate
from assay.agreement.figures import MetricAgreement, Options, measure_classes, measure_detection, measure_metric
from assay.agreement.join import Account, Joined, LabelledUnit
from assay.agreement.pairs import Pairs, as_floats, build_pairs, build_ratings
from assay.domain.parts import LabelPart, PickPart
from assay.domain.rubric import Rubric
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
    metrics = []
    for each in chosen:
        if any(record.people for record in joined.records.get(each.id, ())):
            scores = None if rival is None else {one.key: one.judge for one in rival.records.get(each.id, ())}
            metrics.append(measure_metric((each.id, each.name), joined, options, scores))
    units = [
        measure_units(metric.id, part, joined.units[metric.id, part.id], options.resampling)
        for metric in chosen
        for part in metric.parts
        if isinstance(part, LabelPart | PickPart) and (metric.id, part.id) in joined.units
    ]
    labelled = {*(each.metric for each in metrics), *(each.metric for each in units)}
    return Agreement(
        run=scope.run,
        judge=joined.judge,
        rubric=scope.rubric.id,
        labels=scope.labels,
        people=dict(sorted(joined.people.items())),
        account=account,
        metrics=tuple(metrics),
        units=tuple(units),
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
    judge = as_floats([codes.get(unit.judge or "") for unit in units])
    human = as_floats([_find_majority(unit, codes) for unit in units])
    items = [unit.item for unit in units]
    pairs = build_pairs(judge, human, items)
    people = tuple(sorted({person for unit in units for person in unit.people}))
    said = [[codes.get(unit.people.get(name) or "") for name in people] for unit in units]
    ratings = build_ratings(said, items)
    columns = ratings.values.T
    couples = [ratings.pair(*two) for two in combinations(columns, 2)]
    baselines = build_baselines(pairs)
    return UnitFigures(
        metric=metric,
        part=part.id,
        about=part.unit if isinstance(part, LabelPart) else "choice",
        n=pairs.n,
        clusters=pairs.cluster_count,
        undecided=int(np.isnan(judge).sum()),
        split=int(np.isnan(human).sum()),
        figures=measure_classes(pairs, tuple(codes.values()), resampling),
        found=_find_worse(part, pairs, codes, resampling) if isinstance(part, LabelPart) else {},
        options=options,
        confusion=count_confusion(pairs, len(options)),
        commonest=None if baselines is None else (options[int(baselines.commonest)], baselines.accuracy),
        people_kappa=average_pairs(couples, kappa, resampling) if couples else None,
        judge_kappa=average_pairs([ratings.pair(judge, each) for each in columns], kappa, resampling)
        if couples
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
    return measure_detection(Pairs(judge, human, pairs.clusters, pairs.cluster_count), _WORSE, resampling)
