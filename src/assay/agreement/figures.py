"""How far a judge agrees with people on one metric, record by record, and what follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from assay.agreement.bootstrap import CellStatistic, Resampling, estimate, resample_pairs
from assay.agreement.classification import (
    Baselines,
    Measurement,
    accuracy,
    auc,
    balanced_accuracy,
    build_baselines,
    count_confusion,
    f1,
    gwet_ac,
    kappa,
    krippendorff_alpha,
    precision,
    recall,
    squared_skill,
)
from assay.agreement.correlation import (
    CORRELATIONS,
    Coefficient,
    correlate_records,
    correlate_systems,
    correlate_within_items,
)
from assay.agreement.difference import JudgeDifference, compare_judges
from assay.agreement.estimate import Estimate
from assay.agreement.join import Joined, Key, Kind
from assay.agreement.pairs import Pairs, Ratings, build_pairs, pair_ratings
from assay.agreement.replacement import Ceiling, Replacement, assess_replacement, estimate_ceiling
from assay.agreement.values import (
    AnswerConsistency,
    CorrectedMean,
    LabelledValues,
    Level,
    Options,
    build_values,
    correct_records,
    measure_consistency,
)
from assay.errors import InputError

# Two systems always lie on a line; AC2 has a table of values by values.
_FEWEST_SYSTEMS, _MOST_VALUES = 3, 256
_SAME_SHARE, _SKEWED = 0.8, 0.1
_BAD = 0.0


@dataclass(frozen=True, slots=True)
class Classes:
    """Good from `threshold` on, for the judge and, where labels are graded, for people. Bad is the positive class.

    `confusion[i][j]`: records that the judge calls i and people j, 0 bad and 1 good. `people_alpha` is people's own.
    """

    threshold: float
    figures: Mapping[str, Estimate]
    confusion: tuple[tuple[int, ...], ...]
    baselines: Baselines | None
    people_alpha: Estimate | None


@dataclass(frozen=True, slots=True)
class MetricFigures:
    """`alike` are measures that need one scale on both sides; `skill` is the squared error saved over the mean."""

    n: int
    clusters: int
    systems: int
    judge_mean: float | None
    human_mean: float | None
    levels: Mapping[Level, Mapping[Coefficient, Estimate]]
    alike: Mapping[str, Estimate]
    classes: Classes | None
    skill: Estimate
    ceilings: Mapping[Coefficient, Ceiling]
    people_alpha: Estimate | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DomainFigures:
    domain: str
    n: int
    judge_mean: float | None
    human_mean: float | None
    figures: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class ReplacementTest:
    """The alternative annotator test, or the reason why there is none."""

    test: Replacement | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MetricAgreement:
    """`against` compares this run's judge with another's; `consistency` needs samples or a panel, and no labels."""

    metric: str
    name: str
    kind: Kind
    people: tuple[str, ...]
    figures: MetricFigures
    domains: tuple[DomainFigures, ...]
    replacement: ReplacementTest | None
    corrected: CorrectedMean
    against: Mapping[str, JudgeDifference] | None
    consistency: tuple[AnswerConsistency, ...]


def measure_metric(
    metric: tuple[str, str], joined: Joined, options: Options, rival: Mapping[Key, float | None] | None = None
) -> MetricAgreement:
    """`metric` is its id and its name; `rival` the goodness that another run's judge gives the same records."""
    records, kind = joined.records[metric[0]], joined.kinds.get(metric[0], "graded")
    values = build_values(records, kind, options.threshold)
    return MetricAgreement(
        *metric,
        kind=kind,
        people=values.people,
        figures=_measure_figures(values, options),
        domains=_measure_domains(values, options),
        replacement=_test_replacement(values),
        corrected=correct_records(records, values, options),
        against=None if rival is None else _compare(values, rival, options),
        consistency=measure_consistency(records, options),
    )


