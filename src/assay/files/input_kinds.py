"""Reads the value of an input in the form that its kind has, or says what was found and what to write instead."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

from assay.domain.json import JSON
from assay.domain.rubric import Input
from assay.errors import InputError
from assay.files.json_values import describe, is_absent, is_blank, is_list, rename, spell_entries, spell_out
from assay.files.place import Place

_DOCUMENT = ("url", "content", "metadata", "title")


@dataclass(frozen=True, slots=True)
class Passage:
    """One text of an input. `blank` looks past the labels that code wrote around what was given."""

    text: str
    title: str | None
    url: str | None
    blank: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """`kept` goes into the record; reading it once more gives the same reading."""

    kept: JSON
    passages: tuple[Passage, ...]

    @property
    def blank(self) -> bool:
        return all(passage.blank for passage in self.passages)

    @property
    def text(self) -> str:
        return "\n".join(passage.text for passage in self.passages)


def read_input(value: JSON, spec: Input, place: Place, name: str | None = None) -> Reading:
    """A blank string is blank in every kind: an empty cell of a table can stand for a list. `name` is for messages."""
    name = name or spec.name
    match spec.kind:
        case "text":
            text = _read_text(value, spec, place, name)
            return Reading(text, (_passage(text, spec.label),))
        case "value":
            return Reading(value, (_passage(_read_value(value, spec, place, name), spec.label),))
        case "texts":
            texts = _read_texts(value, spec, place, name)
            numbered = enumerate(texts, start=1)
            return Reading(texts, tuple(_passage(text, f"{spec.label} {number}") for number, text in numbered))
        case "documents":
            return _read_documents(value, spec, place)
        case "objects":
            return _read_objects(value, spec, place)
        case "any":
            return Reading(value, (_passage(spell_out(value), spec.label),))


def example(spec: Input) -> str:
    """How the input is written in JSON, for a remedy."""
    body = {
        "text": '"…"',
        "value": '"…"',
        "texts": '["…", "…"]',
        "documents": '[{"url": "…", "content": "…", "metadata": {"title": "…"}}]',
        "objects": "[{" + ", ".join(f'"{each.name}": "…"' for each in spec.fields if each.required) + "}, …]",
        "any": "…",
    }[spec.kind]
    return f'`"{spec.name}": {body}`'


def _passage(text: str, title: str | None, url: str | None = None) -> Passage:
    return Passage(text, title, url, is_blank(text))


def _fault(found: JSON, wanted: str, spec: Input, place: Place, name: str) -> InputError:
    return place.fault(f"{name} is {describe(found)}, {wanted} is needed", f"Write {example(spec)}")


def _read_scalar(value: JSON) -> str | None:
    if isinstance(value, str):
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    return str(value) if is_number else None


def _read_text(value: JSON, spec: Input, place: Place, name: str) -> str:
    if is_list(value):
        lines = [_read_scalar(each) for each in value]
        if None in lines:
            number = lines.index(None)
            raise _fault(value[number], "text", spec, place, f"number {number + 1} of {name}")
        return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))
    text = _read_scalar(value)
    if text is None:
        raise _fault(value, "text", spec, place, name)
    return text


def _read_value(value: JSON, spec: Input, place: Place, name: str) -> str:
    text = _read_scalar(value)
    if text is None:
        raise _fault(value, "text or a number", spec, place, name)
    return text


def _read_texts(value: JSON, spec: Input, place: Place, name: str) -> list[str]:
    if isinstance(value, Mapping):
        return list(spell_entries(value))
    if not is_list(value):
        text = _read_scalar(value)
        if text is None:
            raise _fault(value, "a list of texts", spec, place, name)
        return [text]
    texts = []
    for number, each in enumerate(value, start=1):
        if is_absent(each):
            continue
        text = spell_out(each) if isinstance(each, Mapping) else _read_scalar(each)
        if text is None:
            raise _fault(each, "text", spec, place, f"number {number} of {name}")
        texts.append(text)
    return texts


def _read_documents(value: JSON, spec: Input, place: Place) -> Reading:
    kept: list[dict[str, JSON]] = []
    passages = []
    for number, each in _each_object(value, spec, place):
        result = f"result {number} of {spec.name}"
        document = rename(each, _DOCUMENT, place)
        if is_absent(document.get("content")):
            remedy = f'Write {example(spec)}. A result without a text has the content `""`'
            raise place.fault(f"{result} has no content; {_listed(each)}", remedy)
        content = _read_text(document["content"], spec, place, f"the content of {result}")
        metadata = document.get("metadata") or {}
        if not isinstance(metadata, Mapping):
            raise _fault(metadata, "an object", spec, place, f"the metadata of {result}")
        title = rename(metadata, ("title",), place).get("title") or document.get("title")
        url = document.get("url")
        passages.append(
            _passage(
                content,
                None if is_absent(title) else _read_value(title, spec, place, f"the title of {result}"),
                None if is_absent(url) else _read_value(url, spec, place, f"the url of {result}"),
            )
        )
        kept.append({**document, "content": content})
    return Reading(kept or value, tuple(passages))


def _read_objects(value: JSON, spec: Input, place: Place) -> Reading:
    kept: list[dict[str, JSON]] = []
    passages = []
    for number, each in _each_object(value, spec, place):
        values = rename(each, (field.name for field in spec.fields), place)
        texts: dict[str, str] = {}
        for field in spec.fields:
            given = values.get(field.name)
            name = f"{field.name} in number {number} of {spec.name}"
            if is_absent(given):
                if field.required:
                    raise place.fault(f"{name} is absent; {_listed(each)}", f"Write {example(field)} in it")
                continue
            reading = read_input(given, field, place, name)
            values[field.name] = reading.kept
            if field.required or not reading.blank:
                texts[field.label] = reading.text
        lines = [f"{label}: {text}" for label, text in texts.items()] if spec.fields else spell_entries(values)
        title = texts.get(spec.fields[0].label) if spec.fields else None
        blank = all(is_blank(text) for text in texts.values()) if spec.fields else not values
        passages.append(Passage("\n".join(lines), title, None, blank))
        kept.append(values)
    return Reading(kept or value, tuple(passages))


def _each_object(value: JSON, spec: Input, place: Place) -> Iterator[tuple[int, Mapping[str, JSON]]]:
    if isinstance(value, str) and is_blank(value):
        return
    if not is_list(value):
        raise _fault(value, "a list of objects", spec, place, spec.name)
    if spec.count is not None and len(value) != spec.count:
        given = f"{len(value) or 'none'} {'was' if len(value) == 1 else 'were'} given"
        remedy = f"Write {example(spec)} with {spec.count} objects"
        raise place.fault(f"{spec.count} {spec.name} are needed, {given}", remedy)
    if not value:
        raise place.fault(f"{spec.name} is an empty list, at least one is needed", f"Write {example(spec)}")
    for number, each in enumerate(value, start=1):
        if not isinstance(each, Mapping):
            raise _fault(each, "an object", spec, place, f"number {number} of {spec.name}")
        yield number, each


def _listed(values: Mapping[str, JSON]) -> str:
    return f"it has {', '.join(map(str, values))}" if values else "it is empty"
