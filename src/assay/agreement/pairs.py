"""What a judge and people said of the same items, as arrays."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Values = Sequence[float | None] | Floats
Keys = Sequence[Hashable] | Integers | npt.NDArray[np.str_]


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Both values are finite. Items of one cluster, for instance of one source document, are not independent."""

    judge: Floats
    human: Floats
    clusters: Integers
    cluster_count: int
    systems: Integers | None = None
    missing: int = 0

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
    def items(self) -> int:
        return len(self.values)

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
        given = np.isfinite(others)
        totals = np.where(given, others, 0).sum(axis=1)
        # Rounded, so that equal means of different values still tie.
        means = np.round(totals / np.maximum(given.sum(axis=1), 1), 9)
        return np.where(given.any(axis=1), means, np.nan)

    def pair(self, first: Floats, second: Floats) -> Pairs:
        """Two lists over these items with the same cluster numbers, so that their statistics can be combined."""
        there = np.flatnonzero(np.isfinite(first) & np.isfinite(second))
        return Pairs(
            first[there], second[there], self.clusters[there], self.cluster_count, None, self.items - len(there)
        )


def build_pairs(judge: Values, human: Values, clusters: Keys | None = None, systems: Keys | None = None) -> Pairs:
    """Items where both gave a value; the others are counted as missing. Without clusters each item is its own."""
    first, second = as_floats(judge), as_floats(human)
    lists = [first, second, *(keys for keys in (clusters, systems) if keys is not None)]
    if len({len(each) for each in lists}) != 1:
        raise ValueError("pairs need lists of one length")
    there = np.flatnonzero(np.isfinite(first) & np.isfinite(second))
    kept = number_keys(number_keys(np.arange(len(first)) if clusters is None else clusters)[there])
    named = None if systems is None else number_keys(number_keys(systems)[there])
    return Pairs(first[there], second[there], kept, _count(kept), named, len(first) - len(there))


def build_ratings(values: Sequence[Values] | Floats, clusters: Keys | None = None) -> Ratings:
    """From a row per item; None or NaN where an annotator gave no value. Without clusters each item is its own."""
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError("ratings need rows of one length")
    if clusters is not None and len(clusters) != len(table):
        raise ValueError("ratings need a cluster for each item")
    codes = number_keys(np.arange(len(table)) if clusters is None else clusters)
    return Ratings(table, codes, _count(codes))


def pair_ratings(pairs: Pairs) -> Ratings:
    """The judge and the person as two annotators."""
    return Ratings(np.column_stack([pairs.judge, pairs.human]), pairs.clusters, pairs.cluster_count)


def as_floats(values: Values) -> Floats:
    """A missing value, None or NaN, becomes NaN."""
    return np.asarray(values, dtype=np.float64)


def number_keys(keys: Keys) -> Integers:
    """Keys numbered from 0: those of an array by their order, others by first appearance."""
    if isinstance(keys, np.ndarray):
        return np.unique(keys, return_inverse=True)[1].astype(np.int64).reshape(-1)
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, len(keys))


def _count(codes: Integers) -> int:
    return int(codes.max(initial=-1)) + 1
