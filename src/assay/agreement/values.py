"""The labelled records of one metric as lists, the corrected mean of the run, and the consistency of answers."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from assay.agreement.bootstrap import DEFAULT, Resampling
from assay.agreement.classification import Consistency, estimate_consistency
from assay.agreement.correction import Plan, build_sample, correct_mean, plan_labels
from assay.agreement.estimate import Estimate, estimate_mean
from assay.agreement.join import Kind, ScoredRecord
from assay.agreement.pairs import Pairs, Ratings, build_pairs, build_ratings
from assay.errors import InputError

Level = Literal["item", "group", "system"]
LEVELS: tuple[Level, ...] = ("item", "group", "system")
# A judge's goodness from which it is called good, where labels are good or bad and no threshold is given.
DEFAULT_THRESHOLD = 0.5
_BOUNDS = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Options:
    levels: tuple[Level, ...] = LEVELS
    undefined_as_zero: bool = False
    threshold: float | None = None
    wanted_half_width: float | None = None
    resampling: Resampling = DEFAULT


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


def correct_records(records: Sequence[ScoredRecord], values: LabelledValues, options: Options) -> CorrectedMean:
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
        plan=None if wanted is None else plan_labels(found, wanted, len(pool)),
        warnings=(*warnings, "valid only if the labelled records were drawn at random"),
    )


@dataclass(frozen=True, slots=True)
class AnswerConsistency:
    """How far several answers about one record agree: those of one judge's samples, or of a panel's judges."""

    of: str
    answers: int
    records: int
    threshold: float
    consistency: Consistency


def measure_consistency(records: Sequence[ScoredRecord], options: Options) -> tuple[AnswerConsistency, ...]:
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
