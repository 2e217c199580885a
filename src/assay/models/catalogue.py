"""The chat models one can name on a command line."""

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path

from assay.errors import InputError
from assay.models.anthropic import AnthropicChat
from assay.models.chat import Chat, ReasoningEffort
from assay.models.openai import OpenAIChat
from assay.models.recording import Recording

_HOSTED: Mapping[str, type[OpenAIChat] | type[AnthropicChat]] = {"openai": OpenAIChat, "anthropic": AnthropicChat}
# Families of models that always think before they answer, by how a name begins and by what it contains.
_REASONING_PREFIXES = ("o1", "o3", "o4", "gpt-5", "gemini-3")
_REASONING_PARTS = ("thinking", "reasoner", "-r1", "qwq", "magistral", "gemini-2.5")
# The judges one can name, beside the embedded one, as messages and help texts list them.
FORMS = ", ".join(f"{provider}:MODEL" for provider in _HOSTED) + " or recorded:FILE"


def open_chat(
    spec: str,
    base_url: str | None,
    environment: Mapping[str, str],
    *,
    timeout_seconds: float = 120.0,
    reasoning_effort: ReasoningEffort | None = None,
) -> Chat:
    """Keys come from the mapping and nowhere else. An address given by hand goes before one from the mapping."""
    provider, colon, rest = spec.partition(":")
    providers = ["recorded", *_HOSTED]
    if provider not in providers:
        raise InputError(f'"{spec}" is no model', remedy=_suggest_spec(provider, colon + rest, providers))
    if not rest.strip():
        raise InputError(f'"{spec}" names no {"file" if provider == "recorded" else "model"}', remedy=f"Write {FORMS}")
    if provider == "recorded":
        return _open_recording(rest)
    hosted = _HOSTED[provider]
    address = (base_url or environment.get(hosted.base_url_variable) or hosted.official_base_url).rstrip("/")
    key = _read_key(hosted.key_variable, environment, required=address == hosted.official_base_url)
    return hosted(
        rest,
        base_url=address,
        key=key,
        timeout_seconds=timeout_seconds,
        reasons=is_reasoning_model(rest),
        reasoning_effort=reasoning_effort,
    )


def is_reasoning_model(model: str) -> bool:
    """By its name alone. Before the last slash stands who serves it."""
    name = model.rpartition("/")[2].lower()
    return name.startswith(_REASONING_PREFIXES) or any(part in name for part in _REASONING_PARTS)


def _open_recording(file: str) -> Recording:
    path = Path(file).expanduser()
    if path.is_file():
        return Recording(path)
    remedy = "Write recorded:FILE with a file of JSON lines"
    if path.parent.is_dir():
        names = [sibling.name for sibling in path.parent.iterdir() if sibling.is_file()]
        remedy = next(
            (f"Did you mean {path.parent / name}?" for name in get_close_matches(path.name, names, 1)), remedy
        )
    raise InputError("there is no such file", path=str(path), remedy=remedy)


def _read_key(variable: str, environment: Mapping[str, str], *, required: bool) -> str | None:
    key = environment.get(variable, "").strip()
    if not key and required:
        remedy = f"Set {variable}, or give the base URL of a server that needs no key"
        raise InputError(f"{variable} is not set", remedy=remedy)
    if not (key.isascii() and key.isprintable()):
        raise InputError(f"{variable} holds characters that no key has", remedy="Copy the key again, without quotes")
    return key or None


def _suggest_spec(provider: str, rest: str, providers: list[str]) -> str:
    near = get_close_matches(provider.lower(), providers, 1)
    if rest and near:
        return f"Did you mean {near[0]}{rest}?"
    if provider.startswith("claude"):
        return f"Did you mean anthropic:{provider}{rest}?"
    if provider.startswith(("gpt", "o1", "o3", "o4")):
        return f"Did you mean openai:{provider}{rest}?"
    return f"Write {FORMS}"
