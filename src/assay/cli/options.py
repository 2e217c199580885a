"""Options that several commands share: `--store` and how it is opened, `--explain` and what it prints."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import IO

import click

from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.report.explanation import print_explanation
from assay.report.terminal import open_console
from assay.store.opening import default_path
from assay.store.store import Store, open_store

PATH = click.Path(path_type=Path)
PATH_OR_DASH = click.Path(path_type=Path, allow_dash=True)
STORE = click.option(
    "--store", type=PATH, default=default_path(), show_default=True, help="File that keeps runs and replies."
)
EXPLAIN = click.option(
    "--explain",
    "explained",
    multiple=True,
    metavar="RECORD",
    help="Show each claim, label, quote and reason behind this record's scores. May be repeated.",
)
_LISTED = 5
_SETTINGS = Path("assay.toml")


def find_settings() -> Path | None:
    """The file in the working directory whose `[providers.NAME]` tables are added to the shipped providers."""
    return _SETTINGS if _SETTINGS.is_file() else None


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
