"""One side of a comparison: a run, or one of the systems whose outputs it judged."""

from collections.abc import Iterable
from dataclasses import dataclass

from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.comparison import RunScores
from assay.store.store import RunRow, Store

_LISTED = 5


@dataclass(frozen=True, slots=True)
class Side:
    run: RunRow
    system: str | None

    def wants(self, card: Scorecard) -> bool:
        return self.system is None or card.record.system == self.system


@dataclass(frozen=True, slots=True)
class SideScores:
    """`systems` are all that the run has, whether or not they are on this side."""

    scores: RunScores
    systems: tuple[str, ...]

    def say_mixed(self, side: Side) -> str | None:
        if side.system is not None or len(self.systems) < 2:
            return None
        named = f"{side.run.id}:{self.systems[0]}"
        return f"{side.run.id} holds {_list(self.systems)}, taken together here; {named} is one of them alone."


def open_side(name: str, store: Store) -> Side:
    """`RUN`, or `RUN:SYSTEM`: the id of a run has no colon."""
    run, colon, system = name.partition(":")
    return Side(store.find_run(run), system if colon else None)


def read_side(side: Side, cards: Iterable[Scorecard]) -> SideScores:
    scores = RunScores()
    systems: dict[str, None] = {}
    for card in cards:
        if card.record.system is not None:
            systems[card.record.system] = None
        if side.wants(card):
            scores.add(card)
    names = tuple(systems)
    if side.system is not None and side.system not in systems:
        remedy = f"It has {_list(names)}." if names else "Its records name none."
        raise InputError(f"run {side.run.id} has no system {side.system!r}", remedy=remedy)
    return SideScores(scores, names)


def _list(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"the systems {', '.join(names[:_LISTED])}{more}"
