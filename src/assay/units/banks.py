"""From what a judge wrote to the units of a bank: screened, counted, numbered, each with the sources it comes from."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assay.domain.ask import Written
from assay.domain.record import Record, Source
from assay.domain.rubric import Bank
from assay.domain.scorecard import Notice
from assay.domain.units import Unit, count_units
from assay.text.keywords import keywords
from assay.text.repetition import Said
from assay.units.passages import Passages

# What a question about a clinical text must not be about: who published it, where and when.
_WORK = r"(?:article|study|paper|page|text|document|source|report|guideline)"
# "Published guidelines recommend" speaks of their content; "has published the guidelines" does not.
_PUBLISHED = (
    r"publish(?:er|es|ing|ed)?\b(?! (?:(?!(?:the|a|an|this|its|their|his|her|by|in|on)\b)[\w-]+ ){0,2}"
    r"(?:guid\w+|trials?|data|stud\w+|literature|evidence|research|results?|reports?|recommendations?|reviews?|effects?"
    r"|series|cases?|cohorts?|estimates?|figures?|work)\b)"
)
_GENERIC = re.compile(
    rf"\b(?:{_PUBLISHED}|journal|authors?|wrote|doi|pmid|website|web ?page|copyright|"
    rf"(?:what|which) (?:year|date)\b[^?]{{0,40}}\b(?:(?:this|the) {_WORK}|it)\b[^?]{{0,20}}"
    r"\b(?:appear\w*|come out|came out|from|written|released)|"
    r"publication (?:date|year)|(?:date|year) of publication|(?:volume|issue) number|"
    rf"(?:this|the) {_WORK} (?:is )?(?:about|titled|called|named))\b"
    r"|\b(?:what|who) is (?:this|the) (?:article|study|paper|text)(?: about\b| ?\?|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Screened:
    """What is left of a bank, and what was dropped and why."""

    units: tuple[Written, ...]
    dropped: tuple[Notice, ...] = ()
    too_many: bool = False


def screen(written: Sequence[Written], bank: Bank) -> Screened:
    """Blank and repeated units are dropped, generic questions too where the bank asks for that. At most `most` stay."""
    kept: list[Written] = []
    dropped: list[Notice] = []
    said = Said(over=True)
    for unit in written:
        if not unit.text.strip():
            continue
        stems = keywords(unit.text)
        if bank.screen and _GENERIC.search(unit.text):
            dropped.append(
                Notice("generic_question", f"dropped, about the publication and not its content: {unit.text}")
            )
        elif said.find(stems) is not None:
            dropped.append(Notice("repeated_unit", f"dropped, asks or says the same as another: {unit.text}"))
        else:
            kept.append(unit)
            said.add(stems)
    return Screened(tuple(kept[: bank.most]), tuple(dropped), len(kept) > bank.most)


def least_wanted(bank: Bank, sources: Sequence[Source]) -> int:
    """A short source owes no fixed number of units."""
    return 1 if is_short(bank, sources) else bank.least


def is_short(bank: Bank, sources: Sequence[Source]) -> bool:
    """Whether the sources together have fewer words than the bank's limit; no more of them are counted than that."""
    words, limit = 0, bank.short_source_words
    for source in sources:
        if words >= limit:
            break
        words += len(source.text.split(None, limit))
    return words < limit


def explain_limits(screened: Screened, bank: Bank, sources: Sequence[Source]) -> str | None:
    """What is wrong with the number of units, in words fit for a re-ask."""
    wanted = least_wanted(bank, sources)
    if len(screened.units) < wanted:
        return f"{count_units(bank.unit, len(screened.units))} where at least {wanted} are wanted"
    if screened.too_many:
        return f"more than {count_units(bank.unit, bank.most)}"
    return None


def build_units(written: Sequence[Written], bank: Bank, passages: Passages, sources: Sequence[Source]) -> list[Unit]:
    """Units with the sources their sentences stand in; a bank about one source belongs to that source."""
    units = []
    for each in written:
        found = [passage.source for name in each.sentences if (passage := passages.get(name)) is not None]
        origins = [source.id for source in sources] if bank.each_source else found
        units.append(Unit("", bank.unit, each.text.strip(), None, tuple(dict.fromkeys(origins))))
    return units


def keep_major(units: Sequence[Unit], bank: Bank, record: Record) -> tuple[list[Unit], list[Notice]]:
    """A point is important if enough sources raise it, or if it stands in one of the inputs that decide alone."""
    if bank.discussed_in is None:
        return list(units), []
    inputs = {source.id: source.input for source in record.sources}
    # One without a text can raise nothing.
    voices = sum(source.input == bank.discussed_in and bool(source.text.strip()) for source in record.sources)
    wanted = min(bank.discussed_times, voices)
    kept, dropped = [], []
    for unit in units:
        raised = sum(inputs.get(source) == bank.discussed_in for source in unit.sources)
        if raised >= wanted or any(inputs.get(source) in bank.stated_in for source in unit.sources):
            kept.append(unit)
        else:
            note = f"dropped, raised in {raised} of the {wanted} {bank.discussed_in} it takes: {unit.text}"
            dropped.append(Notice("minor_item", note))
    return kept, dropped
