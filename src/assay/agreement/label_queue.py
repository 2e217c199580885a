"""The order in which people label the records of a run.

Records come first where judges disagree, then where they are unsure, then the others in a random order that is drawn
once for a run and is the same for everybody. Whoever has labelled m of the others has a simple random sample of m; the
stored probability of each label says how many records it stands for.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from assay.store.labels import DrawnBy

# Few, so that the random sample begins soon: only that one speaks for the whole run.
_SOUGHT_OUT = 10


@dataclass(frozen=True, slots=True)
class LabelQueue:
    """Positions with the way each was drawn; `others` counts the random ones."""

    places: tuple[tuple[int, DrawnBy], ...]
    others: int


def order_places(run: str, doubts: Sequence[tuple[int, bytes, float, float]]) -> LabelQueue:
    """From position, digest, spread and width of each record. The same on every call while a run does not grow."""
    chance = {place: hashlib.sha256(run.encode() + bytes(digest)).digest() for place, digest, _, _ in doubts}
    disputed = _take([(spread, place) for place, _, spread, _ in doubts], chance)
    taken = set(disputed)
    unsure = _take([(width, place) for place, _, _, width in doubts if place not in taken], chance)
    taken.update(unsure)
    others = sorted((place for place in chance if place not in taken), key=lambda place: chance[place])
    kinds: tuple[tuple[DrawnBy, list[int]], ...] = (
        ("disagreement", disputed),
        ("uncertainty", unsure),
        ("random", others),
    )
    return LabelQueue(tuple((place, by) for by, places in kinds for place in places), len(others))


def _take(amounts: list[tuple[float, int]], chance: dict[int, bytes]) -> list[int]:
    """The largest first; chance, not the position, decides between equals."""
    found = sorted((-amount, chance[place], place) for amount, place in amounts if amount > 0)
    return [place for _, _, place in found[:_SOUGHT_OUT]]
