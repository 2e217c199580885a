"""What a text's key points, facts and much-raised topics may be, found by counting and without a model."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import fsum, log, sqrt

from assay.domain.record import Source
from assay.text.keywords import keywords
from assay.text.quantities import find_quantities
from assay.units.passages import number_sources

Stems = frozenset[str]
# Sums are exact (fsum): stems come in no fixed order, and a rounding must not decide which of two points is picked.
LEAST_WORDS, MOST_WORDS = 4, 40
ALIKE = 0.5


@dataclass(frozen=True)
class Point:
    """A statement of a source that an output may cover, and how much it counts."""

    text: str
    stems: Stems
    weight: float


@dataclass(frozen=True)
class Document:
    """Sources as their sentences, ready to be asked what matters in them; `reference` is a person's summary of them."""

    texts: tuple[str, ...]
    reference: str = ""

    @cached_property
    def sentences(self) -> list[tuple[str, str, int]]:
        """Source, text, and the position within the source."""
        passages = number_sources([Source(f"s{at}", text) for at, text in enumerate(self.texts, 1)]).all
        seen: Counter[str] = Counter()
        found = []
        for passage in passages:
            found.append((passage.source, passage.text, seen[passage.source]))
            seen[passage.source] += 1
        return found

    @cached_property
    def stems(self) -> list[Stems]:
        return [keywords(text) for _, text, _ in self.sentences]

    @cached_property
    def counts(self) -> Counter[str]:
        """In how many sentences a stem stands."""
        return Counter(stem for stems in self.stems for stem in stems)

    @cached_property
    def voices(self) -> Counter[str]:
        """In how many sources a stem stands."""
        return Counter(stem for text in self.texts for stem in keywords(text))

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        total = len(self.stems)
        return {stem: log(1 + (total - count + 0.5) / (count + 0.5)) for stem, count in self.counts.items()}

    @cached_property
    def central(self) -> list[float]:
        """Each sentence's likeness to all of them together, the most central being 1."""
        centre = {stem: count * self.rarity[stem] for stem, count in self.counts.items()}
        likeness = [
            fsum(self.rarity[stem] * centre[stem] for stem in stems) / _norm(self.rarity[stem] for stem in stems)
            for stems in self.stems
        ]
        most = max(likeness, default=0.0) or 1.0
        return [value / most for value in likeness]

    def share(self, stems: Stems, held: Stems) -> float:
        """How much of the stems' weight is held; a stem that the sources have once weighs most."""
        rarest = log(1 + (len(self.stems) + 0.5) / 0.5)
        weights = {stem: self.rarity.get(stem, rarest) for stem in stems}
        total = fsum(weights.values())
        return fsum(weight for stem, weight in weights.items() if stem in held) / total if total else 0.0

    def pick_key_points(self, most: int) -> list[Point]:
        """Central sentences, early ones first, no two alike."""
        weights = [
            value / (1 + place) ** 0.3 for value, (_, _, place) in zip(self.central, self.sentences, strict=True)
        ]
        points = [
            Point(text, keywords(text), weight) for (_, text, _), weight in zip(self.sentences, weights, strict=True)
        ]
        return _pick_unlike(points, most)

    def pick_facts(self, most: int) -> list[Point]:
        """Sentences with a quantity, the most central ones: what a question could ask for."""
        facts = [
            Point(text, keywords(text), value)
            for (_, text, _), value in zip(self.sentences, self.central, strict=True)
            if find_quantities(text)
        ]
        return _pick_unlike(facts, most)

    def pick_opinions(self, most: int) -> list[Point]:
        """The sentences that bring together the most of what two sources or more raise, each raised thing once."""
        left = {stem: count**1.5 for stem, count in self.voices.items() if count > 1}
        short = [(text, keywords(text)) for _, text, _ in self.sentences if len(text.split()) <= MOST_WORDS // 2]
        found: list[Point] = []
        while len(found) < most and left and short:
            text, stems = max(short, key=lambda each: _gain(each[1], left) / (2 + len(each[1])))
            gain = _gain(stems, left)
            if not gain:
                break
            found.append(Point(text, stems, gain))
            left = {stem: weight for stem, weight in left.items() if stem not in stems}
        return found

    def pick_topics(self, least: int, most: int) -> dict[str, int]:
        """The stems that at least so many sources have, and how many do, the most raised first."""
        raised = sorted((-count, stem) for stem, count in self.voices.items() if count >= least)
        return {stem: -count for count, stem in raised[:most]}


def _gain(stems: Stems, left: Mapping[str, float]) -> float:
    return fsum(left.get(stem, 0.0) for stem in stems)


def _pick_unlike(points: Sequence[Point], most: int) -> list[Point]:
    kept: list[Point] = []
    for point in sorted(points, key=lambda each: -each.weight):
        if len(kept) == most:
            break
        if not LEAST_WORDS <= len(point.text.split()) <= MOST_WORDS:
            continue
        if all(len(point.stems & other.stems) < ALIKE * len(point.stems | other.stems) for other in kept):
            kept.append(point)
    return kept


def _norm(values: Iterable[float]) -> float:
    return sqrt(fsum(value * value for value in values)) or 1.0
