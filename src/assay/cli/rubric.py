"""`assay rubric`: list, show, check, create, test and align rubrics."""

import sys
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path

import click
import orjson

from assay.cli.files import explain_write_errors
from assay.cli.main import DONE, WRONG_INPUT, LazyGroup
from assay.domain.scale import number
from assay.errors import InputError
from assay.files.rubrics import find_like, new_rubric, open_rubric
from assay.packs import list_packs
from assay.packs.default import DEFAULT

_JUDGING = {
    "align": ("assay.labs.align.command", "align_rubric"),
    "test": ("assay.cli.rubric_tests", "test_rubric"),
}


@click.group(cls=LazyGroup, lazy=_JUDGING, epilog="Example: assay rubric show RUBRIC")
def rubric() -> None:
    """List, show, check, create, test and align rubrics."""


@rubric.command("list", short_help="List the installed rubrics by task.", epilog="Example: assay rubric list")
def list_rubrics() -> int:
    """List the installed rubrics by task, with their metrics; those not validated against people are marked."""
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
    """Print a rubric's Markdown source."""
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
            print(f"{path} is valid: {found.id} version {found.version}, digest {found.digest}")
        except InputError as error:
            wrong += 1
            others, error.others = error.others, ()
            for each in (error, *others):
                print(f"assay: {each}", file=sys.stderr)
    return WRONG_INPUT if wrong else DONE


@rubric.command(
    "new",
    short_help="Start a rubric of your own, from a template or a copy.",
    epilog='Example: assay rubric new my-replies --task "replies to customers against the manual"',
)
@click.argument("name")
@click.option("--like", metavar="RUBRIC", help="Start from a copy of this rubric: an installed one, or a file.")
@click.option(
    "--task",
    metavar="TEXT",
    help="What you judge, in one sentence: start from a copy of the most similar installed rubric.",
)
def start_rubric(name: str, like: str | None, task: str | None) -> int:
    """Write NAME.md, a rubric of your own to start from: a template with comments, or a copy of another rubric."""
    path = Path(f"{name}.md")
    if like and task:
        raise InputError("`--like` and `--task` can't be given together", remedy="Give only one of them.")
    found = find_like(task) if task else like
    like = found or (DEFAULT if task else None)
    text = new_rubric(name, like)
    if path.exists():
        raise InputError("the file exists already", path=str(path), remedy="Choose another name, or move the file.")
    with explain_write_errors(path, remedy="Run the command in a writable folder."):
        path.write_text(text, encoding="utf-8")
    near = ", the most similar one" if found else ": no installed rubric shares a word with yours"
    origin = "" if like is None else f" as a copy of {like}{near if task else ''}"
    print(f"Wrote {path}{origin}. Edit it, then run: assay rubric check {path}")
    return DONE
