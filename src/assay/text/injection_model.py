"""Sentences that read as if they spoke to an evaluator, by weights that training/detector.py learned from examples."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import NamedTuple

from assay.domain.span import Span
from assay.text.injection_features import list_pairs, list_word_features, tokenise
from assay.text.injection_patterns import Family
from assay.text.injection_sentences import cut_sentences
from assay.text.normal import Normal

WEIGHTS = "injection_weights.tsv"
# A few words prove little, however telling each is.
_FEWEST_TOKENS = 16
_FEW_TOKENS = 5
_FAMILY: Family = "wording"
_REMEMBERED_WORDS = 1 << 15


class Sentence(NamedTuple):
    """Where it stands in a normalised text, and its words."""

    start: int
    end: int
    tokens: list[str]


@dataclass(frozen=True, slots=True)
class Detector:
    """A stretch is suspicious from `threshold` on. Its pairs count where its words alone come within `margin` of it.

    Weights are whole numbers, hundredths, so that their sum does not depend on the order of words.
    """

    weights: Mapping[str, int]
    bias: float
    threshold: float
    margin: float
    _words: dict[str, int] = field(default_factory=dict)

    def weigh_words(self, tokens: list[str]) -> int:
        known = self._words
        if len(known) > _REMEMBERED_WORDS:
            known.clear()
        total = 0
        for token in set(tokens):
            weight = known.get(token)
            if weight is None:
                weight = known[token] = sum([self.weights.get(each, 0) for each in list_word_features(token)])
            total += weight
        return total

    def weigh_pairs(self, tokens: list[str]) -> int:
        return sum([self.weights.get(pair, 0) for pair in list_pairs(tokens)])

    def rate(self, weight: int, tokens: int) -> float:
        return self.bias + weight * find_share(tokens) / 100

    def is_suspicious(self, weight: int, *sentences: list[str]) -> bool:
        """A sentence, or several in a row, whose words together weigh so much."""
        tokens = sum(map(len, sentences))
        if self.rate(weight, tokens) < self.threshold - self.margin:
            return False
        return self.rate(weight + sum(map(self.weigh_pairs, sentences)), tokens) >= self.threshold


def find_share(tokens: int) -> float:
    """By how much the weight of each feature counts in a stretch of so many words."""
    return 1 / sqrt(max(_FEWEST_TOKENS, tokens))


@cache
def load_detector() -> Detector:
    return read_detector((files("assay.text") / WEIGHTS).read_text(encoding="utf-8"))


def read_detector(text: str) -> Detector:
    """One feature and its weight a line; the numbers of the detector itself have a colon before their names."""
    rows = dict(line.rsplit("\t", 1) for line in text.splitlines())
    bias, threshold, margin = (float(rows.pop(f":{name}")) for name in ("bias", "threshold", "margin"))
    return Detector({feature: round(100 * float(weight)) for feature, weight in rows.items()}, bias, threshold, margin)


def list_sentences(text: str, normal: Normal) -> list[Sentence]:
    """Those that hold a word or a sign. Of a few words, they are read together: an order may be spelt one by one."""
    found: list[Sentence] = []
    for start, end in cut_sentences(text, normal):
        tokens = tokenise(normal.text[start:end])
        if found and tokens and len(found[-1].tokens) < _FEW_TOKENS:
            found[-1] = Sentence(found[-1].start, end, found[-1].tokens + tokens)
        elif tokens:
            found.append(Sentence(start, end, tokens))
    return found


def find_spoken(text: str, normal: Normal, detector: Detector | None = None) -> Iterator[tuple[Span, Family]]:
    """Sentences, and two in a row where neither alone says enough."""
    detector = detector or load_detector()
    sentences = list_sentences(text, normal)
    weights = [detector.weigh_words(each.tokens) for each in sentences]
    alone = [detector.is_suspicious(weight, each.tokens) for weight, each in zip(weights, sentences, strict=True)]
    for at, sentence in enumerate(sentences):
        if alone[at]:
            yield _trim(normal, sentence.start, sentence.end), _FAMILY
        elif alone[at + 1 : at + 2] == [False]:
            following = sentences[at + 1]
            if detector.is_suspicious(weights[at] + weights[at + 1], sentence.tokens, following.tokens):
                yield _trim(normal, sentence.start, following.end), _FAMILY


def _trim(normal: Normal, start: int, end: int) -> Span:
    stretch = normal.text[start:end]
    return normal.span(start + len(stretch) - len(stretch.lstrip()), end - len(stretch) + len(stretch.rstrip()))
