"""How far a judge agrees with people on one metric, record by record."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import DEFAULT, Resampling, estimate
from assay.agreement.cautions import caution_about_values
from assay.agreement.ceiling import Ceiling, estimate_ceiling
from assay.agreement.classification import (
    Baselines,
    Confusion,
    accuracy,
    auc,
    balanced_accuracy,
    build_baselines,
    build_confusion,
    f1,
    kappa,
    precision,
    recall,
)
from assay.agreement.correlation import CORRELATIONS, Coefficient
from assay.agreement.estimate import Estimate
from assay.agreement.levels import correlate_items, correlate_systems, correlate_within_groups
from assay.agreement.pairs import Pairs, build_pairs
from assay.agreement.ratings import Ratings, build_ratings
from assay.agreement.reliability import Measurement, gwet_ac, krippendorff_alpha
from assay.agreement.skill import estimate_advantage, estimate_skill
from assay.agreement.table import Statistic, tally_pairs
from assay.agreement.threshold import Threshold, choose_threshold
from assay.errors import InputError
from assay.report.agreement_values import DEFAULT_THRESHOLD, Values

Level = Literal["item", "group", "system"]
LEVELS: tuple[Level, ...] = ("item", "group", "system")
COEFFICIENTS: tuple[Coefficient, ...] = ("spearman", "kendall", "pearson")
# Two systems always lie on a line; an ordinal alpha keeps a table of values by values.
_FEWEST_SYSTEMS, _MOST_VALUES = 3, 256
_BAD = 0.0


@dataclass(frozen=True, slots=True)
class Options:
    levels: tuple[Level, ...] = LEVELS
    undefined_as_zero: bool = False
    threshold: float | None = None
    wanted_half_width: float | None = None
    resampling: Resampling = DEFAULT


@dataclass(frozen=True, slots=True)
class Classes:
    """Good from `threshold` on, by the judge and, where labels are graded, by people. Bad is what is looked for.

    `people_alpha` is people's own nominal alpha of good and bad.
    """

    threshold: float
    figures: Mapping[str, Estimate]
    confusion: Confusion
    baselines: Baselines | None
    best_threshold: Threshold | None
    people_alpha: Estimate | None
    no_threshold: str = ""


@dataclass(frozen=True, slots=True)
class MetricFigures:
    """`alike` are measures that need one scale on both sides; `skill` is over a constant guess."""

    n: int
    clusters: int
    systems: int
    judge_mean: float | None
    human_mean: float | None
    levels: Mapping[Level, Mapping[str, Estimate]]
    alike: Mapping[str, Estimate]
    classes: Classes | None
    skill: Estimate
    skill_name: str
    ceilings: Mapping[str, Ceiling]
    people_alpha: Estimate | None
    warnings: tuple[str, ...]


def measure_metric(values: Values, options: Options) -> MetricFigures:
    pairs = values.pairs
    threshold = choose_call(values, options)
    called = None if threshold is None or not pairs.n else values.called(threshold)
    binary = values.kind == "binary" and called is not None
    skill = estimate_advantage(called, options.resampling) if binary and called else None
    return MetricFigures(
        n=pairs.n,
        clusters=pairs.cluster_count,
        systems=values.systems,
        judge_mean=float(pairs.judge.mean()) if pairs.n else None,
        human_mean=float(pairs.human.mean()) if pairs.n else None,
        levels={level: _correlate(values, level, options) for level in options.levels},
        alike={} if values.kind == "binary" else _measure_alike(pairs, options),
        classes=None if called is None or threshold is None else _classify(values, called, threshold, options),
        skill=skill or estimate_skill(pairs, options.resampling),
        skill_name="balanced accuracy above a constant's" if skill else "squared error saved over guessing the mean",
        ceilings=_find_ceilings(values, options),
        people_alpha=_compare_people(values.ratings, "nominal" if values.kind == "binary" else "interval", options),
        warnings=_warn(values, pairs),
    )


def choose_call(values: Values, options: Options) -> float | None:
    """Graded labels are only cut where somebody says at which goodness."""
    if options.threshold is not None or values.kind == "graded":
        return options.threshold
    return DEFAULT_THRESHOLD


def _correlate(values: Values, level: Level, options: Options) -> dict[str, Estimate]:
    pairs, drawn = values.pairs, options.resampling
    if level == "item":
        return {name: correlate_items(pairs, name, drawn) for name in COEFFICIENTS}
    if level == "group":
        as_zero = options.undefined_as_zero
        return {
            name: correlate_within_groups(pairs, name, undefined_as_zero=as_zero, resampling=drawn)
            for name in COEFFICIENTS
        }
    if values.systems < _FEWEST_SYSTEMS:
        return {}
    return {name: correlate_systems(pairs, name, drawn) for name in COEFFICIENTS}


def _measure_alike(pairs: Pairs, options: Options) -> dict[str, Estimate]:
    drawn = options.resampling
    both = build_ratings(np.column_stack([pairs.judge, pairs.human]), pairs.clusters)
    found = {
        "linear kappa": estimate(tally_pairs(pairs, partial(kappa, distance="linear")), drawn),
        "quadratic kappa": estimate(tally_pairs(pairs, partial(kappa, distance="quadratic")), drawn),
        "Krippendorff alpha (interval)": estimate(krippendorff_alpha(both, "interval"), drawn),
    }
    if len(np.unique(both.values)) <= _MOST_VALUES:
        found["Krippendorff alpha (ordinal)"] = estimate(krippendorff_alpha(both, "ordinal"), drawn)
        found["Gwet AC2 (quadratic)"] = estimate(gwet_ac(both, "quadratic"), drawn)
    return found


def _classify(values: Values, called: Pairs, threshold: float, options: Options) -> Classes:
    drawn = options.resampling
    both = build_ratings(np.column_stack([called.judge, called.human]), called.clusters)
    statistics: dict[str, Statistic] = {
        "accuracy": accuracy,
        "balanced accuracy": balanced_accuracy,
        "kappa": kappa,
        "precision of bad": partial(precision, positive=_BAD),
        "recall of bad": partial(recall, positive=_BAD),
        "F1 of bad": partial(f1, positive=_BAD),
    }
    figures = {name: estimate(tally_pairs(called, each), drawn) for name, each in statistics.items()}
    graded = build_pairs(values.judge, values.called_by_people(threshold), values.items)
    figures["AUC"] = estimate(tally_pairs(graded, auc), drawn)
    figures["Krippendorff alpha (nominal)"] = estimate(krippendorff_alpha(both, "nominal"), drawn)
    figures["Gwet AC1"] = estimate(gwet_ac(both, categories=(0.0, 1.0)), drawn)
    best, reason = None, ""
    try:
        best = choose_threshold(graded, drawn)
    except InputError as error:
        reason = error.message
    baselines = build_baselines(called, _BAD) if called.n else None
    people = _compare_people(values.ratings_called(threshold), "nominal", options)
    return Classes(threshold, figures, build_confusion(called), baselines, best, people, reason)


def _find_ceilings(values: Values, options: Options) -> dict[str, Ceiling]:
    """Each person against the mean of the others, and the judge in each one's place."""
    ratings = values.ratings
    if ratings.annotators < 2 or not (ratings.given >= 2).any():
        return {}
    names: tuple[Coefficient, ...] = ("pearson",) if values.kind == "binary" else ("spearman", "pearson")
    return {name: estimate_ceiling(ratings, CORRELATIONS[name], values.judge, options.resampling) for name in names}


def _compare_people(ratings: Ratings, measurement: Measurement, options: Options) -> Estimate | None:
    if ratings.annotators < 2 or not (ratings.given >= 2).any():
        return None
    return estimate(krippendorff_alpha(ratings, measurement), options.resampling)


def _warn(values: Values, pairs: Pairs) -> tuple[str, ...]:
    found: list[str] = []
    if values.unscored:
        found.append(f"the judge has no score for {values.unscored} of {len(values.records)} labelled records")
    if values.split:
        found.append(f"people are evenly split on {values.split} records, which are left out")
    found += caution_about_values(pairs)
    for name, side in (("the judge gives", pairs.judge), ("people give", pairs.human)):
        if len(side) and np.ptp(side) == 0:
            found.append(f"{name} every record the goodness {side[0]:g}: correlations are undefined")
    if not pairs.n:
        found.append("no record has both a score and a label: nothing can be compared, and every figure is undefined")
    elif pairs.n < 3:
        found.append(f"{pairs.n} records are too few for a correlation")
    return tuple(dict.fromkeys(found))
