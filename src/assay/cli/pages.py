"""`assay view` and `assay label`: web pages on this machine. `assay labels`: people's labels as files."""

import getpass
import sys
from importlib.util import find_spec
from pathlib import Path

import click

from assay.api.config import OPTIONS
from assay.cli.files import write_file
from assay.cli.main import DONE
from assay.cli.options import METRICS, PATH, STORE, build_options, open_existing
from assay.errors import InputError

_LONGEST_NAME = 100
_PORT = click.option(
    "--port", type=click.IntRange(1, 65535), metavar="N", help="Port on 127.0.0.1. Default: a free one."
)
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
    from assay.web.app import serve
    from assay.web.library import Library
    from assay.web.reading import ViewPages

    with open_existing(store) as opened:
        serve(ViewPages(Library(opened)).routes(), port, opens_browser=not no_open)
    return DONE


@click.command(epilog="Example: assay label last --person Ada --person Bo")
@click.argument("run")
@click.option(
    "--person",
    "people",
    multiple=True,
    metavar="NAME",
    help="Name of a person who labels. May be repeated. Default: your account's name.",
)
@click.option("--pairs", is_flag=True, help="Ask which of two systems' outputs on one source is better.")
@build_options(METRICS, OPTIONS["store"])
@_PORT
@_NO_OPEN
def label(  # noqa: PLR0913  # one argument for each option of the command
    run: str,
    people: tuple[str, ...],
    metrics: tuple[str, ...],
    *,
    pairs: bool,
    store: Path,
    port: int | None,
    no_open: bool,
) -> int:
    """Label a run's records in a browser, by the rubric's own questions, one at a time.

    Each person gets a separate address. The judge's answers stay hidden, and other people's answers until both have
    finished. With --pairs people compare two outputs at a time, without seeing which system wrote them; --metric asks
    about a metric instead of the outputs as a whole.
    """
    _require_packages()
    from assay.agreement.labels import find_metric
    from assay.runner.run import rubric_of
    from assay.web.app import serve
    from assay.web.labelling import LabelPages, Task
    from assay.web.library import Library
    from assay.web.preferring import PairPages

    names = _read_names(people or (getpass.getuser(),))
    with open_existing(store, read_only=False) as opened:
        found = opened.find_run(run)
        for metric in metrics:
            find_metric([each for each in rubric_of(found).metrics if each.parts], metric)
        library, task = Library(opened), Task(found, metrics)
        if pairs and not library.pairs(found):
            remedy = "Judge outputs of several systems on the same sources, each with its `system`."
            raise InputError(f"run {found.id} has no source with outputs of two systems", remedy=remedy)
        pages = PairPages(library, task) if pairs else LabelPages(library, task)
        serve(pages.routes(), port, names, opens_browser=not no_open)
    return DONE


@click.group(epilog="Example: assay labels export labels.csv --run last")
def labels() -> None:
    """Export and import people's labels as files."""


@labels.command("export", epilog="Example: assay labels export labels.csv --run last")
@click.argument("file", type=PATH)
@click.option("--run", default="last", show_default=True, help="Run whose labels to write.")
@STORE
def export_labels(file: Path, run: str, store: Path) -> int:
    """Write the labels and preferences of a run to a CSV file."""
    from assay.agreement.label_files import format_labels

    with open_existing(store) as opened:
        found = opened.find_run(run).id
        kept, preferences = opened.labels.all(found), opened.labels.preferences(found)
    write_file(file, format_labels(found, kept, preferences))
    preferred = f" and {len(preferences)} preferences" if preferences else ""
    print(f"{file}: {len(kept)} labels{preferred} of run {found}")
    return DONE


@labels.command("import", epilog="Example: assay labels import labels.csv --run last")
@click.argument("file", type=PATH)
@click.option("--run", help="Run for rows that name no run.")
@STORE
def import_labels_command(file: Path, run: str | None, store: Path) -> int:
    """Read labels and preferences from a CSV or JSON lines file and keep them in the store with their runs."""
    from assay.agreement.label_files import import_labels

    with open_existing(store, read_only=False) as opened:
        imported = import_labels(opened, file, run)
    for name, count in imported.counts.items():
        print(f"{count} labels imported into run {name}")
    for name, count in imported.preferences.items():
        print(f"{count} preferences imported into run {name}")
    if imported.blank:
        print(f"assay: skipped {imported.blank} rows without a label", file=sys.stderr)
    return DONE


def _require_packages() -> None:
    absent = [name for name in ("starlette", "uvicorn", "python_multipart") if find_spec(name) is None]
    if absent:
        message = f"the pages need packages that are not installed: {', '.join(absent)}"
        raise InputError(message, remedy="Install them with: pip install 'assay-judge[view]'")


def _read_names(people: tuple[str, ...]) -> tuple[str, ...]:
    from assay.store.labels import ADJUDICATED

    names = tuple(" ".join(name.split()) for name in people)
    if len(set(names)) < len(names) or not all(name and len(name) <= _LONGEST_NAME for name in names):
        remedy = f"Name each person once, in at most {_LONGEST_NAME} characters."
        raise InputError(f"--person {', '.join(people)} can't be used", remedy=remedy)
    if ADJUDICATED in names:
        raise InputError(
            f"{ADJUDICATED!r} is reserved for the labels that people agreed on",
            remedy="Choose another name as --person.",
        )
    return names
