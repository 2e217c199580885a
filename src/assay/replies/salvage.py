"""Finds the JSON in a model's reply, and in it what stands under the keys asked for."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from assay.domain.ask import Fault
from assay.domain.json import JSON
from assay.replies.strict import Torn, join_members, parse_strictly
from assay.replies.tolerant import Broken, read_tolerantly
from assay.replies.wrapping import unwrap

# Reading blocks every other ask of the run, and no judgement is longer than this.
MAX_CHARACTERS = 1_000_000
# Each broken value may cost a look at the whole rest of the text; a reply with more of them is no judgement.
_MAX_BROKEN = 50
_MAX_PASSED_OVER = 1_000
_DEEPEST_KEYS = 8

# An array counts only where an object opens it: [1] and [RESULT] are prose.
_OPENED = r"[{｛](?=\s*(?:[\w\-\"'“”„‘’‚＂/#}｝]|\Z))"
_START = re.compile(rf"{_OPENED}|[\[［](?=\s*{_OPENED})")
_LANDMARK = re.compile(r'\n[{｛]|"(?:[^"\\\n]|\\.)*+"?|[{｛\[［]|[}｝\]］]')
_FENCE = re.compile(r"```[\w+-]*")


@dataclass(frozen=True, slots=True)
class Salvaged:
    """Every top-level value in its order; `repairs` names each step that strict JSON would not have needed.

    `prose` are the words before the first value and after the last.
    """

    values: tuple[JSON, ...]
    repairs: tuple[str, ...]
    truncated: bool
    prose: tuple[str, ...] = ()


def salvage_json(text: str) -> Salvaged:
    """Strict where the reply is strict; else the objects and arrays of objects in it, read as a person would.

    A value that cannot be read is dropped with a note, never guessed. Where the text ends inside a value, its complete
    parts are kept and the last, incomplete element is not. A key with two different values has the value `Torn`.
    """
    if len(text) > MAX_CHARACTERS:
        return Salvaged((), ("reply too long",), truncated=False)
    if whole := _read_strictly(text):
        return Salvaged(whole, (), truncated=False)
    answer, repairs = unwrap(text)
    if repairs and (whole := _read_strictly(answer)):
        return Salvaged(whole, repairs, truncated=False)
    return _scan(answer, repairs)


def _read_strictly(text: str) -> tuple[JSON] | None:
    try:
        return (parse_strictly(text),)
    except ValueError:
        return None


def _scan(text: str, known_repairs: tuple[str, ...]) -> Salvaged:
    values: list[JSON] = []
    repairs = list(known_repairs)
    truncated = False
    prose: list[str] = []
    position = gap_start = broken = passed_over = 0
    while broken < _MAX_BROKEN and passed_over < _MAX_PASSED_OVER and (start := _START.search(text, position)):
        found = read_tolerantly(text, start.start())
        if isinstance(found, Broken) and not found.begun:
            position = found.end
            passed_over += 1
            continue
        repairs += _name_gap(text[gap_start : start.start()])
        prose += [] if prose else [text[: start.start()]]
        if isinstance(found, Broken):
            repairs.append("unreadable value dropped")
            broken += 1
            position = gap_start = _end_of_broken(text, start.start(), found.end)
            continue
        repairs += found.repairs
        truncated = truncated or found.truncated
        values += [found.value] if found.value or not found.truncated else []
        position = gap_start = found.end
    repairs += _name_gap(text[gap_start:]) if values else []
    return Salvaged(tuple(values), tuple(dict.fromkeys(repairs)), truncated, (*prose, text[gap_start:]))


def _name_gap(gap: str) -> list[str]:
    """The repairs that passing over a text between values comes to."""
    rest = _FENCE.sub("", gap)
    repairs = ["code fence"] if rest != gap else []
    if rest := rest.strip():
        repairs.append("prose around JSON" if rest.strip(",;，； \n") else "comma between values")
    return repairs


def _end_of_broken(text: str, start: int, failed_at: int) -> int:
    """Where the broken value ends: after its closing bracket, or where the next line opens a value."""
    depth = 0
    for landmark in _LANDMARK.finditer(text, start):
        mark = landmark.group()
        if mark[0] == "\n" and landmark.start() >= failed_at:
            return landmark.start()
        depth += (mark[-1] in "{｛[［") - (mark in "}｝]］")
        if depth == 0 and landmark.end() >= failed_at and mark[0] != '"':
            return landmark.end()
    return len(text)


@dataclass(frozen=True, slots=True)
class Body:
    """`torn` keys stand twice with different contents, so neither holds: which of the two is meant can't be told."""

    values: Mapping[str, JSON]
    torn: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        return tuple(Fault(f"{key} stands twice with different contents", "ambiguous", part=key) for key in self.torn)


def find_body(salvaged: Salvaged, keys: Sequence[str], list_key: str) -> Body:
    """In one object, wrapped, spread over several objects, or as the bare list that `list_key` should have held."""
    repairs = list(salvaged.repairs)
    found: list[Mapping[str, JSON]] = []
    for given in salvaged.values:
        value = rename_keys(given, keys)
        repairs += ["spelling of keys"] if value != given else []
        holder = _unwrap(value, keys)
        if holder is None and is_list(value) and value:
            found.append({list_key: value})
            repairs.append("bare list")
        elif holder is not None:
            found.append(holder)
            repairs += ["wrapped object"] if holder is not value else []
    repairs += ["several objects"] if len(found) > 1 else []
    # What was not asked for is taken where it first stands.
    values: dict[str, JSON] = {}
    for each in found:
        values |= {key: value for key, value in each.items() if key not in values}
    values |= join_members((key, each[key]) for each in found for key in keys if key in each)
    torn = tuple(key for key in keys if isinstance(values.get(key), Torn))
    return Body({key: value for key, value in values.items() if key not in torn}, torn, tuple(repairs))


def _unwrap(value: JSON, keys: Sequence[str]) -> Mapping[str, JSON] | None:
    if isinstance(value, Mapping):
        inner = [each for each in value.values() if isinstance(each, Mapping) and not each.keys().isdisjoint(keys)]
        return value if not value.keys().isdisjoint(keys) else inner[0] if len(inner) == 1 else None
    return _unwrap(value[0], keys) if is_list(value) and len(value) == 1 else None


def rename_keys(value: JSON, keys: Sequence[str]) -> JSON:
    """`Key Points` and `key-points` are key_points, where that is among the keys; any other key is left as it is."""
    known = {_fold(key): key for key in keys} | {key: key for key in keys}

    def rename(value: JSON, depth: int) -> JSON:
        if isinstance(value, Mapping) and depth:
            pairs = ((known.get(key) or known.get(_fold(key), key), each) for key, each in value.items())
            return join_members((key, rename(each, depth - 1)) for key, each in pairs)
        return [rename(each, depth - 1) for each in value] if is_list(value) and depth else value

    return rename(value, _DEEPEST_KEYS)


def _fold(key: str) -> str:
    return "_".join(key.replace("-", " ").replace("_", " ").casefold().split())


def is_list(value: JSON) -> TypeGuard[Sequence[JSON]]:
    return isinstance(value, list) or (isinstance(value, Sequence) and not isinstance(value, str))
