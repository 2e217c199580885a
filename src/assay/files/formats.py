"""Records in the files of other tools, known by names that only such files have. `formats.toml` is the table."""

import ast
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from assay.domain.json import JSON
from assay.domain.rubric import Input, Rubric
from assay.errors import InputError
from assay.files.json_lines import parse_json
from assay.files.json_values import fold, is_absent
from assay.files.logs import read_inspect, read_promptfoo, read_traces
from assay.files.place import Place

Row = tuple[Place, JSON | InputError]
_Read = Callable[[Iterable[Row]], Iterator[Row]]
# Readers that make one row of each record. A table has such rows already.
_READERS: Mapping[str, _Read] = {"inspect": read_inspect, "promptfoo": read_promptfoo, "openinference": read_traces}
_ROLES = ("query", "source", "output")


@dataclass(frozen=True, slots=True)
class Format:
    """`columns` are, by role, those that may hold a rubric's input. `read` is None where each row is a record."""

    title: str
    marks: tuple[tuple[str, ...], ...]
    columns: Mapping[str, tuple[str, ...]]
    read: _Read | None

    def arrange(
        self, values: Mapping[str, JSON], rubric: Rubric, mapping: Mapping[str, str], place: Place
    ) -> dict[str, JSON]:
        """The row under the names of the rubric's inputs. What the user maps is left to the mapping.

        A query or source under the rubric's own name is kept. An output never is: it may be the expected answer.
        Raises InputError where two columns may be meant.
        """
        mapped = {fold(name): column for name, column in mapping.items()}
        row = dict(values)
        for role, names in self.columns.items():
            spec = _find_input(rubric, role)
            if spec is None or (role != "output" and not is_absent(row.get(spec.name))):
                continue
            if column := mapped.get(fold(spec.name)):
                row |= {column: _fit(row[column], spec)} if column in row else {}
                continue
            found = [name for name in names if not is_absent(values.get(name))]
            if len(found) > 1:
                listed = " and ".join(f"`{name}`" for name in found)
                remedy = f'Say which: `--map {spec.name}={found[0]}`, in Python `map={{"{spec.name}": "{found[0]}"}}`.'
                raise place.fault(f"{listed} may both be the {role} ({spec.name})", remedy)
            row.pop(spec.name, None)
            for name in found:
                row[spec.name] = _fit(values[name], spec)
                if name not in mapped.values():
                    row.pop(name, None)
        return row


def find_format(rows: Iterable[JSON | InputError], rubric: Rubric) -> Format | None:
    """None where a row has the rubric's inputs under their own names, or the names of no format."""
    required = {fold(spec.name) for spec in rubric.inputs if spec.required}
    for row in rows:
        if not isinstance(row, Mapping):
            continue
        if required <= set(map(fold, row)):
            return None
        for each in _read_formats():
            if any(all(_holds(row, name) for name in names) for names in each.marks):
                return each
    return None


@cache
def _read_formats() -> tuple[Format, ...]:
    table: dict[str, Any] = tomllib.loads(files("assay.files").joinpath("formats.toml").read_text(encoding="utf-8"))
    return tuple(
        Format(
            each["title"],
            tuple(map(tuple, each["marks"])),
            {role: tuple(each[role]) for role in _ROLES},
            _READERS.get(name),
        )
        for name, each in table.items()
    )


def _holds(values: Mapping[str, JSON], name: str) -> bool:
    """Whether a name with dots is a key, or a path through nested objects."""
    if name in values:
        return True
    cuts = [at for at, sign in enumerate(name) if sign == "."]
    inner = ((values.get(name[:at]), name[at + 1 :]) for at in cuts)
    return any(isinstance(value, Mapping) and _holds(value, rest) for value, rest in inner)


def _find_input(rubric: Rubric, role: str) -> Input | None:
    """The one input of a role; None where there are several, which only the user can tell apart."""
    of_role = [spec for spec in rubric.inputs if spec.role == role]
    wanted = [spec for spec in of_role if spec.required] or of_role
    return wanted[0] if len(wanted) == 1 else None


def _fit(value: JSON, spec: Input) -> JSON:
    """A single text where a list is wanted is a list of one. A list as Python writes it into a table is a list."""
    if spec.kind not in {"texts", "documents"} or not isinstance(value, str):
        return value
    if not value.lstrip().startswith("["):
        return [value]
    try:
        return parse_json(value, Place(None, None))
    except InputError:
        pass
    try:
        read = ast.literal_eval(value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return value
    # Only what Python writes back alike: `['a' 'b']`, as NumPy writes two texts, would be read as one.
    is_texts = isinstance(read, list) and all(isinstance(each, str) for each in read)
    return read if is_texts and repr(read) == value else value
