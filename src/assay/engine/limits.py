"""Limits the calls to one endpoint at a time: more while it answers, half as many when it refuses for load."""

import asyncio
from collections import deque
from dataclasses import dataclass

from assay.errors import InputError

# With the failures that the breaker needs, and its probes, an endpoint that fails every call gets at most 40.
_START = 24
_SLOW_START_GAIN = 2.0
# Where very few calls fit, trying one more each time would have too many refused.
_LARGEST_STEP = 0.2
# Shares of failed calls are running means over about the last sixteen.
_STRAIN_GAIN = 1 / 16
_LONGEST_PAUSE_SECONDS = 60.0
# A wait that rounding left over must not wake the loop again and again within one tick of its clock.
_SHORTEST_WAIT_SECONDS = 0.001


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
        self._level = min(self._capacity, self._level + amount)

    def _fill(self, now: float) -> None:
        if self._at is not None:
            self._level = min(self._capacity, self._level + max(0.0, now - self._at) * self._per_second)
        self._at = now


@dataclass(slots=True)
class _Waiter:
    tokens: int
    spare: int
    future: asyncio.Future[None]


@dataclass(slots=True)
class Permit:
    """The right to have one call under way. Released once, whatever happened to the call."""

    limiter: "Limiter"
    tokens: int
    round: int
    held: bool = True

    def release(self) -> None:
        if self.held:
            self.held = False
            self.limiter.free()

    async def renew(self, wait_seconds: float, *, hold: bool) -> None:
        """Waits, and then goes before all calls that have not begun.

        To hold on to the permit while waiting is how an endpoint that asks for fewer calls gets fewer: each call it
        turned away keeps one place empty until its time has come. It then goes only where one place more is free, so
        that it is not the one that finds out again how many are too many.
        """
        until = asyncio.get_running_loop().time() + wait_seconds
        if hold:
            self.limiter.waits_until.append(until)
        else:
            self.release()
        try:
            await asyncio.sleep(wait_seconds)
        finally:
            if hold:
                self.limiter.waits_until.remove(until)
        if hold:  # given up and asked for in one step, so that no call that has not begun comes between
            self.held = False
            self.limiter.in_flight -= 1
        await self.limiter.admit(self.tokens, begun=True, spare=1 if hold else 0)
        self.held = True
        self.round = self.limiter.round


