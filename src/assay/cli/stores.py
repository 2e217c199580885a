"""The store that a command names: how its path is given, and how it is opened."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click

from assay.errors import InputError
from assay.store.opening import default_path
from assay.store.store import Store, open_store

Value = TypeVar("Value")
STORE = click.option(
    "--store",
    type=click.Path(path_type=Path),
    default=default_path(),
    show_default=True,
    help="The file that keeps runs and replies.",
)


def look(path: Path, use: Callable[[Store], Value]) -> Value:
    """What is made of a store by who only looks; it is closed when this returns."""
    opened = open_for_looking(path)
    try:
        return use(opened)
    finally:
        opened.close()


def open_for_looking(path: Path) -> Store:
    """For reading alone; never makes a store."""
    _refuse_absent(path)
    return open_store(path, read_only=True)


def open_for_changing(path: Path) -> Store:
    """For writing into a store that is there: neither a label nor a deletion makes one."""
    _refuse_absent(path)
    return open_store(path)


def _refuse_absent(path: Path) -> None:
    """A file without a byte counts as none: opened to be written, it would become a store."""
    if not path.is_file() or not path.stat().st_size:
        raise InputError("there is no store", path=str(path), remedy="Judge something first, or name another --store.")
