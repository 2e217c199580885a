"""Compares what the user asked with what was sent to the search engine."""

import re
from collections.abc import Iterator

from assay.domain.record import Record
from assay.domain.scorecard import Notice

_WORD = re.compile(r"\w+")


def check_queries(record: Record) -> Iterator[Notice]:
    """Relevancy is judged against the user's question; a search that asked something else explains a bad summary.

    Case, punctuation and spacing make no difference.
    """
    searched = record.text("search_query")
    asked = record.query or ""
    if searched.strip() and _WORD.findall(searched.casefold()) != _WORD.findall(asked.casefold()):
        yield Notice("search_query_differs", "the search query is not the user's question, which is what is judged")
