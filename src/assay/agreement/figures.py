"""How far a judge agrees with people on one metric, record by record, and what follows from it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import DEFAULT, CellStatistic, Resampling, estimate, resample_pairs
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
from assay.agreement.correction import Plan, build_sample, correct_mean, plan_labels
from assay.agreement.correlation import (
    CORRELATIONS,
    Coefficient,
    correlate_records,
    correlate_systems,
    correlate_within_items,
)
from assay.agreement.difference import JudgeDifference, compare_judges
from assay.agreement.estimate import Estimate, estimate_mean
from assay.agreement.join import Joined, Key, Kind, ScoredRecord
from assay.agreement.pairs import Pairs, Ratings, build_pairs, build_ratings, pair_ratings
from assay.agreement.reliability import Consistency, Measurement, estimate_consistency, gwet_ac, krippendorff_alpha
from assay.agreement.replacement import Ceiling, Replacement, assess_replacement, estimate_ceiling
from assay.errors import InputError

Level = Literal["item", "group", "system"]
LEVELS: tuple[Level, ...] = ("item", "group", "system")
# A judge's goodness from which it is called good, where labels are good or bad and no threshold is given.
DEFAULT_THRESHOLD = 0.5
# Two systems always lie on a line; AC2 has a table of values by values.
_FEWEST_SYSTEMS, _MOST_VALUES = 3, 256
_SAME_SHARE, _SKEWED = 0.8, 0.1
_BOUNDS = (0.0, 1.0)
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
class CorrectedMean:
    """`what` says whether it is the mean goodness or the share of good records.

    `raw` is the judge's mean over the `records` in question, or over the run where there is no correction. `gain` is
    how many labels without a judge are worth one label with it.
    """

    what: str
    records: int
    raw: Estimate
    labels: Estimate | None = None
    corrected: Estimate | None = None
    gain: float | None = None
    effective_labels: float | None = None
    plan: Plan | None = None
    reason: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerConsistency:
    """How far several answers about one record agree: those of one judge's samples, or of a panel's judges."""

    of: str
    answers: int
    records: int
    threshold: float
    consistency: Consistency


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


@dataclass(frozen=True, slots=True)
class LabelledValues:
    """The labelled records of one metric. `human` is the mean of the people, for good and bad their majority."""

    records: tuple[ScoredRecord, ...]
    people: tuple[str, ...]
    kind: Kind
    human: tuple[float | None, ...]
    threshold: float | None

    @property
    def judge(self) -> list[float | None]:
        return [record.judge for record in self.records]

    @property
    def items(self) -> list[str]:
        return [record.item for record in self.records]

    @property
    def pairs(self) -> Pairs:
        return build_pairs(self.judge, self.human, self.items, [record.key[1] or "" for record in self.records])

    @property
    def ratings(self) -> Ratings:
        return build_ratings([[record.people.get(name) for name in self.people] for record in self.records], self.items)

    def classify(self, values: Iterable[float | None]) -> list[float | None]:
        """Good is 1 and bad is 0; what has no goodness is neither."""
        threshold = DEFAULT_THRESHOLD if self.threshold is None else self.threshold
        return [None if each is None else float(each >= threshold) for each in values]

    @property
    def human_classes(self) -> list[float | None]:
        return list(self.human) if self.kind == "binary" else self.classify(self.human)

    def keep_domain(self, domain: str | None) -> "LabelledValues":
        kept = [at for at, record in enumerate(self.records) if record.domain == domain]
        return replace(self, records=tuple(self.records[at] for at in kept), human=tuple(self.human[at] for at in kept))


def build_values(records: Sequence[ScoredRecord], kind: Kind, threshold: float | None) -> LabelledValues:
    """Graded labels are only split into good and bad where a threshold is given."""
    labelled = tuple(record for record in records if record.people)
    if kind == "binary":
        threshold = DEFAULT_THRESHOLD if threshold is None else threshold
        # One person may say good or bad and another label the units: the score from those is classified too.
        labelled = tuple(
            replace(each, people={name: float(value >= DEFAULT_THRESHOLD) for name, value in each.people.items()})
            for each in labelled
        )
    people = tuple(sorted({person for record in labelled for person in record.people}))
    # Rounded, so that people who all say the same give exactly that.
    means = [round(float(np.mean(list(record.people.values()))), 9) for record in labelled]
    human = [None if kind == "binary" and mean == 0.5 else mean for mean in means]
    if kind == "binary":
        human = [None if mean is None else float(mean > 0.5) for mean in human]
    return LabelledValues(labelled, people, kind, tuple(human), threshold)


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
        corrected=_correct(records, values, options),
        against=None if rival is None else _compare(values, rival, options),
        consistency=_measure_consistency(records, options),
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


def _correct(records: Sequence[ScoredRecord], values: LabelledValues, options: Options) -> CorrectedMean:
    """Over the records that were drawn at random: targeted ones are neither labelled nor unlabelled here."""
    what = "share of good records" if values.kind == "binary" else "mean goodness"
    said = dict(zip((record.key for record in values.records), values.human, strict=True))
    pool = [each for each in records if not each.is_targeted and not (each.people and said[each.key] is None)]

    def measure(chosen: Sequence[ScoredRecord]) -> tuple[list[float | None], list[str]]:
        judge = [record.judge for record in chosen]
        return values.classify(judge) if values.kind == "binary" else judge, [record.item for record in chosen]

    judge, items = measure(pool)
    if not any(record.judge is not None and not record.people for record in pool):
        reason = "the judge scored no record that people did not label: there is nothing to correct"
        if all(record.people for record in pool):
            reason = "every record is labelled: use the mean of the labels"
        return CorrectedMean(what, len(records), estimate_mean(*measure(records), _BOUNDS), reason=reason)
    try:
        sample = build_sample(judge, [said.get(record.key) for record in pool], items)
    except InputError as error:
        return CorrectedMean(what, len(records), estimate_mean(*measure(records), _BOUNDS), reason=str(error))
    found = correct_mean(sample, _BOUNDS)
    left = len(records) - len(pool)
    warnings = [f"{left} records are left out: they were chosen on purpose, or people are split"] if left else []
    wanted = options.wanted_half_width
    return CorrectedMean(
        what=what,
        records=len(pool),
        raw=estimate_mean(judge, items, _BOUNDS),
        labels=found.labels,
        corrected=found.corrected,
        gain=found.gain,
        effective_labels=found.effective_labels,
        plan=None if wanted is None else plan_labels(found, wanted),
        warnings=(*warnings, "it is valid only if the labelled records were drawn at random"),
    )


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


def _measure_consistency(records: Sequence[ScoredRecord], options: Options) -> tuple[AnswerConsistency, ...]:
    """Over the samples of each judge, and over the judges of a panel; empty where each record has one answer."""
    judges = list(dict.fromkeys(judge for record in records for judge, _ in record.answers))
    tables: dict[str, list[list[float | None]]] = {}
    for judge in judges:
        samples = sorted({sample for record in records for name, sample in record.answers if name == judge})
        if len(samples) > 1:
            rows = [[record.answers.get((judge, sample)) for sample in samples] for record in records]
            tables[f"the samples of {judge}"] = rows
    if len(judges) > 1:
        tables["the judges of the panel"] = [[_average_answers(each, judge) for judge in judges] for each in records]
    threshold = DEFAULT_THRESHOLD if options.threshold is None else options.threshold
    found = []
    for name, table in tables.items():
        ratings = build_ratings(table, [record.item for record in records])
        consistency = estimate_consistency(ratings, threshold, options.resampling)
        several = int((ratings.given >= 2).sum())
        found.append(AnswerConsistency(name, ratings.annotators, several, threshold, consistency))
    return tuple(found)


def _average_answers(record: ScoredRecord, judge: str) -> float | None:
    given = [value for (name, _), value in record.answers.items() if name == judge]
    return sum(given) / len(given) if given else None
