"""Finds words in a record that may speak to its judge: a suspicion, which changes no label and no score.

Two things raise one: sentences whose words weigh enough, by weights that training/detector.py learned from examples,
and text that a reader is not shown.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from math import sqrt
from typing import Literal

from assay.domain.span import Span
from assay.text.hostile import find_hidden_characters, find_hidden_markup
from assay.text.normal import normalise
from assay.text.sentences import split_sentences

WEIGHTS = "injection_weights.tsv"
_SPACELESS = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# Combining signs of Latin, Hebrew, Arabic and Indic scripts: parts of the letter before them.
_SIGNS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff"
_LETTER = rf"(?:[^\W\d_{_SPACELESS}]|[{_SIGNS}])"
# Scripts without spaces are cut into single characters, so that their pairs are about words.
_TOKEN = re.compile(rf"[{_SPACELESS}]|{_LETTER}+(?:'{_LETTER}+)?|\d+(?:[.,]\d+)?|[^\w\s]|_")
# The same for ASCII, without the large character classes: three times as fast.
_ASCII_TOKEN = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?|[0-9]+(?:[.,][0-9]+)?|[^\w\s]|_")
_LONGEST_TOKEN = 30
_PIECE_LETTERS = 4
# A longer sentence is cut, so that an order cannot be diluted.
_LONGEST_SENTENCE = 120
# A shorter sentence is joined with the next, so that an order cannot be spelt one word to a sentence.
_FEW_TOKENS = 5
# Shorter stretches are rated as if they had so many tokens: a few words prove little.
_FEWEST_TOKENS = 16
_MOST_REMEMBERED = 1 << 15

Reason = Literal["hidden", "wording"]
Sentence = tuple[Span, list[str]]


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A stretch that may speak to the judge: `hidden` from readers, or by its `wording`."""

    span: Span
    reason: Reason


@dataclass(frozen=True, slots=True)
class Detector:
    """A stretch is suspicious from `threshold` on, text that a reader is not shown from `hidden_threshold` on.

    Weights are integers (hundredths), so that their sum does not depend on the order of the words.
    """

    weights: Mapping[str, int]
    bias: float
    threshold: float
    hidden_threshold: float
    _known: dict[str, int] = field(default_factory=dict)

    def weigh(self, tokens: Sequence[str]) -> int:
        """The summed weights of a sentence: each word and each pair of neighbours counts once."""
        if len(self._known) > _MOST_REMEMBERED:
            self._known.clear()
        total = sum([self.weights.get(pair, 0) for pair in list_pairs(tokens)])
        for token in set(tokens):
            weight = self._known.get(token)
            if weight is None:
                weight = self._known[token] = sum([self.weights.get(each, 0) for each in list_word_features(token)])
            total += weight
        return total

    def rate(self, weight: int, tokens: int) -> float:
        return self.bias + weight * find_scale(tokens) / 100


def find_scale(tokens: int) -> float:
    """The factor on the weights of a stretch of so many tokens."""
    return 1 / sqrt(max(_FEWEST_TOKENS, tokens))


def tokenise(text: str) -> list[str]:
    """The words, numbers and signs of a normalised text. Very long words are shortened."""
    pattern = _ASCII_TOKEN if text.isascii() else _TOKEN
    return [token[:_LONGEST_TOKEN] for token in pattern.findall(text)]


def list_word_features(token: str) -> list[str]:
    """A word and its pieces of four letters. All numbers are one feature."""
    if token[0].isdigit():
        return ["0"]
    if len(token) < _PIECE_LETTERS or not token[0].isalpha() or "'" in token:
        return [token]
    edged = f"<{token}>"
    return [token, *(f"*{edged[at : at + _PIECE_LETTERS]}" for at in range(len(edged) - _PIECE_LETTERS + 1))]


def list_pairs(tokens: Sequence[str]) -> set[str]:
    """Neighbours, and the first word by itself."""
    return {f"{first} {second}" for first, second in pairwise(("^", *tokens))}


@cache
def load_detector() -> Detector:
    return parse_detector((files("assay.text") / WEIGHTS).read_text(encoding="utf-8"))


def parse_detector(table: str) -> Detector:
    """One feature and its weight a line; the detector's own numbers have names that begin with a colon."""
    rows = dict(line.rsplit("\t", 1) for line in table.splitlines())
    bias, threshold, hidden = (float(rows.pop(f":{name}")) for name in ("bias", "threshold", "hidden"))
    return Detector({feature: round(100 * float(weight)) for feature, weight in rows.items()}, bias, threshold, hidden)


def list_sentences(text: str) -> list[Sentence]:
    """The tokens of each sentence, with its place. Long sentences are cut, very short ones joined with the next."""
    found: list[Sentence] = []
    for span in split_sentences(text):
        for piece in _cut_long(normalise(span.of(text)).text):
            tokens = tokenise(piece)
            if found and tokens and len(found[-1][1]) < _FEW_TOKENS:
                found[-1] = (Span(found[-1][0].start, span.end), found[-1][1] + tokens)
            elif tokens:
                found.append((span, tokens))
    return found


def _cut_long(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > _LONGEST_SENTENCE:
        space = text.rfind(" ", start + 1, start + _LONGEST_SENTENCE)
        end = space if space > start else start + _LONGEST_SENTENCE
        yield text[start:end]
        start = end
    yield text[start:]


def find_injections(text: str) -> tuple[Suspicion, ...]:
    """All suspicions in the order of the text, each stretch once."""
    return _find(text) if len(text) > _MOST_REMEMBERED else _remember_found(text)


def _find(text: str) -> tuple[Suspicion, ...]:
    detector = load_detector()
    hidden = list(find_hidden_characters(text))
    for span, words in find_hidden_markup(text):
        sentences = [tokens for _, tokens in list_sentences(words)]
        if any(detector.rate(detector.weigh(each), len(each)) >= detector.hidden_threshold for each in sentences):
            hidden.append(span)
    worded = [span for span in find_worded(text, detector) if not any(span.overlaps(other) for other in hidden)]
    found = {*(Suspicion(span, "hidden") for span in hidden), *(Suspicion(span, "wording") for span in worded)}
    return tuple(sorted(found, key=lambda each: (each.span, each.reason)))


_remember_found = lru_cache(maxsize=256)(_find)


def find_worded(text: str, detector: Detector) -> Iterator[Span]:
    """Sentences, and two in a row where neither alone weighs enough."""
    sentences = [(span, detector.weigh(tokens), len(tokens)) for span, tokens in list_sentences(text)]
    alone = [detector.rate(weight, tokens) >= detector.threshold for _, weight, tokens in sentences]
    for at, (span, weight, tokens) in enumerate(sentences):
        if alone[at]:
            yield span
        elif alone[at + 1 : at + 2] == [False]:
            after, more, others = sentences[at + 1]
            if detector.rate(weight + more, tokens + others) >= detector.threshold:
                yield Span(span.start, after.end)
