"""The records that a run has judged, by name and digest alone."""

from collections.abc import Callable, Iterator
from operator import index
from typing import Any, NamedTuple

from assay.store.faults import reading
from assay.store.packing import from_cell, maybe_from_cell

_PAGE_ROWS = 1024


class Judged(NamedTuple):
    """A record at its place in a run. The digest is of everything in it."""

    position: int
    record: str
    system: str | None
    digest: bytes


def page_judged(read: Callable[..., list[Any]], run: int) -> Iterator[Judged]:
    """Each page begins after the last record of the one before; nothing is held open between pages."""
    last: tuple[object, ...] = (-1, -1)
    while rows := read(
        "SELECT DISTINCT position, record, record_id, system, digest FROM cards"
        " JOIN records ON cards.record = records.number"
        " WHERE run = ?1 AND (position, record) > (?2, ?3) ORDER BY position, record LIMIT ?4",
        *(run, *last, _PAGE_ROWS),
    ):
        for position, _, identifier, system, digest in rows:
            with reading("card"):
                judged = Judged(index(position), from_cell(identifier), maybe_from_cell(system), digest)
            yield judged
        last = rows[-1][:2]
