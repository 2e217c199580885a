"""Which threshold on goodness best separates what people call good from what they call bad.

Shown beside scores, never applied to them.
"""

from dataclasses import dataclass

import numpy as np

from assay.agreement.bootstrap import DEFAULT, Resampling, estimate
from assay.agreement.classification import balanced_accuracy
from assay.agreement.estimate import Estimate
from assay.agreement.mean import is_binary
from assay.agreement.pairs import Floats, Pairs
from assay.agreement.table import tally_pairs
from assay.agreement.tally import sum_by
from assay.errors import InputError

_FOLDS = 10


@dataclass(frozen=True, slots=True)
class Threshold:
    """An item is called good from `value` on. `fitted` was measured on the items it was chosen on and flatters.

    `balanced_accuracy` is cross-fitted: each document is judged by a threshold chosen on others; `folds` has them all.
    """

    value: float
    fitted: float
    balanced_accuracy: Estimate
    folds: tuple[float, ...]


def choose_threshold(pairs: Pairs, resampling: Resampling = DEFAULT) -> Threshold:
    """By balanced accuracy against labels of 1 (good) and 0 (bad); needs two documents with both kinds in all."""
    if not is_binary(pairs.human):
        raise ValueError("a threshold needs labels that are 0 or 1")
    if pairs.cluster_count < 2 or len(np.unique(pairs.human)) < 2:
        raise InputError(
            "a threshold needs good and bad items, of more than one document", remedy="label more of the other kind"
        )
    value, fitted = _fit(pairs.judge, pairs.human)
    count = min(_FOLDS, pairs.cluster_count)
    order = np.random.default_rng(resampling.seed).permutation(pairs.cluster_count)
    fold_of_item = (order % count)[pairs.clusters]
    called = np.empty(pairs.n)
    folds = []
    for fold in range(count):
        held = fold_of_item == fold
        chosen = _fit(pairs.judge[~held], pairs.human[~held])[0]
        called[held] = pairs.judge[held] >= chosen
        folds.append(chosen)
    crossed = Pairs(called, pairs.human, pairs.clusters, pairs.cluster_count, pairs.groups)
    found = estimate(tally_pairs(crossed, balanced_accuracy), resampling)
    return Threshold(value, fitted, found, tuple(folds))


def _fit(goodness: Floats, labels: Floats) -> tuple[float, float]:
    """The value from which items are called good with the best balanced accuracy; of equals, the middle one."""
    values, codes = np.unique(goodness, return_inverse=True)
    good = sum_by(codes.reshape(-1), labels, len(values))
    bad = sum_by(codes.reshape(-1), 1 - labels, len(values))
    kept = 1 - (np.cumsum(good) - good) / max(1.0, good.sum())
    caught = (np.cumsum(bad) - bad) / max(1.0, bad.sum())
    accuracy = (kept + caught) / 2
    best = np.flatnonzero(accuracy >= accuracy.max() - 1e-12)
    return float(values[best[len(best) // 2]]), float(accuracy.max())
