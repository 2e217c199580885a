"""The JSON in a model's reply, found among whatever else the model wrote."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

import orjson

from assay.domain.json import JSON
from assay.replies.tolerant import MAX_DEPTH, Broken, Tolerated, read_tolerantly
from assay.replies.wrapping import unwrap

MAX_CHARACTERS = 10_000_000
# Each broken value may cost a look at the whole rest of the text; a reply with more of them is no judgement.
MAX_BROKEN = 50

# An array counts only where an object opens it: [1] and [RESULT] are prose.
_OPENED = r"[{｛](?=\s*(?:[\w\-\"'“”„‘’‚＂/#}｝]|\Z))"
_START = re.compile(rf"{_OPENED}|[\[［](?=\s*{_OPENED})")
_LANDMARK = re.compile(r'\n[{｛]|"(?:[^"\\\n]|\\.)*+"?|[{｛\[［]|[}｝\]］]')
_FENCE = re.compile(r"```[\w+-]*")


@dataclass(frozen=True, slots=True)
class Salvaged:
    """Every top-level value in its order; `repairs` names each step that strict JSON would not have needed."""

    values: tuple[JSON, ...]
    repairs: tuple[str, ...]
    truncated: bool


def salvage_json(text: str) -> Salvaged:
    """Strict where the reply is strict; else the objects and arrays of objects in it, read as a person would.

    A value that cannot be read is dropped with a note, never guessed. Where the text ends inside a value, its complete
    parts are kept and the last, incomplete element is not.
    """
    if len(text) > MAX_CHARACTERS:
        return Salvaged((), ("reply too long",), truncated=False)
    if whole := _read_strictly(text):
        return Salvaged(whole, (), truncated=False)
    unwrapped = unwrap(text)
    if unwrapped.repairs and (whole := _read_strictly(unwrapped.text)):
        return Salvaged(whole, unwrapped.repairs, truncated=False)
    return _scan(unwrapped.text, unwrapped.repairs)


def _read_strictly(text: str) -> tuple[JSON] | None:
    try:
        value: JSON = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    # Each level has a bracket of its own that opens it.
    is_shallow = text.count("{") + text.count("[") <= MAX_DEPTH or _is_shallow(value)
    return (value,) if is_shallow else None


def _is_shallow(value: JSON) -> bool:
    """Whoever walks the value later may recurse, so its depth is bounded here."""
    level: list[JSON] = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return True
    return False


def _children(value: JSON) -> Iterable[JSON]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


@dataclass(slots=True)
class _Haul:
    values: list[JSON] = field(default_factory=list)
    repairs: dict[str, None] = field(default_factory=dict)
    truncated: bool = False
    broken: int = 0

    def add(self, found: Tolerated) -> None:
        self.repairs.update(dict.fromkeys(found.repairs))
        self.truncated = self.truncated or found.truncated
        if found.value or not found.truncated:
            self.values.append(found.value)

    def pass_over(self, gap: str) -> None:
        rest = _FENCE.sub("", gap)
        if rest != gap:
            self.repairs["code fence"] = None
        rest = rest.strip()
        if rest:
            self.repairs["comma between values" if not rest.strip(",;，； \n") else "prose around JSON"] = None


def _scan(text: str, repairs: tuple[str, ...]) -> Salvaged:
    haul = _Haul(repairs=dict.fromkeys(repairs))
    position = gap_start = 0
    while haul.broken < MAX_BROKEN and (start := _START.search(text, position)):
        found = read_tolerantly(text, start.start())
        if isinstance(found, Broken):
            position = found.end
            if found.begun:
                haul.pass_over(text[gap_start : start.start()])
                haul.repairs["unreadable value dropped"] = None
                haul.broken += 1
                position = gap_start = _end_of_broken(text, start.start(), found.end)
            continue
        haul.pass_over(text[gap_start : start.start()])
        haul.add(found)
        position = gap_start = found.end
    if haul.values:
        haul.pass_over(text[gap_start:])
    return Salvaged(tuple(haul.values), tuple(haul.repairs), haul.truncated)


def _end_of_broken(text: str, start: int, failed_at: int) -> int:
    """Past the bracket that closes the broken value, or where the next line opens one, so that only it is lost."""
    depth = 0
    for landmark in _LANDMARK.finditer(text, start):
        mark = landmark.group()
        if mark[0] == "\n" and landmark.start() >= failed_at:
            return landmark.start()
        depth += (mark[-1] in "{｛[［") - (mark in "}｝]］")
        if depth == 0 and landmark.end() >= failed_at and mark[0] != '"':
            return landmark.end()
    return len(text)
