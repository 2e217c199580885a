"""Finds the quantities of an output that neither stand in a source nor follow from two that do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from assay.checks.source_quantities import READ_WHOLE, build_shelf, read_source
from assay.domain.record import Record
from assay.domain.scorecard import Notice
from assay.domain.span import Span
from assay.text.language import identify
from assay.text.quantities import find_quantities
from assay.text.quantity import Kind, Quantity
from assay.text.quantity_derivations import MOST_SOURCES, derived
from assay.text.retrieval import Index
from assay.text.sentences import split_sentences

_SMALL: Final = 10
_LANGUAGE_SAMPLE: Final = 3_000
_BEST_SENTENCES: Final = 5


def check_quantities(record: Record) -> Iterator[Notice]:
    """Doses, percentages, prices, durations, dates and counts; small bare counts and ordinals are left alone."""
    language = _tell_language(record.output)
    claims = [claim for claim in find_quantities(record.output, language) if _counts(claim)]
    if not claims:
        return
    texts = [_Text(source.text, _tell_language(source.text)) for source in record.sources]
    sources = [read_source(text.text, record.output, text.language) for text in texts]
    beside = [record.query or "", *(source.title or "" for source in record.sources)]
    shelf = build_shelf([*sources, *(read_source(text, record.output, language) for text in beside)])
    unsourced = [claim for claim in claims if not shelf.bears_out(claim, claim.span.of(record.output))]
    if unsourced:
        works = _build_workings(texts, [source.quantities for source in sources], record.output, language)
        for claim in unsourced:
            if not works.yields(claim):
                written = claim.span.of(record.output)
                yield Notice("unsourced_quantity", f"“{written}” is in no source and follows from none", claim.span)


def _tell_language(text: str) -> str:
    return identify(text[:_LANGUAGE_SAMPLE]) or "en"


def _counts(claim: Quantity) -> bool:
    if claim.kind is Kind.ORDINAL:
        return False
    return claim.unit is not None or claim.value.denominator != 1 or abs(claim.value) >= _SMALL


@dataclass(frozen=True, slots=True)
class _Text:
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class _Passages:
    """A source with more numbers than can be paired: only its sentences nearest to a claim's are."""

    sentences: tuple[str, ...]
    index: Index
    language: str

    def near(self, sentence: str) -> Iterator[Quantity]:
        for position in self.index.best(sentence, _BEST_SENTENCES):
            yield from find_quantities(self.sentences[position], self.language)


@dataclass(frozen=True, slots=True)
class _Workings:
    """Numbers that stand close enough together to be reckoned with.

    They are those of a short record, of a short source, or of the sentences of a long one nearest to the claim.
    """

    output: str
    sentences: tuple[Span, ...]
    sets: tuple[tuple[Quantity, ...], ...]
    passages: tuple[_Passages, ...]

    def yields(self, claim: Quantity) -> bool:
        if any(derived(claim, each) is not None for each in self.sets):
            return True
        own = next((span for span in self.sentences if span.overlaps(claim.span)), claim.span).of(self.output)
        return any(derived(claim, list(each.near(own))) is not None for each in self.passages)


def _build_workings(
    texts: Sequence[_Text], sources: Sequence[tuple[Quantity, ...]], output: str, language: str
) -> _Workings:
    together = tuple(quantity for source in sources for quantity in source)
    if len(together) <= MOST_SOURCES:
        return _Workings(output, (), (together,), ())
    passages = []
    for text, source in zip(texts, sources, strict=True):
        if len(source) > MOST_SOURCES and len(text.text) <= READ_WHOLE:
            sentences = tuple(span.of(text.text) for span in split_sentences(text.text, text.language))
            passages.append(_Passages(sentences, Index(sentences, text.language), text.language))
    sets = tuple(source for source in sources if len(source) <= MOST_SOURCES)
    return _Workings(output, split_sentences(output, language), sets, tuple(passages))
