"""Finds the quantities of an output that neither stand in a source nor follow from two that do."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from assay.checks.checkable_quantities import is_checkable
from assay.checks.quantity_sentences import LONGEST_SENTENCE, Neighbours, cut_sentences
from assay.checks.source_quantities import READ_WHOLE, build_shelf, read_source
from assay.domain.record import Record
from assay.domain.scorecard import Notice
from assay.domain.span import Span
from assay.text.language import identify
from assay.text.quantities import find_quantities
from assay.text.quantity import Quantity
from assay.text.quantity_derivations import MOST_SOURCES, derived
from assay.text.sentences import split_sentences

_LANGUAGE_SAMPLE: Final = 3_000
_MOST_WORKED_OUT: Final = 100


def check_quantities(record: Record) -> Iterator[Notice]:
    """Doses, percentages, prices, durations, dates and counts; small bare counts and ordinals are left alone."""
    language = _tell_language(record.output)
    claims = [claim for claim in find_quantities(record.output, language) if is_checkable(claim)]
    if not claims:
        return
    texts = [_Text(source.text, _tell_language(source.text)) for source in record.sources]
    sources = [read_source(text.text, record.output, text.language) for text in texts]
    beside = [record.query or "", *(source.title or "" for source in record.sources)]
    shelf = build_shelf([*sources, *(read_source(text, record.output, language) for text in beside)])
    unsourced = [claim for claim in claims if not shelf.bears_out(claim, claim.span.of(record.output))]
    if language != "en":
        # Units and number words are read in English: elsewhere a number that stands in a source is the source's.
        known = {quantity.value for source in sources for quantity in source.quantities}
        unsourced = [claim for claim in unsourced if claim.value not in known]
    if unsourced:
        works = _build_workings(texts, [source.quantities for source in sources], record.output, language)
        worked_out = works.find_derived(unsourced)
        for claim in unsourced:
            if claim.span not in worked_out:
                written = claim.span.of(record.output)
                yield Notice("unsourced_quantity", f"“{written}” is in no source and follows from none", claim.span)


def _tell_language(text: str) -> str:
    return identify(text[:_LANGUAGE_SAMPLE]) or "en"


@dataclass(frozen=True, slots=True)
class _Text:
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class _Workings:
    """Numbers that stand close enough together to be reckoned with.

    They are those of a short record, of a short source, or of the sentences of a long one nearest to the claim.
    """

    output: str
    sentences: tuple[Span, ...]
    sets: tuple[tuple[Quantity, ...], ...]
    long: tuple[Neighbours, ...]

    def find_derived(self, claims: Sequence[Quantity]) -> frozenset[Span]:
        """The spans of the claims that follow from two numbers; of very many claims the first are looked at."""
        starts = [span.start for span in self.sentences]
        near: dict[int, list[tuple[Quantity, ...]]] = {}
        found = []
        for claim in claims[:_MOST_WORKED_OUT]:
            at = max(0, bisect_left(starts, claim.span.start + 1) - 1)
            if at not in near and self.long:
                own = self.sentences[at].of(self.output)[:LONGEST_SENTENCE]
                near[at] = [source.near(own) for source in self.long]
            if any(derived(claim, each) is not None for each in (*self.sets, *near.get(at, ()))):
                found.append(claim.span)
        return frozenset(found)


def _build_workings(
    texts: Sequence[_Text], sources: Sequence[tuple[Quantity, ...]], output: str, language: str
) -> _Workings:
    together = tuple(quantity for source in sources for quantity in source)
    if len(together) <= MOST_SOURCES:
        return _Workings(output, (), (together,), ())
    long = [
        Neighbours(tuple(cut_sentences(text.text, source, text.language)), text.language)
        for text, source in zip(texts, sources, strict=True)
        if len(source) > MOST_SOURCES and len(text.text) <= READ_WHOLE
    ]
    short = tuple(source for source in sources if 1 < len(source) <= MOST_SOURCES)
    return _Workings(output, split_sentences(output, language), short, tuple(long))
