"""`assay demo`: the shipped examples, whose faults are known, on one screen and one page, without a key."""

import os
import shlex
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import as_file
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from assay.api.config import EMBEDDED
from assay.api.judging import judge
from assay.cli.files import name_command, name_path, write_file
from assay.cli.main import DONE
from assay.cli.options import PATH, build_options, vary
from assay.domain.scorecard import Scorecard
from assay.models.local_servers import PORTS, find_local_server
from assay.packs import Pack, list_packs
from assay.report.display import NEUTRAL, UNSURE, shorten
from assay.report.examples import Example, ExampleSet
from assay.report.terminal import COLOURS, build_table, open_console
from assay.store.opening import default_path
from assay.store.store import Store, open_store
from assay.web.rendering import render_examples

_ON_SCREEN = 4
# Between three columns and after a sign; and what is shown of a finding where the screen is narrow.
_GAPS, _LEAST = 9, 30
_LEGEND = (
    "✓ supported  … uncertain  ~ rule-based check  ? not in source  ✕ contradicted  – needs a language model. Scripted "
    "replies are written by hand, as a language model might give them."
)
_KEYS = {"OPENAI_API_KEY": "openai:MODEL", "ANTHROPIC_API_KEY": "anthropic:MODEL"}


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
        default=default_path().with_name("demo.db"),
        help="File that keeps the demo's runs, separate from yours.",
    )
)
def demo(*, html: Path, store: Path) -> int:
    """Judge the shipped examples, which hold seeded errors, and write a page with all of them."""
    console = open_console(sys.stdout)
    with open_store(store) as opened:
        packs = [pack for pack in list_packs().values() if (pack.folder / "examples.jsonl").is_file()]
        sets = [judge_both(pack, opened) for pack in packs]
    print_examples(console, sets)
    write_file(html, render_examples(sets))
    _print_next_steps(console, html, packs[0])
    return DONE


def print_examples(console: Console, sets: Sequence[ExampleSet]) -> None:
    """The first examples of every rubric: what is seeded and what was found, good ones first."""
    count = sum(len(each.examples) for each in sets)
    shown = [(each.rubric.id, each.first(_ON_SCREEN)) for each in sets]
    examples = [example for _, each in shown for example in each]
    console.print(
        f"Assay checks texts against their sources. {len(examples)} of {count} shipped examples, {_ON_SCREEN} for each "
        "rubric, and what the built-in judge finds in them. It needs no key.\n"
    )
    names = [f"  {example.embedded.record.id}" for example in examples] + [rubric for rubric, _ in shown]
    room = console.width - max(map(len, names)) - max(len(example.seeded) for example in examples) - _GAPS
    table = build_table("record", "seeded error", "found")
    for rubric, each in shown:
        table.add_row(Text(rubric, style="bold"))
        for example in each:
            tone, found = example.found
            said = Text(f"{tone.sign} {shorten(found, max(room, _LEAST))}", style=COLOURS.get(tone.name, "default"))
            table.add_row(f"  {example.embedded.record.id}", example.seeded, said)
    console.print(table)
    console.print(_count_found(examples))
    console.print(_LEGEND, style="dim")


def _count_found(examples: Sequence[Example]) -> str:
    tones = Counter(example.found[0] for example in examples if example.is_faulty)
    undecided, missed = tones.pop(UNSURE, 0), tones.pop(NEUTRAL, 0)
    return (
        f"Of {tones.total() + undecided + missed} with a seeded error: {tones.total()} found, {undecided} uncertain, "
        f"{missed} for a language model."
    )


def _print_next_steps(console: Console, html: Path, pack: Pack) -> None:
    """Commands can be typed as they stand, but for the user's own files and a model's name."""
    assay = name_command()
    with as_file(pack.folder) as folder:
        examples = Path(name_path(folder)) / "examples.jsonl"
    own = shlex.join(["judge", str(examples), "--rubric", pack.id])
    console.print(f"All examples with their texts and evidence: {html}", soft_wrap=True)
    console.print(f"Check your own text: {assay} judge --source SOURCE.txt --output TEXT.txt", soft_wrap=True)
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


def judge_both(pack: Pack, store: Store | None = None) -> ExampleSet:
    embedded, scripted = (judge_example(pack, scripted=scripted, store=store) for scripted in (False, True))
    return ExampleSet(embedded[0].rubric, [Example(*both) for both in zip(embedded, scripted, strict=True)])


def judge_example(pack: Pack, *, scripted: bool, store: Store | None = None) -> list[Scorecard]:
    """The scorecards of a pack's example records, by the built-in judge or by the pack's scripted replies."""
    with as_file(pack.folder / "examples.jsonl") as examples, as_file(pack.folder / "replies.jsonl") as replies:
        run = judge(examples, pack.id, f"recorded:{replies}" if scripted else EMBEDDED, store=store)
    return list(run.cards)
