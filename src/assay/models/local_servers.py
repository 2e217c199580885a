"""Looks for a model server on this machine, at the usual ports. Only `assay demo` does, to name a command."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException

PORTS: Mapping[str, int] = {"ollama": 11434, "vllm": 8000, "lmstudio": 1234, "llamacpp": 8080}
_TIMEOUT_SECONDS = 0.3
_LARGEST_REPLY_BYTES = 1_000_000


def find_local_server(ports: Mapping[str, int]) -> str | None:
    """The first that lists a model, as PROVIDER:MODEL@URL. Nothing is sent but the question which models there are."""
    found = ((provider, port, _ask_for_model(port)) for provider, port in ports.items())
    return next((f"{provider}:{model}@http://127.0.0.1:{port}/v1" for provider, port, model in found if model), None)


def _ask_for_model(port: int) -> str | None:
    connection = HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT_SECONDS)
    try:
        connection.request("GET", "/v1/models")
        listed = json.loads(connection.getresponse().read(_LARGEST_REPLY_BYTES))
    except (OSError, HTTPException, ValueError):
        return None
    finally:
        connection.close()
    models = listed.get("data") if isinstance(listed, dict) else None
    names = [each.get("id") for each in models or () if isinstance(each, dict)] if isinstance(models, list) else []
    return next((name for name in names if isinstance(name, str) and name), None)
