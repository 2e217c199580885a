"""A chat request as a scripted server reads it, and what it sends back, in either API."""

import hashlib
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson

from assay.domain.units import NAMES, PREFIXES

_STOP_REASONS: Mapping[str, str] = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}
Api = Literal["openai", "anthropic"]
Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """`key` is a digest of the texts alone: the same ask keeps it when a parameter is dropped or a call is retried."""

    api: Api
    number: int
    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(repr=False)
    prompt: str
    schema: Schema | None
    key: str

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))


def read_asked(api: Api, number: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> Asked:
    texts = [str(body["system"])] if body.get("system") else []
    texts += [read_content(message.get("content", "")) for message in body.get("messages", [])]
    prompt = "\n\n".join(texts)
    return Asked(
        api=api,
        number=number,
        body=body,
        headers=headers,
        prompt=prompt,
        schema=_read_schema(body),
        key=hashlib.sha256(prompt.encode("utf-8", "replace")).hexdigest()[:16],
    )


def read_content(content: object) -> str:
    """A message's text, in one piece or in blocks."""
    if not isinstance(content, list):
        return str(content)
    return "".join(str(block.get("text", "")) for block in content)


def _read_schema(body: Mapping[str, Any]) -> Schema | None:
    for tool in body.get("tools") or []:
        return dict(tool["input_schema"])
    form = body.get("response_format") or (body.get("output_config") or {}).get("format") or {}
    schema = (form.get("json_schema") or form).get("schema")
    return dict(schema) if schema is not None else None


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer; `finish_reason` in our words: stop, length or refusal."""

    text: str
    finish_reason: str = "stop"


@dataclass(frozen=True, slots=True)
class CacheUse:
    """The tokens of a prompt, and how many of them came from a cache of prompts or went into it."""

    prompt: int
    cached: int = 0
    written: int = 0


@dataclass(frozen=True, slots=True)
class HttpReply:
    """Any answer at all, byte for byte."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


def build_complaint(asked: Asked, status: int, message: str, code: str, parameter: str | None = None) -> HttpReply:
    error: dict[str, Any] = {"message": message, "type": code}
    body: dict[str, Any] = {"type": "error", "error": error}
    if asked.api == "openai":
        body = {"error": {**error, "code": code, "param": parameter}}
    return HttpReply(status, orjson.dumps(body))


def render_reply(asked: Asked, reply: Reply, use: CacheUse | None = None) -> HttpReply:
    used = use or CacheUse(count_tokens(asked.prompt))
    body = _build_choice(asked, reply, used) if asked.api == "openai" else _build_blocks(asked, reply, used)
    return HttpReply(200, orjson.dumps(body))


def _build_choice(asked: Asked, reply: Reply, use: CacheUse) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.finish_reason == "refusal":
        message = {"role": "assistant", "content": None, "refusal": reply.text}
    finish_reason = "length" if reply.finish_reason == "length" else "stop"
    completion = count_tokens(reply.text)
    usage = {"prompt_tokens": use.prompt, "completion_tokens": completion, "total_tokens": use.prompt + completion}
    return {
        "id": f"chatcmpl-{asked.number}",
        "object": "chat.completion",
        "model": asked.model,
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {
            **usage,
            "prompt_tokens_details": {"cached_tokens": use.cached, "cache_write_tokens": use.written},
        },
    }


def _build_blocks(asked: Asked, reply: Reply, use: CacheUse) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": reply.text}
    stop_reason = _STOP_REASONS.get(reply.finish_reason, reply.finish_reason)
    if asked.body.get("tools") and reply.finish_reason == "stop" and _is_object(reply.text):
        name = asked.body["tools"][0]["name"]
        block = {"type": "tool_use", "id": f"toolu_{asked.number}", "name": name, "input": orjson.loads(reply.text)}
        stop_reason = "tool_use"
    return {
        "id": f"msg_{asked.number}",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": [block],
        "stop_reason": stop_reason,
        "usage": {
            "input_tokens": use.prompt - use.cached - use.written,
            "cache_read_input_tokens": use.cached,
            "cache_creation_input_tokens": use.written,
            "cache_creation": {"ephemeral_5m_input_tokens": use.written, "ephemeral_1h_input_tokens": 0},
            "output_tokens": count_tokens(reply.text),
        },
    }


def _is_object(text: str) -> bool:
    """Text that is no JSON object cannot be a tool's input; it goes out as a model that ignored its tool would."""
    try:
        return isinstance(orjson.loads(text), dict)
    except orjson.JSONDecodeError:
        return False


def count_tokens(text: str) -> int:
    return max(1, len(text) // 4)


def build_instance(schema: Schema, chance: random.Random | None = None) -> Any:
    """The smallest value the schema allows: required properties, least items, the first (or a chosen) enum value."""
    if "$defs" in schema:
        schema = inline_definitions(schema, schema["$defs"])
    if "anyOf" in schema:
        return build_instance(schema["anyOf"][0], chance)
    if "enum" in schema:
        return schema["enum"][0] if chance is None else chance.choice(schema["enum"])
    kind = schema.get("type", "object" if "properties" in schema else "string")
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: build_instance(properties.get(name, {}), chance) for name in schema.get("required", [])}
    if kind == "array":
        return [build_instance(schema.get("items", {}), chance) for _ in range(schema.get("minItems", 0))]
    if kind not in {"integer", "number"}:
        return "…"
    high = schema.get("maximum")
    low = schema.get("minimum", 0 if high is None or high >= 0 else high)
    if chance is None or high is None:
        return int(low) if kind == "integer" else float(low)
    return chance.randint(int(low), int(high)) if kind == "integer" else chance.uniform(low, high)


def inline_definitions(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """The schema with each definition where it is referred to."""
    if isinstance(schema, list):
        return [inline_definitions(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return inline_definitions(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions)
    return {key: inline_definitions(each, definitions) for key, each in schema.items() if key != "$defs"}


def list_units(prompt: str, key: str) -> list[str]:
    """The ids of the units that a prompt asks about, under the key of their labels: `claims`, `key_points`."""
    kind, one = next((kind, one) for kind, (one, many) in NAMES.items() if many.replace(" ", "_") == key)
    prefix = PREFIXES[kind]
    found = re.findall(rf"^\[({prefix}\d+)\] ", prompt, re.MULTILINE)
    for named in re.findall(rf"^Each {one} is a sentence of the output: (.+)$", prompt, re.MULTILINE):
        for gap, number in re.findall(rf"(and so on to )?{prefix}(\d+) is ", named):
            first = int(found[-1].removeprefix(prefix)) + 1 if gap else int(number)
            found += [f"{prefix}{each}" for each in range(first, int(number) + 1)]
    return found


def is_asked(prompt: str, key: str) -> bool:
    """Whether a prompt asks for this key of its rubric's schema: a metric by its heading, or else a bank."""
    is_bank = f"(`{key}`)" not in prompt and "Nothing is judged yet." in prompt
    return f"(`{key}`)" in prompt or (is_bank and f'{{"{key}": ' in prompt)


def list_forms(asked: Asked) -> dict[str, Schema | None]:
    """The keys of a call's schema with what each must look like; None for one that this prompt does not ask for."""
    properties: Mapping[str, Schema] = (asked.schema or {}).get("properties", {})
    forms = {key: form["anyOf"][0] if "anyOf" in form else form for key, form in properties.items()}
    return {key: form if is_asked(asked.prompt, key) else None for key, form in forms.items()}
