"""Finds the passages of a long text that a claim is most likely about, by weighted stems (BM25)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

from assay.text.keywords import keywords

_SATURATION = 1.2
_LENGTH_WEIGHT = 0.75


class Index:
    """Passages by their stems. It finds where to look; it never decides what is true."""

    def __init__(self, texts: Sequence[str], language: str = "en") -> None:
        self._language = language
        self._passages = [keywords(text, language) for text in texts]
        self._average = sum(map(len, self._passages)) / max(1, len(self._passages)) or 1.0
        self._counts = Counter(stem for passage in self._passages for stem in passage)
        self._postings: dict[str, list[int]] = {}
        for position, passage in enumerate(self._passages):
            for stem in passage:
                self._postings.setdefault(stem, []).append(position)

    def best(self, query: str, most: int) -> list[int]:
        """Positions of the best passages, best first; passages that share no stem are not among them."""
        scores: dict[int, float] = {}
        for stem in keywords(query, self._language):
            weight = self._weight(stem)
            for position in self._postings.get(stem, ()):
                length = len(self._passages[position]) / self._average
                norm = 1 + _SATURATION * (1 - _LENGTH_WEIGHT + _LENGTH_WEIGHT * length)
                scores[position] = scores.get(position, 0.0) + weight * (_SATURATION + 1) / norm
        return sorted(scores, key=lambda position: (-scores[position], position))[:most]

    def share_found(self, stems: Iterable[str], positions: Iterable[int] | None = None) -> float:
        """How much of the stems' weight these passages hold together, or all; a stem found nowhere weighs most."""
        held = self._counts.keys() if positions is None else set().union(*(self._passages[at] for at in positions))
        weights = {stem: self._weight(stem) for stem in stems}
        total = sum(weights.values())
        return sum(weight for stem, weight in weights.items() if stem in held) / total if total else 0.0

    def _weight(self, stem: str) -> float:
        total, with_stem = len(self._passages), self._counts[stem]
        return log(1 + (total - with_stem + 0.5) / (with_stem + 0.5))
