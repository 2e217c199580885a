"""Scorecards, records and other dataclasses as bytes, and back exactly.

cattrs converts the dataclasses: fields at their default are left out, so a field with a default may be added to a
type without a new layout. JSON holds the result; fractions in open values are tagged.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping
from datetime import datetime
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from cattrs.strategies import configure_tagged_union

from assay.domain.findings import FactValue
from assay.domain.json import JSON
from assay.domain.outcome import Outcome
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.store.faults import reading

Value = TypeVar("Value")

_TAG, _EXACT = "$", "exact"
# The fastest level. Replies and cards shrink to a third with it, and to little less with the slowest.
_LEVEL = 1
# Kept elsewhere: the record and the rubric once for many cards; the run is known to whoever reads.
_NOT_IN_CARD = ("record", "rubric", "run")
_OMIT_DEFAULTS: Any = {"_cattrs_omit_if_default": True}


def load_card(content: bytes, record: Record, rubric: Rubric, run: str = "") -> Scorecard:
    """A card as `dump` wrote it: everything except its record, rubric and run."""
    with reading("card"):
        kept = {"record": record, "rubric": rubric, "run": run}
        return _converter().structure({**load_json(content), **kept}, Scorecard)


def digest_record(record: Record) -> bytes:
    """The same for two records only where everything in them is the same. The store keeps records by it."""
    return hashlib.sha256(dump(record)).digest()


def dump(value: object) -> bytes:
    """Any dataclass of known fields."""
    return dump_json(_converter().unstructure(value))


def to_plain(value: object, kind: object = None) -> dict[str, Any]:
    """A dataclass as what JSON holds; `kind` where it is one of several."""
    plain: dict[str, Any] = _converter().unstructure(value, unstructure_as=kind)
    return plain


def from_plain(plain: object, kind: Any) -> Any:
    return _converter().structure(plain, kind)


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
    converter.register_unstructure_hook(Fraction, _format_fraction)
    converter.register_structure_hook(Fraction, lambda value, _: _parse_fraction(value))
    for open_kind in (JSON, object, FactValue, Mapping[str, JSON], Mapping[str, object]):
        is_mapping = open_kind in (Mapping[str, JSON], Mapping[str, object])
        converter.register_unstructure_hook_func(_equals(open_kind), pack)
        converter.register_structure_hook_func(_equals(open_kind), _unpack_object if is_mapping else _unpack_any)
    converter.register_unstructure_hook(datetime, datetime.isoformat)
    converter.register_structure_hook(datetime, lambda value, _: datetime.fromisoformat(value))
    converter.register_unstructure_hook(Span, list)
    converter.register_structure_hook(Span, lambda value, _: Span(*(_check(each, int) for each in value)))
    configure_tagged_union(Outcome, converter, tag_name="is")
    apart: Any = {name: override(omit=True) for name in _NOT_IN_CARD}
    given: Any = {name: override(struct_hook=lambda value, _: value) for name in _NOT_IN_CARD}
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


def _unpack_any(value: Any, _: object) -> Any:
    return unpack(value)


def _unpack_object(value: Any, _: object) -> Any:
    return _check(unpack(value), dict)


def dump_json(value: object) -> bytes:
    """UTF-8, except that a lone surrogate is written as the three bytes it would take: UTF-8 has no place for it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def dump_cell(value: Mapping[str, object]) -> str:
    """JSON for SQL. Half a surrogate pair, which no column takes, becomes a question mark, and is kept apart."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if to_cell(text) == text:
        return text
    return dump_cell({_EXACT: dump_json(value).hex(), **json.loads(to_cell(text) or "")})


def dump_words(value: object) -> str:
    """JSON of words that lists are filtered by. Half a surrogate pair becomes a question mark, as in `to_cell`."""
    return to_cell(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) or ""


def load_cell(text: str) -> dict[str, Any]:
    found: dict[str, Any] = _check(json.loads(text), dict)
    return _check(load_json(bytes.fromhex(found[_EXACT])), dict) if _EXACT in found else found


def load_json(content: bytes) -> Any:
    return json.loads(content.decode("utf-8", "surrogatepass"))


def pack(value: object) -> Any:
    """Any value of a record's input or of a model's own report. A tuple becomes a list."""
    if isinstance(value, Mapping):
        packed = {_check(key, str): pack(each) for key, each in value.items()}
        return {_TAG: packed} if _TAG in packed else packed
    if isinstance(value, list | tuple):
        return [pack(each) for each in value]
    if isinstance(value, Fraction):
        return {_TAG: _format_fraction(value)}
    return _check(value, str | int | float | None)


def unpack(value: Any) -> Any:
    if isinstance(value, list):
        return [unpack(each) for each in value]
    if not isinstance(value, dict):
        return value
    content = value.get(_TAG, value)
    if isinstance(content, str):
        return _parse_fraction(content)
    return {key: unpack(each) for key, each in content.items()}


def _format_fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _parse_fraction(text: str) -> Fraction:
    """Not by `Fraction` itself: it would compute the power of ten in a damaged text such as 1e999999999."""
    numerator, denominator = text.split("/")
    return Fraction(int(numerator), int(denominator))


def pack_bytes(content: bytes) -> bytes:
    return zlib.compress(content, _LEVEL)


def unpack_bytes(cell: bytes) -> bytes:
    with reading("text"):
        return zlib.decompress(cell)


def to_cell(text: str | None) -> str | None:
    """A name as a column holds it: half a surrogate pair, which no text column takes, becomes a question mark."""
    return text if text is None or text.isascii() else text.encode("utf-8", "replace").decode()
