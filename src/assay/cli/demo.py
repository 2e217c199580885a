"""`assay demo`: one example file per rubric, judged from recorded replies, with no key and no network."""

import sys
from importlib.resources import as_file, files
from pathlib import Path

import click

from assay.api import run_async
from assay.cli.main import DONE
from assay.domain.scorecard import Scorecard
from assay.files.records import open_records
from assay.files.rubrics import open_rubric, shipped_rubrics
from assay.report.conclusion import print_summary
from assay.report.summary import Summary
from assay.report.terminal import build_row, open_console, print_records
from assay.runner.opening import open_judge
from assay.runner.plan import Plan, carry_out
from assay.runner.run import Progress


@click.command(epilog="Example: assay demo")
def demo() -> int:
    """Judge the shipped examples: small files with planted faults, and scripted replies to replay."""
    console = open_console(sys.stdout)
    with as_file(files("assay") / "examples") as folder:
        for name in shipped_rubrics():
            rubric = open_rubric(name)
            console.print(f"{rubric.title} ({name})", style="bold")
            console.print()
            cards = judge_example(folder, name)
            summary = Summary(rubric)
            for card in cards:
                summary.add(card)
            print_records(console, rubric, [build_row(card) for card in cards])
            console.print()
            print_summary(console, summary)
            console.print("\n")
    console.print("The replies are scripted, not a model's. What is planted in each record: assay/examples/README.md")
    console.print("Judge your own with no key: assay judge records.jsonl --rubric article-audit")
    console.print("or by a language model: assay judge records.jsonl --rubric article-audit --judge openai:MODEL")
    return DONE


def judge_example(folder: Path, name: str) -> list[Scorecard]:
    rubric = open_rubric(name)
    records = open_records(folder / f"{name}.jsonl", rubric)
    plan = Plan(rubric, (open_judge(f"recorded:{folder / f'{name}.replies.jsonl'}"),))
    cards: list[Scorecard] = []
    run_async(lambda: carry_out(plan, records, cards.append, Progress()))
    return cards
