"""Options as click knows them, from their declarations, with defaults from the settings file."""

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Any

import click
from click.core import ParameterSource

from assay.api import config
from assay.api.settings import Settings, find_settings
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.options import DeclaredOption, OptionSpec
from assay.report.explanation import print_explanation
from assay.report.terminal import open_console
from assay.store.store import Store, open_store

_META = "assay.settings"


class GroupedOption(click.Option):
    """An option that the help lists under the heading of its group."""

    def __init__(self, *arguments: Any, group: str = "", **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.group = group


class GroupedCommand(click.Command):
    """A command whose options stand in groups, those without one last."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for each in self.get_params(ctx):
            row = each.get_help_record(ctx)
            if row is not None:
                groups.setdefault(getattr(each, "group", ""), []).append(row)
        for group in sorted(groups, key=lambda name: name == ""):
            with formatter.section(group or "Options"):
                formatter.write_dl(groups[group])


class Setting(GroupedOption):
    """An option whose default may stand in the settings file, under its own name."""

    @property
    def key(self) -> str:
        return max(self.opts, key=len).removeprefix("--").replace("-", "_")

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        value, source = super().consume_value(ctx, opts)
        if source is ParameterSource.COMMANDLINE or ctx.resilient_parsing:
            return value, source
        settings = open_settings(ctx)
        if settings is None or self.key not in settings.values:
            return value, source
        try:
            self.type_cast_value(ctx, settings.values[self.key])
        except click.BadParameter as error:
            raise settings.fault(self.key, f"can't be used: {error.message}") from None
        return settings.values[self.key], ParameterSource.DEFAULT_MAP


def open_settings(context: click.Context) -> Settings | None:
    """The settings of the working folder, read once for each command."""
    if _META not in context.meta:
        context.meta[_META] = find_settings()
    found: Settings | None = context.meta[_META]
    return found


def find_providers() -> Path | None:
    """The settings file, whose `[providers.NAME]` tables are added to the shipped providers."""
    settings = open_settings(click.get_current_context())
    return None if settings is None else settings.path


def is_from_file(name: str) -> bool:
    """Whether an option of the command that runs has its value from the settings file."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.DEFAULT_MAP


PATH = click.Path(path_type=Path)
PATH_OR_DASH = click.Path(path_type=Path, allow_dash=True)
_LISTED = 5


def build_options(declared: Iterable[DeclaredOption]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that gives a command these options, in their order."""
    options = [_build_option(each) for each in declared]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def _build_option(declared: DeclaredOption) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    spec, default = declared.spec, declared.default
    settings: dict[str, Any] = {"help": spec.help, "metavar": spec.metavar, "group": spec.group}
    if spec.kind == "flag":
        settings |= {"is_flag": True, "default": default, "show_default": "/" in declared.flags[0]}
    else:
        settings |= {"type": _find_type(declared), "multiple": spec.repeats}
        if default not in (None, ()):
            settings |= {"default": default, "show_default": True}
    kind = Setting if spec.in_settings else GroupedOption
    return click.option(*declared.flags, declared.name, cls=kind, **settings)


def _find_type(declared: DeclaredOption) -> Any:
    spec = declared.spec
    if spec.choices:
        return click.Choice(spec.choices)
    if spec.kind == "path":
        return PATH
    if spec.least is None:  # a budget in dollars is read as a decimal number
        return str
    if spec.kind == "whole":
        return click.IntRange(int(spec.least))
    return click.FloatRange(spec.least, min_open=spec.above)


STORE = build_options([config.STORE])
_EXPLAINED = OptionSpec(
    "Show each claim, label, quote and reason behind this record's scores. May be repeated.",
    group="What comes out",
    flags=("--explain",),
    metavar="RECORD",
    repeats=True,
)
EXPLAIN = build_options([DeclaredOption("explained", (), _EXPLAINED)])


def open_existing(path: Path, *, read_only: bool = True) -> Store:
    """Never makes a store. An empty file counts as none: opened for writing, it would become a store."""
    if not path.is_file() or not path.stat().st_size:
        remedy = "Run `assay judge` first, or name another --store."
        raise InputError("there is no store", path=str(path), remedy=remedy)
    return open_store(path, read_only=read_only)


def print_explanations(stream: IO[str], cards: Iterable[Scorecard]) -> None:
    console = open_console(stream)
    for card in cards:
        console.print()
        print_explanation(console, card)


def check_records_exist(wanted: Iterable[str], known: Iterable[str], where: str) -> None:
    """Raises InputError at the first name that no record has, with one that is similar."""
    names = list(dict.fromkeys(known))
    for name in wanted:
        if name not in names:
            near = get_close_matches(name, names, n=1)
            listed = list_first([repr(each) for each in names])
            remedy = f"Did you mean {near[0]!r}?" if near else f"Its records are {listed}."
            raise InputError(f"{where} has no record {name!r}", remedy=remedy)


def list_first(names: list[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more}"
