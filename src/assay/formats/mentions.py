"""Names units, sentences and sources in a text by their words: ids mean nothing outside a run."""

import re

from assay.checks.citations import link_sources, number_sources
from assay.domain.record import Record, Source
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit

_MENTION = re.compile(
    r"“[^”]*”"
    r"|\b(?P<sentence>S\d{1,3}|O)\.\d{1,4}(?:(?:\s*(?:,|;|and|&|to|–|-)\s*)(?P=sentence)\.\d{1,4})*\b"
    r"|(?<![\w.])(?P<source>[Ss]\d{1,3})\b(?!\.\d)"
    r"|(?<![\w.])(?P<unit>[a-z]\d{1,3})\b(?!\.\d)"
)
_LONGEST_WORDS = 15


def spell_ids(text: str, card: Scorecard) -> str:
    """A unit's id as its words, a sentence's as its source, a source's as its title, or a link where it has an address.

    What stands in typographic quotes is left as it is.
    """
    record = card.record
    units = {unit.id: unit for outcome in card.outcomes.values() for unit in outcome.trail.units}
    sources = {source.id: source for source in record.sources}
    output = next((spec.label.lower() for spec in card.rubric.inputs if spec.role == "output"), "output")

    def write(match: re.Match[str]) -> str:
        if match["sentence"] == "O":
            return f"the {output}"
        source = sources.get((match["sentence"] or match["source"] or "").lower())
        if source is not None:
            return source.id.upper() if _is_linked(source, record) else _name_source(source, record)
        unit = units.get(match["unit"] or "")
        return match[0] if unit is None else f"“{_shorten(unit)}”"

    return link_sources(_MENTION.sub(write, text), record)


def _is_linked(source: Source, record: Record) -> bool:
    return bool(source.url or source.title) and any(each.url for each in record.sources)


def _name_source(source: Source, record: Record) -> str:
    return source.title or f"source {number_sources(record)[source.id]}"


def _shorten(unit: Unit) -> str:
    words = unit.placed_text.split()
    return " ".join(words[:_LONGEST_WORDS]) + (" …" if len(words) > _LONGEST_WORDS else "")
