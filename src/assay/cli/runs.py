"""`assay runs`: list, show, compare, export, import, rescore and delete the runs in a store."""

import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

import click

from assay.agreement.labels import find_metric
from assay.api.results import rescore
from assay.cli.files import explain_write_errors, format_command
from assay.cli.main import DONE, FAILED, WRONG_INPUT
from assay.cli.options import EXPLAIN, PATH, STORE, check_records_exist, open_existing, print_explanations
from assay.domain.listed import build_listed
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.report.comparison import (
    RecordChange,
    RunScores,
    check_comparable,
    compare_runs,
    format_alone,
    print_comparison,
    read_scores,
)
from assay.report.display import list_cautions
from assay.report.export import export_cards
from assay.report.record_diff import RecordDiff, diff_cards
from assay.report.summary import Summary
from assay.report.terminal import build_row, build_table, open_console, print_records, print_summary
from assay.runner.run import rubric_of
from assay.store.faults import DamagedError
from assay.store.runs import RunRow, list_first
from assay.store.store import Store, open_store

_TOOLS = ("mlflow", "otlp")


@click.group(epilog="Example: assay runs show last")
def runs() -> None:
    """List, show, compare, export, import, rescore and delete the runs in a store."""


@runs.command("list", epilog="Example: assay runs list")
@STORE
def list_runs(store: Path) -> int:
    """List the runs, the newest first."""
    with open_existing(store) as opened:
        table = build_table("run", "name", "state", "rubric", "records", "failed", "calls", "from cache", "judges")
        table.columns[0].no_wrap = True  # an id is copied
        damaged: list[DamagedError] = []
        for identifier in opened.run_ids():
            try:
                run, usage = opened.find_run(identifier), opened.usage(identifier)
                counts = (opened.count_failed(run.id), usage.calls, usage.cache_hits)
            except DamagedError as error:
                damaged.append(error)
                table.add_row(identifier, "", "damaged")
                continue
            records = f"{opened.count(run.id)} of {run.record_count}"
            described = (run.id, run.name or "", run.state, run.rubric_id, records)
            table.add_row(*described, *map(str, counts), ", ".join(run.judges))
        open_console(sys.stdout).print(table)
        for each in damaged:
            print(f"assay: {each}", file=sys.stderr)
    return WRONG_INPUT if damaged else DONE


@runs.command("show", epilog="Example: assay runs show last")
@click.argument("run")
@EXPLAIN
@STORE
def show_run(run: str, explained: tuple[str, ...], store: Path) -> int:
    """Print a run's records and summary, or explain single records."""
    with open_existing(store) as opened:
        found = opened.find_run(run)
        rubric = rubric_of(found)
        cards = opened.cards(found.id, rubric)
        if explained:
            known = sorted({judged.record for judged in opened.list_judged(found.id)})
            check_records_exist(explained, known, f"run {found.id}")
            print_explanations(sys.stdout, (card for card in cards if card.record.id in explained))
            return DONE
        summary, rows = Summary(rubric), []
        for card in cards:
            summary.add(build_listed(card))
            rows.append(build_row(card))
        console = open_console(sys.stdout)
        console.print(
            f"Run {found.title}, {found.state}: {found.records_source}, judged by {', '.join(found.judges)}\n"
        )
        if rows:
            print_records(console, rubric, rows)
            print_summary(console, summary)
    return DONE


@runs.command(
    "compare", epilog="Example: assay runs compare 20261115-2305 last, or: assay runs compare last:old last:new"
)
@click.argument("first")
@click.argument("second")
@click.option("--metric", help="List only the records that changed under this metric.")
@click.option("--all", "has_all", is_flag=True, help="List every record that changed, with all its changes.")
@click.option("--anyway", is_flag=True, help="Compare a run judged side by side with one that was not.")
@STORE
def compare(first: str, second: str, *, metric: str | None, has_all: bool, anyway: bool, store: Path) -> int:
    """Compare two runs of one rubric: SECOND minus FIRST, paired by item, and every record that changed.

    RUN:SYSTEM takes only the records of one system.
    """
    with open_existing(store) as opened:
        sides = [_find_side(opened, name) for name in (first, second)]
        (one, _), (two, _) = sides
        check_comparable(one, two, anyway=anyway)
        (ours, *first_notices), (theirs, *second_notices) = (_read_side(opened, *side) for side in sides)
        compared = compare_runs(ours, theirs)
        if metric is not None:
            find_metric([each.metric for each in compared], metric)
        console = open_console(sys.stdout)
        console.print(f"First: {one.title}. Second: {two.title}.\n")

        def find_command(name: str) -> str:
            return format_command("runs", "compare", first, second, "--metric", name, "--all")

        both = [(run.id, rubric_of(run)) for run in (one, two)]
        diff, alone = partial(_diff_records, opened, both), format_alone(ours, theirs)
        print_comparison(console, compared, diff, None if has_all else find_command, metric, alone)
        if one.rubric_digest != two.rubric_digest:
            console.print("The two runs used different versions of the rubric.", style="yellow")
        for notice in (*first_notices, *second_notices):
            if notice:
                console.print(notice, style="yellow", highlight=False)
        for caution in list_cautions(rubric_of(two), (*one.judges, *two.judges)):
            console.print(caution, highlight=False)
    return DONE


