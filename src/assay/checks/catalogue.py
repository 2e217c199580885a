"""The checks that a rubric can name, and those that run on every record. A hit is a notice, never a penalty."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Final

from assay.checks.citations import check_citations
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scale import half_up, in_words
from assay.domain.scorecard import Notice
from assay.domain.span import Span
from assay.text.figures import find_unsourced
from assay.text.hostile import find_injections, neutralise
from assay.text.keywords import containment, keywords
from assay.text.language import identify
from assay.text.sentences import split_sections

_LOW_CONTAINMENT: Final = Fraction(3, 10)
_SAMPLE: Final = 3_000


def run_checks(record: Record, rubric: Rubric) -> tuple[Notice, ...]:
    found = [*check_injections(record), *check_hidden(record)]
    for name in rubric.checks:
        found.extend(CHECKS[name](record))
    return tuple(found)


def check_injections(record: Record) -> Iterator[Notice]:
    """Each place in the output; for a source, which may hold thousands of them, one notice per reason."""
    for suspicion in find_injections(record.output):
        yield Notice(
            "injection_suspect",
            f"the output may contain instructions to the judge ({suspicion.reason})",
            suspicion.span,
        )
    for name, text in _list_source_texts(record):
        for reason in dict.fromkeys(suspicion.reason for suspicion in find_injections(text)):
            yield Notice("injection_suspect", f"{name} may contain instructions to the judge ({reason})")


def check_hidden(record: Record) -> Iterator[Notice]:
    """What is taken out or defused before a judge is shown the texts, by text and kind."""
    texts = [("the output", record.output), *_list_source_texts(record)]
    found = [f"{name}: {', '.join(kinds)}" for name, text in texts if (kinds := neutralise(text).removed)]
    if found:
        yield Notice("neutralised", f"changed before it was shown to the judge; {'; '.join(found)}")


def _list_source_texts(record: Record) -> Iterator[tuple[str, str]]:
    """The texts and titles of the sources, since a judge is shown both."""
    for source in record.sources:
        yield source.id, source.text
        if source.title:
            yield f"the title of {source.id}", source.title


def measure_containment(record: Record) -> dict[Span, Fraction]:
    """The share of each section's stems that the sources hold.

    A summary in another language than all its sources shares no stems with them, and none are counted.
    """
    language = identify(record.output[:_SAMPLE]) or "en"
    languages = {identify(source.text[:_SAMPLE]) for source in record.sources} - {None}
    if languages and language not in languages:
        return {}
    stems = frozenset[str]().union(*(keywords(source.text, language) for source in record.sources))
    measured = (
        (section, containment(section.of(record.output), stems, language))
        for section in split_sections(record.output, language=language)
    )
    return {section: share for section, share in measured if share is not None}


def check_containment(record: Record) -> Iterator[Notice]:
    """A section that shares few stems with the sources is worth a look. Its label is up to the judge."""
    for section, share in measure_containment(record).items():
        if share < _LOW_CONTAINMENT:
            percent = in_words(half_up(100 * share, 0), 0)
            yield Notice("low_containment", f"{percent} % of the section's stems occur in the source", section)


def check_quantities(record: Record) -> Iterator[Notice]:
    """Doses, percentages, prices, durations, dates and counts that no source states under any reading.

    The query and the titles count as sources here.
    """
    others = (record.query, *(source.title for source in record.sources))
    sources = (*(source.text for source in record.sources), *filter(None, others))
    for span in find_unsourced(record.output, sources, identify(record.output[:_SAMPLE]) or "en"):
        yield Notice("unsourced_quantity", f"“{span.of(record.output)}” is in none of the sources", span)


CHECKS: Mapping[str, Callable[[Record], Iterator[Notice]]] = {
    "citations": check_citations,
    "containment": check_containment,
    "quantities": check_quantities,
}
