"""A fixed rate per minute, as a bucket that fills evenly and is emptied by what is sent."""

from assay.errors import InputError


class Bucket:
    """Holds at most one second's worth, so that no minute sees more than its rate and a second besides.

    What is bigger than the bucket goes when it is full, and leaves it in debt. Clocks are the caller's: `now` is any
    number of seconds that never goes back.
    """

    __slots__ = ("_at", "_capacity", "_level", "_per_second")

    def __init__(self, per_minute: float) -> None:
        if per_minute <= 0:
            raise InputError("a rate per minute must be more than 0", remedy="Leave it out for no limit")
        self._per_second = per_minute / 60
        self._capacity = max(1.0, self._per_second)
        self._level = self._capacity
        self._at: float | None = None

    def find_wait(self, amount: float, now: float) -> float:
        self._fill(now)
        return max(0.0, (min(amount, self._capacity) - self._level) / self._per_second)

    def take(self, amount: float, now: float) -> None:
        self._fill(now)
        self._level -= amount

    def give_back(self, amount: float) -> None:
        """What was taken for a call that turned out smaller."""
        self._level = min(self._capacity, self._level + amount)

    def _fill(self, now: float) -> None:
        if self._at is not None:
            self._level = min(self._capacity, self._level + max(0.0, now - self._at) * self._per_second)
        self._at = now