class Limiter:
    """Additive increase, multiplicative decrease, under a ceiling; at first it grows fast, to find the limit.

    It grows only while all its places are taken. Who waits is woken one by one, in order, as places become
    free. One per endpoint and key; share it between chats that share both.
    """

    def __init__(
        self,
        ceiling: int = 64,
        *,
        start: int | None = None,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
    ) -> None:
        if ceiling < 1:
            remedy = "Write `workers` as a number, such as 8"
            raise InputError("the number of workers must be at least 1", remedy=remedy)
        self.ceiling = ceiling
        self.limit = float(min(ceiling, start or _START))
        self.in_flight = 0
        self.waits_until: list[float] = []
        self.round = 0
        self._threshold = float(ceiling)
        self._crowd = 0
        self._strain = 1.0
        self._silence = 0.0
        self._paused_until = 0.0
        self._requests = Bucket(requests_per_minute) if requests_per_minute is not None else None
        self._tokens = Bucket(tokens_per_minute) if tokens_per_minute is not None else None
        self._begun: deque[_Waiter] = deque()
        self._new: deque[_Waiter] = deque()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def resting(self) -> int:
        """How many of the calls in flight were turned away and wait to be sent again."""
        return len(self.waits_until)

    async def acquire(self, tokens: int = 0) -> Permit:
        await self.admit(tokens)
        return Permit(self, tokens, self.round)

    async def admit(self, tokens: int, *, begun: bool = False, spare: int = 0) -> None:
        """Takes a place now, or waits for one; a wait that is cancelled leaves none taken. Begun calls go first."""
        loop = asyncio.get_running_loop()
        is_next = not self._begun and (begun or not self._new)
        if is_next and self._has_room(spare, begun=begun) and not self._find_wait(tokens, loop):
            self._take(tokens, loop)
            return
        waiter = _Waiter(tokens, spare, loop.create_future())
        (self._begun if begun else self._new).append(waiter)
        self._admit_waiters()
        try:
            await waiter.future
        except asyncio.CancelledError:
            if waiter.future.done() and not waiter.future.cancelled():
                self.free()
            raise

    def free(self) -> None:
        self.in_flight -= 1
        if self._begun or self._new:
            self._admit_waiters()

    def speed_up(self) -> None:
        self._strain -= _STRAIN_GAIN * self._strain
        self._silence -= _STRAIN_GAIN * self._silence
        if self.limit < self.ceiling and self.in_flight + 1 > self.limit:
            step = _SLOW_START_GAIN if self.limit < self._threshold else min(_LARGEST_STEP, 1 / self.limit)
            self.limit = min(float(self.ceiling), self.limit + step)
            # The new place is taken at once: a limit that waited for a reply to be kept would hardly grow.
            if self._begun or self._new:
                self._admit_waiters()

    def overload(self, permit: Permit, *, silent: bool = False, wait_seconds: float | None = None) -> None:
        """Lowers the limit once for all calls sent since it was last lowered: by half at first, or under a storm.

        Where only a few of many are turned away, it falls by half of their share. The others of such a round that fare
        the same lower it to no more than the endpoint let through. Calls that were `silent`, without a reply in time,
        may have been too many: they lower it by half their share, but never to fewer than a quarter of the ceiling, for
        each keeps its place until its deadline. `wait_seconds` is how long the endpoint asked to be left alone: a wait
        that it asks of one call holds for all calls with its key.
        """
        if wait_seconds:
            until = asyncio.get_running_loop().time() + min(wait_seconds, _LONGEST_PAUSE_SECONDS)
            self._paused_until = max(self._paused_until, until)
        if silent:
            self._silence += _STRAIN_GAIN * (1 - self._silence)
            share, floor = self._silence, max(1.0, min(self.limit, self.ceiling / 4))
        else:
            self._strain += _STRAIN_GAIN * (1 - self._strain)
            share, floor = self._strain, 1.0
        if permit.round == self.round:
            self.round += 1
            self._crowd = self.in_flight - self.resting - 1
            self.limit = max(floor, self.limit * (1 - share / 2))
        elif silent:
            return
        elif permit.round == self.round - 1:
            self._crowd -= 1
            self.limit = max(1.0, min(self.limit, self._crowd))
        self._threshold = self.limit

    def find_rest(self, now: float) -> float | None:
        """Seconds until the next call, where the endpoint asked for fewer and none is under way."""
        waits = self.waits_until.copy()  # another thread asks
        until = max(self._paused_until, min(waits) if waits and self.in_flight == len(waits) else 0.0)
        return until - now if until > now else None

    def correct(self, tokens: int) -> None:
        """Gives back what a sent call was thought to need and did not; takes what it needed more."""
        if self._tokens is not None:
            self._tokens.give_back(tokens)

    def _has_room(self, spare: int, *, begun: bool) -> bool:
        """The places of those who rest are kept empty of new calls only: begun ones rest side by side."""
        taken = self.in_flight - self.resting if begun else self.in_flight
        return taken + 1 <= max(1.0, self.limit - spare)

    def _take(self, tokens: int, loop: asyncio.AbstractEventLoop) -> None:
        self.in_flight += 1
        if self._requests is not None:
            self._requests.take(1, loop.time())
        if self._tokens is not None:
            self._tokens.take(tokens, loop.time())

    def _find_wait(self, tokens: int, loop: asyncio.AbstractEventLoop) -> float:
        if self._requests is None and self._tokens is None and not self._paused_until:
            return 0.0
        now = loop.time()
        waits = [self._paused_until - now]
        if self._requests is not None:
            waits.append(self._requests.find_wait(1, now))
        if self._tokens is not None:
            waits.append(self._tokens.find_wait(tokens, now))
        return max(0.0, *waits)

    def _admit_waiters(self) -> None:
        loop = asyncio.get_running_loop()
        while queue := self._begun or self._new:
            waiter = queue[0]
            if waiter.future.done():  # cancelled while it waited
                queue.popleft()
                continue
            if not self._has_room(waiter.spare, begun=queue is self._begun):
                return
            wait = self._find_wait(waiter.tokens, loop)
            if wait > 0:
                if self._timer is not None:
                    self._timer.cancel()
                self._timer = loop.call_later(max(wait, _SHORTEST_WAIT_SECONDS), self._admit_waiters)
                return
            queue.popleft()
            self._take(waiter.tokens, loop)
            waiter.future.set_result(None)
