"""In which order records are judged, and which of them together."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from assay.domain.record import Record
from assay.domain.rubric import Rubric
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
    """All records, in their order or, `by_item`, each item at the place of its first record.

    So a provider's cache of prompts holds what the calls on an item share.
    """
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


def group_records(placed: Iterable[PlacedRecord], rubric: Rubric) -> Iterator[tuple[PlacedRecord, ...]]:
    """The records that are judged side by side: alike in everything but output and system. The others are alone."""
    for _, same_item in groupby(placed, lambda each: each.record.item if isinstance(each.record, Record) else each):
        groups: dict[object, list[PlacedRecord]] = {}
        for each in same_item:
            record, again = each.record, 0
            key: object = each.position
            if isinstance(record, Record):
                found = find_group(record, rubric)
                while any(record.system == other.record.system for other in groups.get((found, again), ())):
                    again += 1
                key = (found, again)
            groups.setdefault(key, []).append(each)
        yield from map(tuple, groups.values())


def find_group(record: Record, rubric: Rubric) -> object:
    """What records of one group share: everything but the output, its citations and the system that wrote it."""
    written = {each.name for each in rubric.inputs if each.role in {"output", "citations"}}
    others = sorted((name, repr(value)) for name, value in record.inputs.items() if name not in written)
    return record.item, record.query, record.sources, tuple(others)
