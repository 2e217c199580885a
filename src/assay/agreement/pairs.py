"""What a judge and a person said of the same items, item by item."""

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
    """Both values are finite. Items of one cluster, a source document, are not independent of each other."""

    judge: Floats
    human: Floats
    clusters: Integers
    cluster_count: int
    groups: Integers
    systems: Integers | None = None
    missing: int = 0

    @property
    def n(self) -> int:
        return len(self.judge)


def build_pairs(
    judge: Values,
    human: Values,
    clusters: Keys | None = None,
    groups: Keys | None = None,
    systems: Keys | None = None,
) -> Pairs:
    """Items where both gave a value; the others are counted as missing.

    Without clusters each item is its own; without groups, a group is a cluster.
    """
    first, second = as_floats(judge), as_floats(human)
    lists = [first, second, *(keys for keys in (clusters, groups, systems) if keys is not None)]
    if len({len(each) for each in lists}) != 1:
        raise ValueError("pairs need lists of one length")
    there = np.flatnonzero(np.isfinite(first) & np.isfinite(second))
    codes = number_keys(np.arange(len(first)) if clusters is None else clusters)
    kept = number_keys(codes[there])
    return Pairs(
        judge=first[there],
        human=second[there],
        clusters=kept,
        cluster_count=int(kept.max()) + 1 if len(kept) else 0,
        groups=kept if groups is None else number_keys(number_keys(groups)[there]),
        systems=None if systems is None else number_keys(number_keys(systems)[there]),
        missing=len(first) - len(there),
    )


def as_floats(values: Values) -> Floats:
    """A missing value, None or NaN, becomes NaN."""
    return np.asarray(values, dtype=np.float64)


def number_keys(keys: Keys) -> Integers:
    """Keys numbered from 0: those of an array by their order, others by first appearance."""
    if isinstance(keys, np.ndarray):
        return np.unique(keys, return_inverse=True)[1].astype(np.int64).reshape(-1)
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, len(keys))
