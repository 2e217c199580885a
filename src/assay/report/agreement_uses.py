"""What follows from a judge's agreement with people: can it take a person's place, and what is the true mean."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.agreement.correction import correct_mean
from assay.agreement.estimate import Estimate
from assay.agreement.planning import Plan, learn_prospect, plan_labels
from assay.agreement.prevalence import Prevalence, correct_rate
from assay.agreement.replacement import Replacement, assess_replacement
from assay.agreement.sample import build_sample
from assay.errors import InputError
from assay.report.agreement_metric import Options, choose_call
from assay.report.agreement_values import Values, call_good
from assay.report.label_join import ScoredRecord

_BOUNDS = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Seating:
    """The alternative annotator test. `people` names who sits in which seat; `reason` says why there is no test."""

    people: tuple[str, ...]
    passes: bool | None = None
    test: Replacement | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """`what` says whether it is the mean goodness or the share of good records; all means are over the run.

    `raw` is over the `scored` of the `records`. `gain` is how many labels alone would be worth one label with the
    judge. `rate` is Rogan and Gladen's way.
    """

    what: str
    records: int
    scored: int
    raw: float | None = None
    labels: Estimate | None = None
    corrected: Estimate | None = None
    trust: float | None = None
    gain: float | None = None
    effective_labels: float | None = None
    rate: Prevalence | None = None
    no_rate: str = ""
    plan: Plan | None = None
    reason: str = ""
    warnings: tuple[str, ...] = ()


def assess_seats(values: Values, options: Options) -> Seating | None:
    """None where only one person labelled."""
    if len(values.people) < 2:
        return None
    judge, closeness = values.judge, "near"
    threshold = choose_call(values, options)
    ratings = values.ratings
    if values.kind == "binary" and threshold is not None:
        judge = call_good(judge, threshold)
        closeness = "equal"
    clustered = ratings.cluster_count < ratings.items
    try:
        test = assess_replacement(judge, ratings, "equal" if closeness == "equal" else "near", by_cluster=clustered)
    except InputError as error:
        return Seating(values.people, reason=str(error))
    return Seating(values.people, test.passes, test)


def correct(records: Sequence[ScoredRecord], values: Values, options: Options) -> CorrectedMean:
    """Records that were sought out are in neither part: the labelled ones must be drawn by chance."""
    threshold = choose_call(values, options)
    binary = values.kind == "binary"
    what = "share of good records" if binary else "mean goodness"
    said = dict(zip((record.key for record in values.records), values.human, strict=True))
    pool = [record for record in records if not record.sought and not (record.people and said[record.key] is None)]
    judge = [record.judge for record in pool]
    human = [said.get(record.key) for record in pool]
    items = [record.item for record in pool]
    if binary and threshold is not None:
        judge = call_good(judge, threshold)
    scored = sum(each is not None for each in judge)
    sought = len(records) - len(pool)
    warnings = [f"{sought} records were sought out or split people and are left out of it"] if sought else []
    if values.records and all(record.judge is None or record.people for record in pool):
        whole = all(record.people for record in pool)
        reason = "every record is labelled: the mean of the labels is the answer"
        unscored = "the judge scored no record that people did not label: there is nothing to correct"
        return CorrectedMean(what, len(pool), scored, reason=reason if whole else unscored)
    try:
        sample = build_sample(judge, human, items)
        correction = correct_mean(sample, _BOUNDS)
    except InputError as error:
        return CorrectedMean(what, len(pool), scored, reason=str(error))
    rate, no_rate = None, "it needs good and bad: give --threshold"
    if threshold is not None:
        cut = call_good(judge, threshold)
        truth = call_good(human, threshold)
        try:
            rate, no_rate = correct_rate(build_sample(cut, truth, items)), ""
        except InputError as error:
            no_rate = str(error)
    wanted = options.wanted_half_width
    if not any(record.people and record.sought is False for record in records):
        warnings.append("no label was drawn by chance")
    return CorrectedMean(
        what=what,
        records=len(pool),
        scored=scored,
        raw=correction.raw,
        labels=correction.labels,
        corrected=correction.corrected,
        trust=correction.trust,
        gain=correction.gain,
        effective_labels=correction.effective_labels,
        rate=rate,
        no_rate=no_rate,
        plan=None if wanted is None else plan_labels(learn_prospect(sample, correction), wanted),
        warnings=(*warnings, "it holds where the labelled records were drawn by chance"),
    )
