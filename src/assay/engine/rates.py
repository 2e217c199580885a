"""A fixed rate per minute, as a bucket that fills evenly and is emptied by what is sent."""

from assay.errors import InputError


class Bucket:
    """Holds a second's worth and fills a little slower for it, so that no minute sees more than its rate.

    What is bigger than the bucket goes when it is full, and leaves it in debt. Clocks are the caller's: `now` is any
    number of seconds that never goes back.
    """

    __slots__ = ("_at", "_capacity", "_level", "_per_second")

    def __init__(self, per_minute: float) -> None:
        if per_minute <= 0:
            raise InputError("a rate per minute must be more than 0", remedy="Leave it out for no limit")
        self._capacity = max(1.0, per_minute / 60)
        # A bucket of one spaces its sends evenly, and needs no slack.
        self._per_second = (per_minute - self._capacity if self._capacity > 1 else per_minute) / 60
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
