"""Decides when a failed call is sent again, and when it is given up."""

import random
from collections import OrderedDict
from dataclasses import dataclass, field

from assay.errors import JudgeError, RateLimited, TimedOut, Unreachable
from assay.models.chat import CallKey

AskKey = tuple[str, str | None, str, int]

# As many asks as a batch can hold: all of them may fail at once.
_REMEMBERED_ASKS = 100_000
# Calls that were told to wait the same number of seconds must not all come back at once.
_SPREAD = 0.1


@dataclass(frozen=True, slots=True)
class Retries:
    """The bounds of one call (`sends`), of one ask with all its re-asks (`calls_per_ask`), and of the waiting.

    A call whose endpoint names a time to wait does not count as a send: that may happen `retry_after_waits` times.
    `call_seconds` is how long one sent request may take; `total_seconds` runs from the first send to the last. Their
    defaults let a hung reply be asked for once more, and no further.
    """

    sends: int = 3
    calls_per_ask: int = 4
    retry_after_waits: int = 8
    base_seconds: float = 0.5
    longest_wait_seconds: float = 30.0
    longest_retry_after_seconds: float = 60.0
    call_seconds: float = 120.0
    total_seconds: float = 240.0

    def find_wait(self, error: JudgeError, sent: int, chance: random.Random) -> float | None:
        """Seconds before the next send, or None where there is none: full jitter, and never less than was asked for.

        Who was turned away for lack of room waits longer, and the longer the fewer sends are left: the last one must
        not be spent on a door that is still closed.
        """
        if not error.retry_helps or sent >= self.sends:
            return None
        retry_after = find_retry_after(error)
        if is_turned_away(error) and (retry_after is None or sent > 1):
            wait = (0.5 + chance.random() / 2) * min(
                self.longest_wait_seconds, 2 * self.base_seconds * 4.0 ** (sent - 1)
            )
        else:
            wait = chance.random() * min(self.longest_wait_seconds, self.base_seconds * 2.0 ** (sent - 1))
        if retry_after is None:
            return wait
        return max(wait, min(retry_after, self.longest_retry_after_seconds) * (1 + _SPREAD * chance.random()))


@dataclass(slots=True)
class AskCalls:
    """Counts the calls of an ask by what is known without asking: its attempt number, and the calls that failed.

    A first attempt starts the count anew, and only the last asks with a failure are remembered.
    """

    _failures: OrderedDict[AskKey, int] = field(default_factory=OrderedDict)

    def count_left(self, key: CallKey, retries: Retries) -> int:
        if key.attempt == 0:
            self._failures.pop(ask_of(key), None)
        return min(retries.sends, retries.calls_per_ask - key.attempt - self._failures.get(ask_of(key), 0))

    def count_failure(self, key: CallKey) -> None:
        ask = ask_of(key)
        self._failures[ask] = self._failures.get(ask, 0) + 1
        if len(self._failures) > _REMEMBERED_ASKS:
            self._failures.popitem(last=False)


def ask_of(key: CallKey) -> AskKey:
    """The same key for all attempts at one ask."""
    return key.record, key.system, key.ask, key.sample


def find_retry_after(error: JudgeError) -> float | None:
    """How long the endpoint asked to be left alone, where it did."""
    return (error.retry_after_seconds or None) if isinstance(error, Unreachable) else None


def is_turned_away(error: JudgeError) -> bool:
    """Whether the endpoint asked, in so many words, for fewer calls."""
    return isinstance(error, RateLimited) or (isinstance(error, Unreachable) and error.overloaded)


def is_overload(error: JudgeError) -> bool:
    """Whether fewer calls at a time might have helped: an endpoint under too much may also just fall silent."""
    return isinstance(error, TimedOut) or is_turned_away(error)
