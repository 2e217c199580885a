"""The pairs kept out of training, by whole groups, so that no held-out page or premise was ever learned from."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from types import MappingProxyType
from typing import Final

from training.pairs import Pair

SEED: Final = 20261116
"""Of the split that all runs share: a pair held out of one must not be learned by the next."""
SIZES: Final[Mapping[str, int]] = MappingProxyType(
    {
        "vitaminc": 3000, "mnli": 2000, "snli": 500, "conjnli": 500, "fever": 500,
        "factscore_atomic": 300, "onestop": 300, "cochrane_pls": 300, "wanli_part": 300, "qmsum": 200, "scitldr": 200,
        "fm2": 200, "factcg_cg2c": 200, "factcheckgpt": 200, "clapnq": 100, "paws_ni": 200,
        "modern": 300, "fact_twins": 3000,
    }
)  # fmt: skip
CORRUPTION_PAIRS: Final = 1000
_LONG_CLAIM: Final = 6
"""Words from which on a claim met again in another set is no accident."""
_WORD: Final = re.compile(r"[^\W_]+")


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

    What is cut off is dropped, not trained on, and so is every pair of another origin with a held-out premise or claim.
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
    premises = {_fold(pair.premise) for pair in held_out}
    claims = {_fold(pair.hypothesis) for pair in held_out if len(pair.hypothesis.split()) >= _LONG_CLAIM}
    kept = [pair for pair in train if _fold(pair.premise) not in premises and _fold(pair.hypothesis) not in claims]
    return Split(kept, held_out)


def _fold(text: str) -> str:
    """A text without its capitals and marks: sets spell the same sentence in several ways."""
    return " ".join(_WORD.findall(text.casefold()))
