"""Sentences that read as if they spoke to an evaluator, by weights that training/detector.py learned from examples."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import NamedTuple

from assay.domain.span import Span
from assay.text.injections.features import list_pairs, list_word_features, tokenise
from assay.text.injections.patterns import Family
from assay.text.injections.sentences import cut_sentences
from assay.text.normal import Normal

WEIGHTS = "weights.tsv"
# A few words prove little, however telling each is.
_FEWEST_TOKENS = 16
_FEW_TOKENS = 5
# By so much, in hundredths, the weight of words may be more than it seems before their signs are taken off.
_DOUBT = 50
_FAMILY: Family = "wording"
_REMEMBERED_WORDS = 1 << 15


class Sentence(NamedTuple):
    """Where it stands in a normalised text, how many tokens it has, and what they weigh, about.

    About, for "score" and "score," are weighed as two words: it is enough to leave most sentences alone.
    """

    start: int
    end: int
    tokens: int
    weight: int


@dataclass(frozen=True, slots=True)
class Detector:
    """A stretch is suspicious from `threshold` on. Its pairs count where its words alone come within `margin` of it.

    Weights are whole numbers, hundredths, so that their sum does not depend on the order of words.
    """

    weights: Mapping[str, int]
    bias: float
    threshold: float
    margin: float
    _tokens: dict[str, int] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)
    _words: dict[str, int] = field(default_factory=dict)

    def measure(self, text: str) -> tuple[int, int]:
        """How many tokens a stretch has, and what its words weigh, about."""
        words = text.split()
        different = set(words)
        # Nearly every word was met before, and its figures are summed without a step of ours.
        if different.difference(self._words):
            self._learn(different)
        try:
            return sum(map(self._counts.__getitem__, words)), sum(map(self._words.__getitem__, different))
        except KeyError:  # another thread has made room meanwhile
            tokens = tokenise(text)
            return len(tokens), self.weigh_words(tokens)

    def _learn(self, words: set[str]) -> None:
        """All of them, also those known: they may have to make room with the others."""
        if len(self._words) > _REMEMBERED_WORDS:
            self._words.clear()
            self._counts.clear()
        for word in words:
            tokens = tokenise(word)
            self._counts[word], self._words[word] = len(tokens), self.weigh_words(tokens)

    def weigh_words(self, tokens: list[str]) -> int:
        known = self._tokens
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

    def is_near(self, weight: int, tokens: int) -> bool:
        """Whether a stretch whose words weigh so much is worth a look at its pairs."""
        return self.rate(weight, tokens) >= self.threshold - self.margin

    def is_suspicious(self, *sentences: list[str]) -> bool:
        """A sentence, or several in a row."""
        tokens, weight = sum(map(len, sentences)), sum(map(self.weigh_words, sentences))
        if not self.is_near(weight, tokens):
            return False
        return self.rate(weight + sum(map(self.weigh_pairs, sentences)), tokens) >= self.threshold


def find_share(tokens: int) -> float:
    """By how much the weight of each feature counts in a stretch of so many words."""
    return 1 / sqrt(max(_FEWEST_TOKENS, tokens))


@cache
def load_detector() -> Detector:
    return read_detector((files("assay.text.injections") / WEIGHTS).read_text(encoding="utf-8"))


def read_detector(text: str) -> Detector:
    """One feature and its weight a line; the numbers of the detector itself have a colon before their names."""
    rows = dict(line.rsplit("\t", 1) for line in text.splitlines())
    bias, threshold, margin = (float(rows.pop(f":{name}")) for name in ("bias", "threshold", "margin"))
    return Detector({feature: round(100 * float(weight)) for feature, weight in rows.items()}, bias, threshold, margin)


def list_sentences(text: str, normal: Normal, detector: Detector) -> list[Sentence]:
    """Those that hold a word or a sign. Of a few words, they are read together: an order may be spelt one by one."""
    found: list[Sentence] = []
    for start, end in cut_sentences(text, normal):
        tokens, weight = detector.measure(normal.text[start:end])
        if found and tokens and found[-1].tokens < _FEW_TOKENS:
            last = found[-1]
            found[-1] = Sentence(last.start, end, last.tokens + tokens, last.weight + weight)
        elif tokens:
            found.append(Sentence(start, end, tokens, weight))
    return found


def find_spoken(text: str, normal: Normal, detector: Detector | None = None) -> Iterator[tuple[Span, Family]]:
    """Sentences, and two in a row where neither alone says enough."""
    detector = detector or load_detector()
    sentences = list_sentences(text, normal, detector)
    alone = [_is_spoken(normal, detector, sentence) for sentence in sentences]
    for at, sentence in enumerate(sentences):
        if alone[at]:
            yield _trim(normal, sentence.start, sentence.end), _FAMILY
        elif alone[at + 1 : at + 2] == [False] and _is_spoken(normal, detector, sentence, sentences[at + 1]):
            yield _trim(normal, sentence.start, sentences[at + 1].end), _FAMILY


def _is_spoken(normal: Normal, detector: Detector, first: Sentence, second: Sentence | None = None) -> bool:
    """The words of most sentences weigh less than nothing."""
    weight = first.weight + _DOUBT + (second.weight if second is not None else 0)
    if weight < 0 and detector.bias <= detector.threshold - detector.margin:
        return False
    stretch = (first,) if second is None else (first, second)
    if not detector.is_near(weight, sum([each.tokens for each in stretch])):
        return False
    return detector.is_suspicious(*(tokenise(normal.text[each.start : each.end]) for each in stretch))


def _trim(normal: Normal, start: int, end: int) -> Span:
    stretch = normal.text[start:end]
    return normal.span(start + len(stretch) - len(stretch.lstrip()), end - len(stretch) + len(stretch.rstrip()))
