"""Logs and traces of other tools as rows, one for each record.

A record is a sample of an Inspect log, a result of promptfoo, or a trace of OpenInference spans.
"""

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from zipfile import BadZipFile, ZipFile, ZipInfo

from assay.domain.json import JSON
from assay.errors import InputError
from assay.files import bounds
from assay.files.json_lines import decode, parse_json
from assay.files.json_values import is_absent, is_deeper, is_list
from assay.files.place import Place

_ZSTANDARD = 93
_DAMAGE = (BadZipFile, zlib.error, EOFError, OSError, RuntimeError)
# Spans of these kinds may hold the question and the answer. Others are steps on the way.
_ANSWERING = ("CHAIN", "AGENT", "LLM")
_DOCUMENT = re.compile(r"retrieval\.documents\.\d+\.document\.content")
_JSON = "application/json"


def read_inspect(rows: Iterable[tuple[Place, JSON | InputError]]) -> Iterator[tuple[Place, JSON | InputError]]:
    """Every sample of the logs. Its metadata become columns."""
    for place, log in rows:
        samples = _get(log, "samples")
        if isinstance(log, InputError) or not is_list(samples):
            yield place, log
            continue
        for number, sample in enumerate(samples, start=1):
            here = place if len(samples) == 1 else Place(f"{place.path}, sample {number}", None)
            yield here, _read_sample(sample, here)


def read_promptfoo(rows: Iterable[tuple[Place, JSON | InputError]]) -> Iterator[tuple[Place, JSON | InputError]]:
    """Every result of the evaluations, or of the lines. The variables of its test become columns."""
    for place, values in rows:
        results = _get(_get(values, "results"), "results")
        if isinstance(values, InputError) or not is_list(results):
            yield place, values if isinstance(values, InputError) else _read_result(values, place)
            continue
        for number, result in enumerate(results, start=1):
            here = Place(f"{place.path}, result {number}", None)
            yield here, _read_result(result, here)


def read_eval_file(path: Path) -> Iterator[tuple[Place, JSON | InputError]]:
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


def _read_sample(sample: JSON, place: Place) -> JSON | InputError:
    if error := _get(sample, "error"):
        remedy = "Run it again with `inspect eval-retry`, or leave it out with `--skip-invalid`."
        return place.fault(f"the sample ended with an error: {_get(error, 'message')}", remedy)
    output, metadata, epoch = _get(sample, "output"), _get(sample, "metadata"), _get(sample, "epoch")
    name = _get(sample, "id")
    return {
        **(metadata if isinstance(metadata, Mapping) else {}),
        "id": name if epoch in {1, None} else f"{name}/{epoch}",
        "system": _get(output, "model"),
        "input": read_question(_get(sample, "input")),
        "output": _get(output, "completion"),
        "target": _get(sample, "target"),
    }


def read_question(given: JSON) -> JSON:
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
    output, variables, provider = (
        _get(_get(result, "response"), "output"),
        _get(result, "vars"),
        _get(result, "provider"),
    )
    if is_absent(output):
        reason = _get(_get(result, "response"), "error") or _get(result, "error") or "no reason is given"
        remedy = "Run it again with `promptfoo retry`, or leave it out with `--skip-invalid`."
        return place.fault(f"the result has no output: {reason}", remedy)
    prompt = str(_get(result, "promptIdx"))
    return {
        **(variables if isinstance(variables, Mapping) else {}),
        "id": f"{_get(result, 'testIdx')}-{prompt}",
        "system": _get(provider, "label") or _get(provider, "id"),
        "facets": {"prompt": prompt},
        "output": output,
    }


def _get(values: object, name: str) -> JSON:
    return values.get(name) if isinstance(values, Mapping) else None


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


def read_traces(rows: Iterable[tuple[Place, JSON | InputError]]) -> Iterator[tuple[Place, JSON | InputError]]:
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
