"""What all reply formats say alike: the score, the labels that count, and sources and units by their words, not ids."""

import re

from assay.checks.citations import link_sources, number_sources
from assay.domain.findings import NO_FACT, Label
from assay.domain.outcome import Outcome, Verdict
from assay.domain.parts import LabelPart
from assay.domain.record import Record, Source
from assay.domain.scale import half_up, number
from assay.domain.scorecard import Scorecard
from assay.domain.units import Unit

_MENTION = re.compile(
    r"“[^”]*”"
    r"|\b(?P<sentence>S\d{1,3}|O)\.\d{1,4}(?:(?:\s*(?:,|;|and|&|to|–|-)\s*)(?P=sentence)\.\d{1,4})*\b"
    r"|(?<![\w.])(?P<source>[Ss]\d{1,3})\b(?!\.\d)"
    r"|(?<![\w.])(?P<unit>[a-z]\d{1,3})\b(?!\.\d)"
)
_LONGEST_WORDS = 15


def find_score(outcome: Outcome) -> int | float | None:
    """Rounded to the scale: readers of the format expect one of its grades. The derivation has a mean in full."""
    if not isinstance(outcome, Verdict):
        return None
    return number(half_up(outcome.score.value, outcome.score.scale.decimals))


def list_labelled(outcome: Outcome, part: str) -> list[tuple[Unit, Label]]:
    """The units that count, in their order; those that state no fact are left out."""
    labels = {label.unit: label for label in outcome.trail.findings.of(part) if label.label != NO_FACT}
    return [(unit, labels[unit.id]) for unit in outcome.trail.units if unit.id in labels]


def resolve_label(label: Label, part: LabelPart) -> str:
    """The label as the score counts it: an undecided unit counts as the middle label."""
    return label.label if label.decided else part.middle


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


def format_quotes(label: Label, card: Scorecard) -> str:
    """The quotes of a label, each behind its source where the record has several."""
    sources = {source.id: source for source in card.record.sources}
    is_told = len(sources) > 1
    said = [
        (f"{each.source.upper()}: " if is_told and each.source in sources else "") + f"“{each.quote}”"
        for each in label.evidence
    ]
    return "; ".join(said)


def justify(label: Label, card: Scorecard) -> str:
    """The quotes and the note of a label. A contradiction is named, because a reply's word for it may be another's."""
    said = " — ".join(part for part in (format_quotes(label, card), label.note) if part)
    if label.label == "contradicted":
        said = f"Contradicted: {said}" if said else "Contradicted"
    return spell_ids(said, card)


def _is_linked(source: Source, record: Record) -> bool:
    return bool(source.url or source.title) and any(each.url for each in record.sources)


def _name_source(source: Source, record: Record) -> str:
    return source.title or f"source {number_sources(record)[source.id]}"


def _shorten(unit: Unit) -> str:
    words = (f"{unit.context}: {unit.text}" if unit.context else unit.text).split()
    return " ".join(words[:_LONGEST_WORDS]) + (" …" if len(words) > _LONGEST_WORDS else "")
