"""Checks what a judge copied: a label that needs a quote, and has none that stands in its text, becomes undecided.

A quote counts at the sentence it names, or at one beside it. One that stands once elsewhere is moved there. Whether it
says what the claim says is not decided here: `runner/suspicions` compares them. Words at fault are looked for in their
claim, or in the output as excess; those that are not there are dropped.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from assay.domain.ask import Fault, MetricAsk
from assay.domain.findings import UNDECIDED, Citation, Evidence, Findings, Label, Piece, Remark
from assay.domain.parts import LabelPart, ListPart
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.text.keywords import keywords
from assay.text.quotes import find_quote
from assay.units.passages import OUTPUT, Passage, Passages
from assay.units.turns import list_earlier

_LONGEST_REACH = 1_000
# Words that are kept as evidence of a fault; more of one claim say nothing new.
_MOST_PIECES = 12


class Verified(NamedTuple):
    """`unproven` are the units that lost their label for lack of a quote, and why."""

    findings: Findings
    unproven: tuple[Fault, ...]
    repairs: tuple[str, ...]


def verify(findings: Findings, ask: MetricAsk, passages: Passages) -> Verified:
    output = ask.rubric.input("output")
    conversation = output.name if output is not None and ask.rubric.is_conversation else None
    parts = {part.id: part for part in ask.metric.label_parts}
    units = {unit.id: unit for unit in ask.units}
    unproven: list[Fault] = []
    repairs: list[str] = []
    labels = []
    for label in findings.labels:
        part, unit = parts.get(label.part), units.get(label.unit)
        if label.pieces and unit is not None:
            label = place_pieces(label, unit, ask.record.output)  # noqa: PLW2901
        if part is None or part.evidence == "none" or label.by == "code" or not (label.decided or label.cited):
            labels.append(label)
            continue
        only: tuple[str, ...] = ()
        if unit is not None and unit.kind == "source":
            only = unit.sources
        elif unit is not None and unit.kind == "claim" and conversation is not None and label.label == part.best:
            # What was said later supports nothing.
            only = list_earlier(unit, ask.record.sources, conversation)
        finder = _Finder(part, passages, only)
        located = [finder.locate(citation) for citation in label.cited]
        repairs += [f"{label.unit}: a quote moved {words}" for evidence, words in located if evidence and words]
        labels.append(_hold(label, part, located, unproven))
    return Verified(replace(findings, labels=tuple(labels)), tuple(unproven), tuple(repairs))


# A quote where it stands, and whither it was moved; or none, and why it is void, in words fit for a re-ask.
_Located: TypeAlias = tuple[Evidence | None, str]


def _hold(label: Label, part: LabelPart, located: list[_Located], unproven: list[Fault]) -> Label:
    found = tuple(dict.fromkeys(evidence for evidence, _ in located if evidence is not None))
    # The quotes of an undecided unit show the nearest text, and prove nothing.
    is_owed = bool(located) or not part.quotes_optional
    if found or not label.decided or not (is_owed and part.needs_evidence(label.label)):
        return replace(label, evidence=found)
    why = located[-1][1] if located else "no quote was given"
    where = "the output" if part.evidence == "output" else "the sources"
    request = f"{why}; quote words of {where} that show it, copied exactly, with their id"
    unproven.append(Fault(request, unit=label.unit))
    note = f"{label.note} " if label.note else ""
    return replace(label, label=UNDECIDED, note=f"{note}(said {label.label}, but {why})", fallen_from=label.label)


@dataclass(frozen=True, slots=True)
class _Finder:
    """Finds the quotes for one part of a metric, in the output or in the sources: in all of them, or `only` in some."""

    part: LabelPart
    passages: Passages
    only: tuple[str, ...] = ()

    def locate(self, citation: Citation) -> _Located:
        named = self.passages.named(citation.sentence)
        allowed = [passage for passage in named if self._may_prove(passage.source)]
        for passage in allowed:
            if (span := self._find_near(citation.quote, passage)) is not None:
                return self._check(passage.source, span)
        places = list(self._find_all(citation.quote))
        if len(places) == 1:
            evidence, void = self._check(*places[0])
            name = citation.sentence.strip()[:40] or "no sentence"
            return evidence, void or f"from {name} to {self._name(*places[0])}"
        if places:
            where = " and ".join(self._name(*place) for place in places)
            return None, f"the quote stands at several places ({where}), and at no sentence that it names"
        if named and not allowed:
            kind = "the output" if self.part.evidence == "output" else "the sources"
            kind += " that may show it" if self.only else ""
            return None, f"{named[0].id} is not a sentence of {kind}"
        where = f"in {allowed[-1].id} or anywhere else" if allowed else "anywhere"
        return None, f"the quote was not found {where}"

    def _may_prove(self, source: str) -> bool:
        return (source == OUTPUT) == (self.part.evidence == "output") and (not self.only or source in self.only)

    def _check(self, source: str, span: Span) -> _Located:
        quote = span.of(self.passages.texts[source])
        # In the output one content word is enough, because paraphrase is the rule there.
        if self.part.evidence == "output" and not keywords(quote, self.passages.language_of(source)):
            return None, f"the quote from {self._name(source, span)} says nothing"
        return Evidence(source, span, quote), ""

    def _find_near(self, quote: str, named: Passage) -> Span | None:
        """At the sentence, beside it, or running on from it."""
        text, sentences = self.passages.texts[named.source], self.passages.of(named.source)
        at = int(named.id.rpartition(".")[2]) - 1
        beside = Span(sentences[max(0, at - 1)].span.start, sentences[min(at + 1, len(sentences) - 1)].span.end)
        reach = min(len(quote), _LONGEST_REACH)
        around = Span(named.span.start - reach, named.span.end + reach)
        for within in (named.span, beside, around):
            found = find_quote(quote, text, within=within)
            if found is not None and (within is not around or found.overlaps(named.span)):
                return found
        return None

    def _find_all(self, quote: str) -> Iterator[tuple[str, Span]]:
        """Where the quote stands in the texts that may prove the label: the first two places of each."""
        for source, text in self.passages.texts.items():
            if self._may_prove(source) and (first := find_quote(quote, text)) is not None:
                yield source, first
                if (second := find_quote(quote, text, within=Span(first.end, len(text)))) is not None:
                    yield source, second

    def _name(self, source: str, span: Span) -> str:
        return next((each.id for each in self.passages.of(source) if each.span.overlaps(span)), source)


def place_pieces(label: Label, unit: Unit, output: str) -> Label:
    """Keeps the pieces whose words stand in the claim, each once, with their place in the output."""
    if not label.pieces:
        return label
    placed: dict[Span, Piece] = {}
    for piece in label.pieces[:_MOST_PIECES]:
        found = find_words(piece.words, unit.text)
        if found is None:
            continue
        # The text of a cell in JSON may be another than what stands in the output.
        is_same = unit.span is not None and unit.span.of(output) == unit.text
        span = found.shifted(unit.span.start) if unit.span is not None and is_same else None
        placed.setdefault(found, replace(piece, words=found.of(unit.text), span=span))
    return replace(label, pieces=tuple(placed.values()))


def void_uncopied(findings: Findings, parts: tuple[ListPart, ...], output: str) -> tuple[Findings, int]:
    """Drops the remarks whose words should be copied from the output and are not there. Returns how many those are."""
    copied = {part.id: part.copied for part in parts if part.copied is not None}
    kept: list[Remark] = []
    for remark in findings.remarks:
        field = copied.get(remark.part)
        span = None if field is None else find_words(remark.fields.get(field, ""), output)
        if field is None or span is not None:
            kept.append(replace(remark, span=span))
    return replace(findings, remarks=tuple(kept)), len(findings.remarks) - len(kept)


def find_words(words: str, text: str) -> Span | None:
    """Where a text holds these words: as a quote, or as whole words where a quote would be too short to count."""
    if not words.strip():
        return None
    if (quoted := find_quote(words, text)) is not None:
        return quoted
    bare = words.strip().strip("“”\"'.,;:")
    found = re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", text, re.IGNORECASE) if bare else None
    return None if found is None else Span(*found.span())
