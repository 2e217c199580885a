"""One turn with a chat model: what is asked, what comes back, and the port every endpoint answers through."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeGuard

# An upper bound for one call: far beyond any context, and thousands of them still add up to a valid number.
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
class SharedPrefix:
    """How much of a call's last message all calls on an item share; `repeats` where the run has further ones."""

    characters: int
    repeats: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """A temperature of None sends none. The messages alone must say what to reply: an endpoint may refuse a schema."""

    messages: tuple[Message, ...]
    schema: Mapping[str, object] | None
    max_tokens: int
    temperature: float | None
    key: CallKey
    shared: SharedPrefix | None = None

    @property
    def characters(self) -> int:
        return sum(len(message.text) for message in self.messages)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint counted them; parts of the prompt were read from a cache (`cached`) or written to it."""

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    written_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Completion:
    """The text as it came, unread; `dropped` names what the endpoint would not take, so the call went without it."""

    text: str
    finish_reason: FinishReason
    usage: Usage | None
    model: str = ""
    dropped: tuple[str, ...] = ()


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


class WrappedChat:
    """Wraps another chat, and reports what that chat knows of its model."""

    __slots__ = ()
    chat: Chat

    @property
    def name(self) -> str:
        return self.chat.name

    @property
    def context_tokens(self) -> int | None:
        return self.chat.context_tokens

    @property
    def reasons(self) -> bool:
        return self.chat.reasons

    @property
    def shares_schema(self) -> bool:
        return self.chat.shares_schema


def digest_prefix(messages: Sequence[Message], shared: SharedPrefix) -> str:
    """The same for all calls with this prefix, in this run and in later ones."""
    *before, last = (message.text for message in messages)
    texts = "\0".join([*before, last[: shared.characters]])
    return hashlib.sha256(texts.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def read_finish_reason(word: object) -> FinishReason:
    """Why a reply ended: every provider's word in terms of ours."""
    return _FINISH_REASONS.get(word.lower(), "other") if isinstance(word, str) else "other"


def read_usage(usage: object) -> Usage | None:
    """As OpenAI, Gemini, Groq and OpenRouter count cached tokens, or as DeepSeek does."""
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    known = details if isinstance(details, dict) else {}
    cached = known.get("cached_tokens", usage.get("prompt_cache_hit_tokens"))
    return build_usage(
        usage.get("prompt_tokens"), usage.get("completion_tokens"), cached, known.get("cache_write_tokens")
    )


def build_usage(prompt: object, completion: object, cached: object = 0, written: object = 0) -> Usage | None:
    """No prompt has 0 tokens: a server that says so has left out what it knew already, and tells nothing.

    Nor is more of a prompt cached than it has: such counts are not believed, and all of it has its full price.
    """
    if not (is_count(prompt) and prompt and is_count(completion)):
        return None
    parts = [count if is_count(count) else 0 for count in (cached, written)]
    return Usage(prompt, completion, *(parts if sum(parts) <= prompt else ()))


def is_count(value: object) -> TypeGuard[int]:
    """Whether it is a plausible count: an endpoint may report negative or absurdly large numbers."""
    return type(value) is int and 0 <= value <= MOST_TOKENS
