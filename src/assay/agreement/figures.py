"""How far a judge agrees with people on one metric, record by record, and what follows from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import DEFAULT, Resampling, estimate
from assay.agreement.ceiling import Ceiling, estimate_ceiling
from assay.agreement.classification import (
    Baselines,
    accuracy,
    auc,
    balanced_accuracy,
    build_baselines,
    count_confusion,
    f1,
    kappa,
    precision,
    recall,
    squared_skill,
)
from assay.agreement.correlation import CORRELATIONS, Coefficient, correlate_systems, correlate_within_items
from assay.agreement.difference import JudgeDifference, compare_judges
from assay.agreement.estimate import Estimate
from assay.agreement.join import Joined, Key, Kind
from assay.agreement.pairs import Pairs, Ratings, as_floats, pair_ratings
from assay.agreement.reliability import Measurement, gwet_ac, krippendorff_alpha
from assay.agreement.values import CorrectedMean, LabelledValues, build_values, classify, correct_records

Level = Literal["item", "group", "system"]
LEVELS: tuple[Level, ...] = ("item", "group", "system")
# Two systems always lie on a line; linear kappa and AC2 have a table of values by values.
_FEWEST_SYSTEMS, _MOST_VALUES = 3, 256
_SAME_SHARE, _SKEWED = 0.8, 0.1
_BAD = 0.0


@dataclass(frozen=True, slots=True)
class Options:
    levels: tuple[Level, ...] = LEVELS
    threshold: float | None = None
    coefficients: tuple[Coefficient, ...] = tuple(CORRELATIONS)
    resampling: Resampling = DEFAULT


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
class MetricAgreement:
    """`against` compares this run's judge with another's."""

    metric: str
    name: str
    kind: Kind
    people: tuple[str, ...]
    figures: MetricFigures
    domains: tuple[DomainFigures, ...]
    corrected: CorrectedMean
    against: Mapping[str, JudgeDifference] | None


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
        corrected=correct_records(records, values),
        against=None if rival is None else _compare(values, rival, options),
    )


def _measure_figures(values: LabelledValues, options: Options) -> MetricFigures:
    pairs, ratings, drawn = values.pairs, values.ratings, options.resampling
    is_binary = values.kind == "binary"
    names: tuple[Coefficient, ...] = ("pearson",) if is_binary else ("spearman", "pearson")
    systems = len({record.key[1] for record in values.records if record.key[1] is not None})
    judge_mean, human_mean = _average(pairs)
    return MetricFigures(
        n=pairs.n,
        clusters=pairs.cluster_count,
        systems=systems,
        judge_mean=judge_mean,
        human_mean=human_mean,
        levels={level: _correlate(pairs, level, systems, options) for level in options.levels},
        alike={} if is_binary else _measure_alike(pairs, drawn),
        classes=None if values.threshold is None or not pairs.n else _classify(values, values.threshold, drawn),
        skill=estimate(squared_skill(pairs), drawn),
        ceilings={name: estimate_ceiling(ratings, CORRELATIONS[name], values.judge, drawn) for name in names}
        if ratings.is_comparable
        else {},
        people_alpha=_compare_people(ratings, "nominal" if is_binary else "interval", drawn),
        warnings=_list_warnings(values, pairs),
    )


def _average(pairs: Pairs) -> tuple[float | None, float | None]:
    return (float(pairs.judge.mean()), float(pairs.human.mean())) if pairs.n else (None, None)


def _correlate(pairs: Pairs, level: Level, systems: int, options: Options) -> dict[Coefficient, Estimate]:
    if level == "item":
        return {name: estimate(CORRELATIONS[name](pairs), options.resampling) for name in options.coefficients}
    if level == "group":
        return {name: correlate_within_items(pairs, name) for name in options.coefficients}
    names = options.coefficients if systems >= _FEWEST_SYSTEMS else ()
    return {name: correlate_systems(pairs, name, options.resampling) for name in names}


def _measure_alike(pairs: Pairs, resampling: Resampling) -> dict[str, Estimate]:
    both = pair_ratings(pairs)
    parts = {
        "quadratic kappa": kappa(pairs, "quadratic"),
        "Krippendorff alpha (interval)": krippendorff_alpha(both, "interval"),
        "Krippendorff alpha (ordinal)": krippendorff_alpha(both, "ordinal"),
    }
    if len(np.unique(both.values)) <= _MOST_VALUES:
        parts = {"linear kappa": kappa(pairs, "linear"), **parts, "Gwet AC2 (quadratic)": gwet_ac(both, "quadratic")}
    return {name: estimate(part, resampling) for name, part in parts.items()}


def measure_classes(pairs: Pairs, categories: Sequence[float], resampling: Resampling) -> dict[str, Estimate]:
    """Agreement on classes, whatever they are: of good and bad, or of the labels of units."""
    both = pair_ratings(pairs)
    parts = {
        "accuracy": accuracy(pairs),
        "balanced accuracy": balanced_accuracy(pairs),
        "kappa": kappa(pairs),
        "Krippendorff alpha (nominal)": krippendorff_alpha(both, "nominal"),
        "Gwet AC1": gwet_ac(both, categories=categories),
    }
    return {name: estimate(part, resampling) for name, part in parts.items()}


def measure_detection(pairs: Pairs, positive: float, resampling: Resampling) -> dict[str, Estimate]:
    statistics = {"precision": precision, "recall": recall, "F1": f1}
    return {name: estimate(each(pairs, positive), resampling) for name, each in statistics.items()}


def _classify(values: LabelledValues, threshold: float, resampling: Resampling) -> Classes:
    human = values.classify_human(threshold)
    pairs, scores = values.pair(classify(values.judge, threshold), human), values.pair(values.judge, human)
    ratings = values.ratings
    if values.kind == "graded":
        ratings = Ratings(classify(ratings.values, threshold), ratings.clusters, ratings.cluster_count)
    found = measure_detection(pairs, _BAD, resampling)
    return Classes(
        threshold,
        {
            **measure_classes(pairs, (0.0, 1.0), resampling),
            "AUC": estimate(auc(scores), resampling),
            **{f"{name} of bad": each for name, each in found.items()},
        },
        count_confusion(pairs, 2),
        build_baselines(pairs, _BAD),
        _compare_people(ratings, "nominal", resampling),
    )


def _compare_people(ratings: Ratings, measurement: Measurement, resampling: Resampling) -> Estimate | None:
    return estimate(krippendorff_alpha(ratings, measurement), resampling) if ratings.is_comparable else None


def _list_warnings(values: LabelledValues, pairs: Pairs) -> tuple[str, ...]:
    found: list[str] = []
    if unscored := int(np.isnan(values.judge).sum()):
        found.append(f"the judge has no score for {unscored} of {len(values.records)} labelled records")
    if split := int(np.isnan(values.human).sum()):
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
    found, drawn = [], options.resampling
    for domain in domains if domains != [None] else ():
        kept = build_values([each for each in values.records if each.domain == domain], values.kind, values.threshold)
        pairs = kept.pairs
        figures = {name: estimate(CORRELATIONS[name](pairs), drawn) for name in ("spearman", "pearson")}
        if kept.threshold is not None:
            human = kept.classify_human(kept.threshold)
            called = kept.pair(classify(kept.judge, kept.threshold), human)
            figures["balanced accuracy"] = estimate(balanced_accuracy(called), drawn)
            figures["AUC"] = estimate(auc(kept.pair(kept.judge, human)), drawn)
        found.append(DomainFigures(domain or "no domain", pairs.n, *_average(pairs), figures))
    return tuple(found)


def _compare(values: LabelledValues, rival: Mapping[Key, float | None], options: Options) -> dict[str, JudgeDifference]:
    """This judge less the other, on the records that both scored: above 0, this one is closer to people."""
    other = as_floats([rival.get(record.key) for record in values.records])
    compare = partial(
        compare_judges, clusters=[record.item for record in values.records], resampling=options.resampling
    )
    found = {name: compare((other, values.judge), values.human, CORRELATIONS[name]) for name in ("spearman", "pearson")}
    if values.threshold is not None:
        human = values.classify_human(values.threshold)
        called = (classify(other, values.threshold), classify(values.judge, values.threshold))
        found["balanced accuracy"] = compare(called, human, balanced_accuracy)
        found["AUC"] = compare((other, values.judge), human, auc)
    return found
