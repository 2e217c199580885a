"""Options that several commands share: those with defaults in the settings file, `--store`, `--explain`."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Any

import click
from click.core import ParameterSource

from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.settings import Settings, find_settings
from assay.report.explanation import print_explanation
from assay.report.terminal import open_console
from assay.store.opening import default_path
from assay.store.store import Store, open_store

_META = "assay.settings"


class Setting(click.Option):
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
STORE = click.option(
    "--store",
    cls=Setting,
    type=PATH,
    default=default_path(),
    show_default=True,
    help="File that keeps runs and replies.",
)
EXPLAIN = click.option(
    "--explain",
    "explained",
    multiple=True,
    metavar="RECORD",
    help="Show each claim, label, quote and reason behind this record's scores. May be repeated.",
)
_LISTED = 5


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
