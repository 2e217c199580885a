"""What must hold of any result, whatever bytes it was read from."""

import math
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from assay.domain.json import JSON
from assay.domain.span import Span

Result = TypeVar("Result")


class BrokenRule(AssertionError):  # noqa: N818 - a finding of the fuzzer, not a fault of its own
    """A reader kept running and still did what it must never do."""


def hold(rule: object, broken: str) -> None:
    if not rule:
        raise BrokenRule(broken)


def read_twice(read: Callable[[], Result]) -> Result:
    """Reading is a function of the bytes: a second reading says the same."""
    first, second = read(), read()
    hold(first == second, "two readings of the same bytes differ")
    return first


def finish(waiting: Coroutine[Any, Any, Result]) -> Result:
    """All that it awaits is there already, so it ends without a loop."""
    try:
        waiting.send(None)
    except StopIteration as done:
        result: Result = done.value
        return result
    raise BrokenRule("something is awaited that will never come")


def hold_spans(spans: Iterable[Span], text: str, *, apart: bool = True) -> None:
    """Every stretch lies in the text and holds something; in order, and none over another where they must be apart."""
    done = 0
    for span in spans:
        hold(0 <= span.start < span.end <= len(text), f"{span} is no stretch of {len(text)} characters")
        hold(span.start >= done, f"{span} starts before {done}")
        done = span.end if apart else span.start


def hold_cover(spans: Sequence[Span], text: str) -> None:
    """The stretches hold every character that is not white space exactly once."""
    hold_spans(spans, text)
    kept = sum(1 for span in spans for character in span.of(text) if not character.isspace())
    hold(kept == sum(1 for character in text if not character.isspace()), "characters between the stretches are lost")


def scalars(value: JSON, path: tuple[object, ...] = ()) -> Iterator[tuple[tuple[object, ...], JSON]]:
    """Every value that is no container, with the way to it."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from scalars(inner, (*path, key))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for position, inner in enumerate(value):
            yield from scalars(inner, (*path, position))
    else:
        yield path, value


def hold_json(values: Iterable[JSON]) -> None:
    """Whatever was read can be kept: finite numbers, and texts that can be written as UTF-8."""
    for value in values:
        for path, scalar in scalars(value):
            for text in (*path, scalar):
                if isinstance(text, str):
                    hold(is_utf_8(text), f"half a surrogate pair at {path}")
            if isinstance(scalar, float):
                hold(math.isfinite(scalar), f"{scalar} at {path}")


def is_utf_8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
