"""The record a call is made for: its deadline, and how many of its calls have failed."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from assay.models.chat import CallKey

AskKey = tuple[str, str | None, str, int]


@dataclass(slots=True)
class RecordScope:
    """Tasks started inside it inherit it, so that a record's parallel asks share one deadline."""

    seconds: float | None
    deadline: float | None
    failures: dict[AskKey, int] = field(default_factory=dict)


_current: ContextVar[RecordScope | None] = ContextVar("record_scope", default=None)


@contextmanager
def record_scope(seconds: float | None = None) -> Iterator[RecordScope]:
    """All calls made within it belong to one record, and together they take at most this long."""
    deadline = None if seconds is None else asyncio.get_running_loop().time() + seconds
    scope = RecordScope(seconds, deadline)
    token = _current.set(scope)
    try:
        yield scope
    finally:
        _current.reset(token)


def current_scope() -> RecordScope | None:
    return _current.get()


def ask_of(key: CallKey) -> AskKey:
    """All attempts at one ask are one ask."""
    return key.record, key.system, key.ask, key.sample
