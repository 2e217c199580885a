"""Random tables of values for statistics to be held against a second implementation: ties, gaps, skew, few items."""

from collections.abc import Iterator

import numpy as np

from assay.agreement.estimate import Estimate

TABLES = 400


def draw_pairs(count: int = TABLES, *, levels: int | None = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Two related lists with ties and NaN; every fourth has hardly any ties unless the levels are fixed."""
    chance = np.random.default_rng(20_240_117)
    for number in range(count):
        n = int(chance.integers(3, 30))
        steps = levels or int(chance.integers(2, 9))
        human = chance.integers(0, steps, n).astype(float)
        follows = chance.random(n) < chance.random()
        judge = np.where(follows, human, chance.integers(0, steps, n))
        if levels is None and number % 4 == 0:
            judge = judge + chance.normal(size=n)
        for values in (judge, human):
            values[chance.random(n) < 0.05] = np.nan
        yield judge, human


def draw_ratings(count: int = TABLES) -> Iterator[np.ndarray]:
    """Items by annotators, with gaps; values 1 to 5, some never used."""
    chance = np.random.default_rng(77)
    for _ in range(count):
        items, annotators = int(chance.integers(4, 25)), int(chance.integers(2, 6))
        truth = chance.integers(1, int(chance.integers(2, 6)) + 1, (items, 1))
        noise = chance.integers(1, 6, (items, annotators))
        values = np.where(chance.random((items, annotators)) < chance.random(), truth, noise).astype(float)
        values[chance.random(values.shape) < chance.random() / 2] = np.nan
        yield values


def both(judge: np.ndarray, human: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    there = np.isfinite(judge) & np.isfinite(human)
    return judge[there], human[there]


def half_width(found: Estimate) -> float:
    assert found.interval is not None
    return (found.interval[1] - found.interval[0]) / 2


def same(found: float | None, expected: float) -> bool:
    """No value where the reference has none, else the same to rounding."""
    if not np.isfinite(expected):
        return found is None
    return found is not None and abs(found - expected) < 1e-9
