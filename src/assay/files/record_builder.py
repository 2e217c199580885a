"""Builds a record from the fields of one object, by the inputs that a rubric names."""

import hashlib
import json
from collections.abc import Mapping
from difflib import get_close_matches

from assay.domain.json import JSON
from assay.domain.record import Record, Source
from assay.domain.rubric import Input, Rubric
from assay.files.input_kinds import Reading, example, read_input
from assay.files.json_values import describe, fold, is_absent, is_blank, is_deeper, rename, spell_out
from assay.files.place import Place

__all__ = ["FIELDS", "Place", "blank_inputs", "build_record", "known_fields"]

FIELDS = ("id", "system", "item", "facets")
_DEEPEST = 100
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=str)


def build_record(values: Mapping[str, JSON], rubric: Rubric, place: Place, *, default_id: str | None = None) -> Record:
    """A required input must be there; that it is blank is no error here, but nothing can be scored then."""
    if is_deeper(values, _DEEPEST):
        message = f"lists and objects lie more than {_DEEPEST} levels deep in each other"
        raise place.fault(message, "Flatten the record.")
    given = rename(_unwrap(values, rubric, place), known_fields(rubric), place)
    readings = {spec.name: reading for spec in rubric.inputs if (reading := _read(given, spec, place)) is not None}
    own = {name: given.pop(name, None) for name in FIELDS if not _is_input(name, rubric)}
    inputs = {name: reading.kept for name, reading in readings.items()}
    inputs |= {name: value for name, value in given.items() if not _is_input(name, rubric)}
    sources = _number_sources(readings, rubric)
    query = _text_of("query", readings, rubric)
    facets = _read_facets(own.get("facets"), place)
    item = _read_name("item", own.get("item"), place)
    identifier = _read_name("id", own.get("id"), place)
    return Record(
        id=identifier or default_id or _digest([inputs, item, facets]),
        item=item or _digest([[[source.text, source.title, source.url] for source in sources], query]),
        output=_text_of("output", readings, rubric) or "",
        sources=sources,
        query=query,
        system=_read_name("system", own.get("system"), place),
        inputs=inputs,
        facets=facets,
    )


def blank_inputs(record: Record, rubric: Rubric) -> tuple[str, ...]:
    """The required inputs that hold nothing to judge: blank texts, empty lists, documents all without content."""
    return tuple(
        [spec.name for spec in rubric.inputs if spec.required and _is_blank(record.inputs.get(spec.name), spec)]
    )


def _is_blank(value: JSON, spec: Input) -> bool:
    if isinstance(value, str) and spec.kind == "text":
        return is_blank(value)
    return is_absent(value) or read_input(value, spec, Place(None, None)).blank


def known_fields(rubric: Rubric) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(spec.name for spec in rubric.inputs), *FIELDS)))


def _is_input(name: str, rubric: Rubric) -> bool:
    return any(spec.name == name for spec in rubric.inputs)


def _unwrap(values: Mapping[str, JSON], rubric: Rubric, place: Place) -> Mapping[str, JSON]:
    """Where no required input is at the top but one key holds an object with them, that object is the record.

    All of them must be absent at the top: an object beside some of them may be a reference, not the record.
    """
    required = {fold(spec.name) for spec in rubric.inputs if spec.required}
    if not required.isdisjoint(_held(values)):
        return values
    objects = {key: value for key, value in values.items() if isinstance(value, Mapping) and fold(key) not in FIELDS}
    whole = [key for key, value in objects.items() if required <= _held(value)]
    if len(whole) > 1:
        raise place.fault(f"{' and '.join(f'`{key}`' for key in whole)} both hold a record", "Keep one of them.")
    # An object with only some of them is taken as well: the message then names the one that it lacks.
    found = whole or [key for key, value in objects.items() if not required.isdisjoint(_held(value))]
    if len(found) != 1:
        return values
    inner = objects[found[0]]
    outer = {key: value for key, value in values.items() if key != found[0]}
    own = {fold(key) for key in outer if fold(key) in FIELDS and not is_absent(outer[key])}
    taken = {fold(key) for key in inner} - own
    return {
        **{key: value for key, value in outer.items() if fold(key) not in taken},
        **{key: value for key, value in inner.items() if fold(key) not in own},
    }


def _held(values: Mapping[str, JSON]) -> set[str]:
    return {fold(key) for key, value in values.items() if not is_absent(value)}


def _read(given: Mapping[str, JSON], spec: Input, place: Place) -> Reading | None:
    """An optional input that is blank is as good as absent."""
    value = given.get(spec.name)
    if not is_absent(value):
        reading = read_input(value, spec, place)
        return reading if spec.required or not reading.blank else None
    if not spec.required:
        return None
    message = f"{spec.name} is {'null' if spec.name in given else 'absent'}"
    others = [name for name in given if name != spec.name]
    close = get_close_matches(fold(spec.name), [fold(name) for name in others], n=1, cutoff=0.75)
    meant = next((name for name in others if close and fold(name) == close[0]), None)
    fields = f"the fields here are: {', '.join(others[:12])}" if others else "the record has no fields"
    rename_it = f"Rename `{meant}` to `{spec.name}`, or" if meant else f"Write {example(spec)}, or"
    raise place.fault(
        f"{message}; {fields}", f"{rename_it} say which field holds it: `--map {spec.name}={meant or '…'}`"
    )


def _read_name(field: str, value: JSON, place: Place) -> str | None:
    """A name left blank is a name not given."""
    if is_absent(value) or (isinstance(value, str) and is_blank(value)):
        return None
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    message = f"{field} is {describe(value)}, text or a whole number is needed"
    raise place.fault(message, f'Write `"{field}": "…"`')


def _read_facets(value: JSON, place: Place) -> dict[str, str]:
    remedy = 'Write `"facets": {"language": "en"}`'
    if is_absent(value) or value == "":
        return {}
    if not isinstance(value, Mapping):
        raise place.fault(f"facets is {describe(value)}, an object is needed", remedy)
    for name, facet in value.items():
        if not isinstance(facet, str | bool | int | float | None):
            raise place.fault(f"the facet {name} is {describe(facet)}, text is needed", remedy)
    return {str(name): spell_out(facet) for name, facet in value.items() if not is_absent(facet)}


def _number_sources(readings: Mapping[str, Reading], rubric: Rubric) -> tuple[Source, ...]:
    found = [
        (spec.name, passage)
        for spec in rubric.inputs
        if spec.role == "source" and spec.name in readings
        for passage in readings[spec.name].passages
    ]
    return tuple(
        Source(f"s{number}", passage.text, passage.title, passage.url, name)
        for number, (name, passage) in enumerate(found, start=1)
    )


def _text_of(role: str, readings: Mapping[str, Reading], rubric: Rubric) -> str | None:
    names = [spec.name for spec in rubric.inputs if spec.role == role and spec.name in readings]
    return readings[names[0]].text if names else None


def _digest(content: JSON) -> str:
    # Text in memory may hold half a surrogate pair; a digest has to take it all the same.
    canonical = _CANONICAL.encode(content).encode("utf-8", "surrogatepass")
    return hashlib.sha256(canonical).hexdigest()[:16]
