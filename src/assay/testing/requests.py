"""A chat request as a scripted server reads it, in either API."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Api = Literal["openai", "anthropic"]


@dataclass(frozen=True, slots=True)
class Asked:
    """`key` is a digest of the texts alone: the same ask keeps it when a parameter is dropped or a call is retried."""

    api: Api
    number: int
    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(repr=False)
    prompt: str
    schema: Mapping[str, Any] | None
    key: str

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))


def read_asked(api: Api, number: int, body: Mapping[str, Any], headers: Mapping[str, str]) -> Asked:
    texts = [str(body["system"])] if body.get("system") else []
    texts += [str(message.get("content", "")) for message in body.get("messages", [])]
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


def _read_schema(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    for tool in body.get("tools") or []:
        return dict(tool["input_schema"])
    form = body.get("response_format") or (body.get("output_config") or {}).get("format") or {}
    schema = (form.get("json_schema") or form).get("schema")
    return dict(schema) if schema is not None else None
