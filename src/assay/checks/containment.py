"""How much of each section of a summary the source contains, by stems: evidence beside a judge's label."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from assay.domain.record import Record
from assay.domain.scale import half_up, in_words
from assay.domain.scorecard import Notice
from assay.domain.span import Span
from assay.text.keywords import containment, keywords
from assay.text.language import identify
from assay.text.sentences import split_sections

_LOW: Final = Fraction(3, 10)
_SAMPLE: Final = 3_000


def measure_containment(record: Record) -> dict[Span, Fraction]:
    """The share of each section's stems that the sources hold.

    A summary in another language than all its sources shares no stems with them, and none are counted.
    """
    language = identify(record.output[:_SAMPLE]) or "en"
    told = {identify(source.text[:_SAMPLE]) for source in record.sources} - {None}
    if told and language not in told:
        return {}
    stems = frozenset[str]().union(*(keywords(source.text, language) for source in record.sources))
    measured = (
        (section, containment(section.of(record.output), stems, language))
        for section in split_sections(record.output, language=language)
    )
    return {section: share for section, share in measured if share is not None}


def check_containment(record: Record) -> Iterator[Notice]:
    """A section that shares few stems with the source deserves a look; the label stays the judge's."""
    for section, share in measure_containment(record).items():
        if share < _LOW:
            percent = in_words(half_up(100 * share, 0), 0)
            yield Notice("low_containment", f"{percent} % of the section's stems occur in the source", section)