def _find_side(opened: Store, name: str) -> tuple[RunRow, str | None]:
    """`RUN` or `RUN:SYSTEM`: neither the id nor the name of a run has a colon."""
    run, colon, system = name.partition(":")
    return opened.find_run(run), system if colon else None


def _read_side(opened: Store, run: RunRow, system: str | None) -> tuple[RunScores, str | None]:
    """The scores of one side, from the lists alone, and a notice where it mixes systems."""
    rows = (row for row in opened.browser.all(run.id) if system is None or row.system == system)
    scores = read_scores(rubric_of(run), rows)
    names = list(dict.fromkeys(name for _, name, _, _ in opened.browser.outputs(run.id) if name))
    if system is not None and system not in names:
        remedy = f"Its systems are {list_first(names)}." if names else "Its records name no system."
        raise InputError(f"run {run.id} has no system {system!r}", remedy=remedy)
    if system is not None or len(names) < 2:
        return scores, None
    listed = list_first(names)
    return scores, f"{run.id} holds the systems {listed}, pooled here. For one of them write {run.id}:{names[0]}."


def _diff_records(opened: Store, runs: Sequence[tuple[str, Rubric]], change: RecordChange) -> RecordDiff:
    cards = [
        opened.get_record(run, record.record, record.system, rubric)
        for (run, rubric), record in zip(runs, (change.first, change.second), strict=True)
    ]
    one, two = cards
    return RecordDiff() if one is None or two is None else diff_cards(change.metric, one, two)


@runs.command("export", epilog="Example: assay runs export last --to results.csv")
@click.argument("run")
@click.option(
    "--to",
    "target",
    required=True,
    metavar="TARGET",
    help="A .jsonl, .csv or .parquet file, mlflow:URI of a tracking store, or otlp:URL of an OpenTelemetry collector.",
)
@STORE
def export(run: str, target: str, store: Path) -> int:
    """Write a run's results to a file for other programs, to MLflow or to OpenTelemetry."""
    tool, colon, address = target.partition(":")
    with open_existing(store) as opened:
        found = opened.find_run(run)
        facets = sorted({name for row in opened.browser.all(found.id) for name in row.facets})
        cards = opened.cards(found.id, rubric_of(found))
        if colon and tool in _TOOLS:
            count = import_module(f"assay.exports.{tool}").export(found, cards, address, facets)
        else:
            with explain_write_errors(Path(target)):
                count = export_cards(cards, Path(target), facets)
    print(f"{target}: {count} records")
    return DONE


@runs.command("import", epilog="Example: assay runs import results/")
@click.argument("folder", type=PATH)
@STORE
def import_run(folder: Path, store: Path) -> int:
    """Import the results of a Ray run into a store."""
    with open_store(store) as opened:
        run = import_module("assay.ray.parts").import_results(folder, opened)
        print(f"Imported run {run}: {opened.count(run)} records")
    return DONE


@runs.command("rescore", epilog="Example: assay runs rescore last")
@click.argument("run")
@STORE
def rescore_run(run: str, store: Path) -> int:
    """Recompute every score from the stored labels, and report differences."""
    with open_existing(store) as opened:
        found = opened.find_run(run)
        rubric = rubric_of(found)
        result = rescore(opened.cards(found.id, rubric), rubric)
        print(f"{result.same} scores are the same, {len(result.other)} differ.")
        if result.skipped:
            print(f"{result.skipped} scores come from whole replies and are not recomputed.")
        for line in result.other[:20]:
            print(f"  {line}")
        return FAILED if result.other else DONE


@runs.command("delete", epilog="Example: assay runs delete 20261115-230531-c13b41")
@click.argument("run")
@STORE
def delete(run: str, store: Path) -> int:
    """Delete a run with its records and replies."""
    with open_existing(store, read_only=False) as opened:
        # Found without being read: a damaged run can't be.
        identifier = opened.find_id(run)
        opened.delete_run(identifier)
    print(f"Deleted run {identifier}")
    return DONE
