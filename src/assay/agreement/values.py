"""The labelled records of one metric as arrays, and the corrected mean of the run."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.agreement.correction import build_sample, correct_mean
from assay.agreement.estimate import Estimate, estimate_mean
from assay.agreement.join import Kind, ScoredRecord
from assay.agreement.pairs import Floats, Pairs, Ratings, as_floats, build_pairs, build_ratings
from assay.errors import InputError

# A judge's goodness from which it is called good, where labels are good or bad and no threshold is given.
DEFAULT_THRESHOLD = 0.5
_BOUNDS = (0.0, 1.0)


def classify(values: Floats, threshold: float) -> Floats:
    """Good is 1 and bad is 0; what has no goodness is neither."""
    return np.where(np.isfinite(values), values >= threshold, np.nan)


@dataclass(frozen=True, slots=True, eq=False)
class LabelledValues:
    """The labelled records of one metric. `human` is the mean of the people, for good and bad their majority."""

    records: tuple[ScoredRecord, ...]
    people: tuple[str, ...]
    kind: Kind
    threshold: float | None
    judge: Floats
    human: Floats
    ratings: Ratings

    @property
    def pairs(self) -> Pairs:
        return self.pair(self.judge, self.human)

    def pair(self, judge: Floats, human: Floats) -> Pairs:
        items, systems = [each.item for each in self.records], [each.key[1] or "" for each in self.records]
        return build_pairs(judge, human, items, systems)

    def classify_human(self, threshold: float) -> Floats:
        return self.human if self.kind == "binary" else classify(self.human, threshold)


def build_values(records: Sequence[ScoredRecord], kind: Kind, threshold: float | None) -> LabelledValues:
    """Graded labels are only split into good and bad where a threshold is given."""
    labelled = tuple(record for record in records if record.people)
    people = tuple(sorted({person for record in labelled for person in record.people}))
    rows = [[each.people.get(name, np.nan) for name in people] for each in labelled]
    table = np.array(rows, dtype=np.float64).reshape(len(labelled), len(people))
    if kind == "binary":
        threshold = DEFAULT_THRESHOLD if threshold is None else threshold
        # One person may say good or bad and another label the units: the score from those is classified too.
        table = classify(table, DEFAULT_THRESHOLD)
    # Rounded, so that people who all say the same give exactly that.
    human = np.asarray(np.round(np.nanmean(table, axis=1), 9), dtype=np.float64) if labelled else np.empty(0)
    if kind == "binary":
        human = np.where(human == 0.5, np.nan, human > 0.5)
    judge = as_floats([each.judge for each in labelled])
    ratings = build_ratings(table, [each.item for each in labelled])
    return LabelledValues(labelled, people, kind, threshold, judge, human, ratings)


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
    reason: str = ""
    warnings: tuple[str, ...] = ()


def correct_records(records: Sequence[ScoredRecord], values: LabelledValues) -> CorrectedMean:
    """Over the records that were drawn at random: targeted ones are neither labelled nor unlabelled here."""
    what = "share of good records" if values.kind == "binary" else "mean goodness"
    said = dict(zip((record.key for record in values.records), values.human.tolist(), strict=True))
    pool = [each for each in records if not (each.is_targeted or (each.people and np.isnan(said[each.key])))]

    def read_judge(chosen: Sequence[ScoredRecord]) -> tuple[Floats, list[str]]:
        judge = as_floats([record.judge for record in chosen])
        if values.kind == "binary" and values.threshold is not None:
            judge = classify(judge, values.threshold)
        return judge, [record.item for record in chosen]

    def refuse(reason: str) -> CorrectedMean:
        judge, items = read_judge(records)
        return CorrectedMean(what, len(records), estimate_mean(judge.tolist(), items, _BOUNDS), reason=reason)

    if all(record.people for record in pool):
        return refuse("every record is labelled: use the mean of the labels")
    if not any(record.judge is not None and not record.people for record in pool):
        return refuse("the judge scored no record that people did not label: there is nothing to correct")
    judge, items = read_judge(pool)
    try:
        sample = build_sample(judge, [said.get(record.key) for record in pool], items)
    except InputError as error:
        return refuse(str(error))
    found = correct_mean(sample, _BOUNDS)
    left = len(records) - len(pool)
    warnings = [f"{left} records are left out: they were chosen on purpose, or people are split"] if left else []
    return CorrectedMean(
        what=what,
        records=len(pool),
        raw=estimate_mean(judge.tolist(), items, _BOUNDS),
        labels=found.labels,
        corrected=found.corrected,
        gain=found.gain,
        warnings=(*warnings, "valid only if the labelled records were drawn at random"),
    )
