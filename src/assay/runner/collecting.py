"""Cycles are looked for seldom while a run goes on: it makes many objects, and next to no cycles."""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

# Objects made since the last look before the next one; Python's own 700 come with every few calls.
_SELDOM = 50_000


class _Habit:
    """The interpreter's own way, kept for when the last of several runs at once is over."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs = 0
        self._usual = gc.get_threshold()
        self._froze = False

    def change(self) -> None:
        with self._lock:
            self._runs += 1
            if self._runs > 1:
                return
            self._usual = gc.get_threshold()
            # What was there before the run outlives it, and need not be looked at again and again.
            self._froze = gc.get_freeze_count() == 0
            if self._froze:
                gc.freeze()
            if 0 < self._usual[0] < _SELDOM:
                gc.set_threshold(_SELDOM, *self._usual[1:])

    def resume(self) -> None:
        with self._lock:
            self._runs -= 1
            if self._runs:
                return
            gc.set_threshold(*self._usual)
            if self._froze:
                gc.unfreeze()


_HABIT = _Habit()


@contextmanager
def collect_seldom() -> Iterator[None]:
    """As it was again afterwards, also where several runs overlap. Where collecting is off, it stays off."""
    _HABIT.change()
    try:
        yield
    finally:
        _HABIT.resume()
