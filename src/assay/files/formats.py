"""Records in the files of other tools, known by names that only such files have. `formats.toml` is the table.

A record is a sample of an Inspect log, a result of promptfoo, a trace of OpenInference spans, or a row of a table.
"""

import re
import tomllib
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from assay.domain.json import JSON
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files import bounds
from assay.files.json_lines import decode, parse_json
from assay.files.json_values import fold, is_absent, is_deeper, is_list
from assay.files.place import Place, Row

_ROLES = ("query", "source", "output")
_ZSTANDARD = 93
_DAMAGE = (BadZipFile, zlib.error, EOFError, OSError, RuntimeError)
# Spans of these kinds may hold the question and the answer. Others are steps on the way.
_ANSWERING = ("CHAIN", "AGENT", "LLM")
_DOCUMENT = re.compile(r"retrieval\.documents\.\d+\.document\.content")
_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Format:
    """`columns` are, by role, those that may hold a rubric's input. `read` makes one row of each record."""

    title: str
    marks: tuple[tuple[str, ...], ...]
    columns: Mapping[str, tuple[str, ...]]
    read: Callable[[Iterable[Row]], Iterable[Row]]


def find_format(rows: Iterable[Row], rubric: Rubric) -> Format | None:
    """None where a row has the rubric's inputs under their own names, or the names of no format."""
    required = {fold(spec.name) for spec in rubric.inputs if spec.required}
    for _, row in rows:
        if not isinstance(row, Mapping):
            continue
        if required <= set(map(fold, row)):
            return None
        for each in _read_formats():
            if any(all(_get(row, name) is not None for name in names) for names in each.marks):
                return each
    return None


@cache
def _read_formats() -> tuple[Format, ...]:
    table: dict[str, Any] = tomllib.loads(files("assay.files").joinpath("formats.toml").read_text(encoding="utf-8"))
    return tuple(
        Format(
            each["title"],
            tuple(map(tuple, each["marks"])),
            {role: tuple(each[role]) for role in _ROLES},
            _READERS.get(name, iter),
        )
        for name, each in table.items()
    )


def _get(values: object, path: str) -> JSON:
    """What stands at a path such as `results.version`, whether objects are nested or their keys hold dots; or None."""
    if not isinstance(values, Mapping):
        return None
    cuts = [at for at, sign in enumerate(path) if sign == "."]
    inner = (_get(values.get(path[:at]), path[at + 1 :]) for at in cuts)
    found: JSON = values.get(path)
    return found if found is not None else next((each for each in inner if each is not None), None)


def _read_entries(
    rows: Iterable[Row], path: str, name: str, read: Callable[[JSON, Place], JSON | InputError]
) -> Iterator[Row]:
    """Every entry of the lists at a path. A row without a list is an entry itself."""
    for place, values in rows:
        if isinstance(values, InputError):
            yield place, values
            continue
        listed = _get(values, path)
        entries = listed if is_list(listed) else [values]
        for number, entry in enumerate(entries, start=1):
            here = place if len(entries) == 1 else Place(f"{place.path}, {name} {number}", None)
            yield here, read(entry, here)


def _read_sample(sample: JSON, place: Place) -> JSON | InputError:
    """A sample of Inspect. Its metadata become columns."""
    if not isinstance(sample, Mapping) or "output" not in sample:
        return sample
    if error := _get(sample, "error"):
        remedy = "Run it again with `inspect eval-retry`, or leave it out with `--skip-invalid`."
        return place.fault(f"the sample ended with an error: {_get(error, 'message')}", remedy)
    name, epoch, metadata = _get(sample, "id"), _get(sample, "epoch"), _get(sample, "metadata")
    return {
        **(metadata if isinstance(metadata, Mapping) else {}),
        "id": name if epoch in {1, None} else f"{name}/{epoch}",
        "system": _get(sample, "output.model"),
        "input": _read_question(_get(sample, "input")),
        "output": _get(sample, "output.completion"),
        "target": _get(sample, "target"),
    }


