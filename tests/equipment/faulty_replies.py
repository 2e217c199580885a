"""Replies with one thing wrong in one place: every shape in every place of a body, in either API.

The first part of a place is where it lies: in the `body`, in the `reply` that the body carries, or in an `error` body
of HTTP status 500. The rest is a path of keys and list indexes; an empty one is the whole.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from equipment.chat_server.exchange import Api, Asked, HttpReply, Reply, render_reply

_MARK = "the place of the fault"
_TWICE = "twice"
# JSON as it is sent, and what only looks like it.
SHAPES: Mapping[str, str] = {
    "null": "null",
    "a flag": "true",
    "zero": "0",
    "a huge number": "9" * 400,
    "not a number": "NaN",
    "an empty text": '""',
    "two numbers": '"5 but really 2"',
    "half a surrogate pair": '"\\ud83d"',
    "a long text": json.dumps("long " * 5_000),
    "an empty list": "[]",
    "an empty object": "{}",
    "an object with a key twice": '{"a": 1, "a": 2}',
    "lists nested 1000 deep": "[" * 1_000 + "]" * 1_000,
    "lists nested past every limit": "[" * 5_000 + "]" * 5_000,
    "objects nested 600 deep": '{"a":' * 600 + "1" + "}" * 600,
    "a list that never ends": "[",
}
_ERROR = ("error", "error.message", "error.code")
_BODY: Mapping[Api, tuple[str, ...]] = {
    "openai": (
        *("", "model", "usage", "choices", "choices.0", "choices.0.finish_reason"),
        *("choices.0.message", "choices.0.message.content", "choices.0.message.refusal", "error"),
    ),
    "anthropic": (
        *("", "model", "usage", "content", "content.0", "content.0.type", "content.0.input"),
        *("stop_reason", "error"),
    ),
}
# The parts of a body that hold the judgement, and those of a judgement that no score rests on.
_CARRYING = {
    *("", "choices", "choices.0", "choices.0.message", "choices.0.message.content"),
    *("content", "content.0", "content.0.input"),
}
_BESIDE = {"evidence", "note", "reason"}


@dataclass(frozen=True, slots=True)
class FaultyReply:
    """`harms` where the judgement itself is gone, so that any score at all would be made up."""

    api: Api
    place: str
    shape: str

    @property
    def harms(self) -> bool:
        part, _, path = self.place.partition(":")
        if part == "reply":
            return _BESIDE.isdisjoint(path.split("."))
        return part == "error" or path in _CARRYING

    def build(self, asked: Asked, reply: Mapping[str, Any]) -> HttpReply:
        """What a server sends in the place of this reply."""
        part, _, path = self.place.partition(":")
        good = orjson.dumps(reply).decode()
        if part == "error":
            return HttpReply(500, self._spoil({"error": {"message": "no"}}, path).encode())
        if part == "reply":
            return self._wrap(asked, self._spoil(reply, path))
        body: dict[str, Any] = orjson.loads(render_reply(asked, Reply(good)).body)
        return HttpReply(200, self._spoil(body, path).encode())

    def _wrap(self, asked: Asked, text: str) -> HttpReply:
        """A reply that goes out as a tool's input is a part of the body, and whatever is wrong with it with it."""
        body: dict[str, Any] = orjson.loads(render_reply(asked, Reply("{}")).body)
        if asked.api == "openai":
            body["choices"][0]["message"]["content"] = text
            return HttpReply(200, json.dumps(body).encode())
        body["content"][0]["input"] = _MARK
        return HttpReply(200, json.dumps(body).replace(json.dumps(_MARK), text).encode())

    def _spoil(self, value: Any, path: str) -> str:
        if not path:
            return f"[{SHAPES['null']}]" if self.shape == _TWICE else SHAPES[self.shape]
        *parents, last = path.split(".")
        copy = json.loads(json.dumps(value))
        inner = copy
        for step in parents:
            inner = inner[int(step)] if isinstance(inner, list) else inner.setdefault(step, {})
        shape = SHAPES.get(self.shape, "")
        if isinstance(inner, list):
            inner[int(last)] = _MARK
        else:
            was = json.dumps(inner.get(last))
            inner[last] = _MARK
            if self.shape == _TWICE:
                shape = f'{was}, "{last}": "another"'
        return json.dumps(copy).replace(json.dumps(_MARK), shape)


def list_faulty_replies(api: Api, reply: Mapping[str, Any]) -> list[FaultyReply]:
    """Every shape in every place of a body, of an error, and of this good reply, to its first list entries."""
    places = [f"body:{path}" for path in _BODY[api]]
    places += [f"error:{path}" for path in _ERROR]
    places += [f"reply:{path}" for path in ("", *_list_paths(reply))]
    faults = [FaultyReply(api, place, shape) for place in places for shape in SHAPES]
    keys = [place for place in places if place.rpartition(".")[2].isalpha() and not place.endswith(":")]
    return faults + [FaultyReply(api, place, _TWICE) for place in keys]


def _list_paths(value: Any, path: str = "") -> Iterator[str]:
    steps = enumerate(value[:1]) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for key, inner in steps:
        place = f"{path}.{key}" if path else str(key)
        yield place
        yield from _list_paths(inner, place)
