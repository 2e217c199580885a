"""Puts the text of an attack into a record: into its output, or into one of its sources."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random
from typing import Literal

from assay.domain.json import JSON
from assay.domain.record import Record, Source
from assay.domain.span import Span
from assay.errors import InputError
from assay.labs.attack.family import Place, Variant
from assay.text.sentences import split_sentences

Position = Literal["start", "between", "end"]
POSITIONS: tuple[Position, ...] = ("start", "between", "end")


@dataclass(frozen=True, slots=True)
class Inserted:
    """A text with an addition at `span`; before and after it the text is as it was."""

    text: str
    span: Span
    position: Position


def place_in_output(record: Record, variant: Variant, seed: int) -> Record:
    """The record with an attacked output; everything else, its ids too, stays."""
    _require_place(variant, "output")
    text = variant.text
    if variant.action == "insert":
        text = insert_text(record.output, variant.text, _draw(seed, record, variant)).text
    return replace(record, output=text, inputs=_follow_output(record, text))


def place_in_source(record: Record, variant: Variant, seed: int) -> Record:
    """The record with one attacked source, drawn from those that hold a text; everything else, its ids too, stays."""
    _require_place(variant, "source")
    random = _draw(seed, record, variant)
    filled = [source for source in record.sources if source.text.strip()]
    if not filled:
        raise InputError(f"the record {record.id} has no source with a text", remedy="Attack its output")
    chosen = random.choice(filled)
    text = variant.text if variant.action == "replace" else insert_text(chosen.text, variant.text, random).text
    sources = tuple(replace(source, text=text) if source is chosen else source for source in record.sources)
    return replace(record, sources=sources, inputs=_follow_source(record, chosen, text))


def insert_text(text: str, addition: str, random: Random, language: str = "en") -> Inserted:
    """At the start, between two sentences or at the end, on a line of its own where lines are broken there."""
    sentences = split_sentences(text, language)
    joints = [(one.end, other.start) for one, other in pairwise(sentences)]
    position = random.choice([each for each in POSITIONS if each != "between" or joints])
    if not text.strip():
        return Inserted(text + addition, Span(len(text), len(text) + len(addition)), "end")
    if position == "end":
        gap = "\n" if "\n" in text.strip() or "\n" in addition else " "
        start = len(text) + len(gap)
        return Inserted(text + gap + addition, Span(start, start + len(addition)), position)
    if position == "start":
        offset, broken = 0, "\n" in text.strip()
    else:
        before, offset = random.choice(joints)
        broken = "\n" in text[before:offset]
    gap = "\n" if broken or "\n" in addition else " "
    return Inserted(text[:offset] + addition + gap + text[offset:], Span(offset, offset + len(addition)), position)


def _require_place(variant: Variant, place: Place) -> None:
    if place not in variant.places:
        raise InputError(f"{variant.id} is not made for the {place}", remedy=f"Ask for variants with place={place!r}")


def _draw(seed: int, record: Record, variant: Variant) -> Random:
    return Random(f"{seed} {record.id} {variant.id}")  # noqa: S311  # a draw that can be repeated, not a secret


def _follow_output(record: Record, text: str) -> Mapping[str, JSON]:
    """The inputs hold the output a second time, under the name that the rubric gives it."""
    if not record.output.strip():
        return record.inputs
    return {name: text if value == record.output else value for name, value in record.inputs.items()}


def _follow_source(record: Record, source: Source, text: str) -> Mapping[str, JSON]:
    if source.input not in record.inputs:
        return record.inputs
    return {**record.inputs, source.input: _exchange(record.inputs[source.input], source.text, text)}


def _exchange(value: JSON, old: str, new: str) -> JSON:
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, Mapping):
        return {name: _exchange(each, old, new) for name, each in value.items()}
    return [_exchange(each, old, new) for each in value] if isinstance(value, list) else value
