"""How many tokens a call can come to at most, and how many it will come to as a rule, without its tokenizer."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from assay.errors import BrokenOff, JudgeError, NotRecorded, RateLimited, Refused, Rejected, TooLong, Unreachable
from assay.models.chat import MOST_TOKENS, Call, Message, Usage
from assay.models.schemas import dump_schema

# What chat templates put around a message and before the first one; default system prompts included.
_AROUND_MESSAGE = 16
_AROUND_CALL = 128
# Where a schema goes out as a tool, the endpoint adds instructions of its own.
_AROUND_SCHEMA = 1_000

# Turned away at the door: no provider bills these.
_UNBILLED = (RateLimited, Rejected, TooLong, NotRecorded)
# Ended before a reply was under way, as far as one can tell: the prompt may have been billed.
_PROMPT_BILLED = (Unreachable, Refused)

_LETTERS = bytes(byte for byte in range(128) if chr(byte).isalpha() or byte == 32)
_LETTERS_PER_TOKEN = 4.2
_OTHER_BYTES_PER_TOKEN = 1.6


class Size(NamedTuple):
    prompt: int
    reply: int

    @property
    def total(self) -> int:
        return self.prompt + self.reply


def bound_prompt(call: Call) -> int:
    """An upper bound: a token stands for one byte of UTF-8 at least, in every tokenizer whose alphabet is the bytes."""
    tokens = _AROUND_CALL
    for message in call.messages:
        tokens += _count_bytes(message.text) + _AROUND_MESSAGE
    if call.schema is not None:
        tokens += len(dump_schema(call.schema)) + _AROUND_SCHEMA
    return tokens


def estimate_prompt(messages: Iterable[Message]) -> int:
    """What to expect: words at a little over four letters a token, digits and signs and other scripts at far fewer."""
    tokens = 0.0
    for message in messages:
        text = message.text.encode("utf-8", "surrogatepass")
        others = len(text.translate(None, _LETTERS))
        tokens += (len(text) - others) / _LETTERS_PER_TOKEN + others / _OTHER_BYTES_PER_TOKEN + _AROUND_MESSAGE / 2
    return round(tokens)


def find_bill(error: JudgeError, size: Size) -> Size:
    """What a request that ended so may have been billed: after a silence or a garbled answer, the whole of it."""
    if isinstance(error, _UNBILLED):
        return Size(0, 0)
    is_partial = isinstance(error, _PROMPT_BILLED) and not isinstance(error, BrokenOff)
    return Size(size.prompt, 0) if is_partial else size


def _count_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


@dataclass(slots=True)
class Gauge:
    """Measures the calls to one model at their largest. Where a usage proves it too small, it never errs so again."""

    prompt_factor: float = 1.0
    reply_factor: float = 1.0

    def measure(self, call: Call) -> Size:
        prompt, reply = bound_prompt(call), call.max_tokens
        if self.prompt_factor > 1 or self.reply_factor > 1:
            prompt, reply = round(prompt * self.prompt_factor + 0.5), round(reply * self.reply_factor + 0.5)
        return Size(min(prompt, MOST_TOKENS), min(reply, MOST_TOKENS))

    def learn(self, size: Size, usage: Usage) -> None:
        if usage.prompt_tokens > size.prompt:
            self.prompt_factor = _raise_factor(self.prompt_factor, usage.prompt_tokens / max(1, size.prompt))
        if usage.completion_tokens > size.reply:
            self.reply_factor = _raise_factor(self.reply_factor, usage.completion_tokens / max(1, size.reply))


def _raise_factor(factor: float, by: float) -> float:
    """Calls measured before the first of them was learnt from all raise it, so that it needs an end."""
    return min(factor * by, float(MOST_TOKENS))
