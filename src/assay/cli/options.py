"""Options as click knows them, from their declarations, with defaults from the settings file."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Any, TypeVar

import click
from click.core import ParameterSource

from assay.api.config import GROUPS, NOT_OF_BATCHES, OPTIONS, RunConfig
from assay.api.settings import Settings, find_settings
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.options import TOML, DeclaredOption, Where, list_options
from assay.report.explanation import print_explanation
from assay.report.terminal import open_console
from assay.store.runs import list_first
from assay.store.store import Store, open_store

_META = "assay.settings"


class CommandOption(click.Option):
    """A declared option. Where it has a key, its default may stand in the settings file."""

    def __init__(self, *arguments: Any, declared: DeclaredOption, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.group = declared.group
        self.key = declared.key if TOML in declared.where else ""

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> tuple[Any, ParameterSource]:
        value, source = super().consume_value(ctx, opts)
        if not self.key or source is ParameterSource.COMMANDLINE or ctx.resilient_parsing:
            return value, source
        settings = open_settings(ctx)
        if settings is None or self.key not in settings.values:
            return value, source
        try:
            self.type_cast_value(ctx, settings.values[self.key])
        except click.BadParameter as error:
            raise settings.fault(self.key, f"can't be used: {error.message}") from None
        return settings.values[self.key], ParameterSource.DEFAULT_MAP


class GroupedCommand(click.Command):
    """A command whose options stand in groups, those without one last."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for group, options in group_options(self.get_params(ctx)).items():
            with formatter.section(group or "Options"):
                formatter.write_dl([row for each in options if (row := each.get_help_record(ctx)) is not None])


def group_options(parameters: Iterable[click.Parameter]) -> dict[str, list[click.Option]]:
    groups: dict[str, list[click.Option]] = {name: [] for name in (*GROUPS, "")}
    for each in parameters:
        if isinstance(each, click.Option):
            groups[each.group if isinstance(each, CommandOption) else ""].append(each)
    return {name: options for name, options in groups.items() if options}


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
_Own = TypeVar("_Own")
_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def build_options(*declared: DeclaredOption) -> _Decorator:
    """A decorator that gives a command these options, in their order."""
    options = [_build_option(each) for each in declared]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def list_fields(declared: type) -> Iterator[DeclaredOption]:
    """The options of a command, by the fields of a dataclass: its own, and common ones that it only names.

    A common one that can be None elsewhere is required where its type is a plain text.
    """
    own = {each.name: each for each in list_options(declared)}
    for each in fields(declared):
        if each.name in own:
            yield own[each.name]
        elif each.name in OPTIONS:
            yield replace(OPTIONS[each.name], required=each.type is str)


def read_run_options(declared: type[_Own], flags: Mapping[str, Any]) -> tuple[_Own, RunConfig]:
    """What a command was given: its own options, and those of the run."""
    names = {each.name for each in fields(declared)}  # type: ignore[arg-type]
    own = {name: value for name, value in flags.items() if name in names}
    of_run = {name: value for name, value in flags.items() if name not in names}
    if of_run.get("batch"):
        of_run |= {name: None for name in NOT_OF_BATCHES if is_from_file(name)}
    return declared(**own), RunConfig(providers=find_providers(), **of_run)


def _build_option(declared: DeclaredOption) -> _Decorator:
    default = declared.default
    settings: dict[str, Any] = {"help": declared.help, "declared": declared, "show_default": declared.shown}
    if declared.kind == "flag":
        settings |= {"is_flag": True, "default": default, "show_default": "/" in declared.flags[0]}
    else:
        settings |= {"type": _find_type(declared), "multiple": declared.repeats, "metavar": declared.metavar}
        settings["required"] = declared.required
        if default not in (None, ()):
            settings |= {"default": default, "show_default": declared.shown or True}
    return click.option(*declared.flags, declared.name, cls=CommandOption, **settings)


def _find_type(declared: DeclaredOption) -> Any:
    if declared.choices:
        return click.Choice(declared.choices)
    if declared.kind == "path":
        return click.Path(path_type=Path, allow_dash=declared.dash)
    least = declared.over if declared.least is None else declared.least
    if least is None:  # a budget in dollars is read as a decimal number
        return int if declared.kind == "whole" else str
    if declared.kind == "whole":
        return click.IntRange(int(least))
    return click.FloatRange(least, declared.most, min_open=declared.over is not None)


def vary(name: str, **changes: Any) -> DeclaredOption:
    """An option that a command has with another default or help. No settings file changes it."""
    return replace(OPTIONS[name], where=Where.NOWHERE, **changes)


STORE, EXPLAIN = (build_options(OPTIONS[name]) for name in ("store", "explained"))
# Of a command that asks no judge.
METRICS = vary("metrics", group="", help="Only this metric. May be repeated.")


def open_existing(path: Path, *, read_only: bool = True) -> Store:
    """Never makes a store: what can't be read as one is refused before it is opened for writing."""
    store = open_store(path, read_only=True)
    if read_only:
        return store
    store.close()
    return open_store(path)


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
