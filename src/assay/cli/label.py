"""`assay label`: people as judges, in a browser on this machine; their labels as CSV."""

import getpass
from pathlib import Path

import click

from assay.cli.main import DONE
from assay.cli.view import NO_OPEN, PORT, STORE, open_for_looking, require_pages, say
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.store.sqlite import open_store
from assay.store.store import Store

_FILE = click.Path(path_type=Path)


@click.command(epilog="Example: assay label last --person Ada")
@click.argument("run")
@click.option("--person", help="Who labels; several people may label one run. By default the name of your account.")
@click.option("--metric", "metrics", multiple=True, help="Ask only about this metric. May be repeated.")
@click.option("--show-judge", is_flag=True, help="Show what the judge said. Labels then depend on it.")
@click.option("--export", "target", type=_FILE, help="Write the run's labels into a CSV file, and open no page.")
@click.option("--import", "origin", type=_FILE, help="Read labels from a CSV file, and open no page.")
@STORE
@PORT
@NO_OPEN
def label(  # noqa: PLR0913  # one argument for each option of the command
    run: str,
    person: str | None,
    metrics: tuple[str, ...],
    *,
    show_judge: bool,
    target: Path | None,
    origin: Path | None,
    store: Path,
    port: int | None,
    no_open: bool,
) -> int:
    """Label the records of a run by the rubric's own questions, without seeing what the judge said."""
    if target is not None or origin is not None:
        return _move(run, store, origin, target)
    require_pages()
    from assay.serve.application import build_application
    from assay.serve.label_pages import LabelPages, Task, write_name
    from assay.serve.library import Library
    from assay.serve.server import Door, serve

    opened = _open_for_labelling(store)
    try:
        library = Library(opened)
        found = opened.find_run(run)
        task = Task(found, _check_metrics(library.rubric(found), metrics), show_judge)

        name = write_name(person or getpass.getuser())
        door = Door(port, f"/by/{name}", opens=not no_open)
        serve(
            lambda number, keys: build_application(LabelPages(library, task, keys).routes(), number, keys, saves=True),
            door,
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
    return _move(run, store, None, file)


@labels.command("import", epilog="Example: assay labels import labels.csv")
@click.argument("file", type=_FILE)
@click.option("--run", help="Where rows belong that name no run.")
@STORE
def import_labels_command(file: Path, run: str | None, store: Path) -> int:
    """Read labels from a CSV file; each row names its run, record, metric, part, unit and person."""
    return _move(run, store, file, None)


def _move(run: str | None, store: Path, origin: Path | None, target: Path | None) -> int:
    from assay.serve.importing import import_labels
    from assay.serve.library import Library

    if origin is not None:
        text = _read(origin)
        opened = _open_for_labelling(store)
        try:
            for name, count in import_labels(Library(opened), text, str(origin), run).items():
                print(f"{count} labels into run {name}")
        finally:
            opened.close()
    if target is not None:
        opened = open_for_looking(store)
        try:
            _export(opened, run or "last", target)
        finally:
            opened.close()
    return DONE


def _export(opened: Store, run: str, path: Path) -> None:
    from assay.serve.label_tables import write_labels

    found = opened.find_run(run)
    kept = opened.labels.all(found.id)
    try:
        with path.open("w", encoding="utf-8", newline="") as stream:
            stream.writelines(write_labels(found.id, kept))
    except OSError as error:
        remedy = "Write a path in a folder that exists."
        raise InputError(f"can't be written ({error.strerror})", path=str(path), remedy=remedy) from None
    print(f"{path}: {len(kept)} labels of run {found.id}")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise InputError(f"can't be read ({reason})", path=str(path), remedy="Give a CSV file in UTF-8.") from None


def _open_for_labelling(path: Path) -> Store:
    if not path.is_file():
        raise InputError("there is no store", path=str(path), remedy="Judge something first, or name another --store.")
    return open_store(path)


def _check_metrics(rubric: Rubric, metrics: tuple[str, ...]) -> tuple[str, ...]:
    known = [metric.id for metric in rubric.metrics if metric.parts]
    for metric in metrics:
        if metric not in known:
            raise InputError(f"there is nothing to label under {metric!r}", remedy=f"Write one of: {', '.join(known)}")
    return metrics
