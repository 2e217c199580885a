"""Progress of a run: rich's bar on a terminal, a plain line every few seconds elsewhere."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import ceil
from threading import Event, Lock, Thread
from time import monotonic, time
from typing import IO

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task
from rich.table import Column
from rich.text import Text

from assay.domain.outcome import Failure
from assay.domain.scorecard import Scorecard
from assay.engine.costs import Meter, render_usd

LINE_SECONDS = 5.0
# What a write to a closed stream raises: it ends the showing, not the run.
_GONE = (OSError, ValueError)
_WINDOW_SECONDS = 30.0
_SAMPLE_SECONDS = 0.1


class RateWindow:
    """How many per second there were of late. The wait for the first is no part of it; a wait after it is."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()
        # Records are counted by the run, and the line is written by another thread.
        self._lock = Lock()

    def measure(self, now: float, total: int) -> float | None:
        """Takes note of the count so far. None where it is too early to tell, or nothing came within the window."""
        if not total:
            return None
        with self._lock:
            if not self._samples or now - self._samples[-1][0] >= _SAMPLE_SECONDS:
                self._samples.append((now, total))
            while len(self._samples) > 1 and self._samples[1][0] <= now - _WINDOW_SECONDS:
                self._samples.popleft()
            begin, before = self._samples[0]
        return (total - before) / (now - begin) if total > before and now > begin else None


class ProgressView(ProgressColumn):
    """Counts scorecards, and is the column of facts beside the bar."""

    def __init__(
        self,
        total: int,
        stream: IO[str] | None = None,
        meter: Meter | None = None,
        get_time: Callable[[], float] | None = None,
        describe_wait: Callable[[], str | None] = lambda: None,
    ) -> None:
        super().__init__(Column(no_wrap=True))
        self.meter = meter or Meter()
        self._get_time = get_time or monotonic
        self._records, self._replies = RateWindow(), RateWindow()
        self.describe_wait = describe_wait
        self.failed = 0
        self.kinds: Counter[str] = Counter()
        self.bar = Progress(
            BarColumn(30),
            self,
            console=Console(file=stream),
            disable=stream is None or not stream.isatty(),
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
            get_time=get_time,
        )
        self.bar.add_task("", total=total)

    @property
    def task(self) -> Task:
        return self.bar.tasks[0]

    def count(self, card: Scorecard) -> None:
        kinds = {each.status for each in card.outcomes.values() if isinstance(each, Failure)}
        self.failed += bool(kinds)
        self.kinds.update(sorted(kinds))
        self.bar.advance(self.task.id)
        self._measure_rates()

    def _measure_rates(self) -> tuple[float | None, float | None]:
        """Records and replies per second."""
        now = self._get_time()
        return self._records.measure(now, round(self.task.completed)), self._replies.measure(now, self.meter.replies)

    def render(self, task: Task) -> Text:
        return Text(self.format_line(task))

    def format_line(self, task: Task) -> str:
        """Records, what is waited for, rate, failures by kind, money or tokens, time left; then a line per batch.

        The rate is that of replies, which a model's limits are about; of records where no model is asked.
        """
        records_rate, replies_rate = self._measure_rates()
        facts = [f"{task.completed:,} of {task.total:,} records"]
        if (wait := self.describe_wait()) is not None:
            facts.append(wait)
        rate, what = (replies_rate, "replies") if self.meter.sent else (records_rate, "records")
        if rate is not None:
            facts.append(f"{rate:,.0f} {what}/s" if rate >= 10 else f"{rate:.2g} {what}/s")
        if self.failed:
            kinds = ", ".join(f"{count:,} {kind.replace('_', ' ')}" for kind, count in self.kinds.copy().most_common())
            facts.append(f"{self.failed:,} failed ({kinds})")
        if self.meter.sent:
            tokens = f"{self.meter.prompt_tokens + self.meter.reply_tokens:,} tokens"
            facts.append(tokens if self.meter.unpriced else render_usd(self.meter.picodollars))
        if records_rate is not None and task.remaining:
            minutes, seconds = divmod(ceil(task.remaining / records_rate), 60)
            hours, minutes = divmod(minutes, 60)
            facts.append(f"{hours}:{minutes:02}:{seconds:02} left" if hours else f"{minutes}:{seconds:02} left")
        batches = [batch.render(time()) for batch in self.meter.batches.copy().values()]
        return "\n".join([", ".join(facts), *batches])

    def show(self, *, shown: bool) -> None:
        # A bar that is disabled would still end with a blank line.
        if not self.bar.disable:
            with suppress(*_GONE):
                self.bar.start() if shown else self.bar.stop()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Clears the bar while the caller writes a line to the same terminal."""
        self.show(shown=False)
        yield
        self.show(shown=True)


@contextmanager
def show_progress(
    stream: IO[str] | None,
    total: int,
    meter: Meter | None = None,
    describe_wait: Callable[[], str | None] = lambda: None,
    *,
    every_seconds: float = LINE_SECONDS,
) -> Iterator[ProgressView]:
    """The first plain line comes after one interval, so a short run writes none. Without a stream none is written."""
    view = ProgressView(total, stream, meter, describe_wait=describe_wait)
    ended = Event()

    def write_lines(log: IO[str]) -> None:
        with suppress(*_GONE):
            while not ended.wait(every_seconds):
                log.write(f"{view.format_line(view.task)}\n")
                log.flush()

    if stream is not None and view.bar.disable:
        Thread(target=write_lines, args=(stream,), name="progress", daemon=True).start()
    view.show(shown=True)
    try:
        yield view
    finally:
        ended.set()
        view.show(shown=False)
