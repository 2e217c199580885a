"""Declares an option once: a field of a dataclass says what is read, `option()` or a TOML table the rest.

The command line, the settings file, Python, Ray and the documentation take theirs from there.
"""

import inspect
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from difflib import get_close_matches
from enum import Flag, auto
from functools import reduce, wraps
from importlib.resources import files
from inspect import Parameter
from operator import or_
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin

OptionKind = Literal["text", "path", "whole", "number", "flag"]
_Call = TypeVar("_Call", bound=Callable[..., object])
_KEY = "option"
# The first of these in a field's type. A path or a number may be given as a text too.
_KINDS: Mapping[object, OptionKind] = {bool: "flag", Path: "path", float: "number", int: "whole", str: "text"}
# What a value is called in a usage line.
_METAVARS = {"path": "FILE", "whole": "N", "number": "X"}


class Where(Flag):
    """Where else than in `assay judge` and in Python an option is taken, and where it has no meaning."""

    NOWHERE = 0
    TOML = auto()
    ATTACK = auto()
    RUBRIC = auto()
    NO_BATCH = auto()
    NO_RAY = auto()
    PYTHON_ONLY = auto()


TOML, ATTACK, RUBRIC, NO_BATCH, NO_RAY, PYTHON_ONLY = tuple(Where)


@dataclass(frozen=True, slots=True)
class DeclaredOption:
    """An option: `name` is the argument in Python, `flags` are the names on the command line.

    A number is at least `least`, or more than `over`, and at most `most`. `dash` is for a file that may be `-`,
    standard output. `shown` is what the help says of the default where that is not the value itself.
    """

    help: str
    group: str = ""
    where: Where = Where.NOWHERE
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    least: float | None = None
    over: float | None = None
    most: float | None = None
    dash: bool = False
    shown: str | None = None
    required: bool = False
    kind: OptionKind = "text"
    repeats: bool = False
    name: str = ""
    default: Any = None

    @property
    def key(self) -> str:
        """The name in a settings file."""
        return self.flags[0].partition("/")[0].removeprefix("--").replace("-", "_")


def option(default: Any, text: str, group: str = "", where: Where = Where.NOWHERE, /, **more: Any) -> Any:
    """A field of a dataclass that is an option, with its help; `more` are fields of `DeclaredOption`."""
    return field(default=default, metadata={_KEY: DeclaredOption(text, group, where, **more)})


def read_table(package: str, name: str, **values: object) -> Mapping[str, DeclaredOption]:
    """Options by their names from a TOML file, whose placeholders `{name}` stand for these values."""
    text = (files(package) / name).read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"{{{key}}}", str(value))
    return {key: _read_entry(entry) for key, entry in tomllib.loads(text).items()}


def _read_entry(entry: dict[str, Any]) -> DeclaredOption:
    where = reduce(or_, (Where[name] for name in entry.pop("where", ())), Where.NOWHERE)
    return DeclaredOption(where=where, flags=tuple(entry.pop("flags", ())), **entry)


def list_options(declared: type) -> Iterator[DeclaredOption]:
    """The options among the fields of a dataclass, in their order: described at the field or in its `option_table`."""
    table: Mapping[str, DeclaredOption] = getattr(declared, "option_table", {})
    for each in fields(declared):
        spec = each.metadata.get(_KEY) or table.get(each.name)
        if spec is not None:
            yield _read_option(each, spec)


def _read_option(declared: Field[Any], spec: DeclaredOption) -> DeclaredOption:
    types = list(_flatten(declared.type))
    kind: OptionKind = next((kind for each, kind in _KINDS.items() if each in types), "text")
    return replace(
        spec,
        name=declared.name,
        default=None if declared.default is MISSING else declared.default,
        kind=kind,
        choices=tuple(each for each in types if isinstance(each, str)),
        repeats=any(each in {tuple, Sequence} for each in types),
        flags=spec.flags or (f"--{declared.name.replace('_', '-')}",),
        metavar=spec.metavar or _METAVARS.get(kind),
    )


def _flatten(annotation: object) -> Iterator[object]:
    """The types in a union and in a sequence, and the values of a literal."""
    origin = get_origin(annotation)
    if origin in {UnionType, Union, Literal, tuple, Sequence}:
        yield origin
        for each in get_args(annotation):
            yield from _flatten(each)
    else:
        yield annotation


def takes_options(public_name: str, declared: type, leave_out: Collection[str] = ()) -> Callable[[_Call], _Call]:
    """A decorator for a function with `**options`: its signature and docstring name the fields of a dataclass.

    An argument of another name is a TypeError that calls the function by its public name.
    """

    def decorate(call: _Call) -> _Call:
        options = [each for each in list_options(declared) if each.name not in leave_out]
        types = {each.name: each.type for each in fields(declared)}
        signature = inspect.signature(call)
        kept = [each for each in signature.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
        added = [
            Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=types[each.name])
            for each in options
        ]
        names = [each.name for each in (*kept, *added)]

        @wraps(call)
        def checked(*arguments: object, **given: object) -> object:
            for name in given:
                if name not in names:
                    remedy = "".join(f" Did you mean {each!r}?" for each in get_close_matches(name, names, n=1))
                    remedy = remedy or f" See help({public_name})."
                    raise TypeError(f"{public_name}() has no argument {name!r}.{remedy}")
            return call(*arguments, **given)

        vars(checked)["__signature__"] = signature.replace(parameters=[*kept, *added])
        described = "\n".join(f"    {each.name}: {_name_arguments(each.help)}" for each in options)
        checked.__doc__ = f"{inspect.getdoc(call)}\n\nOptions:\n{described}\n"
        return cast(_Call, checked)

    return decorate


def _name_arguments(text: str) -> str:
    """Help speaks of flags (--no-cache); a caller writes `no_cache`."""
    return re.sub(r"--([a-z-]+)", lambda found: f"`{found[1].replace('-', '_')}`", text)
