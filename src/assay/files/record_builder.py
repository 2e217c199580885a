"""Builds a record from one JSON object, by the inputs that a rubric names."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from math import isfinite

from assay.domain.json import JSON
from assay.domain.record import Record, Source
from assay.domain.rubric import Input, Rubric
from assay.errors import InputError
from assay.files import bounds
from assay.files.input_kinds import EXAMPLES, format_rows, read_criteria, read_data_table, read_messages
from assay.files.json_values import (
    describe,
    fold,
    is_absent,
    is_blank,
    is_deeper,
    is_list,
    join_lines,
    rename,
    spell_entries,
    spell_out,
)
from assay.files.label_map import fold_label
from assay.files.place import Place

FIELDS = ("id", "system", "item", "facets")
_LONGEST_DETAILS = 300
_DOCUMENT_FIELDS = ("url", "content", "metadata", "title")
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, default=str)


@dataclass(frozen=True, slots=True)
class InputValue:
    """An input as it was read. `value` goes into the record; reading it again gives the same value.

    `is_blank` disregards the labels that are written around what was given. The sources have no ids yet.
    `output` is what is judged, where that is only a part of the value.
    """

    value: JSON
    sources: tuple[Source, ...]
    is_blank: bool
    output: str | None = None

    @property
    def text(self) -> str:
        return self.output if self.output is not None else "\n".join(each.text for each in self.sources)


def build_record(values: Mapping[str, JSON], rubric: Rubric, place: Place, *, default_id: str | None = None) -> Record:
    """Raises InputError where a required input is absent or has the wrong type. A blank one is no error."""
    if is_deeper(values, bounds.DEPTH):
        raise bounds.refuse(place, "the record is nested too deeply, on levels that are", "DEPTH", "Flatten it")
    names = {spec.name for spec in rubric.inputs}
    given = _translate_truth(rename(_unwrap(values, rubric), known_fields(rubric), place), rubric)
    read = {spec.name: value for spec in rubric.inputs if (value := _read_given(given, spec, place)) is not None}
    own = {name: given.pop(name, None) for name in FIELDS if name not in names}
    inputs = {name: each.value for name, each in read.items()}
    inputs |= {name: value for name, value in given.items() if name not in names}
    by_role = [(spec.role, spec.name, read[spec.name]) for spec in rubric.inputs if spec.name in read]
    unnumbered = [
        each for role, _, value in by_role if role == "source" or value.output is not None for each in value.sources
    ]
    sources = tuple(replace(each, id=f"s{number}") for number, each in enumerate(unnumbered, 1))
    query = next((value.text for role, _, value in by_role if role == "query"), None)
    criteria = [inputs[spec.name] for spec in rubric.inputs if spec.role == "criteria" and spec.name in inputs]
    facets = _read_facets(own.get("facets"), place)
    item = _read_name("item", own.get("item"), place)
    return Record(
        id=_read_name("id", own.get("id"), place) or default_id or _digest([inputs, item, facets]),
        item=item or _digest([[[source.text, source.title, source.url] for source in sources], query, *criteria]),
        output=next((value.text for role, _, value in by_role if role == "output"), ""),
        sources=sources,
        query=query,
        system=_read_name("system", own.get("system"), place),
        inputs=inputs,
        citations=next((inputs.get(each.name) for each in rubric.inputs if each.role == "citations"), None),
        facets=facets,
    )


def _translate_truth(given: dict[str, JSON], rubric: Rubric) -> dict[str, JSON]:
    """The truth label in the rubric's own words, where the user's label map knows it."""
    truth = rubric.input("truth") if rubric.label_map else None
    value = given.get(truth.name) if truth is not None else None
    if truth is None or not isinstance(value, str | int | float):
        return given
    return {**given, truth.name: rubric.label_map.get(fold_label(str(value)), value)}


def blank_inputs(record: Record, rubric: Rubric) -> tuple[str, ...]:
    """The required inputs that hold nothing to judge: blank texts, empty lists, documents all without content."""
    given = ((spec, record.inputs.get(spec.name)) for spec in rubric.inputs if spec.required)
    here = Place(None, None)
    return tuple([spec.name for spec, value in given if is_absent(value) or _read_input(value, spec, here).is_blank])


def known_fields(rubric: Rubric) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*(spec.name for spec in rubric.inputs), *FIELDS)))


def _unwrap(values: Mapping[str, JSON], rubric: Rubric) -> Mapping[str, JSON]:
    """The one object that holds all required inputs that are missing beside it supplies them; what is beside it wins.

    It does not supply the output alone beside a source: that may be a reference, not what is judged.
    """
    required = {fold(spec.name): spec.role for spec in rubric.inputs if spec.required}
    held = _held(values)
    missing = required.keys() - held
    roles = {required[name] for name in missing} & {"output", "source"}
    if not missing or (missing != required.keys() and roles == {"output"}):
        return values
    known = set(map(fold, known_fields(rubric)))
    objects = {key: value for key, value in values.items() if isinstance(value, Mapping) and fold(key) not in known}
    whole = [key for key, value in objects.items() if missing <= _held(value)]
    if len(whole) != 1:
        return values
    inner = {key: value for key, value in objects[whole[0]].items() if fold(key) not in held - {fold(whole[0])}}
    return {**{key: value for key, value in values.items() if key != whole[0] and not is_absent(value)}, **inner}


def _held(values: Mapping[str, JSON]) -> set[str]:
    return {fold(key) for key, value in values.items() if not is_absent(value)}


def _read_given(given: Mapping[str, JSON], spec: Input, place: Place) -> InputValue | None:
    """None for an optional input that is absent or blank."""
    value = given.get(spec.name)
    if not is_absent(value):
        read = _read_input(value, spec, place)
        return read if spec.required or not read.is_blank else None
    if not spec.required:
        return None
    others = {fold(name): name for name in given if name != spec.name}
    close = get_close_matches(fold(spec.name), others, n=1, cutoff=0.75)
    meant = others[close[0]] if close else "…"
    fields = f"this record has: {', '.join(list(others.values())[:12])}" if others else "this record has no fields"
    first = f"Rename `{meant}` to `{spec.name}`" if close else f"Write {_example(spec)}"
    remedy = f'{first}, or map it: `--map {spec.name}={meant}`, in Python `map={{"{spec.name}": "{meant}"}}`'
    raise place.fault(f"{spec.name} is {'null' if spec.name in given else 'missing'}; {fields}", remedy)


def _read_name(field: str, value: JSON, place: Place) -> str | None:
    """None for a name that is absent or blank."""
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
            raise place.fault(f"the tag {name} in facets is {describe(facet)}, text is needed", remedy)
    return {str(name): spell_out(facet) for name, facet in value.items() if not is_absent(facet)}


def _digest(content: JSON) -> str:
    # Text in memory may hold half a surrogate pair.
    canonical = _CANONICAL.encode(content).encode("utf-8", "surrogatepass")
    return hashlib.sha256(canonical).hexdigest()[:16]


def _read_input(value: JSON, spec: Input, place: Place, name: str | None = None) -> InputValue:
    """The value in the form of its kind. A blank string is accepted for every kind. `name` is for messages."""
    name = name or spec.name
    match spec.kind:
        case "text":
            text = _read_text(value, spec, place, name)
            return _build_value(text, spec, {spec.label: text})
        case "value":
            text = _read_scalar(value, "text or a number", spec, place, name)
            return _build_value(value, spec, {spec.label: text})
        case "any":
            return _build_value(value, spec, {spec.label: spell_out(value)})
        case "texts":
            texts = _read_texts(value, spec, place, name)
            return _build_value(texts, spec, {f"{spec.label} {at}": text for at, text in enumerate(texts, 1)})
        case "criteria":
            criteria = read_criteria(value, name, place)
            return InputValue(criteria or value, (), not criteria)
        case "messages":
            conversation = read_messages(value, name, place)
            sources, output = conversation.list_sources(spec.name), conversation.output
            return InputValue(list(conversation.messages) or value, sources, not output, output)
        case "table":
            rows = read_data_table(value, name, place)
            return _build_value(list(rows) or value, spec, {spec.label: format_rows(rows)})
        case "documents" | "objects":
            found = [_read_entry(each, number, spec, place) for number, each in _list_entries(value, spec, place)]
            return InputValue(
                [each.value for each in found] or value,
                tuple(source for each in found for source in each.sources),
                all(each.is_blank for each in found),
            )


def _build_value(value: JSON, spec: Input, texts: Mapping[str, str]) -> InputValue:
    """The input's value, with a source for each text. `texts` are keyed by title."""
    sources = tuple(Source("", text, title, None, spec.name) for title, text in texts.items())
    return InputValue(value, sources, all(map(is_blank, texts.values())))


