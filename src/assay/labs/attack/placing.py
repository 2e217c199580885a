"""Puts the text of an attack into a record: into its output, or into one of its sources."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from random import Random

from assay.domain.json import JSON
from assay.domain.record import Record
from assay.errors import InputError
from assay.labs.attack.family import Variant
from assay.text.sentences import split_sentences


def place_in_output(record: Record, variant: Variant, seed: int) -> Record:
    """The record with an attacked output; everything else, its ids too, stays."""
    text = variant.text
    if variant.action == "insert":
        text = insert_text(record.output, variant.text, _draw(seed, record, variant))
    inputs = record.inputs
    if record.output.strip():
        # The inputs hold the output a second time, under the name that the rubric gives it.
        inputs = {name: text if value == record.output else value for name, value in inputs.items()}
    return replace(record, output=text, inputs=inputs)


def place_in_source(record: Record, variant: Variant, seed: int) -> Record:
    """The record with one attacked source, drawn from those that hold a text; everything else, its ids too, stays."""
    random = _draw(seed, record, variant)
    filled = [source for source in record.sources if source.text.strip()]
    if not filled:
        raise InputError(f"the record {record.id} has no source with a text", remedy="Attack its output")
    chosen = random.choice(filled)
    text = variant.text if variant.action == "replace" else insert_text(chosen.text, variant.text, random)
    sources = tuple(replace(source, text=text) if source is chosen else source for source in record.sources)
    inputs = dict(record.inputs)
    if chosen.input in inputs:
        inputs[chosen.input] = _exchange(inputs[chosen.input], chosen.text, text)
    return replace(record, sources=sources, inputs=inputs)


def insert_text(text: str, addition: str, random: Random) -> str:
    """At the start, between two sentences or at the end, on a line of its own where lines are broken there."""
    joints = [(one.end, other.start) for one, other in pairwise(split_sentences(text, "en"))]
    position = random.choice(["start", *(["between"] if joints else []), "end"])
    if not text.strip():
        return text + addition
    before, offset = random.choice(joints) if position == "between" else (0, 0)
    broken = text[before:offset] if position == "between" else text.strip()
    gap = "\n" if "\n" in broken or "\n" in addition else " "
    if position == "end":
        return text + gap + addition
    return text[:offset] + addition + gap + text[offset:]


def _draw(seed: int, record: Record, variant: Variant) -> Random:
    return Random(f"{seed} {record.id} {variant.id}")  # noqa: S311  # a draw that can be repeated, not a secret


def _exchange(value: JSON, old: str, new: str) -> JSON:
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, Mapping):
        return {name: _exchange(each, old, new) for name, each in value.items()}
    return [_exchange(each, old, new) for each in value] if isinstance(value, list) else value