def _read_question(given: JSON) -> JSON:
    """The input of a sample: a text, or of several messages the text of the user's last one."""
    if not is_list(given):
        return given
    asked = [_get(message, "content") for message in given if _get(message, "role") == "user"]
    content = asked[-1] if asked else None
    if not is_list(content):
        return content
    texts = (_get(part, "text") for part in content)
    return "\n".join(text for text in texts if isinstance(text, str))


def _read_result(result: JSON, place: Place) -> JSON | InputError:
    """A result of promptfoo. The variables of its test become columns."""
    output, variables = _get(result, "response.output"), _get(result, "vars")
    if is_absent(output):
        reason = _get(result, "response.error") or _get(result, "error") or "no reason is given"
        remedy = "Run it again with `promptfoo retry`, or leave it out with `--skip-invalid`."
        return place.fault(f"the result has no output: {reason}", remedy)
    prompt = str(_get(result, "promptIdx"))
    return {
        **(variables if isinstance(variables, Mapping) else {}),
        "id": f"{_get(result, 'testIdx')}-{prompt}",
        "system": _get(result, "provider.label") or _get(result, "provider.id"),
        "facets": {"prompt": prompt},
        "output": output,
    }


def read_eval_file(path: Path) -> Iterator[Row]:
    """An Inspect log that is an archive (`.eval`), as one log for every sample, so that one is in memory at a time."""
    place = Place(str(path), None)
    bounds.check_file(path)
    try:
        with ZipFile(path) as archive:
            members = [each for each in archive.infolist() if each.filename.startswith("samples/")]
            if any(each.compress_type == _ZSTANDARD for each in members):
                _import_zstandard(place)
            for each in members:
                here = Place(f"{path}, {each.filename}", None)
                sample = _read_member(archive, each, here)
                yield here, sample if isinstance(sample, InputError) else {"eval": {"task": ""}, "samples": [sample]}
    except _DAMAGE as error:
        remedy = "Give a log that Inspect wrote, or make JSON of it with `inspect log convert --to json`."
        raise place.fault(f"the Inspect log can't be read ({error})", remedy) from error


def _import_zstandard(place: Place) -> None:
    """Importing it lets `zipfile` read this compression, which Python has from version 3.14 on."""
    try:
        import_module("compression.zstd")
    except ModuleNotFoundError:
        try:
            import_module("zipfile_zstd")
        except ModuleNotFoundError:
            remedy = "Install it with `pip install 'assay-judge[inspect]'`, or use `inspect log convert --to json`."
            raise place.fault("this Inspect log needs the package zipfile-zstd", remedy) from None


def _read_member(archive: ZipFile, member: ZipInfo, place: Place) -> JSON | InputError:
    with archive.open(member) as stream:
        # Not by the size that the archive states, which may be a lie.
        content = stream.read(bounds.RECORD_BYTES + 1)
    if len(content) > bounds.RECORD_BYTES:
        return bounds.refuse(place, "the bytes of the sample are", "RECORD_BYTES", "Leave it out")
    try:
        return parse_json(decode(content, place), place)
    except InputError as error:
        return error


@dataclass(slots=True)
class _Trace:
    """`parents` are of all spans, by id. `answers` are the spans with an input and an output, as rows."""

    parents: dict[str, str] = field(default_factory=dict)
    answers: dict[str, tuple[Place, dict[str, JSON]]] = field(default_factory=dict)
    documents: dict[str, JSON] = field(default_factory=dict)

    def find_outermost(self) -> list[tuple[Place, dict[str, JSON]]]:
        return [answer for span, answer in self.answers.items() if not self._is_within_answer(span)]

    def _is_within_answer(self, span: str) -> bool:
        seen = {span}
        while (span := self.parents.get(span, "")) and span not in seen:
            if span in self.answers:
                return True
            seen.add(span)
        return False


