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
    estimate_mean,
    find_bounds,
    measure_error,
    place_interval,
)
from assay.agreement.join import LabelledValue
from assay.agreement.pairs import Floats, Keys, Values, as_floats, number_keys
from assay.agreement.people import Key
from assay.errors import InputError

_FEWEST_LABELS = 10
_BOUNDS = (0.0, 1.0)


def correct_mean(judge: Values, human: Values, clusters: Keys | None = None, bounds: Bounds | None = None) -> Estimate:
    """The mean of all items by judge and labels.

    From the judge's value of every item and a person's, None where nobody labelled; both on one scale. Items without a
    judge's value are left out. Raises InputError for fewer than ten labels, or no unlabelled item. The judge is used as
    far as it agrees with the labels. `bounds` are the ends of the scale, where it has any.
    """
    scored, said = as_floats(judge), as_floats(human)
    keys = range(len(scored)) if clusters is None else clusters
    there = np.isfinite(scored)
    labelled, others = np.flatnonzero(there & np.isfinite(said)), np.flatnonzero(there & ~np.isfinite(said))
    n, total = len(labelled), len(others)
    if n < _FEWEST_LABELS:
        remedy = f"Label at least {_FEWEST_LABELS} records drawn at random, better 100."
        raise InputError(
            f"{n} labelled {'record is' if n == 1 else 'records are'} too few to correct a mean", remedy=remedy
        )
    if not total:
        raise InputError("people labelled every record that the judge scored, so there is nothing to correct")
    labels, known, elsewhere = said[labelled], scored[labelled], scored[others]
    codes = number_keys(keys[each] for each in (*labelled.tolist(), *others.tolist()))
    trust = tune_trust(labels, known, elsewhere)
    residuals = labels - trust * known
    value = float(trust * elsewhere.mean() + residuals.mean())
    influences = [(residuals - residuals.mean()) / n, trust * (elsewhere - elsewhere.mean()) / total]
    count = len(np.unique(codes[:n]))
    # The trust is estimated from the same labels and takes a degree of freedom, as the mean does.
    freedom = max(1, count - 2)
    error = measure_error(np.bincount(codes, np.concatenate(influences)), count, freedom)
    ends = find_bounds(labels.tolist(), bounds)
    interval = place_interval(value, error, freedom + 1, ends)
    if ends is not None:
        value = min(ends[1], max(ends[0], value))
        interval = interval and (max(ends[0], interval[0]), min(ends[1], interval[1]))
    return Estimate(value, interval, n, count)


def tune_trust(labels: Floats, known: Floats, elsewhere: Floats) -> float:
    """The share of the judge's value that makes the variance smallest, if all items were independent.

    Tuned to clusters instead, it would follow the few that there are, and the interval would miss the truth more often.
    """
    shared = float(np.mean((labels - labels.mean()) * (known - known.mean())))
    spread = (1 + len(labels) / len(elsewhere)) * float(np.var(np.concatenate([known, elsewhere]), ddof=1))
    return min(1.0, max(0.0, shared / spread)) if spread > ROUNDING**2 else 0.0


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """The mean over a run. `raw` is the judge's over the `records` that the correction is about.

    Without a correction `raw` is over the whole run, and `reason` says why.
    """

    what: str
    records: int
    raw: Estimate
    corrected: Estimate | None = None
    reason: str = ""
    warnings: tuple[str, ...] = ()


def correct_records(what: str, records: Sequence[LabelledValue], human: Mapping[Key, float]) -> CorrectedMean:
    """Over the records that were drawn at random: targeted ones are neither labelled nor unlabelled here.

    `human` is people's common value of each labelled record, NaN where they are split.
    """
    pool = [each for each in records if not (each.is_targeted or np.isnan(human.get(each.key, 0.0)))]
    items = [each.item for each in pool]
    try:
        found = correct_mean([each.judge for each in pool], [human.get(each.key) for each in pool], items, _BOUNDS)
    except InputError as error:
        raw = estimate_mean([each.judge for each in records], [each.item for each in records], _BOUNDS)
        return CorrectedMean(what, len(records), raw, reason=str(error))
    left = len(records) - len(pool)
    warnings = [f"{left} records are left out: they were chosen on purpose, or people are split"] if left else []
    return CorrectedMean(
        what,
        len(pool),
        estimate_mean([each.judge for each in pool], items, _BOUNDS),
        found,
        warnings=(*warnings, "valid only if the labelled records were drawn at random"),
    )
