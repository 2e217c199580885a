"""How much of each set one shard of training holds, and which pairs, drawn by a fixed chance."""

import random
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from training.pairs import Pair
from training.twins import ORIGIN, TwinMaker
from training.windows import Neighbours

SHARES: Final[Mapping[str, float]] = MappingProxyType(
    {"vitaminc": 0.36, "mnli": 0.22, "snli": 0.06, "conjnli": 0.06, "fever": 0.10, ORIGIN: 0.20}
)
WINDOWS: Final[Mapping[str, float]] = MappingProxyType(
    {"vitaminc": 0.4, "mnli": 0.15, "snli": 0.0, "conjnli": 0.3, "fever": 0.25, ORIGIN: 0.4}
)
"""The share of each origin's pairs that get other sentences around their premise."""
MISTAKES: Final = 0.3
"""The share of a second run that goes to the pairs the first one got wrong."""


def share_out(count: int, shares: Mapping[str, float]) -> dict[str, int]:
    """Whole numbers that add up to `count`, each within one of its share."""
    exact = {name: share * count / sum(shares.values()) for name, share in shares.items()}
    whole = {name: int(value) for name, value in exact.items()}
    short = count - sum(whole.values())
    for name in sorted(exact, key=lambda name: (whole[name] - exact[name], name))[:short]:
        whole[name] += 1
    return whole


class Mixture:
    """Draws shards of training pairs; the same pairs, shares and seed draw the same shards."""

    def __init__(self, pairs: Sequence[Pair], neighbours: Neighbours, seed: int, mistakes: Sequence[Pair] = ()) -> None:
        self._rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
        self._neighbours = neighbours
        self._twins = TwinMaker(pairs, seed + 1)
        by_origin: dict[str, list[Pair]] = {}
        for pair in pairs:
            by_origin.setdefault(pair.origin, []).append(pair)
        self._streams = {origin: _cycle(found, seed) for origin, found in sorted(by_origin.items())}
        self._mistakes = _cycle(mistakes, seed) if mistakes else None

    def draw_shard(self, count: int) -> list[Pair]:
        """`count` pairs in the shares of the mixture, in random order."""
        present = {name: share for name, share in SHARES.items() if name == ORIGIN or name in self._streams}
        shard: list[Pair] = []
        if self._mistakes is not None:
            shard = [next(self._mistakes) for _ in range(int(MISTAKES * count))]
        for origin, wanted in share_out(count - len(shard), present).items():
            for _ in range(wanted):
                pair = self._twins.draw() if origin == ORIGIN else next(self._streams[origin])
                widened = self._rng.random() < WINDOWS[origin]
                shard.append(self._neighbours.widen(pair, self._rng) if widened else pair)
        self._rng.shuffle(shard)
        return shard


def _cycle(pairs: Sequence[Pair], seed: int) -> Iterator[Pair]:
    """All pairs in random order, then all again in another."""
    rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
    while True:
        yield from rng.sample(list(pairs), len(pairs))


def draw_corruptions(pairs: Sequence[Pair], neighbours: Neighbours, count: int, seed: int) -> list[Pair]:
    """Twins alone, for the held-out part: from pairs that are held out themselves."""
    rng = random.Random(seed)  # noqa: S311  # reproducible, not secret
    twins = TwinMaker(pairs, seed + 1)
    drawn = [twins.draw() for _ in range(count)]
    return [neighbours.widen(pair, rng) if rng.random() < WINDOWS[ORIGIN] else pair for pair in drawn]
