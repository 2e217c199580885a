"""The true rate from a judge that says yes or no, and how often it is right: Rogan and Gladen's correction.

The interval is that of Lee et al. (2025, arXiv 2511.21140): it holds the chance of the unlabelled items and that of the
labels from which the judge's sensitivity and specificity are known.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from assay.agreement.cautions import caution_about_size
from assay.agreement.estimate import Estimate
from assay.agreement.mean import estimate_mean, is_binary, measure_error
from assay.agreement.pairs import Floats, Integers
from assay.agreement.sample import Sample
from assay.errors import InputError

METHOD = "Rogan and Gladen's correction, Lee's interval"
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Prevalence:
    """`raw` is the judge's rate over the unlabelled items; the judge's two rates come from the labelled ones."""

    raw: float
    corrected: Estimate
    sensitivity: Estimate
    specificity: Estimate


def correct_rate(sample: Sample) -> Prevalence:
    """Refused where a class has no label, or the judge is no better than a coin and so says nothing of the rate."""
    if not (sample.is_rate and is_binary(np.concatenate([sample.judge, sample.judge_elsewhere]))):
        raise InputError("this correction is for a judge and labels that say 0 or 1", remedy="correct the mean instead")
    positive = sample.human == 1
    if positive.all() or not positive.any():
        raise InputError("the labels are all alike", remedy="label more items, until both kinds are among them")
    clusters = sample.clusters[: sample.labelled]
    sensitivity = estimate_mean(sample.judge[positive], clusters[positive])
    specificity = estimate_mean(1 - sample.judge[~positive], clusters[~positive])
    smoothed = _smooth(sample, positive.sum())
    if smoothed.power <= 0:
        raise InputError(
            "the judge is no better than a coin on the labelled items", remedy="use the labels alone, or another judge"
        )
    rates = (float(sample.judge[positive].mean()), 1 - float(sample.judge[~positive].mean()))
    raw = float(sample.judge_elsewhere.mean())
    power = sum(rates) - 1
    value = (raw + rates[1] - 1) / power if power > 0 else smoothed.rate
    count = sample.labelled_clusters
    reach = _Z * smoothed.error * sqrt(_design_effect(sample, smoothed, count))
    interval = (min(1.0, max(0.0, smoothed.centre - reach)), min(1.0, max(0.0, smoothed.centre + reach)))
    return Prevalence(
        raw=raw,
        corrected=Estimate(min(1.0, max(0.0, value)), interval, sample.labelled, count, 0, METHOD).warned(
            *caution_about_size(sample.labelled, count)
        ),
        sensitivity=sensitivity,
        specificity=specificity,
    )


@dataclass(frozen=True, slots=True)
class _Smoothed:
    """Rates with a few pseudo-items added, so that a rate of 0 or 1 still has an error."""

    sensitivity: float
    specificity: float
    rate: float
    power: float
    centre: float
    error: float


def _smooth(sample: Sample, positives: int) -> _Smoothed:
    square = _Z * _Z
    n, m1, m0 = sample.unlabelled + square, positives + 2, sample.labelled - positives + 2
    p = (float(sample.judge_elsewhere.sum()) + square / 2) / n
    hits = float(sample.judge[sample.human == 1].sum())
    q1, q0 = (hits + 1) / m1, (float(np.sum(sample.judge[sample.human == 0] == 0)) + 1) / m0
    power = q0 + q1 - 1
    if power <= 0:
        return _Smoothed(q1, q0, 0, power, 0, 0)
    rate = (p + q0 - 1) / power
    misses = (q1 * (1 - q1) / m1, q0 * (1 - q0) / m0)
    shift = 2 * square * (rate * misses[0] - (1 - rate) * misses[1])
    error = sqrt(p * (1 - p) / n + (1 - rate) ** 2 * misses[1] + rate**2 * misses[0]) / power
    return _Smoothed(q1, q0, rate, power, rate + shift, error)


def _design_effect(sample: Sample, smoothed: _Smoothed, count: int) -> float:
    """How much larger the variance is over clusters than over items; never taken to be smaller."""
    if not sample.is_clustered:
        return 1.0
    influences = _influences(sample, smoothed)
    by_cluster = measure_error(influences, sample.clusters, count)
    by_item = measure_error(influences, _alone(len(influences)), len(influences))
    return max(1.0, (by_cluster / by_item) ** 2) if by_item > 0 else 1.0


def _influences(sample: Sample, smoothed: _Smoothed) -> Floats:
    """What each item adds to the corrected rate."""
    elsewhere = (sample.judge_elsewhere - sample.judge_elsewhere.mean()) / sample.unlabelled
    positive = sample.human == 1
    means = np.where(positive, sample.judge[positive].mean(), sample.judge[~positive].mean())
    counts = np.where(positive, positive.sum(), (~positive).sum())
    parts = np.where(positive, smoothed.rate, 1 - smoothed.rate) * (sample.judge - means) / counts
    return np.asarray(np.concatenate([-parts, elsewhere]), dtype=np.float64)


def _alone(count: int) -> Integers:
    return np.arange(count)
