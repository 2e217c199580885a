"""Notices the figures of an output that no source has under any reading."""

from collections.abc import Iterator

from assay.domain.record import Record
from assay.domain.scorecard import Notice
from assay.text.figures import find_unsourced
from assay.text.language import identify


def check_quantities(record: Record) -> Iterator[Notice]:
    """Doses, percentages, prices, durations, dates and counts; the question and the titles count as sources here."""
    beside = (record.query, *(source.title for source in record.sources))
    sources = (*(source.text for source in record.sources), *filter(None, beside))
    for span in find_unsourced(record.output, sources, identify(record.output[:3_000]) or "en"):
        yield Notice("unsourced_quantity", f"“{span.of(record.output)}” is in none of the sources", span)
