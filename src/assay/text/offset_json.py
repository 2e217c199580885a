"""JSON inside a text, with the place of every value."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.domain.span import Span

# Deeper nesting is no table and no reply. The bound also keeps the search linear: a place in the text is read at most
# once for every container open around it.
DEEPEST = 8

_START = re.compile(r"\{\s*\"|\[\s*\{")
_SPACE = re.compile(r"\s*")
_STRING = re.compile(r'"(?:[^"\\\n\r]|\\.)*"')
_SCALAR = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")


@dataclass(frozen=True, slots=True)
class Scalar:
    """`text` is the value as a reader sees it, empty for null; the span of a string lies inside its quotes."""

    span: Span
    text: str
    is_string: bool


@dataclass(frozen=True, slots=True)
class Array:
    span: Span
    items: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Object:
    """Members in the order of the text, repeated names included."""

    span: Span
    members: tuple[tuple[str, "Value"], ...]


Value = Scalar | Array | Object


def find_json(text: str) -> Iterator[Object | Array]:
    """Every outermost object, and every array that starts with an object; a trailing comma is forgiven."""
    position = 0
    while start := _START.search(text, position):
        try:
            value = _read_value(text, start.start(), 1)
        except _NotJsonError:
            position = start.start() + 1
            continue
        position = value.span.end
        if not isinstance(value, Scalar):
            yield value


class _NotJsonError(Exception):
    """The text at this place is not JSON; the search goes on behind it."""


def _read_value(text: str, position: int, depth: int) -> Value:
    opening = text[position : position + 1]
    if opening in ("{", "["):
        if depth > DEEPEST:
            raise _NotJsonError
        return _read_object(text, position, depth) if opening == "{" else _read_array(text, position, depth)
    if opening == '"':
        content, end = _read_string(text, position)
        return Scalar(Span(position + 1, end - 1), content, is_string=True)
    scalar = _SCALAR.match(text, position)
    if scalar is None:
        raise _NotJsonError
    shown = "" if scalar.group() == "null" else scalar.group()
    return Scalar(Span(position, scalar.end()), shown, is_string=False)


def _read_string(text: str, position: int) -> tuple[str, int]:
    found = _STRING.match(text, position)
    if found is None:
        raise _NotJsonError
    if "\\" not in found.group():
        return found.group()[1:-1], found.end()
    try:
        content = json.loads(found.group(), strict=False)
    except json.JSONDecodeError as error:
        raise _NotJsonError from error
    return str(content), found.end()


def _read_object(text: str, start: int, depth: int) -> Object:
    members: list[tuple[str, Value]] = []
    position = _skip(text, start + 1)
    while not text.startswith("}", position):
        name, position = _read_string(text, position)
        position = _skip(text, position)
        if not text.startswith(":", position):
            raise _NotJsonError
        value = _read_value(text, _skip(text, position + 1), depth + 1)
        members.append((name, value))
        position = _skip_comma(text, _end_of(value), "}")
    return Object(Span(start, position + 1), tuple(members))


def _read_array(text: str, start: int, depth: int) -> Array:
    items: list[Value] = []
    position = _skip(text, start + 1)
    while not text.startswith("]", position):
        items.append(_read_value(text, position, depth + 1))
        position = _skip_comma(text, _end_of(items[-1]), "]")
    return Array(Span(start, position + 1), tuple(items))


def _end_of(value: Value) -> int:
    return value.span.end + 1 if isinstance(value, Scalar) and value.is_string else value.span.end


def _skip(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space else position


def _skip_comma(text: str, position: int, closing: str) -> int:
    position = _skip(text, position)
    if text.startswith(",", position):
        return _skip(text, position + 1)
    if not text.startswith(closing, position):
        raise _NotJsonError
    return position
