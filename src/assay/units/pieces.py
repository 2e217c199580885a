"""Finds the words that a judge says are at fault: in a claim, or in the output as excess."""

import re
from dataclasses import replace

from assay.domain.findings import Findings, Label, Piece, Remark
from assay.domain.parts import ListPart
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.text.quotes import QuoteMatch, find_quote

# Words that are kept as evidence of a fault; more of one claim say nothing new.
_MOST_PIECES = 12


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
    """Without the remarks whose words were to be copied from the output and are not there; and how many those are."""
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
    match = find_quote(words, text)
    if isinstance(match, QuoteMatch):
        return match.span
    bare = words.strip().strip("“”\"'.,;:")
    found = re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", text, re.IGNORECASE) if bare else None
    return None if found is None else Span(*found.span())
