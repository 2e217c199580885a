"""Scorecards, records and other dataclasses as bytes, and back exactly.

cattrs converts the dataclasses: fields at their default are left out, so a field with a default may be added to a
type without a new layout. JSON holds the result; what JSON can't hold exactly is tagged.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from datetime import datetime
from fractions import Fraction
from functools import cache
from math import isfinite
from typing import Any, TypeVar

import orjson
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.strategies import configure_tagged_union

from assay.domain.facts import FactValue
from assay.domain.json import JSON
from assay.domain.outcome import Outcome
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.store.faults import DamagedError, reading

Value = TypeVar("Value")

_TAG = "$"
_SMALLEST, _LARGEST = -(2**63), 2**64 - 1
# Below this size a compressed text is no smaller.
_SMALL_BYTES = 200
# The fastest level. Replies and cards shrink to a third with it, and to little less with the slowest.
_LEVEL = 1
_RAW, _COMPRESSED = b"r", b"z"
# Kept elsewhere: the record and the rubric once for many cards; the run is known to whoever reads.
_NOT_IN_BODY = ("record", "rubric", "run")
_OMIT_DEFAULTS: Any = {"_cattrs_omit_if_default": True}


def dump_card(card: Scorecard) -> bytes:
    """Everything of a card except its record, rubric and run."""
    return dump(card)


def load_card(content: bytes, record: Record, rubric: Rubric, run: str = "") -> Scorecard:
    with reading("card"):
        kept = {"record": record, "rubric": rubric, "run": run}
        return _converter().structure({**load_json(content), **kept}, Scorecard)


def digest_record(record: Record) -> bytes:
    """The same for two records only where everything in them is the same. The store keeps records by it."""
    return hashlib.sha256(dump(record)).digest()


def dump(value: object) -> bytes:
    """Any dataclass of known fields."""
    return dump_json(_converter().unstructure(value))


def load(content: bytes, kind: type[Value], what: str) -> Value:
    """Raises DamagedError, which names `what` could not be read."""
    with reading(what):
        return _converter().structure(load_json(content), kind)


@cache
def _converter() -> Converter:
    """Built at the first use: it writes code for each type."""
    converter = Converter(omit_if_default=True, detailed_validation=False)
    for kind in (str, int, bool):
        converter.register_structure_hook(kind, _check)
    converter.register_structure_hook(float, lambda value, _: float(_check(value, int | float)))
    converter.register_unstructure_hook(Fraction, _pack_fraction)
    converter.register_structure_hook(Fraction, lambda value, _: _unpack_fraction(value))
    for open_kind in (JSON, object, FactValue):
        converter.register_unstructure_hook_func(_equals(open_kind), pack)
        converter.register_structure_hook_func(_equals(open_kind), lambda value, _: unpack(value))
    for open_mapping in (Mapping[str, JSON], Mapping[str, object]):
        converter.register_unstructure_hook_func(_equals(open_mapping), lambda value: pack(dict(value)))
        converter.register_structure_hook_func(_equals(open_mapping), lambda value, _: _check(unpack(value), dict))
    converter.register_unstructure_hook(datetime, datetime.isoformat)
    converter.register_structure_hook(datetime, lambda value, _: datetime.fromisoformat(value))
    converter.register_unstructure_hook(Span, list)
    converter.register_structure_hook(Span, lambda value, _: Span(*(_check(each, int) for each in value)))
    configure_tagged_union(Outcome, converter, tag_name="is")
    apart: Any = {name: override(omit=True) for name in _NOT_IN_BODY}
    given: Any = {name: override(struct_hook=lambda value, _: value) for name in _NOT_IN_BODY}
    converter.register_unstructure_hook(
        Scorecard, make_dict_unstructure_fn(Scorecard, converter, **apart, **_OMIT_DEFAULTS)
    )
    converter.register_structure_hook(Scorecard, make_dict_structure_fn(Scorecard, converter, **given))
    return converter


def _equals(kind: object) -> Callable[[object], bool]:
    return lambda other: other == kind


def _check(value: Any, kind: Any) -> Any:
    """Cattrs would make a text of anything."""
    if not isinstance(value, kind):
        raise TypeError(f"{value!r:.80} where {kind} is expected")
    return value


def dump_json(value: object) -> bytes:
    """UTF-8, except that a lone surrogate is written as the three bytes it would take: UTF-8 has no place for it."""
    try:
        # A copy: orjson's result sits in a buffer of at least 4 KB, and thousands may wait in a queue.
        return bytes(memoryview(orjson.dumps(value)))
    except TypeError:
        # Lone surrogates, and nesting past orjson's limit. Anything else is refused here too.
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
            "utf-8", "surrogatepass"
        )


def load_json(content: bytes) -> Any:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError:
        return json.loads(content.decode("utf-8", "surrogatepass"))


def pack(value: object) -> Any:
    """Any value of a record's input or of a model's own report; what JSON can't say exactly is tagged."""
    if isinstance(value, str) or value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if _SMALLEST <= value <= _LARGEST else {_TAG: "int", "v": hex(value)}
    if isinstance(value, float):
        return value if isfinite(value) else {_TAG: "float", "v": repr(value)}
    if isinstance(value, list):
        return [pack(each) for each in value]
    if isinstance(value, tuple):
        return {_TAG: "tuple", "v": [pack(each) for each in value]}
    if isinstance(value, Fraction):
        return {_TAG: "fraction", "v": _pack_fraction(value)}
    if isinstance(value, Mapping):
        packed = {_check(key, str): pack(each) for key, each in value.items()}
        return {_TAG: "object", "v": packed} if _TAG in packed else packed
    raise TypeError(f"a {type(value).__name__} can't be kept: {value!r:.80}")


