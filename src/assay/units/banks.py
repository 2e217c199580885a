"""Makes the units of a bank from what a judge wrote: filtered, counted, numbered, each with its sources."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from assay.domain.ask import Written
from assay.domain.record import Record, Source
from assay.domain.rubric import Bank
from assay.domain.scorecard import Notice
from assay.domain.units import Unit, count_units
from assay.text.normal import fold_wording
from assay.units.passages import Passages

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class FilledBank(Generic[Value]):
    """The units of a bank: as a judge wrote them, or those of a record, numbered, with the sources they come from."""

    units: tuple[Value, ...]
    notices: tuple[Notice, ...] = ()
    flags: tuple[str, ...] = ()


def screen(written: Sequence[Written], bank: Bank, sources: Sequence[Source]) -> tuple[FilledBank[Written], str | None]:
    """Drops blank and repeated units; beside it stands what is wrong with their number, in words fit for a re-ask."""
    kept: dict[str, Written] = {}
    dropped: list[Notice] = []
    for unit in written:
        text = fold_wording(unit.text)
        if text in kept:
            dropped.append(Notice("repeated_unit", f"dropped, the same text as another: {unit.text}"))
        elif text:
            kept[text] = unit
    wanted, outside = least_wanted(bank, sources), None
    if len(kept) < wanted:
        outside = f"{count_units(bank.unit, len(kept))} where at least {wanted} are wanted"
    elif len(kept) > bank.most:
        outside = f"more than {count_units(bank.unit, bank.most)}"
    flags = () if outside is None else (bank.outside_limits,)
    return FilledBank(tuple(kept.values())[: bank.most], tuple(dropped), flags), outside


def group_sources(record: Record, bank: Bank) -> list[tuple[str, tuple[Source, ...]]]:
    """The sources each ask of a bank is about, under the ask's name: one by one, or all that have a text.

    A query or reference stands for a source. None where the bank is of what a query asks for, and there is no query.
    """
    if bank.for_query and not (record.query or "").strip():
        return []
    if not bank.from_sources:
        text = (record.query or "") if bank.origin == "the query" else record.text(bank.input)
        return [(bank.id, (Source("", text, bank.origin.removeprefix("the ")),))] if text.strip() else []
    sources = tuple(source for source in record.sources if source.text.strip())
    if bank.each_source:
        return [(f"{bank.id}.{source.id}", (source,)) for source in sources]
    return [(bank.id, sources)] if sources else []


def note_thin_sources(record: Record, bank: Bank) -> Iterator[Notice]:
    """A short source needs no fixed number of units, and one without a text needs none."""
    for _, group in group_sources(record, bank) if bank.from_sources else ():
        if is_short(bank, group):
            yield Notice("short_source", f"{', '.join(each.id for each in group)} is short")
    for source in record.sources if bank.each_source else ():
        if not source.text.strip():
            yield Notice("empty_source", f"{source.id} has no text and is left out")


def least_wanted(bank: Bank, sources: Sequence[Source]) -> int:
    """A short source needs no fixed number of units."""
    return min(1, bank.least) if is_short(bank, sources) else bank.least


def is_short(bank: Bank, sources: Sequence[Source]) -> bool:
    """Whether the sources together have fewer words than the bank's limit; no more of them are counted than that."""
    words, limit = 0, bank.short_source_words
    for source in sources:
        if words >= limit:
            break
        words += len(source.text.split(None, limit))
    return words < limit


def build_units(written: Sequence[Written], bank: Bank, passages: Passages, origins: Mapping[str, str]) -> list[Unit]:
    """Units with the sources their sentences stand in; a bank about one source belongs to that source.

    `origins` names the sources as the record does, by their ids in the passages; none for a query or reference.
    """
    units = []
    for each in written:
        found = [origins[passage.source] for name in each.sentences if (passage := passages.get(name)) is not None]
        sources = tuple(dict.fromkeys(filter(None, origins.values() if bank.each_source else found)))
        unit = Unit("", bank.unit, each.text.strip(), None, sources, weight=each.weight, direction=each.direction)
        units.append(unit)
    return units
