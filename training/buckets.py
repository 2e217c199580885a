"""Batches of pairs of like length, so that little of the work is spent on padding."""

import random
from collections.abc import Sequence


def build_batches(lengths: Sequence[int], size: int, seed: int) -> list[list[int]]:
    """Every index once, in batches of `size` neighbours by length; the batches' order is shuffled by the seed.

    Ties are broken at random first, else equal lengths would keep the order of their sources.
    """
    rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
    order = list(range(len(lengths)))
    rng.shuffle(order)
    order.sort(key=lambda index: lengths[index])
    batches = [order[start : start + size] for start in range(0, len(order), size)]
    rng.shuffle(batches)
    return batches


def measure_padding(lengths: Sequence[int], batches: Sequence[Sequence[int]]) -> float:
    """The share of token places that hold padding."""
    places = sum(max(lengths[index] for index in batch) * len(batch) for batch in batches)
    return 1 - sum(lengths[index] for batch in batches for index in batch) / places if places else 0.0
