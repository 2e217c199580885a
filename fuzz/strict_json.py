"""Values as JSON can hold them, under familiar keys, and one value of many exchanged for another."""

from collections.abc import Mapping, Sequence

from assay.domain.json import JSON
from fuzz.choices import Choices

ODD: tuple[JSON, ...] = (
    None, True, False, 0, 1, -1, 429, 2**63, -(2**63), 1.5, -0.0, 1e308, "", "0", "1/0", "1/2", "nan", "\x00", [], {},
    [[]], [{}], [None], {"$": "int", "v": "0x1"}, {"$": "float", "v": "nan"}, {"$": "x", "v": {}}, "9" * 5000,
)  # fmt: skip
_DEEPEST = 6


def build_value(choices: Choices, keys: Sequence[str], words: Sequence[str], depth: int = 0) -> JSON:
    """Ends where the bytes end: the first option of every decision is a word."""
    kind = choices.number(8) if depth else 4 + choices.number(3)
    if depth >= _DEEPEST or kind < 2:
        return choices.pick(words)
    if kind == 2:
        return choices.pick(ODD)
    if kind == 3:
        return choices.text()[:400]
    if kind < 7:
        return {choices.pick(keys): build_value(choices, keys, words, depth + 1) for _ in range(1 + choices.number(6))}
    return [build_value(choices, keys, words, depth + 1) for _ in range(choices.number(4))]


def damage(value: JSON, choices: Choices) -> JSON:
    """The same value with one place of it, found by one decision a step, replaced or left out."""
    step = choices.number(256)
    if isinstance(value, Mapping) and value and step:
        name = list(value)[step % len(value)]
        if step > 240:
            return {key: inner for key, inner in value.items() if key != name}
        return {**value, name: damage(value[name], choices)}
    if isinstance(value, Sequence) and not isinstance(value, str) and value and step:
        at = step % len(value)
        changed = [] if step > 240 else [damage(value[at], choices)]
        return [*value[:at], *changed, *value[at + 1 :]]
    return choices.text() if choices.number(4) == 3 else choices.pick(ODD)
