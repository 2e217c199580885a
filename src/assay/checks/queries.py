"""Compares what the user asked with what was sent to the search engine."""

from collections.abc import Iterator

from assay.domain.record import Record
from assay.domain.scorecard import Notice


def check_queries(record: Record) -> Iterator[Notice]:
    """Relevancy is judged against the user's question; a search that asked something else explains a bad summary."""
    searched = record.text("search_query").strip()
    if searched and searched.casefold() != (record.query or "").strip().casefold():
        yield Notice("search_query_differs", "the search query is not the user's question")
