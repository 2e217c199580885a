"""One turn with a chat model: what is asked, what comes back, and the port every endpoint answers through."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeGuard

# No call can come to more: far beyond any context, and still a number that thousands of calls may add up.
MOST_TOKENS = 10**9

FinishReason = Literal["stop", "length", "refusal", "other"]
ReasoningEffort = Literal["low", "medium", "high"]
# Stands in a chat's name between the model and how hard it was told to think.
EFFORT_MARK = "/reasoning-"

_FINISH_REASONS: Mapping[str, FinishReason] = {
    "stop": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "stop",
    "tool_calls": "stop",
    "eos": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
    "content_filter": "refusal",
}


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class CallKey:
    """What a call is for. A recording answers by it; it is never sent."""

    record: str
    ask: str
    sample: int = 0
    attempt: int = 0
    system: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A temperature of None sends none. The messages alone must say what to reply: an endpoint may refuse a schema."""

    messages: tuple[Message, ...]
    schema: Mapping[str, object] | None
    max_tokens: int
    temperature: float | None
    key: CallKey


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint counted them; cached ones are part of the prompt."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True)
class Completion:
    """The text as it came, unread; `dropped` names what the endpoint would not take, so the call went without it.

    `model` is the one that answered, as the endpoint names it, or empty. `reasoning_tokens` are those of the usage that
    went into hidden reasoning, where the endpoint tells.
    """

    text: str
    finish_reason: FinishReason
    usage: Usage | None
    model: str = ""
    dropped: tuple[str, ...] = ()
    reasoning_tokens: int = 0


class Chat(Protocol):
    """Answers one call with one completion or one error of the tree; never retries, never waits for a limit.

    One event loop at a time: close before the loop ends, and the next call opens anew.
    """

    @property
    def name(self) -> str: ...

    @property
    def context_tokens(self) -> int | None: ...

    @property
    def reasons(self) -> bool:
        """Whether the model thinks before it answers, in tokens that count against a call's limit."""
        ...

    @property
    def shares_schema(self) -> bool:
        """Whether the provider puts the reply schema in front of a prompt, so that a cache hits only by one schema."""
        ...

    async def complete(self, call: Call) -> Completion: ...

    def accept(self, key: CallKey) -> None:
        """The last reply to this ask could be read: it, and those to earlier attempts, may serve a later run."""
        ...

    async def close(self) -> None: ...


def read_finish_reason(word: object) -> FinishReason:
    """Every provider's word for why a reply ended, in ours."""
    return _FINISH_REASONS.get(word.lower(), "other") if isinstance(word, str) else "other"


def read_usage(usage: object) -> Usage | None:
    if not isinstance(usage, dict):
        return None
    return build_usage(usage.get("prompt_tokens"), usage.get("completion_tokens"))


def read_reasoning_tokens(usage: object) -> int:
    details = usage.get("completion_tokens_details") if isinstance(usage, dict) else None
    count = details.get("reasoning_tokens") if isinstance(details, dict) else None
    return count if is_count(count) else 0


def build_usage(prompt: object, completion: object) -> Usage | None:
    """No prompt has 0 tokens: a server that says so has left out what it knew already, and tells nothing."""
    return Usage(prompt, completion) if is_count(prompt) and prompt and is_count(completion) else None


def is_count(value: object) -> TypeGuard[int]:
    """An endpoint may say anything: less than nothing would be money back, and some numbers fit nowhere."""
    return type(value) is int and 0 <= value <= MOST_TOKENS
