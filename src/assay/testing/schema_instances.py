"""Small values that satisfy a JSON schema, or miss it on purpose."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_DEEPEST = 60
_OUTSIDE_NUMBER = 1_000_000
_OUTSIDE_LABEL = "no such label"

Schema = Mapping[str, Any]


def build_instance(schema: Schema, chance: random.Random | None = None) -> Any:
    """The smallest value the schema allows: required properties, least items, the first (or a chosen) enum value."""
    return _Builder(schema, chance, outside=False).build(schema, 0)


def build_outsider(schema: Schema) -> Any:
    """A value of the right shape whose every label and number lies outside what the schema allows."""
    return _Builder(schema, None, outside=True).build(schema, 0)


@dataclass(frozen=True, slots=True)
class _Builder:
    root: Schema
    chance: random.Random | None
    outside: bool

    def build(self, schema: Schema, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("the schema requires a value inside itself without end")
        if "$ref" in schema:
            return self.build(self._resolve(schema["$ref"]), depth + 1)
        for choice in ("anyOf", "oneOf"):
            if choice in schema:
                return self.build(self._pick(schema[choice]), depth + 1)
        if "allOf" in schema:
            return self.build(_merge(schema), depth + 1)
        if "const" in schema or "enum" in schema:
            allowed = [schema["const"]] if "const" in schema else schema["enum"]
            return _OUTSIDE_LABEL if self.outside and "enum" in schema else self._pick(allowed)
        return self._build_typed(schema, depth)

    def _build_typed(self, schema: Schema, depth: int) -> Any:
        kind = schema.get("type", "object" if "properties" in schema else "string")
        if isinstance(kind, list):
            kind = self._pick(kind)
        match kind:
            case "object":
                properties = schema.get("properties", {})
                return {name: self.build(properties.get(name, {}), depth + 1) for name in schema.get("required", [])}
            case "array":
                first = schema.get("prefixItems", [])
                count = max(schema.get("minItems", 0), len(first))
                parts = [*first, *[schema.get("items", {})] * (count - len(first))]
                return [self.build(part, depth + 1) for part in parts]
            case "integer" | "number":
                return self._build_number(schema, whole=kind == "integer")
            case "boolean":
                return self._pick([False, True])
            case "null":
                return None
            case _:
                return "…" * max(1, schema.get("minLength", 1))

    def _build_number(self, schema: Schema, *, whole: bool) -> float:
        step = 1 if whole else 0.5
        low, high = schema.get("minimum"), schema.get("maximum")
        if low is None and "exclusiveMinimum" in schema:
            low = schema["exclusiveMinimum"] + step
        if high is None and "exclusiveMaximum" in schema:
            high = schema["exclusiveMaximum"] - step
        if self.outside:
            return _OUTSIDE_NUMBER if high is None else high + 1
        if low is None:
            low = 0 if high is None or high >= 0 else high
        if self.chance is None or high is None or high < low:
            return float(low) if not whole else int(low)
        return self.chance.randint(int(low), int(high)) if whole else self.chance.uniform(low, high)

    def _pick(self, options: list[Any]) -> Any:
        return options[0] if self.chance is None else self.chance.choice(options)

    def _resolve(self, reference: str) -> Schema:
        target: Any = self.root
        for part in reference.removeprefix("#").strip("/").split("/") if reference != "#" else []:
            target = target[part.replace("~1", "/").replace("~0", "~")]
        return dict(target)


def _merge(schema: Schema) -> Schema:
    merged: dict[str, Any] = {name: value for name, value in schema.items() if name != "allOf"}
    for part in schema["allOf"]:
        for name, value in part.items():
            known = merged.get(name)
            if isinstance(known, dict) and isinstance(value, dict):
                merged[name] = {**known, **value}
            elif name == "required" and known:
                merged[name] = [*known, *value]
            else:
                merged[name] = value
    return merged
