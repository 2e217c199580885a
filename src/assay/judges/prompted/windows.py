"""Chooses what to show of sources that do not fit a model's context: windows around what each unit is about."""

from collections.abc import Sequence

from assay.domain.units import Unit
from assay.text.keywords import Index
from assay.units.passages import OUTPUT, Passages

# A cautious guess of characters per token for any script and tokenizer; the endpoint has the last word.
CHARACTERS_PER_TOKEN = 3


def choose_windows(units: Sequence[Unit], passages: Passages, characters: int) -> frozenset[str] | None:
    """The passages nearest to each unit with one neighbour on either side, in turns, until the room is filled.

    None where not even one window per unit fits.
    """
    shown = [passage for passage in passages.all if passage.source != OUTPUT]
    index = Index([passage.text for passage in shown])
    ranked = [index.best(unit.text, 8) for unit in units]
    chosen: set[int] = set()
    room = characters
    for turn in range(8):
        for positions in ranked:
            if turn >= len(positions):
                continue
            window = [
                position
                for position in range(positions[turn] - 1, positions[turn] + 2)
                if 0 <= position < len(shown)
                and position not in chosen
                and shown[position].source == shown[positions[turn]].source
            ]
            cost = sum(len(shown[position].text) + 16 for position in window)
            if cost > room:
                return None if turn == 0 else frozenset(shown[position].id for position in chosen)
            room -= cost
            chosen.update(window)
    return frozenset(shown[position].id for position in chosen)
