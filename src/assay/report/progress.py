"""How far a run is, while it runs: a bar on a terminal, a plain line every few seconds elsewhere."""

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from typing import IO

from assay.domain.outcome import Failure
from assay.domain.scorecard import Scorecard
from assay.engine.costs import render_usd
from assay.engine.usage import Meter

_CLEAR = "\r\x1b[2K"
_BAR_SECONDS = 0.2
_LINE_SECONDS = 5.0
# Long enough for a steady figure, short enough that a cached beginning does not promise a quick end.
_RECENT_SECONDS = 30.0
_WIDEST_BAR = 30
_NARROWEST_BAR = 5


@dataclass(slots=True)
class Track:
    """The facts of a run under way. Its rate is that of the last half minute."""

    total: int
    meter: Meter = field(default_factory=Meter)
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    failed: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    _marks: deque[tuple[float, int]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self._marks.append((self.clock(), 0))

    def count(self, card: Scorecard) -> None:
        self.done += 1
        kinds = dict.fromkeys(each.status for each in card.outcomes.values() if isinstance(each, Failure))
        if kinds:
            self.failed += 1
            self.kinds.update(kinds.keys())

    def describe(self) -> str:
        """Records, rate, failures by kind, money or tokens, time left: what is not known yet is left out."""
        rate = self._measure_rate()
        facts = [f"{self.done:,} of {self.total:,} records"]
        facts += [f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s"] if rate else []
        if self.failed:
            kinds = ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in self.kinds.copy().most_common())
            facts.append(f"{self.failed:,} failed ({kinds})")
        if self.meter.sent:
            tokens = f"{self.meter.prompt_tokens + self.meter.reply_tokens:,} tokens"
            facts.append(tokens if self.meter.unpriced else render_usd(self.meter.picodollars))
        facts += [f"{render_duration((self.total - self.done) / rate)} left"] if rate and self.done < self.total else []
        return ", ".join(facts)

    def _measure_rate(self) -> float:
        """Records per second since the youngest look that is half a minute old; each look leaves a mark."""
        now, done = self.clock(), self.done
        while len(self._marks) > 1 and self._marks[1][0] <= now - _RECENT_SECONDS:
            self._marks.popleft()
        begun, before = self._marks[0]
        self._marks.append((now, done))
        return (done - before) / (now - begun) if now > begun else 0.0


def render_duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@dataclass(slots=True)
class ProgressView:
    """Shows a track on a stream, from a thread of its own: a run in which nothing moves still says so."""

    track: Track
    stream: IO[str] | None
    _is_terminal: bool = field(init=False)
    _is_shown: bool = field(default=False, init=False)
    _lock: Lock = field(default_factory=Lock, init=False)
    _ended: Event = field(default_factory=Event, init=False)

    def __post_init__(self) -> None:
        self._is_terminal = self.stream is not None and self.stream.isatty()

    def count(self, card: Scorecard) -> None:
        self.track.count(card)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Clears the way for a line of another's on the same terminal."""
        if not self._is_terminal:
            yield
            return
        with self._lock:
            self._clear()
            yield

    def watch(self, seconds: float | None) -> None:
        """Until the run ends. A stream that is gone is no reason to end a run, or to go on looking."""
        every = seconds or (_BAR_SECONDS if self._is_terminal else _LINE_SECONDS)
        try:
            while not self._ended.wait(every):
                with self._lock:
                    self._show()
        except (OSError, ValueError):
            return

    def end(self) -> None:
        self._ended.set()
        with self._lock:
            self._clear()

    def _show(self) -> None:
        if self.stream is None or self._ended.is_set():
            return
        facts = self.track.describe()
        self.stream.write(f"{_CLEAR}{self._render_bar(facts)}" if self._is_terminal else f"{facts}\n")
        self.stream.flush()
        self._is_shown = self._is_terminal

    def _clear(self) -> None:
        if self._is_shown and self.stream is not None:
            self.stream.write(_CLEAR)
            self.stream.flush()
            self._is_shown = False

    def _render_bar(self, facts: str) -> str:
        """One line of the terminal and never two: a line that wraps can't be taken back."""
        columns = _count_columns(self.stream)
        width = min(_WIDEST_BAR, columns - len(facts) - 4)
        if width < _NARROWEST_BAR:
            return facts[: columns - 1]
        full = width * self.track.done // max(1, self.track.total)
        return f"[{'#' * full}{'.' * (width - full)}] {facts}"


@contextmanager
def show_progress(
    stream: IO[str] | None, total: int, meter: Meter | None = None, *, every_seconds: float | None = None
) -> Iterator[ProgressView]:
    """The first look comes after one interval, so a short run leaves no line behind; no stream shows nothing."""
    view = ProgressView(Track(total, meter or Meter()), stream)
    if stream is None:
        yield view
        return
    thread = Thread(target=view.watch, args=(every_seconds,), name="progress", daemon=True)
    thread.start()
    try:
        yield view
    finally:
        view.end()
        thread.join(1.0)


def _count_columns(stream: IO[str] | None) -> int:
    try:
        # Some terminals do not know their width and say 0.
        return (os.get_terminal_size(stream.fileno()).columns if stream is not None else 0) or 80
    except (OSError, ValueError):
        return 80
