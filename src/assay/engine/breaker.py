"""A circuit breaker: an endpoint that fails every call gets one call at a time, and then none."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from assay.engine.retries import find_retry_after, is_turned_away
from assay.errors import EndpointDown, JudgeError, OverBudget, Refused, Rejected, TooLong

# Far more failures in a row than an endpoint has that fails a third of its calls.
_THRESHOLD = 10
# Waits before each probe. Together they outlast a restart, or for a rate limit one minute.
_PROBE_SECONDS = (1.0, 3.0, 9.0)
_RATE_LIMIT_FACTOR = 5.0
_LONGEST_RETRY_AFTER_SECONDS = 60.0


@dataclass(slots=True)
class Breaker:
    """Counts failures of one kind in a row at one endpoint, until one answer closes it.

    After so many it is open: nothing is sent but a probe after each wait. If all probes fail, or waiting can't help, it
    trips as soon as no earlier call is under way that may still be answered: whoever asks then gets EndpointDown.
    """

    threshold: int = _THRESHOLD
    probe_seconds: tuple[float, ...] = _PROBE_SECONDS
    tripped: bool = field(default=False, init=False)
    error: JudgeError | None = field(default=None, init=False)
    _failures: int = field(default=0, init=False)
    _probes: int = field(default=0, init=False)
    _probe_at: float | None = field(default=None, init=False)
    _is_probing: bool = field(default=False, init=False)
    _is_permanent: bool = field(default=False, init=False)
    _running: int = field(default=0, init=False)
    _waiting: list["asyncio.Future[None]"] = field(default_factory=list, init=False)

    @property
    def is_failing(self) -> bool:
        """Whether the last calls had transient failures: the endpoint may be at fault, not what was asked."""
        return self.error is not None and self.error.retry_helps

    @property
    def _is_open(self) -> bool:
        return self._probe_at is not None or self._is_permanent

    @property
    def probe_at(self) -> float | None:
        """When the next probe is sent, by the clock of the loop, if the breaker is open."""
        return None if self._is_permanent or self._is_probing else self._probe_at

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[bool]:
        """Waits until a call may be sent, tells whether it is a probe, and counts its outcome."""
        is_probe = await self._admit()
        self._running += 1
        try:
            yield is_probe
            self._close()
        except JudgeError as error:
            if isinstance(error, OverBudget):  # it was not sent
                self._leave(is_probe=is_probe)
            else:
                self._fail(error, is_probe=is_probe)
            raise
        except BaseException:
            self._leave(is_probe=is_probe)
            raise
        finally:
            self._running -= 1
            if self._is_permanent and not self._running:
                self.tripped = True
                self._wake()

    def explain(self) -> str:
        return f"{self._failures} calls in a row failed, the last one with: {self.error}"

    async def _admit(self) -> bool:
        loop = asyncio.get_running_loop()
        while self._is_open and not self.tripped:
            wait = None if self.probe_at is None else self.probe_at - loop.time()
            if wait is not None and wait <= 0:
                self._is_probing = True
                return True
            changed: asyncio.Future[None] = loop.create_future()
            self._waiting.append(changed)
            await asyncio.wait((changed,), timeout=wait)
        if self.tripped:
            raise EndpointDown(f"{self.explain()}; nothing more was sent")
        return False

    def _close(self) -> None:
        self.error, self._failures, self._probes = None, 0, 0
        self._probe_at, self._is_probing, self._is_permanent = None, False, False
        self._wake()

    def _fail(self, error: JudgeError, *, is_probe: bool) -> None:
        if isinstance(error, TooLong | Refused) and not isinstance(error, Rejected):
            self._close()  # the endpoint has answered, even if only to refuse this call
            return
        if self._is_open and not is_probe:
            return  # sent before the breaker opened
        is_probe = self._is_probing and is_probe  # else an earlier call was answered meanwhile
        is_same = self.error is not None and self.error.status == error.status
        self._failures = self._failures + 1 if is_same or is_probe else 1
        self.error = error
        if is_probe or self._failures >= self.threshold:
            self._open(error)

    def _leave(self, *, is_probe: bool) -> None:
        """A probe that was given up without an outcome leaves its turn to another call."""
        if is_probe:
            self._is_probing = False
            self._wake()

    def _open(self, error: JudgeError) -> None:
        self._is_probing = False
        if not error.retry_helps or self._probes >= len(self.probe_seconds):
            self._is_permanent = True
        else:
            wait = self.probe_seconds[self._probes] * (_RATE_LIMIT_FACTOR if is_turned_away(error) else 1.0)
            retry_after = min(find_retry_after(error) or 0.0, _LONGEST_RETRY_AFTER_SECONDS)
            self._probe_at = asyncio.get_running_loop().time() + max(wait, retry_after)
            self._probes += 1
        self._wake()

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for changed in waiting:
            if not changed.done():
                changed.set_result(None)
