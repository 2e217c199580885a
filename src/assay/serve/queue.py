"""Which records people label first: where judges disagree, where they are unsure, then the others by chance.

The first two kinds are few and sought out: each of them is certain to come up. The others come in an order that is
drawn once for a run, the same for everybody. Whoever has labelled m of them has a simple random sample of m, and each
label of theirs stands for as many records as its stored probability says.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from assay.store.browsing import Browser
from assay.store.labels import DrawnBy

# Few enough that chance has its turn soon: only a random sample speaks for the whole run.
_SOUGHT_OUT = 10


@dataclass(frozen=True, slots=True)
class Drawn:
    position: int
    by: DrawnBy


@dataclass(frozen=True, slots=True)
class Queue:
    """`others` counts the records that come by chance, drawn or not."""

    places: tuple[Drawn, ...]
    others: int


def build_queue(browser: Browser, run: str, metrics: Sequence[str] = ()) -> Queue:
    """By what is in doubt about these metrics, or about all. The same on every call while a run does not grow."""
    return order_places(run, browser.find_doubts(run, metrics))


def order_places(run: str, doubts: Sequence[tuple[int, bytes, float, float]]) -> Queue:
    chance = {place: hashlib.sha256(run.encode() + bytes(digest)).digest() for place, digest, _, _ in doubts}
    disputed = _take([(spread, place) for place, _, spread, _ in doubts], chance)
    taken = set(disputed)
    unsure = _take([(width, place) for place, _, _, width in doubts if place not in taken], chance)
    taken.update(unsure)
    others = sorted((place for place in chance if place not in taken), key=lambda place: chance[place])
    places = (
        *(Drawn(place, "disagreement") for place in disputed),
        *(Drawn(place, "uncertainty") for place in unsure),
        *(Drawn(place, "random") for place in others),
    )
    return Queue(places, len(others))


def _take(amounts: list[tuple[float, int]], chance: dict[int, bytes]) -> list[int]:
    """The largest first; chance, not the place in the file, decides between equals."""
    found = sorted((-amount, chance[place], place) for amount, place in amounts if amount > 0)
    return [place for _, _, place in found[:_SOUGHT_OUT]]
