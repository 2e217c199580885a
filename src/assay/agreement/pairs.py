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
class Ratings:
    """Values of several annotators: a row per item, NaN where there is no value.

    Items of one cluster, for instance of one source document, are not independent.
    """

    values: Floats
    clusters: Integers
    cluster_count: int

    @property
    def n(self) -> int:
        return len(self.values)

    @property
    def given(self) -> Integers:
        """How many values each item has."""
        return np.asarray(np.sum(np.isfinite(self.values), axis=1), dtype=np.int64)

    @property
    def is_comparable(self) -> bool:
        return self.values.shape[1] > 1 and bool((self.given > 1).any())

    def mean_without(self, annotator: int) -> Floats:
        """Each item's mean over the other annotators, NaN where no other gave a value."""
        return average_rows(np.delete(self.values, annotator, axis=1))

    def pair(self, first: Floats, second: Floats) -> "Pairs":
        """Two lists over these items with the same cluster numbers, so that their statistics can be averaged."""
        values = np.column_stack([first, second])
        there = np.isfinite(values).all(axis=1)
        return Pairs(values[there], self.clusters[there], self.cluster_count)


class Pairs(Ratings):
    """Ratings by a judge and a person; both values are finite."""

    __slots__ = ()

    @property
    def judge(self) -> Floats:
        return self.values[:, 0]

    @property
    def human(self) -> Floats:
        return self.values[:, 1]


def build_pairs(judge: Values, human: Values, clusters: Keys | None = None) -> Pairs:
    """Items where both gave a value. Without clusters each item is its own."""
    table = np.column_stack([as_floats(judge), as_floats(human)])
    keys = _check_keys(table, clusters)
    there = np.isfinite(table).all(axis=1)
    codes = number_keys(keys[each] for each in np.flatnonzero(there).tolist())
    return Pairs(table[there], codes, int(codes.max(initial=-1)) + 1)


def build_ratings(values: Sequence[Values] | Floats, clusters: Keys | None = None) -> Ratings:
    """From a row per item; None or NaN where an annotator gave no value. Without clusters each item is its own."""
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError("ratings need rows of one length")
    codes = number_keys(_check_keys(table, clusters))
    return Ratings(table, codes, int(codes.max(initial=-1)) + 1)


def _check_keys(table: Floats, clusters: Keys | None) -> Keys:
    keys = range(len(table)) if clusters is None else clusters
    if len(keys) != len(table):
        raise ValueError("ratings need a cluster for each item")
    return keys


def average_rows(values: Floats) -> Floats:
    """Each row's mean over the values that are there, NaN where there is none."""
    given = np.isfinite(values).sum(axis=1)
    # Rounded, so that equal means of different values still tie.
    return np.where(given > 0, np.round(np.nansum(values, axis=1) / np.maximum(given, 1), 9), np.nan)


def as_floats(values: Values) -> Floats:
    """A missing value, None or NaN, becomes NaN."""
    return np.asarray(values, dtype=np.float64)


def number_keys(keys: Iterable[Hashable]) -> Integers:
    """Keys numbered from 0 by first appearance."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