def _example(spec: Input) -> str:
    """How the input is written in JSON, for a remedy."""
    body = {
        "text": '"…"',
        "value": '"…"',
        "texts": '["…", "…"]',
        "documents": '[{"url": "…", "content": "…", "metadata": {"title": "…"}}]',
        "objects": "[{" + ", ".join(f'"{each.name}": "…"' for each in spec.fields if each.required) + "}, …]",
        **EXAMPLES,
        "any": "…",
    }[spec.kind]
    return f'`"{spec.name}": {body}`'


def _mistyped(found: JSON, wanted: str, spec: Input, place: Place, name: str) -> InputError:
    return place.fault(f"{name} is {describe(found)}, {wanted} is needed", f"Write {_example(spec)}")


def _read_scalar(value: JSON, wanted: str, spec: Input, place: Place, name: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return str(value)
    raise _mistyped(value, wanted, spec, place, name)


def _read_text(value: JSON, spec: Input, place: Place, name: str) -> str:
    if not is_list(value):
        return _read_scalar(value, "text", spec, place, name)
    lines = (_read_scalar(each, "text", spec, place, f"number {at} of {name}") for at, each in enumerate(value, 1))
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def _read_texts(value: JSON, spec: Input, place: Place, name: str) -> list[str]:
    if isinstance(value, Mapping):
        return list(spell_entries(value))
    if not is_list(value):
        return [_read_scalar(value, "a list of texts", spec, place, name)]
    return [
        spell_out(each)
        if isinstance(each, Mapping)
        else _read_scalar(each, "text", spec, place, f"number {number} of {name}")
        for number, each in enumerate(value, start=1)
        if not is_absent(each)
    ]


def _list_entries(value: JSON, spec: Input, place: Place) -> Iterator[tuple[int, JSON]]:
    if isinstance(value, str) and is_blank(value):
        return
    if not is_list(value):
        wanted = "a list of documents or texts" if spec.kind == "documents" else "a list of objects"
        raise _mistyped(value, wanted, spec, place, spec.name)
    if spec.count is not None and len(value) != spec.count:
        given = f"{len(value) or 'none'} {'was' if len(value) == 1 else 'were'} given"
        remedy = f"Write {_example(spec)} with {spec.count} objects"
        raise place.fault(f"{spec.count} {spec.name} are needed, {given}", remedy)
    if not value:
        raise place.fault(f"{spec.name} is an empty list, at least one is needed", f"Write {_example(spec)}")
    yield from enumerate(value, start=1)


def _read_entry(each: JSON, number: int, spec: Input, place: Place) -> InputValue:
    """A document may be given as a plain text: it has a content and nothing else."""
    if spec.kind == "documents" and isinstance(each, str):
        return InputValue(each, (Source("", each, input=spec.name),), is_blank(each))
    if not isinstance(each, Mapping):
        wanted = "an object or text" if spec.kind == "documents" else "an object"
        raise _mistyped(each, wanted, spec, place, f"number {number} of {spec.name}")
    read = _read_document if spec.kind == "documents" else _read_object
    return read(each, number, spec, place)


def _read_document(each: Mapping[str, JSON], number: int, spec: Input, place: Place) -> InputValue:
    name = f"result {number} of {spec.name}"
    document = rename(each, _DOCUMENT_FIELDS, place)
    if is_absent(document.get("content")):
        remedy = f'Write {_example(spec)}. A result without a text has the content `""`'
        raise place.fault(f"{name} has no content; {_list_fields(each)}", remedy)
    content = _read_text(document["content"], spec, place, f"the content of {name}")
    metadata = document.get("metadata") or {}
    if not isinstance(metadata, Mapping):
        raise _mistyped(metadata, "an object", spec, place, f"the metadata of {name}")
    found = {"title": rename(metadata, ("title",), place).get("title") or document.get("title")}
    found["url"] = document.get("url")
    title, url = (
        None
        if is_absent(value)
        else join_lines(_read_scalar(value, "text or a number", spec, place, f"the {field} of {name}"))
        for field, value in found.items()
    )
    # The type of a source, a date: what a judge may want to know of it, as the record names it.
    details = [f"{key}: {value}" for key, value in metadata.items() if key != "title" and isinstance(value, str | int)]
    source = Source("", content, title, url, spec.name, join_lines("; ".join(details))[:_LONGEST_DETAILS])
    return InputValue({**document, "content": content}, (source,), is_blank(content))


def _read_object(each: Mapping[str, JSON], number: int, spec: Input, place: Place) -> InputValue:
    values = rename(each, (field.name for field in spec.fields), place)
    if not spec.fields:
        source = Source("", "\n".join(spell_entries(values)), input=spec.name)
        return InputValue(values, (source,), not values)
    texts: dict[str, str] = {}
    for field in spec.fields:
        value = values.get(field.name)
        name = f"{field.name} in number {number} of {spec.name}"
        if not is_absent(value):
            read = _read_input(value, field, place, name)
            values[field.name] = read.value
            if field.required or not read.is_blank:
                texts[field.label] = read.text
        elif field.required:
            raise place.fault(f"{name} is missing; {_list_fields(each)}", f"Write {_example(field)} in it")
    # Each line says which field it is of: no line of a text can pass for another field.
    lines = "\n".join(f"{label}: {line}" for label, text in texts.items() for line in text.splitlines() or [""])
    title = texts.get(spec.fields[0].label)
    source = Source("", lines, None if title is None else join_lines(title), None, spec.name)
    return InputValue(values, (source,), all(map(is_blank, texts.values())))


def _list_fields(values: Mapping[str, JSON]) -> str:
    return f"it has {', '.join(map(str, values))}" if values else "it is empty"
