"""What can go wrong, split by who can fix it.

Exception
├── InputError           the user can: exit 2 at the command line, a sentence and no traceback
│   ├── KeyRefused       the endpoint refuses the key, or the account behind it: stops the run at once
│   ├── UnknownModel     the endpoint has no such model: stops the run at once
│   └── Suspended        the run can't go on now: exit 3, to be resumed
└── JudgeError           the judge did not answer: becomes a Failure with this status
    ├── Unreachable      refused, reset, 5xx            unreachable   a retry helps
    │   └── RateLimited  429                            unreachable   a retry helps, later
    ├── TimedOut         silence past the deadline      timed_out     a retry helps
    ├── Malformed        an answer off the protocol     malformed     a retry helps
    ├── Ambiguous        an answer with two meanings    ambiguous     a retry helps
    ├── TooLong          past the model's context       too_long      a retry does not
    ├── Refused          a content filter said no       refused       a retry does not
    │   └── Rejected     the request itself was refused refused       a retry does not
    ├── OverBudget       the rest can't pay for a call  over_budget   a retry does not
    ├── EndpointDown     every call before it failed    unreachable   a retry does not, in this run
    ├── NoCallsLeft      an ask's calls are used up     malformed     a retry does not
    └── NotRecorded      the recording has no answer    unreachable   a retry does not
"""
# ruff: noqa: N818 - the tree above says which are errors; the names say what happened

from typing import ClassVar, Literal

FailureStatus = Literal[
    "refused",
    "malformed",
    "out_of_range",
    "ambiguous",
    "truncated",
    "too_long",
    "timed_out",
    "unreachable",
    "over_budget",
    "invalid_record",
]


class InputError(Exception):
    """Something the user wrote is wrong. Says where, what, and what to write instead; a retry never helps."""

    def __init__(
        self, message: str, *, path: str | None = None, line: int | None = None, remedy: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        self.remedy = remedy
        self.others: tuple[InputError, ...] = ()
        """What else is wrong with the same file."""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line) if part is not None)
        sentences = _as_sentence(self.message)
        if self.remedy:
            # What is to be typed stands at the end as it is.
            sentences += " " + (self.remedy if self.remedy.endswith("`") else _as_sentence(self.remedy))
        if self.others:
            count = len(self.others)
            sentences += f" {count} more fault{'s' if count > 1 else ''}: `assay rubric check {self.path}` names all."
        return f"{place}: {sentences}" if place else sentences


class KeyRefused(InputError):
    """No call with this key can succeed, so none is sent after the first."""


class UnknownModel(InputError):
    """No call to this model can succeed, so none is sent after the first."""


class Suspended(InputError):
    """What was submitted can't be accounted for now. Later it may be, or the user decides; nothing more is sent."""


class JudgeError(Exception):
    """A judge never got to answer. Becomes a Failure, never a number."""

    retry_helps: ClassVar[bool] = False
    status: ClassVar[FailureStatus] = "unreachable"


class Unreachable(JudgeError):
    """The endpoint is down, for now; it may say itself how long, and whether it is because of too many calls."""

    retry_helps: ClassVar[bool] = True

    def __init__(self, message: str, *, retry_after_seconds: float | None = None, overloaded: bool = False) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds
        self.overloaded = overloaded


class BrokenOff(Unreachable):
    """The connection ended when the request was out: the reply may have been written, and billed, to its end."""


class RateLimited(Unreachable):
    """The endpoint is up and asks for fewer calls."""


class TimedOut(JudgeError):
    """The deadline passed without a whole answer."""

    retry_helps: ClassVar[bool] = True
    status: ClassVar[FailureStatus] = "timed_out"


class Malformed(JudgeError):
    """The endpoint said yes, but its body is not the protocol, or breaks the code that reads it."""

    retry_helps: ClassVar[bool] = True
    status: ClassVar[FailureStatus] = "malformed"


class Ambiguous(JudgeError):
    """The body of the answer has a key twice with different contents: which of the two is meant can't be told."""

    retry_helps: ClassVar[bool] = True
    status: ClassVar[FailureStatus] = "ambiguous"


class TooLong(JudgeError):
    """The request does not fit the model's context. Nothing is cut in silence: the caller decides what to leave out."""

    status: ClassVar[FailureStatus] = "too_long"


class Refused(JudgeError):
    """A content filter stopped the call before the model answered."""

    status: ClassVar[FailureStatus] = "refused"


class Rejected(Refused):
    """The endpoint will not take this request as it is written, whatever the reason; another record may pass."""


class OverBudget(JudgeError):
    """What is left of the budget does not cover this call at its dearest, so it was not sent, and none after it."""

    status: ClassVar[FailureStatus] = "over_budget"


class EndpointDown(JudgeError):
    """So many calls in a row failed that the circuit breaker sends no more in this run."""


class NoCallsLeft(JudgeError):
    """Retries and re-asks of one ask have used up its calls, and the last reply still could not be used."""

    status: ClassVar[FailureStatus] = "malformed"


class NotRecorded(JudgeError):
    """The recording holds no reply for this call, and never will."""


def _as_sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else text + "."
