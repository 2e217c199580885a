"""The order in which people label the records of a run, or compare the outputs of its systems.

Records come first where judges disagree, then where they are unsure, then the others in a random order that is drawn
once for a run and is the same for everybody. Whoever has labelled m of the others has a simple random sample of m, by
which a mean of the whole run is corrected. Pairs of outputs come in a random order alone.
"""

import hashlib
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from assay.store.labels import DrawnBy

# Few, so that the random sample begins soon: only that one speaks for the whole run.
_SOUGHT_OUT = 10


def order_places(run: str, doubts: Sequence[tuple[int, bytes, float, float]]) -> dict[int, DrawnBy]:
    """Positions in their order, with the way each was drawn. The same on every call while a run does not grow.

    From position, digest, spread and width of each record.
    """
    chance = {place: hashlib.sha256(run.encode() + bytes(digest)).digest() for place, digest, _, _ in doubts}
    disputed = _take([(spread, place) for place, _, spread, _ in doubts], chance)
    taken = set(disputed)
    unsure = _take([(width, place) for place, _, _, width in doubts if place not in taken], chance)
    taken.update(unsure)
    others = sorted((place for place in chance if place not in taken), key=lambda place: chance[place])
    kinds: Sequence[tuple[DrawnBy, list[int]]] = [
        ("disagreement", disputed),
        ("uncertainty", unsure),
        ("random", others),
    ]
    return {place: by for by, places in kinds for place in places}


def _take(amounts: list[tuple[float, int]], chance: dict[int, bytes]) -> list[int]:
    """The largest first; chance, not the position, decides between equals."""
    found = sorted((-amount, chance[place], place) for amount, place in amounts if amount > 0)
    return [place for _, _, place in found[:_SOUGHT_OUT]]


class OutputPair(NamedTuple):
    """Outputs of two systems on one item, by their places in the run. `key` names the pair and tells nothing of it."""

    key: str
    item: str
    systems: tuple[str, str]
    places: tuple[int, int]

    def draw_order(self, person: str) -> tuple[int, int]:
        """Which of the two this person sees first: drawn by lot, and the same whenever they see the pair again."""
        return (0, 1) if hashlib.sha256(f"{self.key}{person}".encode("utf-8", "replace")).digest()[0] % 2 else (1, 0)


def order_pairs(run: str, outputs: Iterable[tuple[str, str, str, int]]) -> tuple[OutputPair, ...]:
    """From item, system, record and place of each output: every two systems on an item once, in a random order.

    Of several outputs of a system on an item, those of one record id are compared.
    """
    items: dict[str, dict[str, dict[str, int]]] = {}
    for item, system, record, place in outputs:
        items.setdefault(item, {}).setdefault(system, {}).setdefault(record, place)
    pairs = []
    for item, systems in items.items():
        for one, other in combinations(sorted(systems), 2):
            shared = next((record for record in systems[one] if record in systems[other]), None)
            places = [
                found[shared] if shared is not None else next(iter(found.values()))
                for found in (systems[one], systems[other])
            ]
            key = hashlib.sha256(repr((run, item, one, other)).encode("utf-8", "replace")).hexdigest()[:24]
            pairs.append(OutputPair(key, item, (one, other), (places[0], places[1])))
    return tuple(sorted(pairs))
