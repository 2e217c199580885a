"""Records from OpenInference spans: what a trace was asked, what it answered, and what it retrieved."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from assay.domain.json import JSON
from assay.errors import InputError
from assay.files import bounds
from assay.files.json_lines import parse_json
from assay.files.json_values import is_absent, is_deeper, is_list
from assay.files.place import Place

# Spans of these kinds may hold the question and the answer. Others are steps on the way.
_ANSWERING = ("CHAIN", "AGENT", "LLM")
_DOCUMENT = re.compile(r"retrieval\.documents\.\d+\.document\.content")
_JSON = "application/json"


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
    """How many characters are held of it."""
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
    """In hexadecimal digits; empty where there is none."""
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