def _read_traces(rows: Iterable[Row]) -> Iterator[Row]:
    """One row for each trace with an answer: of its outermost span with input and output, with all that was retrieved.

    Spans of a trace may stand anywhere in the file, so that the texts of all of them are in memory.
    """
    traces: dict[str, _Trace] = {}
    held = 0
    for place, values in rows:
        if isinstance(values, InputError) or not isinstance(values, Mapping) or is_deeper(values, bounds.DEPTH):
            yield place, values
            continue
        span = {name.removeprefix("attributes."): value for name, value in _flatten(values)}
        trace, name = (_read_id(span, each) for each in ("trace_id", "span_id"))
        if not trace or not name:
            remedy = "Write spans with `context.trace_id` and `context.span_id`, such as the SDK's `span.to_json()`."
            yield place, place.fault("the span has no ids", remedy)
            continue
        held += _add_span(traces.setdefault(trace, _Trace()), {"trace_id": trace, "span_id": name}, span, place)
        if held > bounds.ROW_GROUP_BYTES:
            raise bounds.refuse(
                place, "the characters of the traces are", "ROW_GROUP_BYTES", "Split the file by traces"
            )
    for name, each in traces.items():
        found = each.find_outermost()
        if len(found) > 1:
            message = f"the trace {name} has {len(found)} outermost spans with an input and an output"
            yield found[1][0], found[1][0].fault(message, "Trace each request under one span, or leave the others out.")
        elif found:
            [(place, row)] = found
            yield place, {**row, **({"documents": list(each.documents.values())} if each.documents else {})}


def _add_span(trace: _Trace, ids: Mapping[str, str], span: Mapping[str, JSON], place: Place) -> int:
    """Adds a span to its trace. Returns how many of its characters are held in memory."""
    trace.parents[ids["span_id"]] = _read_id(span, "parent_id")
    held = 0
    for name, content in span.items():
        if _DOCUMENT.fullmatch(name) and isinstance(content, str):
            title = span.get(name.removesuffix("content") + "id")
            trace.documents[content] = {"content": content, "title": None if is_absent(title) else str(title)}
            held += len(content)
    ends = [_read_end(end, span) for end in ("input", "output")]
    if span.get("openinference.span.kind") in _ANSWERING and all(ends):
        row = {"id": ids["trace_id"], **ids, **ends[0], **ends[1]}
        trace.answers[ids["span_id"]] = place, row
        held += sum(len(value) for value in row.values() if isinstance(value, str))
    return held


def _read_end(end: str, span: Mapping[str, JSON]) -> dict[str, JSON]:
    """The columns of an input or output: its text, or of a JSON object each member, and its text if it has one only."""
    text = span.get(f"{end}.value")
    if not isinstance(text, str):
        return {}
    if span.get(f"{end}.mime_type") != _JSON:
        return {end: text}
    try:
        value = parse_json(text, Place(None, None))
    except InputError:
        return {end: text}
    if not isinstance(value, Mapping):
        return {end: value}
    texts = [each for each in value.values() if isinstance(each, str)]
    return {f"{end}.{name}": each for name, each in value.items()} | ({end: texts[0]} if len(texts) == 1 else {})


def _read_id(span: Mapping[str, JSON], name: str) -> str:
    """An id in hexadecimal digits; empty where there is none."""
    value = span.get(f"context.{name}") or span.get(name)
    return value.removeprefix("0x") if isinstance(value, str) else ""


def _flatten(values: Mapping[str, JSON], prefix: str = "") -> Iterator[tuple[str, JSON]]:
    """Names as OpenInference writes them, whether objects and lists are nested or their keys hold dots."""
    for key, value in values.items():
        entries = (
            dict(enumerate(value)) if is_list(value) and any(isinstance(each, Mapping) for each in value) else value
        )
        if isinstance(entries, Mapping):
            yield from _flatten({str(name): each for name, each in entries.items()}, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


_READERS: Mapping[str, Callable[[Iterable[Row]], Iterable[Row]]] = {
    "inspect": partial(_read_entries, path="samples", name="sample", read=_read_sample),
    "promptfoo": partial(_read_entries, path="results.results", name="result", read=_read_result),
    "openinference": _read_traces,
}
