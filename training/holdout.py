"""The pairs kept out of training, by whole groups, so that no held-out page or premise was ever learned from."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType
from typing import Final

from training.pairs import Pair

SIZES: Final[Mapping[str, int]] = MappingProxyType(
    {"vitaminc": 3000, "mnli": 2000, "snli": 500, "conjnli": 500, "fever": 500}
)
CORRUPTION_PAIRS: Final = 1000


@dataclass(frozen=True, slots=True)
class Split:
    """Two lists of pairs with no group in common."""

    train: list[Pair]
    held_out: list[Pair]


def rank_group(group: str, seed: int) -> bytes:
    """A group's place in the queue for the held-out part: fixed by its name, not by the order of the file."""
    return blake2b(f"{seed}:{group}".encode(), digest_size=8).digest()


def split_pairs(pairs: Sequence[Pair], sizes: Mapping[str, int], seed: int) -> Split:
    """Whole groups go to the held-out part until each origin has its size; the group that overfills it is cut.

    What is cut off is dropped, not trained on.
    """
    grouped: dict[str, dict[str, list[Pair]]] = {}
    for pair in pairs:
        grouped.setdefault(pair.origin, {}).setdefault(pair.group, []).append(pair)
    train: list[Pair] = []
    held_out: list[Pair] = []
    for origin, groups in sorted(grouped.items()):
        kept: list[Pair] = []
        for group in sorted(groups, key=lambda name: rank_group(name, seed)):
            if len(kept) < sizes.get(origin, 0):
                kept.extend(groups[group])
            else:
                train.extend(groups[group])
        held_out.extend(kept[: sizes.get(origin, 0)])
    texts = {pair.premise for pair in held_out}
    return Split([pair for pair in train if pair.premise not in texts], held_out)
