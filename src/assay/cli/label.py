"""`assay label`: people as judges, in a browser on this machine; their labels as CSV."""

import getpass
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from assay.cli.main import DONE
from assay.cli.stores import STORE, look, open_for_changing
from assay.cli.view import NO_OPEN, PORT, require_pages, say
from assay.cli.writing import write_file
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.store.labels import PersonLabel
from assay.store.store import Store

_FILE = click.Path(path_type=Path)


class _Label(click.Command):
    """Names `assay labels` where somebody looks for import and export here."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for verb in ("export", "import"):
            if any(word.partition("=")[0] == f"--{verb}" for word in args):
                remedy = f"Write `assay labels {verb} FILE --run RUN`"
                raise InputError(f"assay label opens a page, and has no --{verb}", remedy=remedy)
        return super().parse_args(ctx, args)


@click.command(cls=_Label, epilog="Example: assay label last --person Ada")
@click.argument("run")
@click.option("--person", help="Who labels; several people may label one run. By default the name of your account.")
@click.option("--metric", "metrics", multiple=True, help="Ask only about this metric. May be repeated.")
@click.option("--show-judge", is_flag=True, help="Show what the judge said. Labels then depend on it.")
@STORE
@PORT
@NO_OPEN
def label(  # noqa: PLR0913  # one argument for each option of the command
    run: str,
    person: str | None,
    metrics: tuple[str, ...],
    *,
    show_judge: bool,
    store: Path,
    port: int | None,
    no_open: bool,
) -> int:
    """Label the records of a run by the rubric's own questions, without seeing what the judge said."""
    require_pages()
    from assay.web.app import ServerOptions, build_application, serve
    from assay.web.labelling import LabelPages, Task, quote_name
    from assay.web.library import Library

    opened = open_for_changing(store)
    try:
        library = Library(opened)
        found = opened.find_run(run)
        task = Task(found, _check_metrics(library.rubric(found), metrics), show_judge)
        options = ServerOptions(port, f"/by/{quote_name(person or getpass.getuser())}", opens=not no_open)
        serve(
            lambda number, keys: build_application(LabelPages(library, task, keys).routes(), number, keys, saves=True),
            options,
            say,
        )
    finally:
        opened.close()
    return DONE


@click.group(epilog="Example: assay labels export labels.csv --run last")
def labels() -> None:
    """People's labels as files."""


@labels.command("export", epilog="Example: assay labels export labels.csv --run last")
@click.argument("file", type=_FILE)
@click.option("--run", default="last", show_default=True, help="Whose labels.")
@STORE
def export_labels(file: Path, run: str, store: Path) -> int:
    """Write the labels of a run into a CSV file."""
    from assay.report.label_files import format_labels

    def read(opened: Store) -> tuple[str, Sequence[PersonLabel]]:
        found = opened.find_run(run).id
        return found, opened.labels.all(found)

    found, kept = look(store, read)
    write_file(file, format_labels(found, kept))
    print(f"{file}: {len(kept)} labels of run {found}")
    return DONE


@labels.command("import", epilog="Example: assay labels import labels.csv --run last")
@click.argument("file", type=_FILE)
@click.option("--run", help="Where rows belong that name no run.")
@STORE
def import_labels_command(file: Path, run: str | None, store: Path) -> int:
    """Read labels from CSV or JSON lines, as `assay agree --labels` does, and keep them with their runs."""
    from assay.report.label_files import import_labels
    from assay.web.library import Library

    opened = open_for_changing(store)
    try:
        imported = import_labels(Library(opened), file, run)
    finally:
        opened.close()
    for name, count in imported.counts.items():
        print(f"{count} labels into run {name}")
    if imported.blank:
        print(f"assay: {imported.blank} blank rows are left out", file=sys.stderr)
    return DONE


def _check_metrics(rubric: Rubric, metrics: tuple[str, ...]) -> tuple[str, ...]:
    known = [metric.id for metric in rubric.metrics if metric.parts]
    for metric in metrics:
        if metric not in known:
            raise InputError(f"there is nothing to label under {metric!r}", remedy=f"Write one of: {', '.join(known)}")
    return metrics
