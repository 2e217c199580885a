"""Our values as JSON text, whatever a model or a caller put into them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass

import orjson

_LARGEST = 2**63 - 1


def encode(value: object, option: int = 0) -> bytes:
    """Strict JSON. A number past 64 bits becomes text, half a surrogate pair a question mark.

    One odd reply must not cost the run that it is part of.
    """
    try:
        return orjson.dumps(value, default=str, option=option)
    except TypeError:
        return orjson.dumps(_tame(value), option=option)


def dump(value: Mapping[str, object]) -> str:
    return encode(value, orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def _tame(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {_tame(str(key)): _tame(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [_tame(each) for each in value]
    if isinstance(value, int) and abs(value) > _LARGEST:
        return str(value)
    return value if isinstance(value, int | float | None) else str(value)
