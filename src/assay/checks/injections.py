"""Looks for text that speaks to the judge. A hit is a flag, never a penalty."""

from collections.abc import Iterator

from assay.domain.record import Record
from assay.domain.scorecard import Notice
from assay.text.injections import find_injections, is_clean


def check_injections(record: Record) -> Iterator[Notice]:
    """Each place in the output; for a source, which may hold thousands of them, one notice per family."""
    if is_clean([record.output, *(source.text for source in record.sources)]):
        return
    for suspicion in find_injections(record.output):
        yield Notice("injection_suspect", f"the output may speak to the judge ({suspicion.family})", suspicion.span)
    for source in record.sources:
        for family in dict.fromkeys(suspicion.family for suspicion in find_injections(source.text)):
            yield Notice("injection_suspect", f"{source.id} may speak to the judge ({family})")
