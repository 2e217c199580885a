"""`assay demo`: one example from its source to its correction on the screen, all shipped examples on a page, no key."""

import os
import shlex
import sys
from collections.abc import Mapping
from importlib.resources import as_file
from pathlib import Path

import click
from rich.console import Console

from assay.api.config import EMBEDDED
from assay.api.judging import judge
from assay.cli.files import list_store_files, name_command, name_path, write_file
from assay.cli.main import DONE
from assay.cli.options import PATH, build_options, vary
from assay.domain.scorecard import Scorecard
from assay.files.rubrics import open_rubric
from assay.models.local_servers import PORTS, find_local_server
from assay.packs import Pack, list_packs
from assay.report.display import SUPPORTED
from assay.report.examples import Example, count_supported
from assay.report.findings import explain_doubts
from assay.report.terminal import COLOURS, open_console, print_wrapped
from assay.store.opening import default_path
from assay.store.store import Store, open_store
from assay.web.rendering import render_examples

_EXAMPLES, _REPLIES, _STORY = "examples.jsonl", "replies.jsonl", "story.jsonl"
_KEYS = {"OPENAI_API_KEY": "openai:MODEL", "ANTHROPIC_API_KEY": "anthropic:MODEL"}
_OWN_STORE = default_path().with_name("demo.db")
# Of the column of names, and of a line that is still easy to read.
_NAMES, _WIDEST = 11, 100


@click.command(epilog="Example: assay demo")
@click.option(
    "--html",
    metavar="FILE",
    type=PATH,
    default=default_path().with_name("demo.html"),
    show_default=True,
    help="HTML page to write.",
)
@build_options(
    vary(
        "store",
        default=_OWN_STORE,
        help="File that keeps the demo's runs, separate from yours. The default file is overwritten.",
    )
)
def demo(*, html: Path, store: Path) -> int:
    """Judge one example and its correction, and write a page with all shipped examples, which hold seeded errors."""
    console = open_console(sys.stdout)
    if store == _OWN_STORE:
        # It may be of an older version, which can't be read.
        for path, _ in list_store_files(store):
            path.unlink(missing_ok=True)
    with open_store(store) as opened:
        story = judge_story(opened)
        print_story(console, *story)
        sets = [judge_both(pack, opened) for pack in list_packs().values() if (pack.folder / _EXAMPLES).is_file()]
    write_file(html, render_examples(story, sets))
    _print_next_steps(console, html)
    return DONE


def print_story(console: Console, faulty: Scorecard, corrected: Scorecard) -> None:
    record = faulty.record
    print_wrapped(
        console,
        "Assay checks a generated text against its sources. An invented example, judged just now by the built-in "
        "judge, without a key:",
        hang="",
        widest=_WIDEST,
    )
    console.print()
    _print_named(console, "Source", record.sources[0].text)
    _print_named(console, "Question", record.query or "")
    _print_named(console, "Answer", record.output)
    _print_findings(console, faulty)
    _print_named(console, "Corrected", corrected.record.output)
    _print_findings(console, corrected)


def _print_named(console: Console, name: str, text: str) -> None:
    print_wrapped(console, f"{name:{_NAMES}}{text}", hang=" " * _NAMES, widest=_WIDEST)


def _print_findings(console: Console, card: Scorecard) -> None:
    """What does not hold, with the sentence of the source, and how many claims do."""
    for line in explain_doubts(card):
        print_wrapped(console, line.strip(), indent="  " if line[:1] != " " else "    ", hang="  ", widest=_WIDEST)
    supported, all_claims = count_supported(card)
    console.print(f"  {SUPPORTED.sign} {supported} of {all_claims} claims supported\n", style=COLOURS[SUPPORTED.name])


def _print_next_steps(console: Console, html: Path) -> None:
    """Commands can be typed as they stand, but for the user's own files and a model's name."""
    assay = name_command()
    rubrics = [open_rubric(name) for name in list_packs()]
    tasks = ", ".join(sorted({each.task for each in rubrics} - {""}))
    print_wrapped(console, f"{len(rubrics)} rubrics, for {tasks}. {assay} rubric list names them.", hang="")
    validated = ", ".join(each.id for each in rubrics if each.validation)
    console.print(f"Measured against people: {validated}. The others are not validated.", soft_wrap=True)
    console.print(f"Examples with seeded errors: {html}", soft_wrap=True)
    console.print(f"Check your own text: {assay} judge --source SOURCE.txt --output TEXT.txt", soft_wrap=True)
    pack = next(pack for pack in list_packs().values() if (pack.folder / _EXAMPLES).is_file())
    with as_file(pack.folder) as folder:
        examples = Path(name_path(folder)) / _EXAMPLES
    own = shlex.join(["judge", str(examples), "--rubric", pack.id])
    console.print(f"Judge a file of records: {assay} {own}", soft_wrap=True)
    console.print(name_stronger_judge(), soft_wrap=True)


def name_stronger_judge(ports: Mapping[str, int] = PORTS) -> str:
    """By a server that answers on this machine, or a key that is set; else what there is."""
    if named := find_local_server(ports):
        return f"Found a model server ({named.partition(':')[0]}). Use it: add {shlex.join(['--judge', named])}"
    for variable, name in _KEYS.items():
        if os.environ.get(variable):
            return f"Found {variable}. Use it: add --judge {name}"
    return "Use a language model: add --judge openai:MODEL or anthropic:MODEL with a key, or ollama:MODEL without one."


def judge_story(store: Store | None = None) -> tuple[Scorecard, ...]:
    """The example that the demo begins with: a pack's record with a fault, and the same record without it."""
    pack = next(pack for pack in list_packs().values() if (pack.folder / _STORY).is_file())
    with as_file(pack.folder / _STORY) as records:
        return judge(records, pack.id, EMBEDDED, store=store).cards


def judge_both(pack: Pack, store: Store | None = None) -> list[Example]:
    """By the built-in judge and, where the pack has them, by scripted replies."""
    embedded = judge_example(pack, scripted=False, store=store)
    has_replies = (pack.folder / _REPLIES).is_file()
    scripted = judge_example(pack, scripted=True, store=store) if has_replies else [None] * len(embedded)
    return [Example(*both) for both in zip(embedded, scripted, strict=True)]


def judge_example(pack: Pack, *, scripted: bool, store: Store | None = None) -> list[Scorecard]:
    """The scorecards of a pack's example records, by the built-in judge or by the pack's scripted replies."""
    with as_file(pack.folder / _EXAMPLES) as examples, as_file(pack.folder / _REPLIES) as replies:
        run = judge(examples, pack.id, f"recorded:{replies}" if scripted else EMBEDDED, store=store)
    return list(run.cards)
