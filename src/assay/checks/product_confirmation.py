"""Sentences that say nothing but what the products' data bears out, such as "The Nova is the cheapest of the three"."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assay.checks.product_figures import UNSURE, Finding
from assay.checks.product_names import tokenise
from assay.domain.span import Span
from assay.text.nonwords import blank

# Beside names, figures and ranks a sentence may hold these: any other word may say more, or turn it around.
_CARRIER_LIST: Final = """
    a all among an and are at base by comes compared comparison conclusion costs currently discount down final
    finally from group has here in is it its list now of off option options original overall price priced product
    products rated rating s stars summary table the these three verdict whereas while with
"""
_CARRIERS: Final = frozenset(_CARRIER_LIST.split())


@dataclass(frozen=True, slots=True)
class Checked:
    """A figure or a rank of a sentence, and what the data says to it. `is_exact` where no other reading is left."""

    span: Span
    finding: Finding
    is_exact: bool


def confirm(text: str, names: Sequence[Span], figures: Sequence[Span], checked: Sequence[Checked]) -> Finding:
    """Supported where every figure and rank is borne out and no word is left that could say anything else."""
    if not checked or any(each.finding.label != "supported" or not each.is_exact for each in checked):
        return UNSURE
    told = {each.span for each in checked}
    if not told.issuperset(figures):
        return UNSURE
    if not _CARRIERS.issuperset(tokenise(blank(text, (*names, *told)))):
        return UNSURE
    evidence = dict.fromkeys(quote for each in checked for quote in each.finding.evidence)
    notes = dict.fromkeys(each.finding.note for each in checked)
    return Finding("supported", tuple(evidence), "; ".join(notes))
