"""Items that a judge scored, some of which, drawn by chance, a person labelled."""

from dataclasses import dataclass

import numpy as np

from assay.agreement.mean import is_binary
from assay.agreement.pairs import Floats, Integers, Keys, Values, as_floats, number_keys
from assay.errors import InputError

_FEWEST_LABELS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Values are finite. The labelled items come first in `clusters`, the others after them."""

    human: Floats
    judge: Floats
    judge_elsewhere: Floats
    clusters: Integers
    missing: int

    @property
    def labelled(self) -> int:
        return len(self.human)

    @property
    def unlabelled(self) -> int:
        return len(self.judge_elsewhere)

    @property
    def labelled_clusters(self) -> int:
        return len(np.unique(self.clusters[: self.labelled]))

    @property
    def is_clustered(self) -> bool:
        return int(self.clusters.max()) + 1 < len(self.clusters)

    @property
    def is_rate(self) -> bool:
        return is_binary(self.human)


def build_sample(judge: Values, human: Values, clusters: Keys | None = None) -> Sample:
    """From the judge's value of every item and a person's, None where nobody labelled; both on one scale.

    Items without a judge's value are counted and left out. Fewer than ten labels, or none left unlabelled, are refused.
    """
    scored, labels = as_floats(judge), as_floats(human)
    if len(scored) != len(labels) or (clusters is not None and len(clusters) != len(scored)):
        raise ValueError("a sample needs lists of one length")
    codes = number_keys(np.arange(len(scored)) if clusters is None else clusters)
    there = np.isfinite(scored)
    labelled, others = np.flatnonzero(there & np.isfinite(labels)), np.flatnonzero(there & ~np.isfinite(labels))
    if len(labelled) < _FEWEST_LABELS:
        raise InputError(
            f"{len(labelled)} labelled items are too few to correct a mean",
            remedy=f"label at least {_FEWEST_LABELS} items drawn by chance, better 100",
        )
    if not len(others):
        raise InputError("every item is labelled, so there is nothing to correct", remedy="take the mean of the labels")
    return Sample(
        human=labels[labelled],
        judge=scored[labelled],
        judge_elsewhere=scored[others],
        clusters=number_keys(codes[np.concatenate([labelled, others])]),
        missing=int(np.sum(~there)),
    )
