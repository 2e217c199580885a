"""`assay demo`: one example file per rubric, judged by the embedded judge with no key and no network."""

import shlex
import sys
from importlib.resources import as_file
from pathlib import Path

import click
from rich.console import Console

from assay.api.judging import judge
from assay.api.request import EMBEDDED
from assay.cli.files import name_command, name_path, write_file
from assay.cli.main import DONE
from assay.cli.options import PATH
from assay.domain.scorecard import Scorecard
from assay.packs import Pack, list_packs
from assay.report.run_report import build_run_report
from assay.report.summary import Summary
from assay.report.terminal import build_row, open_console, print_records, print_summary
from assay.store.opening import default_path
from assay.store.store import Store, open_store
from assay.web.rendering import render_report


@click.command(epilog="Example: assay demo")
@click.option(
    "--scripted", is_flag=True, help="Replay scripted replies of a language model instead of using the embedded judge."
)
@click.option(
    "--html", type=PATH, default=default_path().with_name("demo.html"), show_default=True, help="HTML report to write."
)
@click.option(
    "--store",
    type=PATH,
    default=default_path().with_name("demo.db"),
    show_default=True,
    help="File that keeps the demo's runs, separate from yours.",
)
def demo(*, scripted: bool, html: Path, store: Path) -> int:
    """Judge the shipped examples with the embedded judge and write an HTML report. The examples hold planted faults."""
    console = open_console(sys.stdout)
    with open_store(store) as opened:
        judged: dict[str, list[Scorecard]] = {}
        for pack in list_packs().values():
            if (pack.folder / "examples.jsonl").is_file():
                judged[pack.id] = judge_example(pack, scripted=scripted, store=opened)
                print_example(console, pack.id, judged[pack.id])
        # The page shows the run with the worst record of those that are fully scored: that is the one to look into.
        worst = min((card for cards in judged.values() for card in cards), key=_rank)
        report = build_run_report(opened.find_run(worst.run), worst.rubric, judged[worst.rubric.id])
        write_file(html, render_report(report, judged[worst.rubric.id]))
    if scripted:
        console.print("These replies are scripted; no model wrote them.")
    _print_next_steps(console, html, worst, store)
    return DONE


def _rank(card: Scorecard) -> tuple[bool, float]:
    return card.scored < card.total.asked, 1.0 if card.total.goodness is None else float(card.total.goodness)


def _print_next_steps(console: Console, html: Path, worst: Scorecard, store: Path) -> None:
    """Every command can be typed as it stands."""
    assay, rubric = name_command(), worst.rubric.id
    with as_file(list_packs()[rubric].folder) as folder:
        examples = Path(name_path(folder)) / "examples.jsonl"
    explain = shlex.join([worst.run, "--explain", worst.record.id, "--store", str(store)])
    again = shlex.join(["judge", str(examples), "--rubric", rubric])
    for line in (
        f"Report of {rubric}: {html}",
        f"Explain one record: {assay} runs show {explain}",
        f"Judge a file of records: {assay} {again}",
        "Use a language model as judge: add --judge openai:MODEL",
    ):
        console.print(line, soft_wrap=True)


def print_example(console: Console, name: str, cards: list[Scorecard]) -> None:
    """Prints the table of a rubric's example records and its summary."""
    rubric = cards[0].rubric
    console.print(f"{rubric.title} ({name})", style="bold")
    console.print()
    summary = Summary(rubric)
    for card in cards:
        summary.add(card)
    print_records(console, rubric, [build_row(card) for card in cards])
    console.print()
    print_summary(console, summary)
    console.print("\n")


def judge_example(pack: Pack, *, scripted: bool, store: Store | None = None) -> list[Scorecard]:
    """The scorecards of a pack's example records, by the embedded judge or by the pack's scripted replies."""
    with as_file(pack.folder / "examples.jsonl") as examples, as_file(pack.folder / "replies.jsonl") as replies:
        run = judge(examples, pack.id, f"recorded:{replies}" if scripted else EMBEDDED, store=store)
    return list(run.cards)
