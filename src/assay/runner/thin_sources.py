"""The sources of a record that bear few units of a bank, or none."""

from collections.abc import Iterator

from assay.domain.record import Record
from assay.domain.rubric import Bank
from assay.domain.scorecard import Notice
from assay.runner.asks import group_sources
from assay.units.banks import is_short


def note_thin_sources(record: Record, bank: Bank) -> Iterator[Notice]:
    """A short source owes no fixed number of units; one without a text owes none, and none about it count."""
    for _, group in group_sources(record, bank):
        if is_short(bank, group):
            yield Notice("short_source", f"{', '.join(each.id for each in group)} is short")
    for source in record.sources if bank.each_source else ():
        if not source.text.strip():
            yield Notice("empty_source", f"{source.id} has no text and is left out")
