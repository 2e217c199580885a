"""`assay demo`: one example file per rubric, judged by the embedded judge with no key and no network."""

import shlex
import sys
from importlib.resources import as_file, files
from pathlib import Path

import click
from rich.console import Console

from assay import __version__
from assay.api import run_async
from assay.cli.main import DONE
from assay.cli.naming import name_command, name_path
from assay.cli.writing import write_file
from assay.domain.scorecard import Scorecard
from assay.files.records import open_records
from assay.files.rubrics import open_rubric, shipped_rubrics
from assay.report.conclusion import print_summary
from assay.report.run_report import build_run_report
from assay.report.summary import Summary
from assay.report.terminal import build_row, open_console, print_records
from assay.runner.opening import EMBEDDED, open_judge
from assay.runner.plan import Plan, carry_out, describe_run
from assay.runner.run import Progress
from assay.store.opening import default_path
from assay.store.sqlite import open_store
from assay.store.store import Store
from assay.web.rendering import render_report

_FILE = click.Path(path_type=Path)
# The run that the page shows, and a record of it that is worth an explanation.
_SHOWN, _RECORD = "search-summary", "wrong-dose"


@click.command(epilog="Example: assay demo")
@click.option("--scripted", is_flag=True, help="Replay scripted replies, as of a language model, instead.")
@click.option("--html", type=_FILE, default=default_path().with_name("demo.html"), show_default=True, help="The page.")
@click.option(
    "--store",
    type=_FILE,
    default=default_path().with_name("demo.db"),
    show_default=True,
    help="The file that keeps the demo's runs, apart from yours.",
)
def demo(*, scripted: bool, html: Path, store: Path) -> int:
    """Judge the shipped examples, small files with planted faults, by the embedded judge, and write a page."""
    console = open_console(sys.stdout)
    opened = open_store(store)
    try:
        runs: dict[str, str] = {}
        with as_file(files("assay") / "examples") as folder:
            examples = Path(name_path(folder))
            for name in shipped_rubrics():
                cards = judge_example(folder, name, None if scripted else EMBEDDED, opened)
                runs[name] = cards[0].run
                show_example(console, name, cards)
                if name == _SHOWN:
                    report = build_run_report(opened.find_run(runs[name]), open_rubric(name), cards)
                    write_file(html, render_report(report, cards))
    finally:
        opened.close()
    if scripted:
        console.print("The replies are scripted, not a model's.")
    _say_what_next(console, examples, html, [runs[_SHOWN], "--explain", _RECORD, "--store", str(store)])
    return DONE


def _say_what_next(console: Console, examples: Path, html: Path, explained: list[str]) -> None:
    """Every command can be typed as it stands."""
    assay = name_command()
    again = shlex.join(["judge", str(examples / "article-audit.jsonl"), "--rubric", "article-audit"])
    for line in (
        f"What is planted in each record: {examples / 'README.md'}",
        f"The page of the search summaries: {html}",
        f"One record, explained: {assay} runs show {shlex.join(explained)}",
        f"Judge a file of records, one of these or your own: {assay} {again}",
        "To have a language model judge it, add: --judge openai:MODEL",
    ):
        console.print(line, soft_wrap=True)


def show_example(console: Console, name: str, cards: list[Scorecard]) -> None:
    rubric = open_rubric(name)
    console.print(f"{rubric.title} ({name})", style="bold")
    console.print()
    summary = Summary(rubric)
    for card in cards:
        summary.add(card)
    print_records(console, rubric, [build_row(card) for card in cards])
    console.print()
    print_summary(console, summary)
    console.print("\n")


def judge_example(folder: Path, name: str, judge: str | None = None, store: Store | None = None) -> list[Scorecard]:
    """By the example's scripted replies, where no judge is named."""
    rubric = open_rubric(name)
    records = open_records(folder / f"{name}.jsonl", rubric)
    judges = (open_judge(judge or f"recorded:{folder / f'{name}.replies.jsonl'}"),)
    plan = Plan(rubric, judges, store=store)
    if store is not None:
        store.begin_run(describe_run(plan, f"{name}.jsonl", len(records), __version__, {"samples": 1}))
    cards: list[Scorecard] = []
    run_async(lambda: carry_out(plan, records, cards.append, Progress()))
    return cards
