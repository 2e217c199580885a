"""Chat completions as OpenAI defined them, and vLLM, llama.cpp, Ollama and most gateways serve them."""

from typing import Any, ClassVar

from yarl import URL

from assay.errors import Malformed
from assay.models.chat import Call, Completion, ReasoningEffort, digest_prefix, read_finish_reason, read_usage
from assay.models.providers import Wire
from assay.models.wire import HostedChat, Json, extend_url


class OpenAIChat(HostedChat):
    """Also for the servers that speak the same format."""

    wire: ClassVar[Wire] = "openai"
    limits: ClassVar[tuple[str, ...]] = ("max_tokens", "max_completion_tokens")

    @staticmethod
    def _build_url(base: URL) -> URL:
        # A bare host is a slip that every known server forgives in one way: its API lives under /v1.
        return extend_url(base, *(() if base.path.strip("/") else ("v1",)), "chat", "completions")

    def _build_payload(self, call: Call, form: str | None, limit: str, effort: ReasoningEffort | None) -> Json:
        payload: Json = {"model": self.model, "messages": self._build_messages(call), limit: call.max_tokens}
        if call.shared is not None and self.caching in {"automatic", "breakpoints"}:
            payload["prompt_cache_key"] = digest_prefix(call.messages, call.shared)
        if self.caching == "breakpoints" and "prompt_cache_options" not in self.connection.refused:
            # Otherwise each whole prompt is written to the cache, which costs extra, and nothing else begins with it.
            payload["prompt_cache_options"] = {"mode": "explicit"}
        if effort is not None:
            payload["reasoning_effort"] = effort
        if call.temperature is not None:
            payload["temperature"] = call.temperature
        if form == "json_schema":
            schema = {"name": "reply", "strict": True, "schema": call.schema}
            payload["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif form == "json_object":
            payload["response_format"] = {"type": "json_object"}
        return payload

    def _read_completion(self, body: Json) -> Completion:
        choices: Any = body.get("choices")
        choice: Any = choices[0] if isinstance(choices, list) and choices else None
        message: Any = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(message, dict):
            raise Malformed(f"{self.connection.place}: the reply holds no choice with a message")
        refusal = message.get("refusal")
        return Completion(
            text=_read_text(message.get("content")) or str(refusal or ""),
            finish_reason="refusal" if refusal else read_finish_reason(choice.get("finish_reason")),
            usage=read_usage(body.get("usage")),
        )


def _read_text(content: object) -> str:
    """The answer alone: a model's reasoning comes in fields beside it, which are not read."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))
