"""Ways to score what an output covers of its sources: plain counts to be beaten, and ways that name points."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from assay.domain.record import Source
from assay.judges.embedded.pair_model import Pair, Rating
from assay.judges.embedded.signals import Searched, Window, search, weigh
from assay.judges.embedded.weights import load_calibration
from assay.text.keywords import keywords
from assay.units.claims import cut_claims, cut_sections
from assay.units.passages import number_sources
from salience import Document, Point, Stems

Array = NDArray[np.float64]
BASELINES = ("length", "overlap", "source recall", "repeated words recall", "ROUGE-2", "ROUGE-L of lead")
MOST_SHOWN = 1_500


@dataclass(frozen=True)
class Item:
    """An output with what people said of it; `held` are the stems it holds."""

    document: str
    output: str
    truth: float

    @cached_property
    def held(self) -> Stems:
        return keywords(self.output)

    def pair(self, statement: str) -> Pair:
        """The output as the premise: it is asked whether it says what the source does."""
        return Pair(self.output[:MOST_SHOWN], statement)


@dataclass(frozen=True)
class Measured:
    """A sample of a labelled set, with what the pair model made of the pairs that its ways to score want."""

    items: tuple[Item, ...]
    documents: Mapping[str, Document]
    points: Mapping[str, Sequence[Point]]
    ratings: Mapping[Pair, Rating]

    def score(self, way: "Way") -> Array:
        return np.array([way(item, self) for item in self.items])

    def support(self, item: Item, point: Point) -> float:
        return self.ratings[item.pair(point.text)].supported

    def share(self, item: Item, point: Point) -> float:
        return self.documents[item.document].share(point.stems, item.held)


Way = Callable[[Item, Measured], float]


def read_length(item: Item, measured: Measured) -> float:
    del measured
    return float(len(item.output.split()))


def read_overlap(item: Item, measured: Measured) -> float:
    known = set(" ".join(measured.documents[item.document].texts).casefold().split())
    own = item.output.casefold().split()
    return sum(word in known for word in own) / max(1, len(own))


def recall_source(item: Item, measured: Measured) -> float:
    """The share of the source's keywords that the output has."""
    counts = measured.documents[item.document].counts
    return sum(stem in item.held for stem in counts) / max(1, len(counts))


def recall_repeated(item: Item, measured: Measured) -> float:
    """The same, each keyword counted as often as sentences have it."""
    counts = measured.documents[item.document].counts
    return sum(count for stem, count in counts.items() if stem in item.held) / max(1, counts.total())


def recall_pairs(item: Item, measured: Measured) -> float:
    """ROUGE-2 recall of the source."""
    source = " ".join(measured.documents[item.document].texts).casefold().split()
    own = item.output.casefold().split()
    wanted, held = set(pairwise(source)), set(pairwise(own))
    return len(wanted & held) / max(1, len(wanted))


def recall_lead(item: Item, measured: Measured) -> float:
    """ROUGE-L recall of the first three sentences."""
    sentences = measured.documents[item.document].sentences[:3]
    lead = " ".join(text for _, text, _ in sentences).casefold().split()
    return LCSseq.similarity(item.output.casefold().split(), lead) / max(1, len(lead))


def pick_nothing(document: Document) -> tuple[Point, ...]:
    """For ways that name no points: nothing is asked of the model."""
    del document
    return ()


def recall_points(item: Item, measured: Measured) -> float:
    """ROUGE-1 recall of the points, by stems: what counting shared words makes of them."""
    stems = frozenset[str]().union(*(point.stems for point in measured.points[item.document]))
    return len(stems & item.held) / max(1, len(stems))


PLAIN: Mapping[str, Way] = dict(
    zip(
        BASELINES,
        (read_length, read_overlap, recall_source, recall_repeated, recall_pairs, recall_lead),
        strict=True,
    )
)


def cover(verdict: Callable[[Item, Point, Measured], float], *, weighted: bool) -> Way:
    """The share of points covered, each by its salience or all alike."""

    def way(item: Item, measured: Measured) -> float:
        points = measured.points[item.document]
        weights = [point.weight if weighted else 1.0 for point in points]
        found = sum(weight * verdict(item, point, measured) for weight, point in zip(weights, points, strict=True))
        return found / (sum(weights) or 1.0)

    return way


def by_words(item: Item, point: Point, measured: Measured) -> float:
    return measured.share(item, point)


def by_model(item: Item, point: Point, measured: Measured) -> float:
    return measured.support(item, point)


def by_both(item: Item, point: Point, measured: Measured) -> float:
    return 0.5 * measured.share(item, point) + 0.5 * measured.support(item, point)


def by_shown(item: Item, point: Point, measured: Measured) -> float:
    """As the judge does: every stem of a point counts alike, so that no source is needed beside the point."""
    return 0.5 * len(point.stems & item.held) / max(1, len(point.stems)) + 0.5 * measured.support(item, point)


