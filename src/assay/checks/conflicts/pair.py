"""All the conflicts of one claim with one passage."""

from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType
from typing import Final

from assay.checks.conflicts.absent import LONGEST, find_unstated
from assay.checks.conflicts.clinical import find_laterality_conflicts, find_route_conflicts
from assay.checks.conflicts.conflict import Conflict, ConflictKind
from assay.checks.conflicts.direction import find_direction_conflicts
from assay.checks.conflicts.negation import find_negation_conflicts
from assay.checks.conflicts.quantities import find_quantity_conflicts
from assay.checks.conflicts.reading import Reading, read
from assay.checks.conflicts.roles import find_role_conflicts
from assay.checks.conflicts.slots import find_slot_conflicts
from assay.checks.conflicts.strength import find_hedge_conflicts, find_quantifier_conflicts
from assay.checks.conflicts.swaps import find_calendar_conflicts, find_foreign, find_name_conflicts

_Rule = Callable[[Reading, Reading], Iterator[Conflict]]
_RULES: Final[tuple[_Rule, ...]] = (
    find_quantity_conflicts,
    find_calendar_conflicts,
    find_name_conflicts,
    find_negation_conflicts,
    find_direction_conflicts,
    find_quantifier_conflicts,
    find_role_conflicts,
    find_hedge_conflicts,
    find_laterality_conflicts,
    find_route_conflicts,
)
ENABLED: Final = MappingProxyType[ConflictKind, bool](
    {
        "name": True,  # 11 of 12 right, with the sources given
        "direction": True,  # 5 of 5
        "price": True,  # 3 of 3
        "negation": True,  # 14 of 14
        "date": True,  # 2 of 2
        "dose": True,  # 1 of 1
        "number": True,  # 9 of 12 before its last fix, not measured since on outputs
        "unit": True,  # no hit
        "laterality": True,  # no hit
        "route": True,  # no hit
        "role": True,  # no hit
        "quantifier": False,  # 1 of 2 before its last fix
        "hedge": False,  # 0 of 2
    }
)
"""The kinds told by default: those not measured under .90. Hits judged by hand: bench/results/findings.md."""


def find_conflicts(
    claim: str, passage: str, language: str = "en", *, sources: Sequence[str] = (), every: bool = False
) -> tuple[Conflict, ...]:
    """What one claim sentence says that cannot be true with the passage, in reading order.

    Only where both clearly speak of the same thing; silence is no sign of agreement. `sources` are the whole texts the
    passage is from: a name or quantity that they have elsewhere may be right, so it is no conflict; names are not
    compared without them. `every` also tells the kinds that are switched off. A claim or passage of more than
    `LONGEST` characters is a page, and nothing is said of it.
    """
    if max(len(claim), len(passage)) > LONGEST:
        return ()
    own, other = read(claim, language), read(passage, language)
    if not own.tokens or not other.tokens:
        return ()
    found = {
        (conflict.claim, conflict.passage): conflict
        for rule in _RULES
        for conflict in rule(own, other)
        if every or (ENABLED[conflict.kind] and (sources or conflict.kind != "name"))
    }
    if sources and found:
        unstated = find_unstated(claim, sources, language)
        foreign = [name.span for name in find_foreign(own, tuple(sources))]
        found = {
            places: conflict
            for places, conflict in found.items()
            if (conflict.claim in foreign if conflict.kind == "name" else _is_no_figure(conflict, own))
            or any(conflict.claim.overlaps(span) for span in unstated if conflict.kind != "name")
        }
    for conflict in find_slot_conflicts(own, other, sources) if sources else ():
        found.setdefault((conflict.claim, conflict.passage), conflict)
    return tuple(sorted(found.values(), key=lambda conflict: conflict.claim))


def _is_no_figure(conflict: Conflict, claim: Reading) -> bool:
    """Quantities are looked for in the whole source; a weekday or a negation stands in any text."""
    return not any(each.span.overlaps(conflict.claim) for each in claim.quantities)
