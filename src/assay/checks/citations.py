"""Audits a summary's citation markers: which point nowhere, which sources are unknown, uncited or unused."""

import re
from collections.abc import Iterator, Mapping

from assay.domain.findings import Label
from assay.domain.json import JSON
from assay.domain.record import Record, Source
from assay.domain.scorecard import Notice
from assay.domain.span import Span
from assay.text.sentences import split_sentences
from assay.text.urls import normalise_url

_MARKER = re.compile(r"\[(\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)\](?!\()")
_RANGE = re.compile(r"(\d+)\s*[–-]\s*(\d+)")
_LONGEST_RANGE = 50


def read_citations(value: JSON) -> dict[int, str]:
    """Number to URL, from a map or from a list; an entry of a list may carry its own number."""
    entries: list[tuple[object, JSON]] = []
    if isinstance(value, Mapping):
        entries = list(value.items())
    elif isinstance(value, list | tuple):
        for position, entry in enumerate(value, 1):
            number = entry.get("number", position) if isinstance(entry, Mapping) else position
            entries.append((number, entry))
    citations = {}
    for key, entry in entries:
        digits = re.sub(r"\D", "", str(key))
        url = entry.get("url") if isinstance(entry, Mapping) else entry
        if digits:
            citations[int(digits)] = url if isinstance(url, str) else ""
    return citations


def number_sources(record: Record) -> dict[str, int]:
    """The number each source is cited by: the citations' own where they name its URL, else its place in the results."""
    cited = {
        normalise_url(url): number for number, url in read_citations(record.inputs.get("citations")).items() if url
    }
    return {
        source.id: cited.get(normalise_url(source.url or ""), position)
        for position, source in enumerate(record.sources, 1)
    }


def cite(source: Source, number: int) -> str:
    return f"[{source.title or source.url or source.id}]({source.url or ''}) [{number}]"


def find_markers(text: str) -> Iterator[tuple[int, Span]]:
    for match in _MARKER.finditer(text):
        span = Span(*match.span())
        for group in re.split(r"[,;]", match[1]):
            spread = _RANGE.search(group)
            if spread and 0 <= int(spread[2]) - int(spread[1]) <= _LONGEST_RANGE:
                yield from ((number, span) for number in range(int(spread[1]), int(spread[2]) + 1))
            else:
                yield int(re.sub(r"\D", "", group)), span


def check_citations(record: Record) -> Iterator[Notice]:
    citations = read_citations(record.inputs.get("citations"))
    known = {normalise_url(source.url or ""): source.id for source in record.sources}
    places = {source.id: position for position, source in enumerate(record.sources, 1)}
    numbers = number_sources(record)
    for number, url in citations.items():
        source = known.get(normalise_url(url)) if url else None
        if url and source is None:
            yield Notice("unknown_source", f"citation [{number}] points to {url}, which is not among the results")
        elif source is not None and places[source] != number:
            yield Notice(
                "citation_order", f"citation [{number}] is result {places[source]}; the citation's number is used"
            )
    markers = list(find_markers(record.output))
    valid = set(citations) or set(numbers.values())
    for number, span in markers:
        if number not in valid:
            yield Notice("dangling_citation", f"[{number}] in the summary stands for no citation", span)
    used = {number for number, _ in markers}
    for source_id, number in numbers.items():
        if markers and number not in used:
            yield Notice("unused_source", f"result {places[source_id]} is never cited")
    yield from _check_uncited(record, [span for _, span in markers])


def _check_uncited(record: Record, markers: list[Span]) -> Iterator[Notice]:
    """Only where a summary cites at all does a sentence without a marker mean anything."""
    if not markers:
        return
    for sentence in split_sentences(record.output):
        if len(sentence.of(record.output).split()) >= 4 and not any(sentence.overlaps(marker) for marker in markers):
            yield Notice("uncited_sentence", "a sentence without a citation", sentence)


def choose_relevant(record: Record, picked: tuple[str, ...], claims: tuple[Label, ...] | None) -> list[Source]:
    """Of the sources a judge picked, those that support at least one claim; all of them where claims are not known."""
    chosen = {name.lower() for name in picked}
    if claims is not None:
        chosen &= {evidence.source for label in claims if label.label != "contradicted" for evidence in label.evidence}
    return [source for source in record.sources if source.id in chosen]
