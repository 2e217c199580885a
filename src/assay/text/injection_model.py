"""Sentences that read as if they spoke to an evaluator, by weights that training/detector.py learned from examples."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import sqrt

from assay.domain.span import Span
from assay.text.injection_features import list_pairs, list_word_features, tokenise
from assay.text.injection_patterns import Family
from assay.text.injection_sentences import cut_sentences
from assay.text.normal import Normal

# A few words prove little, however telling each is.
FEWEST_TOKENS = 16
_FAMILY: Family = "wording"
_REMEMBERED_WORDS = 1 << 15


@dataclass(frozen=True, slots=True)
class Detector:
    """A stretch is suspicious from `threshold` on. Its pairs count where its words alone come within `margin` of it."""

    weights: Mapping[str, float]
    bias: float
    threshold: float
    margin: float
    _words: dict[str, float] = field(default_factory=dict)

    def weigh_words(self, tokens: list[str]) -> float:
        known = self._words
        if len(known) > _REMEMBERED_WORDS:
            known.clear()
        total = 0.0
        for token in set(tokens):
            weight = known.get(token)
            if weight is None:
                weight = known[token] = sum([self.weights.get(each, 0.0) for each in list_word_features(token)])
            total += weight
        return total

    def weigh_pairs(self, tokens: list[str]) -> float:
        return sum([self.weights.get(pair, 0.0) for pair in list_pairs(tokens)])

    def rate(self, weight: float, tokens: int) -> float:
        return self.bias + weight / sqrt(max(FEWEST_TOKENS, tokens))

    def is_near(self, weight: float, tokens: int) -> bool:
        """Whether a stretch whose words weigh so much is worth a look at its pairs."""
        return weight > 0 and self.rate(weight, tokens) >= self.threshold - self.margin

    def is_suspicious(self, weight: float, *sentences: list[str]) -> bool:
        """A sentence, or several in a row, whose words together weigh so much."""
        tokens = sum(map(len, sentences))
        if not self.is_near(weight, tokens):
            return False
        return self.rate(weight + sum(map(self.weigh_pairs, sentences)), tokens) >= self.threshold


@cache
def load_detector() -> Detector:
    return read_detector((files("assay.text") / "injection_weights.tsv").read_text(encoding="utf-8"))


def read_detector(text: str) -> Detector:
    """One feature and its weight a line; the numbers of the detector itself have a colon before their names."""
    rows = (line.rsplit("\t", 1) for line in text.splitlines())
    weights = {feature: float(weight) for feature, weight in rows}
    bias, threshold, margin = (weights.pop(f":{name}") for name in ("bias", "threshold", "margin"))
    return Detector(weights, bias, threshold, margin)


def find_spoken(text: str, normal: Normal) -> Iterator[tuple[Span, Family]]:
    """Sentences, and two in a row where neither alone says enough."""
    detector = load_detector()
    places = list(cut_sentences(text, normal))
    sentences = [tokenise(normal.text[start:end]) for start, end in places]
    weights = [detector.weigh_words(tokens) for tokens in sentences]
    alone = [
        weight > 0 and detector.is_suspicious(weight, tokens) for weight, tokens in zip(weights, sentences, strict=True)
    ]
    for at, (start, end) in enumerate(places):
        if alone[at]:
            yield _trim(normal, start, end), _FAMILY
        elif alone[at + 1 : at + 2] == [False] and detector.is_suspicious(
            weights[at] + weights[at + 1], *sentences[at : at + 2]
        ):
            yield _trim(normal, start, places[at + 1][1]), _FAMILY


def _trim(normal: Normal, start: int, end: int) -> Span:
    stretch = normal.text[start:end]
    return normal.span(start + len(stretch) - len(stretch.lstrip()), end - len(stretch) + len(stretch.rstrip()))
