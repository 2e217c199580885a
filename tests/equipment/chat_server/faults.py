"""The ways an endpoint or a model goes wrong, on demand."""

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson

from equipment.chat_server.exchange import (
    Asked,
    HttpReply,
    Reply,
    Schema,
    build_complaint,
    build_instance,
    inline_definitions,
)


class Fault(StrEnum):
    """What the endpoint does, then what the model does, then what a request must not hold."""

    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    OVERLOADED = "overloaded"
    RESET = "reset"
    HANG = "hang"
    GARBAGE = "garbage"
    BAD_KEY = "bad_key"
    UNKNOWN_MODEL = "unknown_model"
    TOO_LONG = "too_long"

    CUT = "cut"
    FENCED = "fenced"
    SLOPPY = "sloppy"
    EMPTY = "empty"
    OUT_OF_RANGE = "out_of_range"
    REFUSAL = "refusal"

    REJECTS_SCHEMA = "rejects_schema"
    REJECTS_TEMPERATURE = "rejects_temperature"
    REJECTS_MAX_TOKENS = "rejects_max_tokens"


@dataclass(frozen=True, slots=True)
class FaultRule:
    """Strikes an ask the first time it comes, or always; a share below 1 picks asks by seed, not by order of arrival.

    `containing` limits the rule to prompts that hold those words.
    """

    fault: Fault
    always: bool = False
    share: float = 1.0
    seed: int = 0
    containing: str = ""
    retry_after_seconds: int = 1

    def picks(self, asked: Asked, earlier: int) -> bool:
        if (earlier and not self.always) or self.containing not in asked.prompt or not self._applies(asked):
            return False
        digest = hashlib.sha256(f"{self.seed}:{self.fault}:{asked.key}".encode()).digest()
        return int.from_bytes(digest[:8]) / 2**64 < self.share

    def _applies(self, asked: Asked) -> bool:
        match self.fault:
            case Fault.REJECTS_SCHEMA:
                return asked.schema is not None
            case Fault.REJECTS_TEMPERATURE:
                return "temperature" in asked.body
            case Fault.REJECTS_MAX_TOKENS:
                return asked.api == "openai" and "max_tokens" in asked.body
            case _:
                return True


def build_error(rule: FaultRule, asked: Asked) -> HttpReply | None:
    """The HTTP reply of a fault that the model never hears of; None for the faults of the model itself."""
    match rule.fault:
        case Fault.RATE_LIMITED:
            reply = build_complaint(asked, 429, "Too many requests, slow down.", "rate_limit_error")
            return HttpReply(reply.status, reply.body, {"Retry-After": str(rule.retry_after_seconds)})
        case Fault.SERVER_ERROR:
            return build_complaint(asked, 500, "Something broke in here.", "server_error")
        case Fault.OVERLOADED:
            return build_complaint(asked, 529, "Overloaded.", "overloaded_error")
        case Fault.GARBAGE:
            return HttpReply(200, b"<html><body>Welcome to the gateway</body></html>", {"Content-Type": "text/html"})
        case Fault.BAD_KEY:  # some servers print the key they were given, so this one does
            key = asked.headers.get("x-api-key") or asked.headers.get("Authorization", "")
            return build_complaint(asked, 401, f"Incorrect API key provided: {key}", "invalid_api_key")
        case Fault.UNKNOWN_MODEL:
            return build_complaint(asked, 404, f"The model {asked.model} does not exist.", "model_not_found")
        case Fault.TOO_LONG:
            text = "This model's maximum context length is 4096 tokens, and the messages come to 5000."
            return build_complaint(asked, 400, text, "context_length_exceeded")
        case Fault.REJECTS_SCHEMA:
            parameter = "response_format" if asked.api == "openai" else "tools"
            return build_complaint(asked, 400, f"{parameter}: schemas are not supported here", "invalid_request_error")
        case Fault.REJECTS_TEMPERATURE:
            text = "Unsupported value: 'temperature' takes only its default with this model."
            return build_complaint(asked, 400, text, "unsupported_value", "temperature")
        case Fault.REJECTS_MAX_TOKENS:
            text = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            return build_complaint(asked, 400, text, "unsupported_parameter", "max_tokens")
        case _:
            return None


def spoil_reply(fault: Fault, asked: Asked, reply: Reply) -> Reply:
    """What a good reply becomes when the model is the one at fault."""
    match fault:
        case Fault.CUT:
            return Reply(reply.text[: max(1, len(reply.text) // 2)], "length")
        case Fault.FENCED:
            return Reply(f"```json\n{reply.text}\n```")
        case Fault.SLOPPY:
            return Reply(f"Sure! Here is the evaluation:\n{_render_sloppy(reply.text)}\nLet me know if that helps.")
        case Fault.EMPTY:
            return Reply("")
        case Fault.REFUSAL:
            return Reply("I'm sorry, but I can't help with that.", "refusal")
        case Fault.OUT_OF_RANGE if asked.schema is not None:
            return Reply(
                orjson.dumps(_build_outsider(inline_definitions(asked.schema, asked.schema.get("$defs", {})))).decode()
            )
        case Fault.OUT_OF_RANGE:
            return Reply(re.sub(r"\d+", "99", reply.text))
        case _:
            return reply


def _render_sloppy(text: str) -> str:
    """Single quotes and a trailing comma: read by people and by Python, not by a JSON parser."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return text
    return f"{repr(value)[:-1]}, }}" if isinstance(value, dict) else repr(value)


def _build_outsider(schema: Schema) -> Any:
    """A value of the right shape whose every label and number lies outside what the schema allows."""
    if "anyOf" in schema:
        return _build_outsider(schema["anyOf"][0])
    if "enum" in schema:
        return "no such label"
    if schema.get("type") == "array":
        return [_build_outsider(schema.get("items", {})) for _ in range(schema.get("minItems", 0))]
    if schema.get("type") in {"integer", "number"}:
        return schema["maximum"] + 1 if "maximum" in schema else 1_000_000
    if "properties" in schema:
        return {name: _build_outsider(schema["properties"].get(name, {})) for name in schema.get("required", [])}
    return build_instance(schema)
