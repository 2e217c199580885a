"""Declares an option once: its type, default, help and where it may be given stand at a field of a dataclass.

The command line, the settings file, Python, Ray and the documentation take theirs from there.
"""

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Literal

OptionKind = Literal["text", "path", "whole", "number", "flag"]
_KEY = "option"


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """How a field is given. Without `flags` the command line has the field's name with hyphens.

    `least` is the least value of a number, which must be more than that if `above`. `repeats` where it may be given
    several times. `in_settings` where its default may stand in `assay.toml`. `in_batches` and `on_ray` say whether it
    has a meaning there, `in_attacks` whether `assay attack` has it too.
    """

    help: str
    kind: OptionKind = "text"
    group: str = ""
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    least: float | None = None
    above: bool = False
    repeats: bool = False
    in_settings: bool = False
    in_batches: bool = True
    on_ray: bool = True
    in_attacks: bool = False


@dataclass(frozen=True, slots=True)
class DeclaredOption:
    """A field with its spec; `flags` are the names on the command line, `key` is the one in a settings file."""

    name: str
    default: Any
    spec: OptionSpec

    @property
    def flags(self) -> tuple[str, ...]:
        return self.spec.flags or (f"--{self.name.replace('_', '-')}",)

    @property
    def key(self) -> str:
        return self.flags[0].partition("/")[0].removeprefix("--").replace("-", "_")


def option(default: Any, spec_help: str, **spec: Any) -> Any:
    """A field of a dataclass that is an option; what else may be said of it are the fields of `OptionSpec`."""
    return field(default=default, metadata={_KEY: OptionSpec(spec_help, **spec)})


def list_options(declared: type) -> Iterator[DeclaredOption]:
    """The options among the fields of a dataclass, in their order."""
    for each in fields(declared):
        if _KEY in each.metadata:
            yield DeclaredOption(each.name, None if each.default is MISSING else each.default, each.metadata[_KEY])
