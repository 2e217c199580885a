"""JSON values as people write them: names in several spellings, absent and blank fields, any value as text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from typing import TypeGuard

from assay.domain.json import JSON
from assay.errors import InputError
from assay.files.place import Place

_MISSING = ("NAType", "NaTType")
_IGNORED_IN_NAMES = str.maketrans("", "", " -_")


def fold(name: str) -> str:
    """Names are equal whatever their case, spaces, hyphens and underscores."""
    return name.casefold().translate(_IGNORED_IN_NAMES)


def rename(values: Mapping[str, JSON], names: Iterable[str], place: Place) -> dict[str, JSON]:
    """The values under the known names. A value without a known name keeps its own."""
    known = {fold(name): name for name in names}
    renamed: dict[str, JSON] = {}
    spelled: dict[str, str] = {}
    for key, value in values.items():
        name = known.get(fold(key), key)
        if name not in renamed or is_absent(renamed[name]):
            renamed[name] = value
            spelled[name] = key
        elif not is_absent(value):
            raise place.fault(f"`{spelled[name]}` and `{key}` are the same field", "Keep one of the two.")
    return renamed


def as_json(value: object) -> JSON:
    """A Python value as JSON: keys are text, tuples and arrays are lists, dates are text. Bytes are refused."""
    if isinstance(value, str):  # half a surrogate pair, which JSON does not have, becomes a question mark
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {str(as_json(str(key))): as_json(each) for key, each in value.items()}
    if isinstance(value, bytes | bytearray | memoryview):
        raise InputError("bytes were given where text is needed", remedy="Decode them first: `value.decode()`.")
    if isinstance(value, Sequence):
        return [as_json(each) for each in value]
    # Missing values of pandas, then NumPy scalars and arrays, without importing either.
    if type(value).__name__ in _MISSING:
        return None
    plain = getattr(value, "tolist", None)
    return as_json(plain()) if plain else str(value)


def is_absent(value: JSON) -> bool:
    """Data frames mark an absent value by NaN, which JSON does not have."""
    return value is None or (isinstance(value, float) and isnan(value))


def is_blank(text: str) -> bool:
    """Only white space, and characters without width."""
    return not any(character.isprintable() and not character.isspace() for character in text)


def is_list(value: JSON) -> TypeGuard[Sequence[JSON]]:
    return isinstance(value, list) or (not isinstance(value, str) and isinstance(value, Sequence))


def describe(value: JSON) -> str:
    """The kind of a value, in words for a message."""
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, Mapping):
        return "an object"
    return f"a list of {len(value)}" if is_list(value) else f"the number {value}"


def spell_out(value: JSON) -> str:
    """Any JSON as one line of text: entries as `key: value`, separated by semicolons."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return "" if value is None else describe(value)
    if isinstance(value, Mapping):
        return "; ".join(spell_entries(value))
    return ", ".join(spell_out(each) for each in value) if is_list(value) else str(value)


def join_lines(text: str) -> str:
    """On one line: a line break in a field would begin what looks like another field."""
    lines = text.splitlines()
    return text if len(lines) < 2 else " ".join(line.strip() for line in lines if line.strip())


def spell_entries(value: Mapping[str, JSON]) -> Iterator[str]:
    return (join_lines(f"{key}: {spell_out(each)}") for key, each in value.items() if not is_absent(each))


def is_deeper(value: JSON, levels: int) -> bool:
    """Whether lists and objects are nested more than so many levels deep."""
    children = value.values() if isinstance(value, Mapping) else value if is_list(value) else ()
    return levels < 0 or any(is_deeper(child, levels - 1) for child in children)
