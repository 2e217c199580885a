"""Hooks of the search-summary rubric."""

import re
from collections.abc import Iterator
from typing import Final

from assay.domain.record import Record
from assay.domain.scorecard import Notice

_WORD: Final = re.compile(r"\w+")


def notices(record: Record) -> Iterator[Notice]:
    """The search asked something else than the user, which may explain a bad summary.

    Case, punctuation and spacing make no difference.
    """
    searched, asked = record.text("search_query"), record.query or ""
    if searched.strip() and _WORD.findall(searched.casefold()) != _WORD.findall(asked.casefold()):
        yield Notice("search_query_differs", "the search query is not the user's question, which is what is judged")
