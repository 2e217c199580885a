"""A reply's schema as bytes, made once for all calls that share it."""

from collections.abc import Mapping
from functools import lru_cache

import orjson

from assay.domain.same import Same


def dump_schema(schema: Mapping[str, object] | None) -> bytes:
    """A schema is not changed once it is in a call."""
    return b"null" if schema is None else _dump(Same(schema))


@lru_cache(maxsize=1_000)
def _dump(schema: Same[Mapping[str, object]]) -> bytes:
    return orjson.dumps(schema.thing)
