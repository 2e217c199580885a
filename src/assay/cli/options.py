"""Options that several commands share: `--store` and how it is opened, `--explain` and what it prints."""

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import IO, TypeVar

import click
from rapidfuzz import process

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
_ALIKE_PERCENT = 60
_Value = TypeVar("_Value")


def read_store(path: Path, use: Callable[[Store], _Value]) -> _Value:
    """Calls `use` with the store, opened for reading."""
    with closing(open_existing(path, read_only=True)) as opened:
        return use(opened)


def open_existing(path: Path, *, read_only: bool = False) -> Store:
    """Never makes a store. An empty file counts as none: opened for writing, it would become a store."""
    if not path.is_file() or not path.stat().st_size:
        raise InputError(
            "there is no store", path=str(path), remedy="Run `assay judge` first, or name another --store."
        )
    return open_store(path, read_only=read_only)


def print_explanations(stream: IO[str], cards: Iterable[Scorecard]) -> None:
    console = open_console(stream)
    for card in cards:
        console.print()
        print_explanation(console, card)


def check_records_exist(wanted: Iterable[str], known: Iterable[str], where: str) -> None:
    """Raises InputError at the first name that no record has, with those that are similar."""
    names = list(dict.fromkeys(known))
    for name in wanted:
        if name not in names:
            raise InputError(f"{where} has no record {name!r}", remedy=_suggest(name, names))


def _suggest(name: str, names: list[str]) -> str:
    near = [each for each, _, _ in process.extract(name, names, limit=_LISTED, score_cutoff=_ALIKE_PERCENT)]
    if near:
        return f"Did you mean {' or '.join(repr(each) for each in near)}?"
    return f"Its records are {list_first([repr(each) for each in names])}."


def list_first(names: list[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"{', '.join(names[:_LISTED])}{more}"
