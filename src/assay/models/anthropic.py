"""The Messages API as Anthropic defined it, and some gateways and local servers also serve it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import orjson
from yarl import URL

from assay.errors import Malformed
from assay.models.chat import Call, Completion, ReasoningEffort, Usage, build_usage, is_count, read_finish_reason
from assay.models.providers import Wire
from assay.models.wire import HostedChat, Json, extend_url

_API_VERSION = "2023-06-01"
_TOOL = "reply"
# Tokens of thinking by effort, and the fewest that the API takes. The reply's limit covers thinking and answer.
_THINKING_TOKENS: Mapping[ReasoningEffort, int] = {"low": 2_048, "medium": 8_192, "high": 24_576}
_FEWEST_THINKING_TOKENS = 1_024


class AnthropicChat(HostedChat):
    """Also for the gateways that speak the same format."""

    wire: ClassVar[Wire] = "anthropic"
    headers: ClassVar[Mapping[str, str]] = {"anthropic-version": _API_VERSION}

    @staticmethod
    def _build_url(base: URL) -> URL:
        return extend_url(base, *(() if base.path.rstrip("/").endswith("/v1") else ("v1",)), "messages")

    def _list_formats(self) -> tuple[str, ...]:
        # A model that thinks can't be forced to use a tool.
        formats = super()._list_formats()
        return formats if self.reasoning_effort is None else tuple(each for each in formats if each != "tool")

    def _build_payload(self, call: Call, form: str | None, limit: str, effort: ReasoningEffort | None) -> Json:
        turns = [message for message in call.messages if message.role != "system"]
        system = "\n\n".join(message.text for message in call.messages if message.role == "system")
        payload: Json = {
            "model": self.model,
            limit: call.max_tokens,
            "messages": self._build_messages(replace(call, messages=tuple(turns))),
        }
        if system:
            payload["system"] = system
        output: Json = {}
        thinking = 0 if effort is None else min(_THINKING_TOKENS[effort], call.max_tokens // 4 * 3)
        if effort is not None and self.settings.reasoning == "effort":
            payload["thinking"] = {"type": "adaptive"}
            output["effort"] = effort
        elif thinking >= _FEWEST_THINKING_TOKENS:
            payload["thinking"] = {"type": "enabled", "budget_tokens": thinking}
        elif call.temperature is not None:  # not taken beside thinking
            payload["temperature"] = call.temperature
        if form == "tool":
            payload["tools"] = [{"name": _TOOL, "description": "Gives the reply.", "input_schema": call.schema}]
            payload["tool_choice"] = {"type": "tool", "name": _TOOL}
        elif form == "output_config":
            output["format"] = {"type": "json_schema", "schema": call.schema}
        if output:
            payload["output_config"] = output
        return payload

    def _read_completion(self, body: Json) -> Completion:
        blocks: Any = body.get("content")
        if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
            raise Malformed(f"{self.connection.place}: the reply holds no content blocks")
        return Completion(
            text=_read_text(blocks),
            finish_reason=read_finish_reason(body.get("stop_reason")),
            usage=_read_usage(body.get("usage")),
        )


def _read_text(blocks: list[Json]) -> str:
    """The tool's input is the reply, as JSON; a model may ignore the tool. Several that differ are ambiguous."""
    inputs = [orjson.dumps(block.get("input")).decode() for block in blocks if block.get("type") == "tool_use"]
    if inputs:
        return "\n".join(dict.fromkeys(inputs))
    return "".join(block["text"] for block in blocks if isinstance(block.get("text"), str))


def _read_usage(usage: object) -> Usage | None:
    if not isinstance(usage, dict) or not is_count(usage.get("input_tokens")):
        return None
    # The API counts cached tokens apart; whoever pays or compares wants one prompt.
    names = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    new, written, cached = (count if is_count(count := usage.get(name)) else 0 for name in names)
    return build_usage(new + written + cached, usage.get("output_tokens"), cached, written)
