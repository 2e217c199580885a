"""Finds what stands under the keys asked for, wherever in its reply a model has put it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from assay.domain.ask import Fault
from assay.domain.json import JSON
from assay.replies.salvage import Salvaged


@dataclass(frozen=True, slots=True)
class Body:
    """`torn` keys stand twice with different contents, so neither holds: which of the two is meant can't be told."""

    values: Mapping[str, JSON]
    torn: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(Fault(f"{key} stands twice with different contents", "ambiguous") for key in self.torn)


def find_body(salvaged: Salvaged, keys: Sequence[str], list_key: str) -> Body:
    """In one object, wrapped, spread over several objects, or as the bare list that `list_key` should have held."""
    repairs = list(salvaged.repairs)
    found: list[Mapping[str, JSON]] = []
    for value in salvaged.values:
        holder = _unwrap(value, keys)
        if holder is None and is_list(value) and value:
            found.append({list_key: value})
            repairs.append("bare list")
        elif holder is not None:
            found.append(holder)
            repairs += ["wrapped object"] if holder is not value else []
    values: dict[str, JSON] = {}
    torn: list[str] = []
    for each in found:
        torn += [key for key in each if key in keys and key in values and values[key] != each[key]]
        values = {**each, **values}
    repairs += ["several objects"] if len(found) > 1 else []
    kept = {key: value for key, value in values.items() if key not in torn}
    return Body(kept, tuple(dict.fromkeys(torn)), tuple(repairs))


def _unwrap(value: JSON, keys: Sequence[str]) -> Mapping[str, JSON] | None:
    if isinstance(value, dict):
        if not value.keys().isdisjoint(keys):
            return value
        renamed = {_fold(key): each for key, each in value.items()}
        if any(key in renamed for key in keys):
            return renamed
        inner = [each for each in value.values() if isinstance(each, Mapping) and any(key in each for key in keys)]
        return inner[0] if len(inner) == 1 else None
    if is_list(value) and len(value) == 1:
        return _unwrap(value[0], keys)
    return None


def _fold(key: str) -> str:
    """`Key Points` and `key-points` are key_points."""
    return "_".join(key.replace("-", " ").replace("_", " ").casefold().split())


def is_list(value: JSON) -> TypeGuard[Sequence[JSON]]:
    return isinstance(value, list) or (isinstance(value, Sequence) and not isinstance(value, str))
