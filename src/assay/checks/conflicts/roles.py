"""Who did what to whom, where claim and passage tell it the other way round."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from assay.checks.conflicts.conflict import Conflict
from assay.checks.conflicts.names import find_names
from assay.checks.conflicts.reading import Reading
from assay.checks.conflicts.word_sets import word_set
from assay.domain.span import Span

# Deeds that both sides do to each other.
_MUTUAL: Final = word_set(
    """
    meet met marri date fight fought play face faced tie drew draw join agre talk speak spoke discuss share divorc hug
    kiss partner merg negoti argu chat live work compar relat friend and
    """
)
_REACH: Final = 3
# A deed that is asked about or supposed is not told.
_SUPPOSED: Final = frozenset({"if", "whether"})


@dataclass(frozen=True, slots=True)
class _Deed:
    doer: str
    deed: str
    object: str
    span: Span


def find_role_conflicts(claim: Reading, passage: Reading) -> Iterator[Conflict]:
    told = list(_deeds(passage))
    for one in _deeds(claim):
        # Each may do it to the other, in one text and at two times.
        if any((one.doer, one.deed, one.object) == (other.doer, other.deed, other.object) for other in told):
            continue
        for other in told:
            turned = one.doer == other.object != other.doer == one.object
            if turned and one.deed == other.deed:
                yield Conflict.between("role", claim, one.span, passage, other.span)
                return


def _deeds(reading: Reading) -> Iterator[_Deed]:
    """Two names with a single content word between them that is a deed."""
    names = list(find_names(reading))
    for first, second in pairwise(names):
        between = reading.tokens[first.places[-1] + 1 : second.places[0]]
        if not between or len(between) > _REACH or between[0].stretch != second.tokens[0].stretch:
            continue
        before = reading.tokens[max(0, first.places[0] - _REACH) : first.places[0]]
        if any(token.key in _SUPPOSED for token in before):
            continue
        verbs = [token for token in between if token.stem]
        if len(verbs) != 1 or verbs[0].stem in _MUTUAL:
            continue
        passive = between[-1].key == "by"
        doer, other = (second, first) if passive else (first, second)
        span = Span(first.span.start, second.span.end)
        yield _Deed(doer.tokens[-1].key, verbs[0].stem, other.tokens[-1].key, span)
