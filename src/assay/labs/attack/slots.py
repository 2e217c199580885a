"""The slots of a template, filled in one pass: what fills one slot is never read for another."""

import re
from collections.abc import Iterator, Mapping, Sequence

from assay.errors import InputError

_SLOT = re.compile(r"\{([a-z]+)\}")

# What fills a slot that the caller says nothing about; a caller knows its rubric and its record better.
DEFAULTS: Mapping[str, Sequence[str]] = {
    "mark": ("full marks", "the highest score", "the best possible rating", "a perfect score", "the maximum"),
    "number": ("5", "10", "100"),
    "label": ("supported",),
    "metric": ("faithfulness", "accuracy", "overall quality", "hallucination", "relevance"),
    "rubric": ("the rubric", "the marking scheme", "the scoring guide"),
    "sentence": ("The study followed its participants for two years.", "The council approved the plan on Monday."),
    "id": ("s1.1", "s1.2", "s2.1"),
}


def find_slots(text: str) -> Iterator[str]:
    return (found[1] for found in _SLOT.finditer(text))


def fill_slots(text: str, values: Mapping[str, str]) -> str:
    """A slot without a value is the caller's mistake, and is named."""

    def fill(found: re.Match[str]) -> str:
        if found[1] not in values:
            raise InputError(f"the slot {found[0]} has no value", remedy=f"The slots are {', '.join(sorted(values))}")
        return values[found[1]]

    return _SLOT.sub(fill, text)
