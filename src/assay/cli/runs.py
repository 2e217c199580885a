"""`assay runs`: list, show, compare, export, import, rescore and delete the runs in a store."""

import sys
from importlib import import_module
from pathlib import Path

import click

from assay.api.results import rescore, rubric_of
from assay.cli.files import explain_write_errors
from assay.cli.main import DONE, FAILED, WRONG_INPUT
from assay.cli.options import (
    EXPLAIN,
    PATH,
    STORE,
    check_records_exist,
    list_first,
    open_existing,
    print_explanations,
)
from assay.errors import InputError
from assay.report.comparison import RunScores, check_comparable, compare_runs
from assay.report.display import format_screening_notice
from assay.report.export import export_cards
from assay.report.summary import Summary
from assay.report.terminal import (
    build_row,
    build_table,
    open_console,
    print_comparison,
    print_records,
    print_summary,
    print_unscored,
)
from assay.store.faults import DamagedError
from assay.store.runs import RunRow
from assay.store.store import Store, open_store

_TOOLS = ("mlflow", "otlp")


@click.group(epilog="Example: assay runs show last")
def runs() -> None:
    """List, show, compare, export, import, rescore and delete the runs in a store."""


@runs.command("list", epilog="Example: assay runs list")
@STORE
def list_runs(store: Path) -> int:
    """List the runs, the last one begun first."""
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
            summary.add(card)
            rows.append(build_row(card))
        console = open_console(sys.stdout)
        console.print(
            f"Run {found.title}, {found.state}: {found.records_source}, judged by {', '.join(found.judges)}\n"
        )
        if rows:
            print_records(console, rubric, rows)
            print_summary(console, summary)
            print_unscored(console, summary.reasons)
    return DONE


@runs.command(
    "compare", epilog="Example: assay runs compare 20261115-2305 last, or: assay runs compare last:old last:new"
)
@click.argument("first")
@click.argument("second")
@STORE
def compare(first: str, second: str, store: Path) -> int:
    """Compare two runs of one rubric: goodness of SECOND minus FIRST, paired by item.

    RUN:SYSTEM takes only the records of one system.
    """
    with open_existing(store) as opened:
        sides = [_find_side(opened, name) for name in (first, second)]
        (one, _), (two, _) = sides
        check_comparable(one, two)
        read = [_read_side(opened, *side) for side in sides]
        console = open_console(sys.stdout)
        console.print(f"First: {one.title}. Second: {two.title}.\n")
        print_comparison(console, compare_runs(rubric_of(two), read[0][0], read[1][0]))
        if one.rubric_digest != two.rubric_digest:
            console.print("The two runs used different versions of the rubric.", style="yellow")
        for _, notice in read:
            if notice:
                console.print(notice, style="yellow", highlight=False)
        if caution := format_screening_notice((*one.judges, *two.judges)):
            console.print(caution)
    return DONE


def _find_side(opened: Store, name: str) -> tuple[RunRow, str | None]:
    """`RUN` or `RUN:SYSTEM`: neither the id nor the name of a run has a colon."""
    run, colon, system = name.partition(":")
    return opened.find_run(run), system if colon else None


def _read_side(opened: Store, run: RunRow, system: str | None) -> tuple[RunScores, str | None]:
    """The scores of one side, and a notice where it mixes systems."""
    scores, systems = RunScores(), dict[str, None]()
    for card in opened.cards(run.id, rubric_of(run)):
        if card.record.system is not None:
            systems[card.record.system] = None
        if system is None or card.record.system == system:
            scores.add(card)
    names = list(systems)
    if system is not None and system not in systems:
        remedy = f"Its systems are {list_first(names)}." if names else "Its records name no system."
        raise InputError(f"run {run.id} has no system {system!r}", remedy=remedy)
    if system is not None or len(names) < 2:
        return scores, None
    listed = list_first(names)
    return scores, f"{run.id} holds the systems {listed}, pooled here. For one of them write {run.id}:{names[0]}."


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
    """Bring the results of a run on Ray into a store."""
    with open_store(store) as opened:
        run = import_module("assay.ray.parts").import_results(folder, opened)
        print(f"Imported run {run}: {opened.count(run)} records")
    return DONE


@runs.command("rescore", epilog="Example: assay runs rescore last")
@click.argument("run")
@STORE
def rescore_run(run: str, store: Path) -> int:
    """Compute every score again from the stored labels and report differences."""
    with open_existing(store) as opened:
        found = opened.find_run(run)
        rubric = rubric_of(found)
        result = rescore(opened.cards(found.id, rubric), rubric)
        print(f"{result.same} scores are the same, {len(result.other)} differ.")
        if result.skipped:
            print(f"{result.skipped} scores come from whole replies and are not computed again.")
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
