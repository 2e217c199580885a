"""Claims that a source says word for word: as a whole sentence, or with a negation left out."""

import re

from assay.domain.ask import MetricAsk
from assay.domain.findings import Citation, Label
from assay.domain.parts import LabelPart
from assay.domain.units import Unit
from assay.judges.embedded.labelling import is_unlike_a_sentence
from assay.text.polarity import find_negation
from assay.text.quotes import QuoteMatch, find_quote, is_long_enough
from assay.units.passages import OUTPUT, Passages

_COPIED = "the source says it word for word"
# What may stand around a copied sentence. A quotation mark may not: the source says that somebody says it.
_SAYS_MORE = re.compile(r"[^\s.,;:!*_#>•–—-]")
_GAP = re.compile(r"…|\.{3}")


def find_copied(ask: MetricAsk, part: LabelPart, passages: Passages) -> list[Label]:
    """Labels of the claims that are whole sentences of a source, each with its sentence."""
    found = ((unit, _find_sentence(unit, passages)) for unit in ask.units)
    return [Label(part.id, unit.id, part.best, (cited,), note=_COPIED) for unit, cited in found if cited is not None]


def _find_sentence(unit: Unit, passages: Passages) -> Citation | None:
    """The sentence of a source that is the claim, with no word more: what is left out could turn its meaning."""
    if unit.context or is_unlike_a_sentence(unit.text) or not is_long_enough(unit.text) or _GAP.search(unit.text):
        return None
    for source, text in passages.texts.items():
        found = find_quote(unit.text, text) if source != OUTPUT else None
        if not isinstance(found, QuoteMatch):
            continue
        for passage in passages.of(source):
            if passage.span.start <= found.span.start and found.span.end <= passage.span.end:
                left_out = text[passage.span.start : found.span.start] + text[found.span.end : passage.span.end]
                return None if _SAYS_MORE.search(left_out) else Citation(passage.id, found.span.of(text))
    return None


def is_denied(label: Label, unit: Unit) -> bool:
    """Whether a cited sentence has the claim's very words beside a negation that the claim leaves out."""
    for each in label.cited:
        found = find_quote(unit.text, each.quote)
        if isinstance(found, QuoteMatch):
            left_out = f"{each.quote[: found.span.start]} {each.quote[found.span.end :]}"
            return find_negation(left_out.casefold()) is not None
    return False
