"""Reads the word lists beside this module: TOML files, each read once, when it is first needed."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def read_lists(name: str) -> dict[str, Any]:
    """The content of a file of lists, such as `stop_words`."""
    return tomllib.loads((files("assay.text") / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def read_words(name: str, key: str) -> frozenset[str]:
    """The words under a key of such a file; empty if there is no such key."""
    return frozenset(read_lists(name).get(key, "").split())