def by_product(item: Item, point: Point, measured: Measured) -> float:
    return measured.share(item, point) * measured.support(item, point)


def by_larger(item: Item, point: Point, measured: Measured) -> float:
    return max(measured.share(item, point), measured.support(item, point))


def by_words_mostly(item: Item, point: Point, measured: Measured) -> float:
    return 0.75 * measured.share(item, point) + 0.25 * measured.support(item, point)


def by_claims(item: Item, point: Point, measured: Measured) -> float:
    """As the judge weighs a claim, the output taken for the source and as a whole for the window."""
    searched = Searched(number_sources([Source("s1", item.output)]).all)
    window = Window(item.output, searched.passages)
    found = replace(
        search(point.text, searched, [item.output]),
        windows=(window,),
        verbatim=None,
    )
    signals = weigh(found, [measured.ratings[item.pair(point.text)]])
    return load_calibration().probability(signals.features, found.settled)


def by_label(item: Item, point: Point, measured: Measured) -> float:
    """As the rubric's labels have it: more than three quarters of a point is all of it, a quarter is none."""
    value = by_both(item, point, measured)
    return 1.0 if value > 0.75 else 0.5 if value > 0.25 else 0.0


COVERING: Mapping[str, Way] = {
    "points by words": cover(by_words, weighted=True),
    "points by model": cover(by_model, weighted=True),
    "points by both": cover(by_both, weighted=True),
    "points by both, unweighted": cover(by_both, weighted=False),
    "points by product": cover(by_product, weighted=False),
    "points by labels": cover(by_label, weighted=False),
}


def recall_every_sentence(item: Item, measured: Measured) -> float:
    """Every sentence is a point, by its words alone."""
    document = measured.documents[item.document]
    weights = [
        value * (1 + place) ** -0.3 for value, (_, _, place) in zip(document.central, document.sentences, strict=True)
    ]
    found = sum(
        weight * document.share(stems, item.held) for weight, stems in zip(weights, document.stems, strict=True)
    )
    return float(found / (sum(weights) or 1.0))


def add_recall(way: Way, weight: float) -> Way:
    def both(item: Item, measured: Measured) -> float:
        return recall_repeated(item, measured) + weight * way(item, measured)

    return both


def recall_topics(least: int, most: int) -> Way:
    """Of what so many sources raise, the share that the output names, by how many raise it."""

    def way(item: Item, measured: Measured) -> float:
        topics = measured.documents[item.document].pick_topics(least, most)
        return sum(count for stem, count in topics.items() if stem in item.held) / (sum(topics.values()) or 1)

    return way


def add_topics(way: Way, weight: float) -> Way:
    topics = recall_topics(3, 20)

    def both(item: Item, measured: Measured) -> float:
        return topics(item, measured) + weight * way(item, measured)

    return both


def score_opinions(least: int, most: int) -> Way:
    """The score from one to five that the rubric's rule gives where topics are the items."""

    def way(item: Item, measured: Measured) -> float:
        document = measured.documents[item.document]
        topics = document.pick_topics(least, most)
        matched = sum(stem in item.held for stem in topics)
        claims = [keywords(unit.text) for unit in cut_claims(item.output)]
        excess = sum(all(document.voices[stem] < 2 for stem in stems) for stems in claims)
        return float(grade(matched / max(1, len(topics)), excess, excess / max(1, matched + excess)))

    return way


def grade(covered: float, excess: int, excess_share: float) -> int:
    if covered == 0:
        return 1
    if covered == 1 and not excess:
        return 5
    if covered < 0.375 or excess_share > 0.5:
        return 2
    return 4 if covered >= 0.625 and excess_share <= 0.2 else 3


def relate_sections(measure: Callable[[Stems, Document], float]) -> Way:
    def way(item: Item, measured: Measured) -> float:
        document = measured.documents[item.document]
        sections = [keywords(unit.text) for unit in cut_sections(item.output)]
        return float(np.mean([measure(stems, document) for stems in sections])) if sections else 0.0

    return way


def contain(stems: Stems, document: Document) -> float:
    return sum(stem in document.counts for stem in stems) / max(1, len(stems))


def label_containment(stems: Stems, document: Document) -> float:
    value = contain(stems, document)
    return 1.0 if value >= 0.8 else 0.5 if value >= 0.3 else 0.0


def resemble_best(stems: Stems, document: Document) -> float:
    """How central the sentence is that a section is most like."""
    likeness = [len(stems & other) / max(1, len(stems | other)) for other in document.stems]
    best = int(np.argmax(likeness)) if likeness else 0
    return likeness[best] * document.central[best] if likeness else 0.0


def repeat(stems: Stems, document: Document) -> float:
    """How many of the source's sentences have a section's words, on average."""
    return sum(document.counts[stem] for stem in stems) / max(1, len(stems)) / max(1, len(document.stems))
