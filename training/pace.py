"""A budget of passes that fits the time left, for a run that must end by the clock on a machine it shares."""

from collections import deque
from dataclasses import dataclass, field

_NOTES = 6


@dataclass(slots=True)
class Pace:
    """Guesses from the last few minutes how many passes can still be made before `deadline`, in seconds.

    A run paced by the clock depends on how fast it ran, so it does not repeat bit for bit; its log keeps the budgets.
    """

    deadline: float
    _notes: deque[tuple[float, int]] = field(default_factory=lambda: deque(maxlen=_NOTES))

    def guess_budget(self, now: float, passes: int) -> int | None:
        """The passes in all if the speed stays, once two notes tell a speed; what is done, after the deadline."""
        self._notes.append((now, passes))
        if now >= self.deadline:
            return passes
        (then, before), (last, done) = self._notes[0], self._notes[-1]
        if last <= then:
            return None
        return passes + int((done - before) / (last - then) * (self.deadline - now))
