"""Finds the earlier text that said the same: one with four in five of all the stems of both."""

from collections.abc import Iterator
from itertools import islice


class Said:
    """What was said so far, by its stems. Texts without stems say nothing, so none of them repeats another."""

    def __init__(self, *, over: bool) -> None:
        """`over`: it takes more than four in five; else four in five are enough."""
        self._over = over
        self._texts: list[frozenset[str]] = []
        self._places: dict[str, int] = {}
        self._by_size: dict[int, dict[str, list[int]]] = {}

    def add(self, stems: frozenset[str]) -> None:
        held = self._by_size.setdefault(len(stems), {})
        for stem in stems:
            held.setdefault(stem, []).append(len(self._texts))
            self._places[stem] = self._places.get(stem, 0) + 1
        self._texts.append(stems)

    def find(self, stems: frozenset[str]) -> int | None:
        """The place of the first text that says the same, counted from 0 in the order in which they were added."""
        for place in sorted(set(self._candidates(stems))):
            other = self._texts[place]
            if len(stems & other) >= self._least_shared(len(stems), len(other)):
                return place
        return None

    def _candidates(self, stems: frozenset[str]) -> Iterator[int]:
        """A text that has all but n of the stems has one of any n + 1 of them, so only the rarest are looked up."""
        rarest = sorted(stems, key=lambda stem: self._places.get(stem, 0))
        for size, held in self._by_size.items():
            least = self._least_shared(len(stems), size)
            if least <= size:
                for stem in islice(rarest, max(0, len(stems) - least + 1)):
                    yield from held.get(stem, ())

    def _least_shared(self, size: int, other: int) -> int:
        """What is shared is counted in both, so four in five of all their stems are four in nine of the two sizes."""
        four, rest = divmod(4 * (size + other), 9)
        return four + 1 if self._over or rest else four
