"""Finds words in a record that may speak to its judge: a suspicion, which changes no label and no score.

Three things raise one: a sentence whose words weigh enough, by weights that training/detector.py learned from examples;
an order to drop one's instructions, which is too short for the weights; and text that a reader is not shown.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from math import sqrt
from typing import Literal

from assay.domain.span import Span
from assay.text.hostile import find_hidden_characters, find_hidden_markup
from assay.text.normal import INVISIBLE, fold
from assay.text.sentences import split_sentences

WEIGHTS = "injection_weights.tsv"
_SPACELESS = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
# Scripts without spaces are cut into single characters, so that their pairs are about words.
_TOKEN = re.compile(rf"[{_SPACELESS}]|[^\W\d_{_SPACELESS}]+(?:'[^\W\d_{_SPACELESS}]+)?|\d+(?:[.,]\d+)?|[^\w\s]|_")
# The same for ASCII, without the large character classes: three times as fast.
_ASCII_TOKEN = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?|[0-9]+(?:[.,][0-9]+)?|[^\w\s]|_")
# A longer sentence is cut, so that an order cannot be diluted.
_LONGEST_SENTENCE = 120
# Shorter sentences are rated as if they had so many tokens: a few words prove little.
_FEWEST_TOKENS = 8
_COMMENT = re.compile("<!--.*?-->", re.DOTALL)
# An order to drop one's instructions, at the start of a sentence or after a colon.
_DROP_ORDER = re.compile(
    r"""(?:^|:\ )\W{0,20}+(?:please,?\ |bitte\ )?(?:
    (?:ignore|disregard|forget|override)\ (?:\w+\ ){0,3}(?:
        (?:previous|prior|earlier|preceding|above|your)\ (?:\w+\ ){0,2}(?:instructions|prompts?)
        |instructions\ (?:above|before))
    |(?:ignorier|vergiss|vergessen|missacht)\w*\ (?:\w+\ ){0,3}(?:vorherig|bisherig|obig|früher|dein)\w*\ anweisungen
    |(?:ignor|olvid)[ae]\ (?:\w+\ ){0,3}instrucciones\ (?:anteriores|previas)
    |(?:ignor|oubli)ez?\ (?:\w+\ ){0,3}(?:instructions|consignes)\ précédentes
    )\b""",
    re.VERBOSE,
)

Reason = Literal["hidden", "wording"]


@dataclass(frozen=True, slots=True)
class InjectionSuspicion:
    """A stretch that may speak to the judge: `hidden` from readers, or by its `wording`."""

    span: Span
    reason: Reason


@dataclass(frozen=True, slots=True)
class Detector:
    """A sentence is suspicious from `threshold` on, text that a reader is not shown from `hidden_threshold` on.

    Weights are integers (hundredths), so that their sum does not depend on the order of the words.
    """

    weights: Mapping[str, int]
    bias: float
    threshold: float
    hidden_threshold: float

    def is_suspicious(self, sentence: str, *, is_hidden: bool = False) -> bool:
        folded = fold_sentence(sentence)
        if _DROP_ORDER.search(folded):
            return True
        threshold = self.hidden_threshold if is_hidden else self.threshold
        return any(self.rate(tokens) >= threshold for tokens in list_pieces(folded))

    def rate(self, tokens: Sequence[str]) -> float:
        weight = sum([self.weights.get(feature, 0) for feature in list_features(tokens)])
        return self.bias + weight * find_scale(len(tokens)) / 100


def find_scale(tokens: int) -> float:
    """The factor on the weights of a piece of so many tokens."""
    return 1 / sqrt(max(_FEWEST_TOKENS, tokens))


def list_features(tokens: Sequence[str]) -> set[str]:
    """Words and pairs of neighbours, each once; the first word is a pair with the sign ^."""
    return {*tokens, *map(" ".join, pairwise(("^", *tokens)))}


def fold_sentence(text: str) -> str:
    """The text in one spelling and without comments. Faster than `normalise`, since no character's origin is traced."""
    seen = _COMMENT.sub("", text)
    return seen.lower() if seen.isascii() else INVISIBLE.sub("", fold(seen))


def list_pieces(folded: str) -> list[list[str]]:
    """The tokens of a folded sentence, cut into pieces if it is long."""
    return [tokenise(piece) for piece in _cut_long(folded)]


def tokenise(text: str) -> list[str]:
    """The words and signs of a folded text. All numbers are 0."""
    pattern = _ASCII_TOKEN if text.isascii() else _TOKEN
    return ["0" if token[0].isdigit() else token for token in pattern.findall(text)]


def _cut_long(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > _LONGEST_SENTENCE:
        space = text.rfind(" ", start + 1, start + _LONGEST_SENTENCE)
        end = space if space > start else start + _LONGEST_SENTENCE
        yield text[start:end]
        start = end
    yield text[start:]


@cache
def load_detector() -> Detector:
    return parse_detector((files("assay.text") / WEIGHTS).read_text(encoding="utf-8"))


def parse_detector(table: str) -> Detector:
    """One feature and its weight a line; the detector's own numbers have names that begin with a colon."""
    rows = dict(line.rsplit("\t", 1) for line in table.splitlines())
    bias, threshold, hidden = (float(rows.pop(f":{name}")) for name in ("bias", "threshold", "hidden"))
    return Detector({feature: round(100 * float(weight)) for feature, weight in rows.items()}, bias, threshold, hidden)


def find_injections(text: str) -> tuple[InjectionSuspicion, ...]:
    """All suspicions in the order of the text, each stretch once."""
    detector = load_detector()
    hidden = list(find_hidden_characters(text))
    for span, words in find_hidden_markup(text):
        if any(detector.is_suspicious(each.of(words), is_hidden=True) for each in split_sentences(words)):
            hidden.append(span)
    worded = [span for span in split_sentences(text) if detector.is_suspicious(span.of(text))]
    shown = [span for span in worded if not any(span.overlaps(other) for other in hidden)]
    found = {
        *(InjectionSuspicion(span, "hidden") for span in hidden),
        *(InjectionSuspicion(span, "wording") for span in shown),
    }
    return tuple(sorted(found, key=lambda each: (each.span, each.reason)))
