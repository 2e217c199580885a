"""Replies of an endpoint over HTTP in both APIs: a completion or a declared error, and never a word of the key."""

import math
import random
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Self

import orjson
from multidict import CIMultiDict
from yarl import URL

from assay.engine.costs import Size, TokenBound, find_bill
from assay.engine.retries import Retries
from assay.errors import InputError, JudgeError, Unreachable
from assay.models.anthropic import AnthropicChat
from assay.models.chat import MOST_TOKENS, Call, CallKey, Completion, Message
from assay.models.openai import OpenAIChat
from assay.models.responses import read_retry_after
from assay.models.wire import HostedChat
from fuzz.choices import Choices
from fuzz.rules import finish, hold, is_utf_8, read_twice
from fuzz.strict_json import build_value
from fuzz.targets.exchange_seeds import API_KEYS, API_WORDS, HEADERS, KEY, SPELLINGS, STATUSES

Api = Callable[..., HostedChat]

_CALL = Call((Message("user", "Judge it."),), {"type": "object"}, 100, 0.0, CallKey("r", "a"))
_MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
# An address, three hundred characters of the endpoint's own words, and a remedy.
_LONGEST_ERROR = 700
_MOST_SENDS = 8
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


_ADDRESS = URL("http://127.0.0.1:9/v1")


@dataclass(frozen=True, slots=True)
class _Reply:
    """What has come over the wire, as the client hands it out."""

    status: int
    headers: CIMultiDict[str]
    body: bytes
    url: URL = _ADDRESS

    @property
    def content_length(self) -> int | None:
        return None if "Content-Encoding" in self.headers else len(self.body)

    @property
    def content(self) -> Self:
        return self

    async def read(self) -> bytes:
        return self.body

    async def iter_chunked(self, size: int) -> AsyncIterator[bytes]:
        for at in range(0, len(self.body), size):
            yield self.body[at : at + size]

    def close(self) -> None:
        """Nothing is open."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Nothing is open."""


@dataclass(slots=True)
class _Session:
    """Answers in turn, and with the last reply ever after."""

    replies: list[_Reply]
    sent: int = field(default=0)

    def request(self, _method: str, _url: object, **_options: object) -> _Reply:
        self.sent += 1
        hold(self.sent <= _MOST_SENDS, f"one call is sent {self.sent} times")
        return self.replies[min(self.sent, len(self.replies)) - 1]


def check_reply(data: bytes) -> None:
    """Any reply to a call: what is read says nothing of the key, and a client waits for no more than it may."""
    choices = Choices(data)
    api: Api = choices.pick((OpenAIChat, AnthropicChat))
    replies = [_read_reply(choices) for _ in range(1 + choices.number(3))]
    first, second = (_ask(api, replies) for _ in range(2))
    hold(str(first) == str(second), f"two readings differ: {first} and {second}")
    if isinstance(first, Completion):
        _hold_completion(first)
    else:
        _hold_error(first)


def _read_reply(choices: Choices) -> _Reply:
    status = choices.pick(STATUSES)
    headers = _read_headers(choices)
    if choices.number(2):
        return _Reply(status, headers, orjson.dumps(_written(choices)))
    return _Reply(status, headers, choices.bytes())


def _written(choices: Choices) -> object:
    """The client never sees half a surrogate pair: bytes are decoded as UTF-8."""
    value = build_value(choices, API_KEYS, API_WORDS)
    try:
        orjson.dumps(value)
    except TypeError:
        return {"error": "odd"}
    return value


def _read_headers(choices: Choices) -> CIMultiDict[str]:
    """Without the characters that end a header, as the client gives them."""
    found: CIMultiDict[str] = CIMultiDict()
    for _ in range(choices.number(7)):
        found.add(choices.pick(HEADERS), re.sub(r"[\r\n\x00]", "", choices.text()).strip(" \t"))
    return found


def _ask(api: Api, replies: list[_Reply]) -> Completion | InputError | JudgeError:
    chat: HostedChat = api("fuzzed", base_url="http://127.0.0.1:9/v1", key=KEY)
    session: Any = _Session(replies)
    chat.connection._session = session  # noqa: SLF001 - the one place where the network can be left out
    try:
        return finish(chat.complete(_CALL))
    except (InputError, JudgeError) as error:
        return error


def _hold_completion(completion: Completion) -> None:
    _hold_no_key(f"{completion.text}\n{completion.model}")
    hold(is_utf_8(completion.text), "half a surrogate pair in a reply")
    usage = completion.usage
    if usage is not None:
        hold(type(usage.prompt_tokens) is type(usage.completion_tokens) is int, f"{usage}")
        hold(min(usage.prompt_tokens, usage.completion_tokens) >= 0, f"less than nothing was used: {usage}")
        hold(max(usage.prompt_tokens, usage.completion_tokens) <= MOST_TOKENS, f"no call can use so much: {usage}")
        bound, size = TokenBound(), Size(10, 100)
        bound.learn(size, usage)
        hold(math.isfinite(bound.prompt_factor) and math.isfinite(bound.reply_factor), f"{bound}")


def _hold_error(error: InputError | JudgeError) -> None:
    words = str(error)
    _hold_no_key(f"{words}\n{error!r}")
    hold(0 < len(words) <= _LONGEST_ERROR, f"an error of {len(words)} characters")
    hold(not _UNPRINTABLE.search(words) and is_utf_8(words), f"can't be printed: {words!r}")
    if isinstance(error, JudgeError):
        wait = Retries().find_wait(error, 1, random.Random(1))  # noqa: S311 - the same wait every time
        hold(wait is None or 0 <= wait <= 66, f"waits for {wait} s")
        hold(min(find_bill(error, Size(10, 100))) >= 0, "a bill below nothing")
    if isinstance(error, Unreachable):
        _hold_seconds(error.retry_after_seconds)


def _hold_no_key(words: str) -> None:
    told = [form for form in SPELLINGS if form in words]
    hold(not told, f"the key is told: {told}")


def _hold_seconds(seconds: float | None) -> None:
    hold(seconds is None or (math.isfinite(seconds) and seconds >= 0), f"{seconds} s")


def check_headers(data: bytes) -> None:
    """Headers alone, which a proxy may have written: seconds one can wait, or nothing."""
    headers = _read_headers(Choices(data))
    _hold_seconds(read_twice(lambda: read_retry_after(headers, _MOMENT)))
    read_retry_after(headers)
