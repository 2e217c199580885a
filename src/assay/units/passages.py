"""A record's sentences by the ids judges cite: S2.4 is the fourth sentence of source s2, O.1 the output's first."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from assay.domain.record import Record, Source
from assay.domain.span import Span
from assay.text.language import identify
from assay.text.normal import comment_spans
from assay.text.sentences import split_sentences

OUTPUT = "output"
_LONGEST = 800
_ID = re.compile(r"\b(?:S\d+|O)\.\d+", re.IGNORECASE)


class Passage(NamedTuple):
    id: str
    source: str
    span: Span
    text: str


@dataclass(frozen=True)
class Passages:
    """All passages in order; a citation that names no passage finds none."""

    by_source: Mapping[str, tuple[Passage, ...]]
    texts: Mapping[str, str]
    language: str = "en"

    @cached_property
    def all(self) -> tuple[Passage, ...]:
        return tuple(passage for passages in self.by_source.values() for passage in passages)

    @cached_property
    def _by_id(self) -> dict[str, Passage]:
        # Ids are written in capitals; only a citation of one may not be.
        return {passage.id: passage for passages in self.by_source.values() for passage in passages}

    def get(self, identifier: str) -> Passage | None:
        return self._by_id.get(identifier) or self._by_id.get(identifier.strip().strip("[]").upper())

    def named(self, citation: str) -> tuple[Passage, ...]:
        """The passages whose ids stand in a citation: "S1.2", "[s1.2]", "S1.2, S1.3"."""
        found = (self._by_id.get(each.upper()) for each in _ID.findall(citation))
        return tuple(passage for passage in found if passage is not None)

    def language_of(self, source: str) -> str:
        """A source's own language; that of the output where its letters are too few to tell."""
        return self.language if source == OUTPUT else identify(self.texts[source]) or self.language

    def of(self, source: str) -> tuple[Passage, ...]:
        return self.by_source.get(source, ())


def number_sources(sources: Sequence[Source], language: str = "en", output: str | None = None) -> Passages:
    texts = {source.id: source.text for source in sources}
    if output is not None:
        texts[OUTPUT] = output
    passages = {}
    for source, text in texts.items():
        prefix = "O" if source == OUTPUT else source.upper()
        pieces = (piece for sentence in split_sentences(text, language) for piece in _bounded(text, sentence))
        numbered = (Passage(f"{prefix}.{at}", source, span, span.of(text)) for at, span in enumerate(pieces, 1))
        passages[source] = tuple(numbered)
    return Passages(passages, texts, language)


def number_record(record: Record, language: str = "en") -> Passages:
    return number_sources(record.sources, language, record.output)


def _bounded(text: str, span: Span) -> Iterator[Span]:
    """A long text without full stops gets citable passages too: cut at white space, or anywhere if there is none.

    Never inside a comment: half a comment would no longer be recognised, and would be shown.
    """
    if span.end - span.start <= _LONGEST:
        yield span
        return
    comments = (each.shifted(span.start) for each in comment_spans(span.of(text)))
    comment = next(comments, None)
    start = span.start
    while span.end - start > _LONGEST:
        space = text.rfind(" ", start + 1, start + _LONGEST)
        end = space if space > start else start + _LONGEST
        while comment is not None and comment.end <= end:
            comment = next(comments, None)
        if comment is not None and comment.start < end:
            end = comment.end
        yield Span(start, end)
        start = end + text.startswith(" ", end, span.end)
    if start < span.end:
        yield Span(start, span.end)
