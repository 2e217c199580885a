"""Progress of a run: a bar on a terminal, a plain line every few seconds elsewhere."""

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
# Long enough for a steady rate, short enough to forget records that came from the cache.
_RECENT_SECONDS = 30.0
_BAR_WIDTHS = (5, 30)


@dataclass(slots=True)
class ProgressView:
    """Counts scorecards and writes a line about them, from a thread of its own."""

    total: int
    stream: IO[str] | None = None
    meter: Meter = field(default_factory=Meter)
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    failed: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    _marks: deque[tuple[float, int]] = field(default_factory=deque)
    _is_terminal: bool = False
    _lock: Lock = field(default_factory=Lock)
    _ended: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        self._is_terminal = self.stream is not None and self.stream.isatty()
        self._marks.append((self.clock(), 0))

    def count(self, card: Scorecard) -> None:
        self.done += 1
        kinds = {each.status for each in card.outcomes.values() if isinstance(each, Failure)}
        self.failed += bool(kinds)
        self.kinds.update(sorted(kinds))

    def build_line(self) -> str:
        """Records, rate, failures by kind, money or tokens, time left; unknown ones are left out."""
        rate = self._measure_rate()
        facts = [f"{self.done:,} of {self.total:,} records"]
        if rate:
            facts.append(f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2g}/s")
        if self.failed:
            kinds = ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in self.kinds.copy().most_common())
            facts.append(f"{self.failed:,} failed ({kinds})")
        if self.meter.sent:
            tokens = f"{self.meter.prompt_tokens + self.meter.reply_tokens:,} tokens"
            facts.append(tokens if self.meter.unpriced else render_usd(self.meter.picodollars))
        if rate and self.done < self.total:
            minutes, seconds = divmod(round((self.total - self.done) / rate), 60)
            hours, minutes = divmod(minutes, 60)
            facts.append(f"{hours}:{minutes:02}:{seconds:02} left" if hours else f"{minutes}:{seconds:02} left")
        return ", ".join(facts)

    def format_bar(self, columns: int) -> str:
        """Always shorter than the terminal: a line that wraps can't be cleared."""
        facts, (least, most) = self.build_line(), _BAR_WIDTHS
        width = min(most, columns - len(facts) - 4)
        if width < least:
            return facts[: columns - 1]
        full = width * self.done // max(1, self.total)
        return f"[{'#' * full}{'.' * (width - full)}] {facts}"

    def _measure_rate(self) -> float:
        """Records per second over the last half minute; each call leaves a mark."""
        now = self.clock()
        while len(self._marks) > 1 and self._marks[1][0] <= now - _RECENT_SECONDS:
            self._marks.popleft()
        begun, before = self._marks[0]
        self._marks.append((now, self.done))
        return (self.done - before) / (now - begun) if now > begun else 0.0

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Clears the bar while the caller writes a line to the same terminal."""
        with self._lock:
            if self._is_terminal:
                self._write(_CLEAR)
            yield

    def watch(self, every_seconds: float) -> None:
        """Writes until the run ends. A closed stream ends the watching, not the run."""
        try:
            while not self._ended.wait(every_seconds):
                with self._lock:
                    if not self._ended.is_set():
                        bar = f"{_CLEAR}{self.format_bar(_count_columns(self.stream))}" if self._is_terminal else ""
                        self._write(bar or f"{self.build_line()}\n")
        except (OSError, ValueError):
            return

    def end(self) -> None:
        self._ended.set()
        with self._lock:
            if self._is_terminal:
                self._write(_CLEAR)

    def _write(self, text: str) -> None:
        if self.stream is not None:
            self.stream.write(text)
            self.stream.flush()


@contextmanager
def show_progress(
    stream: IO[str] | None, total: int, meter: Meter | None = None, *, every_seconds: float | None = None
) -> Iterator[ProgressView]:
    """The first line comes after one interval, so a short run writes none. Without a stream nothing is written."""
    view = ProgressView(total, stream, meter or Meter())
    if stream is None:
        yield view
        return
    every = every_seconds or (_BAR_SECONDS if stream.isatty() else _LINE_SECONDS)
    thread = Thread(target=view.watch, args=(every,), name="progress", daemon=True)
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
