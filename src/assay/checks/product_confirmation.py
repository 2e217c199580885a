"""Sentences that say nothing but what the products' data bears out, such as "The Nova is the cheapest of the three"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assay.checks.product_clauses import WHOLE
from assay.checks.product_figures import UNSURE, Finding
from assay.domain.span import Span

# A sentence with its names, figures and ranks replaced by these must read as one of the forms below: any other word may
# say more, or turn it around.
_NAME, _FIGURE, _RANK, _MORE = "◊", "§", "¤", "≻"
_THE: Final = rf"(?:the )?{_NAME}"
_NOW: Final = r"(?:also |now |currently )?"
_PRICED: Final = (
    rf"{_THE} (?:{_NOW}costs|is {_NOW}(?:priced )?at|comes at|has a (?:(?:final|base|list|original) )?price of)"
    rf" {_FIGURE}"
    rf"(?:,? down from (?:(?:a|its) (?:base|list|original) price of )?{_FIGURE})?"
)
_REDUCED: Final = rf"{_THE} (?:is {_NOW}{_FIGURE} off|has a (?:discount of {_FIGURE}|{_FIGURE} discount))"
_RATED: Final = rf"{_THE} (?:is rated|has an? (?:average )?rating of) {_FIGURE}(?: stars)?"
_RANKED: Final = (
    rf"{_THE} (?:is|has|offers) {_NOW}the {_RANK}(?: option| product| choice)?(?:,? {WHOLE})?"
    rf"|the {_RANK}(?: option| product| choice)?(?:,? {WHOLE})? is {_THE}"
    rf"|{_THE} (?:is |has a )?{_MORE}{_THE}(?: and {_THE})?"
)
_CLAUSE: Final = rf"(?:{_PRICED}|{_REDUCED}|{_RATED}|{_RANKED})"
_SENTENCE: Final = re.compile(
    r"(?:(?:final |our )?(?:verdict|conclusion|summary)[:,] |(?:overall|in (?:short|summary|conclusion)), )?"
    rf"{_CLAUSE}(?:(?:,? (?:and|while|whereas)|;|,) {_CLAUSE}){{0,3}}[.!]?",
    re.IGNORECASE,
)
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class Checked:
    """A figure or a rank of a sentence, and what the data says to it. `is_exact` where no other reading is left."""

    span: Span
    finding: Finding
    is_exact: bool


def confirm(text: str, names: Sequence[Span], figures: Sequence[Span], checked: Sequence[Checked]) -> Finding:
    """Supported where every figure and rank is borne out and the sentence has no word beside them."""
    if not checked or len(text) > _LONGEST:
        return UNSURE
    if any(each.finding.label != "supported" or not each.is_exact for each in checked):
        return UNSURE
    told = {each.span for each in checked}
    if not told.issuperset(figures) or not _SENTENCE.fullmatch(_outline(text, names, figures, told)):
        return UNSURE
    evidence = dict.fromkeys(quote for each in checked for quote in each.finding.evidence)
    notes = dict.fromkeys(each.finding.note for each in checked)
    return Finding("supported", tuple(evidence), "; ".join(notes))


def _outline(text: str, names: Sequence[Span], figures: Sequence[Span], told: set[Span]) -> str:
    signs = dict.fromkeys(names, _NAME) | dict.fromkeys(figures, _FIGURE)
    for span in told.difference(figures):
        # The words of a comparison end in "than the", those of a superlative do not.
        is_comparison = span.of(text).casefold().rstrip().endswith(("than", "than the"))
        signs[span] = _MORE if is_comparison else _RANK
    outline: list[str] = []
    end = 0
    for span, sign in sorted(signs.items()):
        if span.start >= end:
            outline += [text[end : span.start], sign]
            end = span.end
    return " ".join("".join([*outline, text[end:]]).split())
