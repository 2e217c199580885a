"""The worlds that made texts speak of, read from their tables."""

import tomllib
from functools import cache
from pathlib import Path

from training.synthetic.grammar import Fact, World

_FILES = ("clinic.toml", "shop.toml", "news.toml")


@cache
def read_worlds() -> tuple[World, ...]:
    """Every world of the tables, in their order."""
    worlds: list[World] = []
    for name in _FILES:
        table = tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))
        for world, parts in table.items():
            facts = tuple(Fact(kind, tuple(forms)) for kind, forms in parts["facts"].items())
            worlds.append(World(world, parts["subjects"], parts["slots"], facts, frozenset(parts["open"])))
    return tuple(worlds)
