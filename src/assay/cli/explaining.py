"""`--explain RECORD`: which records are to be explained, known to exist before anything is judged or shown."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import IO

import click
from rapidfuzz import process

from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.explanation import print_explanation
from assay.report.terminal import open_console

_NAMED = 5
_ALIKE_PERCENT = 60

EXPLAIN = click.option(
    "--explain",
    "explained",
    multiple=True,
    metavar="RECORD",
    help="Show how this record came to its scores: claim, label, quote, reason. May be repeated.",
)


@dataclass(frozen=True, slots=True)
class Explained:
    """Keeps the cards of the records that were asked for, and of no others."""

    wanted: tuple[str, ...]
    cards: list[Scorecard] = field(default_factory=list)

    def take(self, card: Scorecard) -> None:
        if card.record.id in self.wanted:
            self.cards.append(card)

    def print_to(self, stream: IO[str]) -> None:
        console = open_console(stream)
        for card in self.cards:
            console.print()
            print_explanation(console, card)


def refuse_unknown(wanted: Iterable[str], known: Iterable[str], where: str) -> None:
    """The first name that no record has, with those that come near; with all of a few, where none does."""
    names = list(dict.fromkeys(known))
    for name in wanted:
        if name not in names:
            raise InputError(f"{where} has no record {name!r}", remedy=_suggest(name, names))


def _suggest(name: str, names: list[str]) -> str:
    near = [each for each, _, _ in process.extract(name, names, limit=_NAMED, score_cutoff=_ALIKE_PERCENT)]
    if near:
        return f"Did you mean {' or '.join(repr(each) for each in near)}?"
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"Its records are {', '.join(repr(each) for each in names[:_NAMED])}{more}."
