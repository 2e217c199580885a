"""JSON bytes that give back exactly the values they were made from, whatever a model wrote into them."""

import json
from collections.abc import Mapping
from fractions import Fraction
from math import isfinite
from typing import Any, TypeAlias

import orjson

# The JSON edge: what json gives back has no better type.
Packed: TypeAlias = dict[str, Any]

_TAG = "$"
_SMALLEST, _LARGEST = -(2**63), 2**64 - 1


def dump_json(value: object) -> bytes:
    """UTF-8, except that a lone surrogate is written as the three bytes it would take: UTF-8 has no place for it."""
    try:
        # A copy: what orjson hands out sits in a buffer of at least 4 KB, and thousands may wait in a queue.
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
        return {_TAG: "fraction", "v": pack_fraction(value)}
    if isinstance(value, Mapping):
        return _pack_mapping(value)
    raise TypeError(f"a {type(value).__name__} can't be kept: {value!r:.80}")


def _pack_mapping(value: Mapping[object, object]) -> Packed:
    packed: Packed = {}
    for key, each in value.items():
        if not isinstance(key, str):
            raise TypeError(f"an object's key must be text, not {key!r:.80}")
        packed[key] = pack(each)
    return {_TAG: "object", "v": packed} if _TAG in packed else packed


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
        return unpack_fraction(content)
    if tag == "object":
        return {key: unpack(each) for key, each in content.items()}
    raise ValueError(f"unknown tag {tag!r}")


def pack_fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def unpack_fraction(text: str) -> Fraction:
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator), int(denominator))


def maybe_pack_fraction(value: Fraction | None) -> str | None:
    return None if value is None else pack_fraction(value)


def maybe_unpack_fraction(text: str | None) -> Fraction | None:
    return None if text is None else unpack_fraction(text)
