"""Sentences by the quantities they hold, so that only numbers that stand close together are reckoned with."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from assay.text.quantity import Quantity
from assay.text.quantity_derivations import MOST_SOURCES
from assay.text.retrieval import Index
from assay.text.sentences import split_sentences

LONGEST_SENTENCE: Final = 2_000
"""Characters of a sentence that are looked at: one of a thousand words is a table in disguise and tells nothing."""
_BEST_SENTENCES: Final = 5


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    quantities: tuple[Quantity, ...]


def cut_sentences(text: str, quantities: Sequence[Quantity], language: str) -> Iterator[Sentence]:
    """Each sentence with its own of the text's quantities, which are in reading order."""
    starts = [quantity.span.start for quantity in quantities]
    for span in split_sentences(text, language):
        held = quantities[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
        yield Sentence(span.of(text)[:LONGEST_SENTENCE], tuple(held[:MOST_SOURCES]))


class Neighbours:
    """Sources with more numbers than can be paired: only those of the sentences nearest to a claim's are."""

    def __init__(self, sentences: Sequence[Sentence], language: str) -> None:
        self._index = Index([sentence.text for sentence in sentences], language)
        self._quantities = [sentence.quantities for sentence in sentences]

    def near(self, claim: str) -> tuple[Quantity, ...]:
        best = self._index.best(claim, _BEST_SENTENCES)
        return tuple(islice((each for position in best for each in self._quantities[position]), MOST_SOURCES))
