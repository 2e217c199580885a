"""A record's sentences by the ids judges cite: S2.4 is the fourth sentence of source s2, O.1 the output's first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from assay.domain.record import Record, Source
from assay.domain.span import Span
from assay.text.sentences import split_sentences

OUTPUT = "output"
_LONGEST = 800


@dataclass(frozen=True, slots=True)
class Passage:
    id: str
    source: str
    span: Span
    text: str


@dataclass(frozen=True)
class Passages:
    """All passages in order; a citation that names no passage finds none."""

    all: tuple[Passage, ...]
    texts: dict[str, str] = field(default_factory=dict)

    @cached_property
    def _by_id(self) -> dict[str, Passage]:
        # Ids are written in capitals; only a citation of one may not be.
        return {passage.id: passage for passage in self.all}

    def get(self, identifier: str) -> Passage | None:
        return self._by_id.get(identifier.strip().strip("[]").upper())

    def of(self, source: str) -> tuple[Passage, ...]:
        return tuple(passage for passage in self.all if passage.source == source)


def number_sources(sources: Sequence[Source], language: str = "en") -> Passages:
    passages = [
        passage for source in sources for passage in _number(source.id.upper(), source.id, source.text, language)
    ]
    return Passages(tuple(passages), {source.id: source.text for source in sources})


def number_record(record: Record, language: str = "en") -> Passages:
    sources = number_sources(record.sources, language)
    output = tuple(_number("O", OUTPUT, record.output, language))
    return Passages(sources.all + output, {**sources.texts, OUTPUT: record.output})


def _number(prefix: str, source: str, text: str, language: str) -> Iterator[Passage]:
    sentences = split_sentences(text, language)
    if any(end - start > _LONGEST for start, end in sentences):
        sentences = tuple(piece for sentence in sentences for piece in _bounded(text, sentence))
    for position, span in enumerate(sentences, 1):
        yield Passage(f"{prefix}.{position}", source, span, span.of(text))


def _bounded(text: str, span: Span) -> Iterator[Span]:
    """A text without a full stop for pages still gets citable passages: cut at white space, else where it must be."""
    start = span.start
    while span.end - start > _LONGEST:
        cut = text.rfind(" ", start + 1, start + _LONGEST)
        end = cut if cut > start else start + _LONGEST
        yield Span(start, end)
        start = end + (1 if cut > start else 0)
    if start < span.end:
        yield Span(start, span.end)
