"""`assay view` and `assay label`: web pages on this machine. `assay labels`: people's labels as files."""

import getpass
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from assay.cli.files import write_file
from assay.cli.main import DONE
from assay.cli.options import PATH, STORE, open_existing
from assay.domain.rubric import Rubric
from assay.errors import InputError

_PORT = click.option("--port", type=click.IntRange(1, 65535), help="Port on 127.0.0.1. Default: a free one.")
_NO_OPEN = click.option("--no-open", is_flag=True, help="Print the address and open no browser.")


@click.command(epilog="Example: assay view --port 8765")
@STORE
@_PORT
@_NO_OPEN
def view(store: Path, port: int | None, *, no_open: bool) -> int:
    """Show runs, records and comparisons in a browser.

    The pages are served on 127.0.0.1 only, and need the key in the printed address.
    """
    _require_packages()
    from assay.web.app import build_application, serve
    from assay.web.library import Library
    from assay.web.reading import ViewPages

    with open_existing(store) as opened:
        routes = ViewPages(Library(opened)).routes()
        serve(lambda number, keys: build_application(routes, number, keys), port, opens_browser=not no_open)
    return DONE


@click.command(epilog="Example: assay label last --person Ada")
@click.argument("run")
@click.option("--person", help="Name of the person who labels. Default: your account's name.")
@click.option("--metric", "metrics", multiple=True, help="Ask only about this metric. May be repeated.")
@STORE
@_PORT
@_NO_OPEN
def label(  # one argument for each option of the command
    run: str,
    person: str | None,
    metrics: tuple[str, ...],
    *,
    store: Path,
    port: int | None,
    no_open: bool,
) -> int:
    """Label a run's records in a browser, by the rubric's own questions. The judge's answers are hidden."""
    _require_packages()
    from assay.web.app import build_application, serve
    from assay.web.labelling import LabelPages, Task, quote_name
    from assay.web.library import Library

    with open_existing(store, read_only=False) as opened:
        library = Library(opened)
        found = opened.find_run(run)
        _check_metrics(library.rubric(found), metrics)
        task = Task(found, metrics)
        serve(
            lambda number, keys: build_application(LabelPages(library, task, keys).routes(), number, keys, saves=True),
            port,
            f"/by/{quote_name(person or getpass.getuser())}",
            opens_browser=not no_open,
        )
    return DONE


@click.group(epilog="Example: assay labels export labels.csv --run last")
def labels() -> None:
    """Export and import people's labels as files."""


@labels.command("export", epilog="Example: assay labels export labels.csv --run last")
@click.argument("file", type=PATH)
@click.option("--run", default="last", show_default=True, help="Run whose labels to write.")
@STORE
def export_labels(file: Path, run: str, store: Path) -> int:
    """Write the labels of a run to a CSV file."""
    from assay.agreement.label_files import format_labels

    with open_existing(store) as opened:
        found = opened.find_run(run).id
        kept = opened.labels.all(found)
    write_file(file, format_labels(found, kept))
    print(f"{file}: {len(kept)} labels of run {found}")
    return DONE


@labels.command("import", epilog="Example: assay labels import labels.csv --run last")
@click.argument("file", type=PATH)
@click.option("--run", help="Run of the rows that name none.")
@STORE
def import_labels_command(file: Path, run: str | None, store: Path) -> int:
    """Read labels from a CSV or JSON lines file and keep them in the store with their runs."""
    from assay.agreement.label_files import import_labels

    with open_existing(store, read_only=False) as opened:
        imported = import_labels(opened, file, run)
    for name, count in imported.counts.items():
        print(f"{count} labels into run {name}")
    if imported.blank:
        print(f"assay: skipped {imported.blank} rows without a label", file=sys.stderr)
    return DONE


def _require_packages() -> None:
    absent = [name for name in ("starlette", "uvicorn", "python_multipart") if find_spec(name) is None]
    if absent:
        message = f"the pages need packages that are not installed: {', '.join(absent)}"
        raise InputError(message, remedy="Install them with: pip install 'assay-judge[view]'")


def _check_metrics(rubric: Rubric, metrics: tuple[str, ...]) -> None:
    known = [metric.id for metric in rubric.metrics if metric.parts]
    for metric in metrics:
        if metric not in known:
            raise InputError(f"there is nothing to label under {metric!r}", remedy=f"Write one of: {', '.join(known)}")
