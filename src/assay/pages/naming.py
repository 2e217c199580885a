"""What records and their texts are called on a page."""

from assay.checks.citations import number_sources
from assay.domain.record import Record, Source
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.pages.excerpts import clip_name
from assay.units.passages import OUTPUT


def name_record(record: Record) -> str:
    """The id, and the system where there is one: two systems may answer the same record."""
    name = clip_name(record.id)
    return f"{name} ({clip_name(record.system)})" if record.system else name


def title_source(source: Source, rubric: Rubric) -> str:
    if source.title or source.url:
        return clip_name(source.title or source.url or "")
    return next((each.label for each in rubric.inputs if each.name == source.input), source.id)


def name_texts(card: Scorecard) -> dict[str, str]:
    """A source by its number and title, the output as its rubric calls it; by the names that evidence uses."""
    numbers = number_sources(card.record)
    names = {each.id: f"[{numbers[each.id]}] {title_source(each, card.rubric)}" for each in card.record.sources}
    output = card.rubric.input("output")
    return names | {OUTPUT: output.label if output else "Output"}
