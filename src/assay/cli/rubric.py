"""`assay rubric`: list, show, check and create rubrics."""

import sys
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

import click
import orjson

from assay.cli.files import explain_write_errors
from assay.cli.main import DONE, WRONG_INPUT
from assay.domain.scale import number
from assay.errors import InputError
from assay.files.rubrics import new_rubric, open_rubric
from assay.packs import list_packs


@click.group(epilog="Example: assay rubric show RUBRIC")
def rubric() -> None:
    """List, show, check and create rubrics."""


@rubric.command("list", epilog="Example: assay rubric list")
def list_rubrics() -> int:
    """List the installed rubrics by task, with their metrics, and which are not validated against people."""
    found = [open_rubric(name) for name in list_packs()]
    width = max(len(each.id) for each in found)
    for task in sorted({each.task for each in found}, key=lambda task: (not task, task)):
        print(f"{task or 'other tasks'}:")
        for each in (each for each in found if each.task == task):
            metrics = ", ".join(metric.id for metric in each.metrics)
            print(f"  {each.id:<{width}}  {each.title}: {metrics}" + ("" if each.validation else " (not validated)"))
    return DONE


@rubric.command("show", epilog="Example: assay rubric show RUBRIC --json")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of Markdown.")
def show_rubric(name: str, as_json: bool) -> int:
    """Print a rubric as it was written."""
    found = open_rubric(name)
    if not as_json:
        print(found.text.rstrip())
        validity = "" if found.validation else ", not validated"
        print(f"\n<!-- version {found.version}, digest {found.digest}{validity} -->")
        return DONE
    content = {**asdict(found), "validated": bool(found.validation)}
    del content["text"]
    print(orjson.dumps(content, default=_plain, option=orjson.OPT_INDENT_2).decode())
    return DONE


def _plain(value: object) -> object:
    return number(value) if isinstance(value, Fraction) else str(value)


@rubric.command("check", epilog="Example: assay rubric check my-rubric.md")
@click.argument("paths", nargs=-1, required=True)
def check_rubrics(paths: tuple[str, ...]) -> int:
    """Check rubric files and print each error with its line."""
    wrong = 0
    for path in paths:
        try:
            found = open_rubric(path)
            print(f"{path}: valid: {found.id} version {found.version}, digest {found.digest}")
        except InputError as error:
            wrong += 1
            print(f"assay: {error}", file=sys.stderr)
    return WRONG_INPUT if wrong else DONE


@rubric.command("new", epilog="Example: assay rubric new meeting-minutes")
@click.argument("name")
def start_rubric(name: str) -> int:
    """Write NAME.md, a template for a rubric of your own."""
    path = Path(f"{name}.md")
    text = new_rubric(name)
    if path.exists():
        raise InputError("the file exists already", path=str(path), remedy="Choose another name, or move the file.")
    with explain_write_errors(path, remedy="Change to a writable folder."):
        path.write_text(text, encoding="utf-8")
    print(f"Wrote {path}. Edit it, then run: assay rubric check {path}")
    return DONE
