"""JSON that an endpoint or a model wrote: bounded in size and depth, and no key with two different contents."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice

import orjson

from assay.domain.json import JSON
from assay.errors import Malformed

MAX_DEPTH = 64
# What code that reads a value of any shape can raise.
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class Torn(str):
    """The value of a key that stands twice in an object with different contents. It reads as an empty text."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Torn()"


def join_members(pairs: Iterable[tuple[str, JSON]]) -> dict[str, JSON]:
    """Builds an object from its members. A key with two different values gets `Torn`."""
    members: dict[str, JSON] = {}
    for key, value in pairs:
        members[key] = Torn() if key in members and not _is_same(members[key], value) else value
    return members


def _is_same(one: JSON, other: JSON) -> bool:
    """Python takes True for 1, and a Torn value for an empty text."""
    return one == other and isinstance(one, bool) == isinstance(other, bool) and not isinstance(one, Torn)


def parse_strictly(text: str | bytes) -> JSON:
    """The value, with `Torn` where a key has two. Raises ValueError for what is no JSON, or deeper than MAX_DEPTH."""
    # orjson refuses what is not JSON, and more than 1,024 levels, but of several values under one key it keeps the
    # last without a word.
    value: JSON = orjson.loads(text)
    opened = text.count("{") + text.count("[") if isinstance(text, str) else text.count(b"{") + text.count(b"[")
    if opened > MAX_DEPTH and not _is_shallow(value):
        raise ValueError(f"more than {MAX_DEPTH} levels deep")
    parsed: JSON = json.loads(text, object_pairs_hook=join_members, parse_int=_parse_int)
    return parsed


def holds_torn(value: JSON) -> bool:
    return any(isinstance(each, Torn) for level in _iterate_levels(value) for each in level)


def _is_shallow(value: JSON) -> bool:
    # Below the last container allowed there is one more level, of plain values.
    return next(islice(_iterate_levels(value), MAX_DEPTH + 1, None), None) is None


def _iterate_levels(value: JSON) -> Iterator[list[JSON]]:
    """All values, level by level, without recursion."""
    level: list[JSON] = [value]
    while level:
        yield level
        parents = [each for each in level if isinstance(each, dict | list)]
        level = [child for each in parents for child in (each.values() if isinstance(each, dict) else each)]


def _parse_int(digits: str) -> int | float:
    return int(digits) if len(digits) < 20 else float(digits)


@contextmanager
def reading_reply(what: str) -> Iterator[None]:
    """Whatever an unforeseen shape breaks in the code that reads it is a failure of that one reply."""
    try:
        yield
    except _UNREADABLE as error:
        raise Malformed(f"{what} can't be read ({type(error).__name__})") from None
