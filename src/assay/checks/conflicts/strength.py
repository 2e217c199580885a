"""Claims that say more than their source: all for most, will for may."""

from collections.abc import Iterator
from typing import Final

from assay.checks.conflicts.conflict import Conflict, ConflictKind
from assay.checks.conflicts.context import compare
from assay.checks.conflicts.reading import Reading

# A quantifier of a claim, and what the source may not have in its place.
_QUANTIFIERS: Final = {
    "all": "most some few no none many several half majority part",
    "every": "most some few no many several",
    "each": "most some few no",
    "most": "few some no none half minority several",
    "no": "all most many some several every few",
    "none": "all most many some several few",
    "few": "all most many every",
    "many": "few no none",
    "some": "no none",
    "several": "no none",
    "both": "neither",
    "neither": "both",
    "always": "sometimes often usually never rarely occasionally frequently",
    "never": "sometimes often usually always occasionally frequently",
    "usually": "never rarely",
    "often": "never rarely",
    "rarely": "often always usually frequently",
    "entire": "part half",
    "majority": "minority few half",
    "minority": "majority most",
    "everyone": "most some few nobody",
    "nobody": "everyone most many some",
}
_HEDGES: Final = {
    "will": "may might could",
    "must": "may might could can should",
    "definitely": "probably possibly perhaps maybe",
    "certainly": "probably possibly perhaps maybe",
    "proved": "suggested suggests suggest indicate indicated",
    "proves": "suggests suggest indicates indicate",
    "prove": "suggest indicate",
    "cannot": "may might",
}


def find_quantifier_conflicts(claim: Reading, passage: Reading) -> Iterator[Conflict]:
    yield from _find(claim, passage, "quantifier", _QUANTIFIERS)


def find_hedge_conflicts(claim: Reading, passage: Reading) -> Iterator[Conflict]:
    yield from _find(claim, passage, "hedge", _HEDGES)


def _find(claim: Reading, passage: Reading, kind: ConflictKind, table: dict[str, str]) -> Iterator[Conflict]:
    """The word that each qualifies, the next content word, must be the same."""
    if claim.language.partition("-")[0] != "en":
        return
    for at, token in enumerate(claim.tokens):
        against = table.get(token.key, "").split()
        if not against or token.key in passage.keys:
            continue
        head = _next_stem(claim, at)
        for place, other in enumerate(passage.tokens):
            if other.key not in against or head is None or _next_stem(passage, place) != head:
                continue
            context = compare(claim, range(at, at + 1), passage, range(place, place + 1))
            if context.is_same():
                yield Conflict.between(kind, claim, token.span, passage, other.span)
                break


def _next_stem(reading: Reading, at: int) -> str | None:
    own = reading.tokens[at]
    for token in reading.tokens[at + 1 : at + 5]:
        if token.sentence != own.sentence:
            return None
        if token.stem:
            return token.stem
    return None
