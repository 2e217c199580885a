"""The true mean from a judge of all items and labels of a few: prediction-powered inference (PPI++).

Angelopoulos, Duchi and Zrnic (2023). The judge's mean over the unlabelled items is moved by its mean error on the
labelled ones. This is right whatever the judge's errors are, provided that the labelled items were drawn at random.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assay.agreement.estimate import (
    ROUNDING,
    Bounds,
    Estimate,
    caution_about_size,
    estimate_mean,
    find_bounds,
    measure_error,
    place_interval,
)
from assay.agreement.join import Key, LabelledValue
from assay.agreement.pairs import Floats, Integers, Keys, Values, as_floats, number_keys
from assay.errors import InputError

_FEWEST_LABELS = 10
_BOUNDS = (0.0, 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Items that a judge scored, some of which a person labelled. The labelled items come first in `clusters`."""

    human: Floats
    judge: Floats
    judge_elsewhere: Floats
    clusters: Integers

    @property
    def labelled(self) -> int:
        return len(self.human)


def build_sample(judge: Values, human: Values, clusters: Keys | None = None) -> Sample:
    """From the judge's value of every item and a person's, None where nobody labelled; both on one scale.

    Items without a judge's value are left out. Fewer than ten labels, or no unlabelled item, are refused.
    """
    scored, labels = as_floats(judge), as_floats(human)
    keys = range(len(scored)) if clusters is None else clusters
    if not len(scored) == len(labels) == len(keys):
        raise ValueError("a sample needs lists of one length")
    there = np.isfinite(scored)
    labelled, others = np.flatnonzero(there & np.isfinite(labels)), np.flatnonzero(there & ~np.isfinite(labels))
    if len(labelled) < _FEWEST_LABELS:
        raise InputError(
            f"{len(labelled)} labelled items are too few to correct a mean",
            remedy=f"Label at least {_FEWEST_LABELS} items drawn at random, better 100.",
        )
    if not len(others):
        raise InputError("the judge scored no item that people did not label, so there is nothing to correct")
    kept = number_keys(keys[each] for each in (*labelled.tolist(), *others.tolist()))
    return Sample(labels[labelled], scored[labelled], scored[others], kept)


@dataclass(frozen=True, slots=True)
class Correction:
    """`labels` is the mean of the labels alone, `corrected` that of judge and labels; then their standard errors."""

    labels: Estimate
    corrected: Estimate
    label_error: float
    error: float

    @property
    def gain(self) -> float:
        """How many labels without a judge are worth one label with it."""
        return (self.label_error / self.error) ** 2 if self.error > 0 else 1.0


def correct_mean(sample: Sample, bounds: Bounds | None = None) -> Correction:
    """The judge is used as far as it agrees with the labels. `bounds` are the ends of the scale, where it has any."""
    n, total = sample.labelled, len(sample.judge_elsewhere)
    trust = tune_trust(sample)
    residuals = sample.human - trust * sample.judge
    value = float(trust * sample.judge_elsewhere.mean() + residuals.mean())
    elsewhere = trust * (sample.judge_elsewhere - sample.judge_elsewhere.mean())
    influences = np.concatenate([(residuals - residuals.mean()) / n, elsewhere / total])
    clusters = len(np.unique(sample.clusters[:n]))
    # The trust is estimated from the same labels and takes a degree of freedom, as the mean does.
    freedom = max(1, clusters - 2)
    error = measure_error(np.bincount(sample.clusters, influences), clusters, freedom)
    ends = find_bounds(sample.human.tolist(), bounds)
    interval = place_interval(value, error, freedom + 1, ends)
    if ends is not None:
        value = min(ends[1], max(ends[0], value))
        interval = interval and (max(ends[0], interval[0]), min(ends[1], interval[1]))
    deviations = (sample.human - sample.human.mean()) / n
    return Correction(
        labels=estimate_mean(sample.human.tolist(), sample.clusters[:n].tolist(), bounds),
        corrected=Estimate(value, interval, n, clusters).warned(*caution_about_size(n, clusters)),
        label_error=measure_error(np.bincount(sample.clusters[:n], deviations), clusters),
        error=error,
    )


def tune_trust(sample: Sample) -> float:
    """The share of the judge's value that makes the variance smallest, if all items were independent.

    Tuned to clusters instead, it would follow the few that there are, and the interval would miss the truth more often.
    """
    n, total = sample.labelled, len(sample.judge_elsewhere)
    shared = float(np.mean((sample.human - sample.human.mean()) * (sample.judge - sample.judge.mean())))
    spread = (1 + n / total) * float(np.var(np.concatenate([sample.judge, sample.judge_elsewhere]), ddof=1))
    return min(1.0, max(0.0, shared / spread)) if spread > ROUNDING**2 else 0.0


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """The mean over a run. `raw` is the judge's over the `records` that the correction is about.

    Without a correction `raw` is over the whole run, and `reason` says why.
    """

    what: str
    records: int
    raw: Estimate
    labels: Estimate | None = None
    corrected: Estimate | None = None
    gain: float | None = None
    reason: str = ""
    warnings: tuple[str, ...] = ()


def correct_records(what: str, records: Sequence[LabelledValue], human: Mapping[Key, float]) -> CorrectedMean:
    """Over the records that were drawn at random: targeted ones are neither labelled nor unlabelled here.

    `human` is people's common value of each labelled record, NaN where they are split.
    """
    pool = [each for each in records if not (each.is_targeted or np.isnan(human.get(each.key, 0.0)))]
    items = [each.item for each in pool]
    try:
        sample = build_sample([each.judge for each in pool], [human.get(each.key) for each in pool], items)
    except InputError as error:
        raw = estimate_mean([each.judge for each in records], [each.item for each in records], _BOUNDS)
        return CorrectedMean(what, len(records), raw, reason=str(error))
    found = correct_mean(sample, _BOUNDS)
    left = len(records) - len(pool)
    warnings = [f"{left} records are left out: they were chosen on purpose, or people are split"] if left else []
    return CorrectedMean(
        what,
        len(pool),
        estimate_mean([each.judge for each in pool], items, _BOUNDS),
        *(found.labels, found.corrected, found.gain),
        warnings=(*warnings, "valid only if the labelled records were drawn at random"),
    )