def _measure_figures(values: LabelledValues, options: Options) -> MetricFigures:
    pairs, ratings, drawn = values.pairs, values.ratings, options.resampling
    names: tuple[Coefficient, ...] = ("pearson",) if values.kind == "binary" else ("spearman", "pearson")
    ceilings = names if ratings.is_comparable else ()
    systems = len({record.key[1] for record in values.records if record.key[1] is not None})
    return MetricFigures(
        n=pairs.n,
        clusters=pairs.cluster_count,
        systems=systems,
        judge_mean=float(pairs.judge.mean()) if pairs.n else None,
        human_mean=float(pairs.human.mean()) if pairs.n else None,
        levels={level: _correlate(pairs, level, systems, options) for level in options.levels},
        alike={} if values.kind == "binary" else _measure_alike(pairs, drawn),
        classes=None if values.threshold is None or not pairs.n else _classify(values, values.threshold, drawn),
        skill=estimate(resample_pairs(pairs, squared_skill), drawn),
        ceilings={name: estimate_ceiling(ratings, CORRELATIONS[name], values.judge, drawn) for name in ceilings},
        people_alpha=_compare_people(ratings, "nominal" if values.kind == "binary" else "interval", drawn),
        warnings=_list_warnings(values, pairs),
    )


def _correlate(pairs: Pairs, level: Level, systems: int, options: Options) -> dict[Coefficient, Estimate]:
    if level == "system":
        names = CORRELATIONS if systems >= _FEWEST_SYSTEMS else ()
        return {name: correlate_systems(pairs, name, options.resampling) for name in names}
    if level == "item":
        return {name: correlate_records(pairs, name, options.resampling) for name in CORRELATIONS}
    within = partial(correlate_within_items, undefined_as_zero=options.undefined_as_zero, resampling=options.resampling)
    return {name: within(pairs, name) for name in CORRELATIONS}


def _measure_alike(pairs: Pairs, resampling: Resampling) -> dict[str, Estimate]:
    both = pair_ratings(pairs)
    parts = {
        "linear kappa": resample_pairs(pairs, partial(kappa, distance="linear")),
        "quadratic kappa": resample_pairs(pairs, partial(kappa, distance="quadratic")),
        "Krippendorff alpha (interval)": krippendorff_alpha(both, "interval"),
        "Krippendorff alpha (ordinal)": krippendorff_alpha(both, "ordinal"),
    }
    if len(np.unique(both.values)) <= _MOST_VALUES:
        parts["Gwet AC2 (quadratic)"] = gwet_ac(both, "quadratic")
    return {name: estimate(part, resampling) for name, part in parts.items()}


def measure_classes(pairs: Pairs, categories: Sequence[float], resampling: Resampling) -> dict[str, Estimate]:
    """Agreement on classes, whatever they are: of good and bad, or of the labels of units."""
    both = pair_ratings(pairs)
    parts = {
        "accuracy": resample_pairs(pairs, accuracy),
        "balanced accuracy": resample_pairs(pairs, balanced_accuracy),
        "kappa": resample_pairs(pairs, kappa),
        "Krippendorff alpha (nominal)": krippendorff_alpha(both, "nominal"),
        "Gwet AC1": gwet_ac(both, categories=categories),
    }
    return {name: estimate(part, resampling) for name, part in parts.items()}


def measure_detection(pairs: Pairs, positive: float, resampling: Resampling) -> dict[str, Estimate]:
    statistics: dict[str, CellStatistic] = {
        "precision": partial(precision, positive=positive),
        "recall": partial(recall, positive=positive),
        "F1": partial(f1, positive=positive),
    }
    return {name: estimate(resample_pairs(pairs, each), resampling) for name, each in statistics.items()}


def _classify(values: LabelledValues, threshold: float, resampling: Resampling) -> Classes:
    pairs = build_pairs(values.classify(values.judge), values.human_classes, values.items)
    scores = build_pairs(values.judge, values.human_classes, values.items)
    found = measure_detection(pairs, _BAD, resampling)
    ratings = values.ratings
    if values.kind == "graded":
        table = np.where(np.isfinite(ratings.values), ratings.values >= threshold, np.nan)
        ratings = Ratings(table, ratings.clusters, ratings.cluster_count)
    return Classes(
        threshold,
        {
            **measure_classes(pairs, (0.0, 1.0), resampling),
            "AUC": estimate(resample_pairs(scores, auc), resampling),
            **{f"{name} of bad": each for name, each in found.items()},
        },
        count_confusion(pairs, 2),
        build_baselines(pairs, _BAD) if pairs.n else None,
        _compare_people(ratings, "nominal", resampling),
    )


