"""A provider's cache of prompts, simulated by the rules of either API. A prompt is in it once its reply is complete."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from equipment.chat_server.exchange import Asked, CacheUse, count_tokens

_CHARACTERS_PER_TOKEN = 4
# OpenAI's cache works in steps of so many tokens.
_STEP_TOKENS = 128


@dataclass(frozen=True, slots=True)
class _Prefix:
    digest: str
    tokens: int


class PromptCache:
    """For the OpenAI API the longest known beginning counts, for the Anthropic API what is marked by `cache_control`.

    A call of the OpenAI API with `prompt_cache_options` is cached up to its `prompt_cache_breakpoint`.

    The reply schema stands in front of a prompt. Nothing shorter than `min_tokens` is cached. `uses` is what each call
    read and wrote.
    """

    def __init__(self, min_tokens: int = 1_024) -> None:
        self.min_tokens = min_tokens
        self.uses: list[CacheUse] = []
        self._known: set[str] = set()

    def look_up(self, asked: Asked) -> CacheUse:
        """What a call reads and writes, and the tokens of its whole prompt."""
        front = _render_schema(asked)
        prefixes = self._list_prefixes(asked, front)
        cached = max((each.tokens for each in prefixes if each.digest in self._known), default=0)
        written = prefixes[-1].tokens if _is_marked(asked) and prefixes and not cached else 0
        self.uses.append(CacheUse(count_tokens(front + asked.prompt), cached, written))
        return self.uses[-1]

    def keep(self, asked: Asked) -> None:
        self._known.update(each.digest for each in self._list_prefixes(asked, _render_schema(asked)))

    def _list_prefixes(self, asked: Asked, front: str) -> list[_Prefix]:
        if _is_marked(asked):
            marked = _find_marked(asked.body)
            texts = [front + marked] if marked else []
        else:
            text, step = front + asked.prompt, _STEP_TOKENS * _CHARACTERS_PER_TOKEN
            texts = [text[:end] for end in range(step, len(text) + 1, step)]
        found = [_Prefix(hashlib.sha256(each.encode()).hexdigest(), count_tokens(each)) for each in texts]
        return [each for each in found if each.tokens >= self.min_tokens]


def _is_marked(asked: Asked) -> bool:
    return asked.api == "anthropic" or "prompt_cache_options" in asked.body


def _render_schema(asked: Asked) -> str:
    return "" if asked.schema is None else orjson.dumps(asked.schema).decode()


def _find_marked(body: Mapping[str, Any]) -> str:
    """All text up to the last marked block; nothing where none is marked."""
    texts, marked = [str(body.get("system", ""))], ""
    for message in body.get("messages", []):
        content = message["content"]
        for block in content if isinstance(content, list) else [{"text": content}]:
            texts.append(str(block["text"]))
            marked = "\n\n".join(texts) if {"cache_control", "prompt_cache_breakpoint"} & block.keys() else marked
    return marked
