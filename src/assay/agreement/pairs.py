"""What a judge and people said of the same items, as arrays."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Values = Sequence[float | None] | Floats
Keys = Sequence[Hashable] | Integers


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Both values are finite. Items of one cluster, for instance of one source document, are not independent."""

    judge: Floats
    human: Floats
    clusters: Integers
    cluster_count: int

    @property
    def n(self) -> int:
        return len(self.judge)


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Values of several annotators, or several samples of a judge: a row per item, NaN where there is no value."""

    values: Floats
    clusters: Integers
    cluster_count: int

    @property
    def annotators(self) -> int:
        return int(self.values.shape[1])

    @property
    def given(self) -> Integers:
        """How many values each item has."""
        return np.asarray(np.sum(np.isfinite(self.values), axis=1), dtype=np.int64)

    @property
    def is_comparable(self) -> bool:
        return self.annotators > 1 and bool((self.given > 1).any())

    def mean_without(self, annotator: int) -> Floats:
        """Each item's mean over the other annotators, NaN where no other gave a value."""
        others = np.delete(self.values, annotator, axis=1)
        given = np.isfinite(others).sum(axis=1)
        # Rounded, so that equal means of different values still tie.
        means = np.round(np.nansum(others, axis=1) / np.maximum(given, 1), 9)
        return np.where(given > 0, means, np.nan)

    def pair(self, first: Floats, second: Floats) -> Pairs:
        """Two lists over these items with the same cluster numbers, so that their statistics can be averaged."""
        there = np.flatnonzero(np.isfinite(first) & np.isfinite(second))
        return Pairs(first[there], second[there], self.clusters[there], self.cluster_count)


def build_pairs(judge: Values, human: Values, clusters: Keys | None = None) -> Pairs:
    """Items where both gave a value. Without clusters each item is its own."""
    first, second = as_floats(judge), as_floats(human)
    keys = range(len(first)) if clusters is None else clusters
    if not len(first) == len(second) == len(keys):
        raise ValueError("pairs need lists of one length")
    there = np.flatnonzero(np.isfinite(first) & np.isfinite(second))
    kept = number_keys(keys[each] for each in there.tolist())
    return Pairs(first[there], second[there], kept, _count(kept))


def build_ratings(values: Sequence[Values] | Floats, clusters: Keys | None = None) -> Ratings:
    """From a row per item; None or NaN where an annotator gave no value. Without clusters each item is its own."""
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError("ratings need rows of one length")
    keys = range(len(table)) if clusters is None else clusters
    if len(keys) != len(table):
        raise ValueError("ratings need a cluster for each item")
    codes = number_keys(keys)
    return Ratings(table, codes, _count(codes))


def pair_ratings(pairs: Pairs) -> Ratings:
    """The judge and the person as two annotators."""
    return Ratings(np.column_stack([pairs.judge, pairs.human]), pairs.clusters, pairs.cluster_count)


def as_floats(values: Values) -> Floats:
    """A missing value, None or NaN, becomes NaN."""
    return np.asarray(values, dtype=np.float64)


def number_keys(keys: Iterable[Hashable]) -> Integers:
    """Keys numbered from 0 by first appearance."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)


def _count(codes: Integers) -> int:
    return int(codes.max(initial=-1)) + 1
