"""Keeps the records of one item together, so that a provider's cache of prompts holds what their calls share."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from assay.domain.record import Record
from assay.files.records import InvalidRecord

# Records that are read ahead in search of others of the same item. So many results may wait for their turn.
_READ_AHEAD = 4_000


@dataclass(frozen=True, slots=True)
class PlacedRecord:
    """A record with its place in the run, and how many other records of its item are judged beside it."""

    position: int
    record: Record | InvalidRecord
    siblings: int = 0


def place_records(
    records: Iterable[Record | InvalidRecord], *, by_item: bool, ahead: int = _READ_AHEAD
) -> Iterator[PlacedRecord]:
    """All records, in their order or, `by_item`, each item at the place of its first record."""
    stream = enumerate(records)
    if not by_item:
        yield from (PlacedRecord(position, record) for position, record in stream)
        return
    groups: dict[object, list[tuple[int, Record | InvalidRecord]]] = {}
    held = 0
    while True:
        for position, record in stream:
            key = record.item if isinstance(record, Record) else position
            groups.setdefault(key, []).append((position, record))
            held += 1
            if held >= ahead:
                break
        if not groups:
            return
        group = groups.pop(next(iter(groups)))
        held -= len(group)
        yield from (PlacedRecord(position, record, len(group) - 1) for position, record in group)
