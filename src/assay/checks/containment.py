"""How much of each section of a summary the source contains, by stems: evidence beside a judge's label."""

from collections.abc import Iterator

from assay.domain.record import Record
from assay.domain.scale import in_words
from assay.domain.scorecard import Notice
from assay.text.keywords import containment, keywords
from assay.text.sections import split_sections

_LOW = 0.3


def check_containment(record: Record) -> Iterator[Notice]:
    """A section that shares few stems with the source deserves a look; the label stays the judge's."""
    source = frozenset[str]().union(*(keywords(source.text) for source in record.sources))
    for section in split_sections(record.output):
        share = containment(section.of(record.output), source)
        if share is not None and share < _LOW:
            yield Notice("low_containment", f"{in_words(share)} of the section's stems occur in the source", section)
