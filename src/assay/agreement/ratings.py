"""What several annotators, or several samples of one judge, said of the same items."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.agreement.pairs import Floats, Integers, Keys, Pairs, Values, number_keys


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """A row per item, a column per annotator, NaN where one gave no value."""

    values: Floats
    clusters: Integers
    cluster_count: int

    @property
    def items(self) -> int:
        return len(self.values)

    @property
    def annotators(self) -> int:
        return int(self.values.shape[1])

    @property
    def given(self) -> Integers:
        """How many values each item has."""
        return np.asarray(np.sum(np.isfinite(self.values), axis=1), dtype=np.int64)

    def mean_without(self, annotator: int | None) -> Floats:
        """Each item's mean over the annotators but one, NaN where no other gave a value."""
        others = self.values if annotator is None else np.delete(self.values, annotator, axis=1)
        given = np.isfinite(others)
        totals = np.where(given, others, 0).sum(axis=1)
        # Rounded, so that equal means of other values still tie.
        means = np.round(totals / np.maximum(given.sum(axis=1), 1), 9)
        return np.where(given.any(axis=1), means, np.nan)

    def pair(self, first: Floats, second: Floats) -> Pairs:
        """Two lists over these items, keeping the numbers of their clusters, so that statistics can be combined."""
        there = np.flatnonzero(np.isfinite(first) & np.isfinite(second))
        clusters = self.clusters[there]
        return Pairs(first[there], second[there], clusters, self.cluster_count, clusters, None, self.items - len(there))


def build_ratings(values: Sequence[Values] | Floats, clusters: Keys | None = None) -> Ratings:
    """From a row per item; None or NaN where an annotator gave no value. Without clusters each item is its own."""
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError("ratings need rows of one length")
    if clusters is not None and len(clusters) != len(table):
        raise ValueError("ratings need a cluster for each item")
    codes = number_keys(np.arange(len(table)) if clusters is None else clusters)
    return Ratings(table, codes, int(codes.max()) + 1 if len(codes) else 0)
