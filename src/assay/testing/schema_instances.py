"""Small values that satisfy a reply schema, or miss it on purpose."""

import random
from collections.abc import Mapping
from typing import Any

_OUTSIDE_NUMBER = 1_000_000
_OUTSIDE_LABEL = "no such label"

Schema = Mapping[str, Any]


def build_instance(schema: Schema, chance: random.Random | None = None) -> Any:
    """The smallest value the schema allows: required properties, least items, the first (or a chosen) enum value."""
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


def build_outsider(schema: Schema) -> Any:
    """A value of the right shape whose every label and number lies outside what the schema allows."""
    if "enum" in schema:
        return _OUTSIDE_LABEL
    if schema.get("type") == "array":
        return [build_outsider(schema.get("items", {})) for _ in range(schema.get("minItems", 0))]
    if schema.get("type") in {"integer", "number"}:
        return schema["maximum"] + 1 if "maximum" in schema else _OUTSIDE_NUMBER
    if "properties" in schema:
        return {name: build_outsider(schema["properties"].get(name, {})) for name in schema.get("required", [])}
    return build_instance(schema)
