"""Stops a run of a command early: on an interrupt, on a signal of the system, and where nobody reads the output."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType

from assay.engine.budget import Budget
from assay.engine.costs import Meter
from assay.runner.run import Limits

GRACE_SECONDS = 5.0
_LOOK_SECONDS = 0.25
# Between a reply and the scorecard that it completes, no call is in flight.
_IDLE_LOOKS = 2


@dataclass(slots=True)
class Stopping:
    """Why a run stops before its end, and how soon.

    An interrupt begins no new record and lets those under way end. SIGTERM, SIGHUP and a closed output begin no new
    call, and wait a few seconds for those in flight: their replies are paid for. A second signal, or `at_once`, stops
    at once. Further ones are ignored, so that the command to resume with is still printed.
    """

    limits: Limits
    meter: Meter = field(default_factory=Meter)
    budget: Budget = field(default_factory=Budget)
    at_once: bool = False
    grace_seconds: float = GRACE_SECONDS
    reason: str | None = None
    _is_listening: bool = False
    _caught: int = 0
    _looks: int = 0
    _idle: int = 0

    @contextmanager
    def listen(self) -> Iterator[None]:
        """Catches signals meanwhile. One that the command was started to ignore, as by `nohup`, stays ignored."""
        is_spent = self.limits.is_spent
        self.limits.is_spent = lambda: self.reason is not None or is_spent()
        before = {signal.SIGINT: signal.signal(signal.SIGINT, self._interrupt)}
        before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._look)
        for each in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(each) is not signal.SIG_IGN:
                before[each] = signal.signal(each, self._end)
        self._is_listening = True
        try:
            yield
        except KeyboardInterrupt:
            self.reason = self.reason or "interrupted"
        finally:
            self._is_listening = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            for each, handler in before.items():
                signal.signal(each, handler)

    def note_closed_output(self) -> None:
        if self.reason is None:
            self.reason = "the output was closed"
            if self._is_listening:
                self._wait_for_calls()

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        self.reason = self.reason or "interrupted"
        if self._is_first():
            calls = f"finishing the records under way, {self._name_calls()} in flight"
            self._say(f"interrupted; {calls}. Press Ctrl-C again to stop at once.")

    def _end(self, number: int, _frame: FrameType | None) -> None:
        said = f"received {signal.Signals(number).name}"
        self.reason = self.reason or said
        if self._is_first():
            self._wait_for_calls()
            self._say(f"{said}; waiting at most {self.grace_seconds:g} s for {self._name_calls()} in flight.")

    def _is_first(self) -> bool:
        self._caught += 1
        if self._caught == (1 if self.at_once else 2):
            raise KeyboardInterrupt
        return self._caught == 1

    def _wait_for_calls(self) -> None:
        self.budget.hold()
        signal.setitimer(signal.ITIMER_REAL, _LOOK_SECONDS, _LOOK_SECONDS)

    def _look(self, _number: int, _frame: FrameType | None) -> None:
        self._looks += 1
        self._idle = 0 if self.meter.running else self._idle + 1
        if self._idle >= _IDLE_LOOKS or self._looks * _LOOK_SECONDS >= self.grace_seconds:
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise KeyboardInterrupt

    def _name_calls(self) -> str:
        return "1 call" if self.meter.running == 1 else f"{self.meter.running} calls"

    def _say(self, message: str) -> None:
        # A progress bar may be on the line.
        begin = "\n" if sys.stderr.isatty() else ""
        print(f"{begin}assay: {message}", file=sys.stderr)