def unpack(value: Any) -> Any:
    if isinstance(value, list):
        return [unpack(each) for each in value]
    if not isinstance(value, dict):
        return value
    if _TAG not in value:
        return {key: unpack(each) for key, each in value.items()}
    tag, content = value[_TAG], value["v"]
    if tag == "int":
        return int(content, 16)
    if tag == "float":
        return float(content)
    if tag == "tuple":
        return tuple(unpack(each) for each in content)
    if tag == "fraction":
        return _unpack_fraction(content)
    if tag == "object":
        return {key: unpack(each) for key, each in content.items()}
    raise ValueError(f"unknown tag {tag!r}")


def _pack_fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _unpack_fraction(text: str) -> Fraction:
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator), int(denominator))


def pack_bytes(content: bytes) -> bytes:
    """The first letter says whether it is compressed. What does not shrink is left as it is."""
    if len(content) > _SMALL_BYTES:
        compressed = zlib.compress(content, _LEVEL)
        if len(compressed) < len(content):
            return _COMPRESSED + compressed
    return _RAW + content


def unpack_bytes(cell: bytes) -> bytes:
    kind, content = cell[:1], cell[1:]
    try:
        if kind == _COMPRESSED:
            return zlib.decompress(content)
    except zlib.error as error:
        raise DamagedError(f"a stored text is damaged ({error})", remedy="Delete its run, and judge again.") from error
    if kind == _RAW:
        return content
    raise DamagedError(
        f"a stored text is packed as {kind!r}, which is unknown", remedy="Delete its run, and judge again."
    )


def to_cell(text: str | None) -> str | bytes | None:
    """A name as a column holds it: as text, or as bytes where it has a lone surrogate, which no text column takes."""
    if text is None or text.isascii():
        return text
    content = text.encode("utf-8", "surrogatepass")
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content


def from_cell(cell: str | bytes) -> str:
    if isinstance(cell, str):
        return cell
    with reading("text"):
        return cell.decode("utf-8", "surrogatepass")


def maybe_from_cell(cell: str | bytes | None) -> str | None:
    return None if cell is None else from_cell(cell)
