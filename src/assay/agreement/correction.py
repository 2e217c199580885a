"""The true mean from a judge of all items and labels of a few: prediction-powered inference (PPI and PPI++).

Angelopoulos, Duchi and Zrnic (2023). The judge's mean over the unlabelled items, moved by its mean error on the
labelled ones; right whatever the judge's errors are, provided that the labelled items were drawn by chance.
"""

from dataclasses import dataclass

import numpy as np

from assay.agreement.cautions import caution_about_size
from assay.agreement.estimate import Estimate
from assay.agreement.mean import ROUNDING, Bounds, estimate_mean, find_bounds, measure_error, place_interval
from assay.agreement.sample import Sample


@dataclass(frozen=True, slots=True)
class Correction:
    """`raw` is the judge's mean over all items, `labels` that of the labels alone, `corrected` that of both.

    `trust` is how much of the judge's value is used, from 0 to 1; `error` and `label_error` are standard errors.
    """

    raw: float
    labels: Estimate
    corrected: Estimate
    trust: float
    error: float
    label_error: float

    @property
    def effective_labels(self) -> float:
        """How many labels alone would be as sure."""
        return self.labels.n * self.gain

    @property
    def gain(self) -> float:
        return (self.label_error / self.error) ** 2 if self.error > 0 else 1.0


def correct_mean(sample: Sample, bounds: Bounds | None = None, *, tuned: bool = True) -> Correction:
    """PPI++ where tuned: the judge is trusted as far as it agrees with the labels. Else PPI, which trusts it whole.

    `bounds` are the ends of the scale, where it has any.
    """
    n, total = sample.labelled, sample.unlabelled
    trust = tune_trust(sample) if tuned else 1.0
    residuals = sample.human - trust * sample.judge
    value = float(trust * sample.judge_elsewhere.mean() + residuals.mean())
    influences = np.concatenate(
        [
            (residuals - residuals.mean()) / n,
            trust * (sample.judge_elsewhere - sample.judge_elsewhere.mean()) / total,
        ]
    )
    clusters = sample.labelled_clusters
    # The trust is estimated too, from the same labels, and takes a degree of freedom like the mean.
    freedom = max(1, clusters - (2 if tuned else 1))
    error = measure_error(influences, sample.clusters, clusters, freedom)
    ends = find_bounds(sample.human, bounds)
    # A judge trusted whole brings errors of its own, which are not those of a rate: between bounds its arms are equal.
    inside = ends is not None and ends[0] < value < ends[1]
    interval = place_interval(value, error, freedom + 1, None if inside and not tuned else ends)
    if ends is not None:
        value = min(ends[1], max(ends[0], value))
        interval = interval and (max(ends[0], interval[0]), min(ends[1], interval[1]))
    label_error = measure_error((sample.human - sample.human.mean()) / n, sample.clusters[:n], clusters)
    method = "prediction-powered inference" + (", tuned (PPI++)" if tuned else "")
    return Correction(
        raw=float((sample.judge.sum() + sample.judge_elsewhere.sum()) / (n + total)),
        labels=estimate_mean(sample.human, sample.clusters[:n], bounds),
        corrected=Estimate(value, interval, n, clusters, 0, method).warned(*caution_about_size(n, clusters)),
        trust=trust,
        error=error,
        label_error=label_error,
    )


def tune_trust(sample: Sample) -> float:
    """The share of the judge's value that makes the variance smallest, were all items independent.

    Tuned to clusters instead, it follows the few that there are, and the interval misses the truth more often.
    """
    n, total = sample.labelled, sample.unlabelled
    shared = float(np.mean((sample.human - sample.human.mean()) * (sample.judge - sample.judge.mean())))
    spread = (1 + n / total) * float(np.var(np.concatenate([sample.judge, sample.judge_elsewhere]), ddof=1))
    return min(1.0, max(0.0, shared / spread)) if spread > ROUNDING**2 else 0.0
