"""Where in the sources a claim should be looked for: its best sentences with their neighbours."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from assay.text.keywords import keywords
from assay.text.retrieval import Index
from assay.units.passages import Passage

_BEST = 3
_SHORT_SOURCE_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Window:
    """A premise, and the passages it is made of, the one it was chosen for first."""

    text: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Searched:
    """Passages that claims are looked for in, ready to be searched."""

    passages: tuple[Passage, ...]
    language: str = "en"

    @cached_property
    def index(self) -> Index:
        return Index([passage.text for passage in self.passages], self.language)

    @cached_property
    def text(self) -> str:
        return " ".join(passage.text for passage in self.passages)

    @cached_property
    def bigrams(self) -> frozenset[tuple[str, str]]:
        return frozenset(pair for passage in self.passages for pair in bigrams_of(passage.text))

    def best(self, claim: str) -> list[int]:
        return self.index.best(claim, _BEST)

    def windows(self, best: Sequence[int]) -> list[Window]:
        """Each of the best sentences with its neighbours, and the best ones together; a short text as a whole."""
        if not self.passages:
            return []
        if len(self.text) <= _SHORT_SOURCE_CHARACTERS:
            first = [self.passages[position] for position in best[:1]]
            rest = [passage for passage in self.passages if passage not in first]
            return [Window(self.text, (*first, *rest))]
        windows = [self._around(position) for position in best]
        if len(best) > 1:
            joined = [self.passages[position] for position in sorted(best)]
            windows.append(Window(" ".join(passage.text for passage in joined), tuple(joined)))
        return list({window.text: window for window in windows}.values())

    def _around(self, position: int) -> Window:
        centre = self.passages[position]
        near = [
            self.passages[other]
            for other in range(max(0, position - 1), min(len(self.passages), position + 2))
            if self.passages[other].source == centre.source
        ]
        beside = tuple(passage for passage in near if passage is not centre)
        return Window(" ".join(passage.text for passage in near), (centre, *beside))

    def coverage(self, claim: str, positions: Sequence[int] | None = None) -> float:
        return self.index.share_found(keywords(claim, self.language), positions)


def bigrams_of(text: str) -> list[tuple[str, str]]:
    words = [word.strip(".,;:!?()[]\"'“”‘’") for word in text.casefold().split()]
    kept = [word for word in words if word]
    return list(pairwise(kept))
