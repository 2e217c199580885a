"""The chat models that can be named on a command line."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from assay.errors import InputError
from assay.models.anthropic import AnthropicChat
from assay.models.chat import Chat, ReasoningEffort
from assay.models.openai import OpenAIChat
from assay.models.providers import Provider, Wire, read_providers
from assay.models.recording import Recording
from assay.models.secrets import hide_secrets
from assay.models.wire import is_loopback, read_base_url

_WIRES: Mapping[Wire, type[OpenAIChat] | type[AnthropicChat]] = {"openai": OpenAIChat, "anthropic": AnthropicChat}
# The judges one can name, beside the embedded one, as messages and help texts list them.
FORMS = "PROVIDER:MODEL[@URL], local:MODEL_OR_FOLDER or recorded:FILE"
# A model's own name may hold an @, so that an address begins with its scheme.
_ADDRESS = re.compile(r"@(https?://.*)", re.DOTALL | re.IGNORECASE)
_BARE_ADDRESS = re.compile(r".*@([\w.-]+:\d+\S*|localhost\S*)")


@dataclass(frozen=True, slots=True)
class Target:
    """A model with its provider's entry, the address that it is asked at, and the key, if one is set."""

    provider: Provider
    model: str
    base_url: str = field(repr=False)
    key: str | None = field(repr=False)

    def describe(self) -> str:
        """One line for people, without a secret: where it is asked, with which key, and what its endpoint takes."""
        settings = self.provider.for_model(self.model)
        key = f"key {settings.key_variable}{'' if self.key else ' (not set)'}" if settings.key_variable else "no key"
        least = f" from {settings.cache_min_tokens:,} tokens" if settings.cache_min_tokens else ""
        caching = f"{settings.caching} prompt caching{least}"
        parts = [
            f"{settings.name}:{self.model} at {hide_secrets(self.base_url)}",
            f"{settings.wire} format",
            key,
            f"schema by {' or '.join(settings.schema)}" if settings.schema else "no schema",
            *([] if settings.temperature else ["no temperature"]),
            "no prompt caching" if settings.caching == "none" else caching,
            "no batches" if settings.batch == "none" else f"{settings.batch} batches",
        ]
        return ", ".join(parts)


def open_chat(
    spec: str,
    base_url: str | None,
    environment: Mapping[str, str],
    *,
    providers: Mapping[str, Provider] | None = None,
    timeout_seconds: float = 120.0,
    reasoning_effort: ReasoningEffort | None = None,
) -> Chat:
    """Keys come from the mapping and nowhere else. An address in the spec goes before the base URL."""
    if spec.startswith("recorded:"):
        return _open_recording(spec.removeprefix("recorded:"))
    target = find_target(spec, base_url, environment, providers)
    variable, own = target.provider.key_variable, target.provider.base_url
    if variable and not target.key and target.base_url == own and not is_loopback(read_base_url(own)):
        remedy = f"Set {variable}, or give the base URL of a server that needs no key"
        raise InputError(f"{variable} is not set", remedy=remedy)
    return _WIRES[target.provider.wire](
        target.model,
        provider=target.provider,
        base_url=target.base_url,
        key=target.key,
        timeout_seconds=timeout_seconds,
        reasoning_effort=reasoning_effort,
    )


def find_target(
    spec: str, base_url: str | None, environment: Mapping[str, str], providers: Mapping[str, Provider] | None = None
) -> Target:
    """What PROVIDER:MODEL[@URL] names. Raises InputError if there is no such provider, or no model or address."""
    known = read_providers() if providers is None else providers
    named, at_url = split_address(spec)
    name, colon, model = named.partition(":")
    if name not in known:
        raise InputError(f'unknown judge "{named}"', remedy=_suggest_spec(name, colon + model, list(known)))
    if not model.strip():
        raise InputError(f'"{named}" names no model', remedy=f"Write {name}:MODEL")
    if bare := _BARE_ADDRESS.fullmatch(model):
        remedy = f"Write @http://{bare[1]}" if hide_secrets(bare[1]) == bare[1] else "Write @http://HOST:PORT/v1"
        raise InputError("the address of a model must begin with http:// or https://", remedy=remedy)
    provider = known[name]
    address = (at_url or base_url or environment.get(provider.base_url_variable, "")).rstrip("/")
    if not address:
        address = provider.find_base_url(environment)
        provider = replace(provider, base_url=address)
    key = environment.get(provider.key_variable, "").strip()
    if not (key.isascii() and key.isprintable()):
        remedy = "Copy the key again, without quotes"
        raise InputError(f"{provider.key_variable} contains characters that can't be in a key", remedy=remedy)
    return Target(provider, model, address, key or None)


def split_address(spec: str) -> tuple[str, str | None]:
    """PROVIDER:MODEL without its address, which may hold a secret; and the address."""
    found = _ADDRESS.search(spec)
    return (spec, None) if found is None else (spec[: found.start()], found[1])


def _open_recording(file: str) -> Recording:
    if not file.strip():
        raise InputError('"recorded:" names no file', remedy=f"Write {FORMS}")
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


def _suggest_spec(provider: str, rest: str, providers: list[str]) -> str:
    near = get_close_matches(provider.lower(), [*providers, "recorded"], 1)
    if rest and near:
        return f"Did you mean {near[0]}{rest}?"
    if provider.startswith("claude"):
        return f"Did you mean anthropic:{provider}{rest}?"
    if provider.startswith(("gpt", "o1", "o3", "o4")):
        return f"Did you mean openai:{provider}{rest}?"
    return f"Write {FORMS}. Providers are {', '.join(providers)}, and those of `[providers.NAME]` in assay.toml"