def _compare_people(ratings: Ratings, measurement: Measurement, resampling: Resampling) -> Estimate | None:
    return estimate(krippendorff_alpha(ratings, measurement), resampling) if ratings.is_comparable else None


def _list_warnings(values: LabelledValues, pairs: Pairs) -> tuple[str, ...]:
    found: list[str] = []
    if unscored := sum(record.judge is None for record in values.records):
        found.append(f"the judge has no score for {unscored} of {len(values.records)} labelled records")
    if split := sum(value is None for value in values.human):
        found.append(f"people are evenly split on {split} records, which are left out")
    found += caution_about_values(pairs)
    if not pairs.n:
        found.append("no record has both a score and a label: every figure is undefined")
    elif pairs.n < 3:
        found.append(f"{pairs.n} records are too few for a correlation")
    return tuple(found)


def caution_about_values(pairs: Pairs) -> tuple[str, ...]:
    """Where one value is nearly all there is: agreement then rests on the few others."""
    found = []
    for name, values in (("the judge gives", pairs.judge), ("people give", pairs.human)):
        distinct, counts = np.unique(values, return_counts=True)
        share = float(counts.max(initial=0)) / max(1, len(values))
        if share == 1 and len(values):
            found.append(f"{name} every record the goodness {distinct[0]:g}: correlations are undefined")
        elif share > _SAME_SHARE:
            same = f"the goodness {distinct[counts.argmax()]:g}"
            found.append(f"{name} {share:.0%} of the records {same}: correlations depend on the few others")
    rates = np.unique(pairs.human, return_counts=True)[1] / max(1, pairs.n)
    if len(rates) == 2 and rates.min() < _SKEWED:
        found.append(f"one class is {rates.min():.0%} of the labels: kappa can be low despite agreement; compare AC1")
    return tuple(found)


def _measure_domains(values: LabelledValues, options: Options) -> tuple[DomainFigures, ...]:
    """Each domain by itself: pooled figures may only show that the judge can tell domains apart."""
    domains = sorted({record.domain for record in values.records}, key=lambda name: (name is None, name or ""))
    return tuple(_measure_domain(domain, values, options) for domain in domains if domains != [None])


def _measure_domain(domain: str | None, values: LabelledValues, options: Options) -> DomainFigures:
    kept, drawn = values.keep_domain(domain), options.resampling
    pairs = kept.pairs
    figures: dict[str, Estimate] = {name: correlate_records(pairs, name, drawn) for name in CORRELATIONS}
    if kept.threshold is not None:
        called = build_pairs(kept.classify(kept.judge), kept.human_classes, kept.items)
        scores = build_pairs(kept.judge, kept.human_classes, kept.items)
        figures["balanced accuracy"] = estimate(resample_pairs(called, balanced_accuracy), drawn)
        figures["AUC"] = estimate(resample_pairs(scores, auc), drawn)
    means = [float(side.mean()) if pairs.n else None for side in (pairs.judge, pairs.human)]
    return DomainFigures(domain or "no domain", pairs.n, means[0], means[1], figures)


def _test_replacement(values: LabelledValues) -> ReplacementTest | None:
    """None where only one person labelled."""
    if len(values.people) < 2:
        return None
    try:
        if values.kind == "binary":
            return ReplacementTest(assess_replacement(values.classify(values.judge), values.ratings, "equal"))
        return ReplacementTest(assess_replacement(values.judge, values.ratings, "near"))
    except InputError as error:
        return ReplacementTest(reason=str(error))


def _compare(values: LabelledValues, rival: Mapping[Key, float | None], options: Options) -> dict[str, JudgeDifference]:
    """This judge less the other, on the records that both scored: above 0, this one is closer to people."""
    judges = ([rival.get(record.key) for record in values.records], values.judge)
    items, drawn = values.items, options.resampling
    found: dict[str, JudgeDifference] = {
        name: compare_judges(judges, values.human, each, items, drawn) for name, each in CORRELATIONS.items()
    }
    if values.threshold is not None:
        human, called = values.human_classes, (values.classify(judges[0]), values.classify(judges[1]))
        found["balanced accuracy"] = compare_judges(called, human, balanced_accuracy, items, drawn)
        found["AUC"] = compare_judges(judges, human, auc, items, drawn)
    return found
