"""Where in the sources a claim should be looked for: its best sentences with their neighbours."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from assay.text.keywords import keywords
from assay.text.markup import as_seen
from assay.text.retrieval import Index
from assay.units.passages import Passage

_BEST = 3
_SHORT_SOURCE_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class Window:
    """A premise, and the passages it is made of, the one it was chosen for first; `positions` says where they are."""

    text: str
    passages: tuple[Passage, ...]
    positions: tuple[int, ...] = ()


@dataclass(frozen=True)
class Searched:
    """Passages that claims are looked for in, ready to be searched.

    They are cited as they stand, and compared by what a reader sees of them: `sentences`.
    """

    passages: tuple[Passage, ...]
    language: str = "en"
    seen: tuple[str, ...] | None = None
    """Of each passage, where whole sources were looked at: a comment may run on through several."""

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        return tuple(as_seen(passage.text) for passage in self.passages) if self.seen is None else self.seen

    @cached_property
    def index(self) -> Index:
        return Index(self.sentences, self.language)

    @cached_property
    def text(self) -> str:
        return " ".join(self.sentences)

    def best(self, claim: str) -> list[int]:
        return self.index.best(claim, _BEST)

    def windows(self, best: Sequence[int]) -> list[Window]:
        """The best sentence with its neighbours, and the best ones together; a short text as a whole.

        Windows around the second and third best sentence cost half of the time and changed no ranking.
        """
        if not self.passages or not best:
            return []
        if len(self.text) <= _SHORT_SOURCE_CHARACTERS:
            return [self._join([best[0], *(at for at in range(len(self.passages)) if at != best[0])])]
        found = [self._join([best[0], *self._beside(best[0])])]
        if len(best) > 1:
            found.append(self._join(best))
        return list({window.text: window for window in found}.values())

    def _join(self, positions: Sequence[int]) -> Window:
        """The text in its own order, the passages in the order of their worth."""
        text = " ".join(self.sentences[at] for at in sorted(positions))
        return Window(text, tuple(self.passages[at] for at in positions), tuple(positions))

    def _beside(self, position: int) -> list[int]:
        source = self.passages[position].source
        near = range(max(0, position - 1), min(len(self.passages), position + 2))
        return [at for at in near if at != position and self.passages[at].source == source]

    def coverage(self, claim: str, positions: Sequence[int] | None = None) -> float:
        return self.index.share_found(keywords(claim, self.language), positions)
