"""`assay runs`: what the store remembers."""

import sys
from pathlib import Path

import click

from assay.api.rescore import rescore
from assay.api.stored_runs import cards_of, rubric_of
from assay.cli.explaining import EXPLAIN, Explained, refuse_unknown
from assay.cli.main import DONE, FAILED
from assay.cli.run_sides import open_side, read_side
from assay.cli.stores import STORE, look, open_for_changing
from assay.cli.writing import writing
from assay.report.comparison import check_comparable, compare_runs, format_p_value
from assay.report.conclusion import print_summary, print_unscored
from assay.report.export import export_cards
from assay.report.screening import say_screening
from assay.report.summary import Summary
from assay.report.terminal import build_row, new_table, open_console, print_records
from assay.store.faults import DamagedError
from assay.store.store import Store, resolve


@click.group(epilog="Example: assay runs show last")
def runs() -> None:
    """List, show, compare, export, rescore and delete the runs in a store."""


@runs.command("list", epilog="Example: assay runs list")
@STORE
def list_runs(store: Path) -> int:
    """The runs, newest first."""

    def show(opened: Store) -> None:
        table = new_table()
        for column in ("run", "state", "rubric", "records", "failed", "calls", "from cache", "judges"):
            table.add_column(column, overflow="fold")
        damaged: list[DamagedError] = []
        for identifier in opened.run_ids():
            try:
                run, usage = opened.find_run(identifier), opened.usage(identifier)
            except DamagedError as error:
                damaged.append(error)
                table.add_row(identifier, "damaged")
                continue
            records = f"{opened.count(run.id)} of {run.record_count}"
            failed = str(opened.count_failed(run.id))
            calls, hits = str(usage.calls), str(usage.cache_hits)
            table.add_row(run.id, run.state, run.rubric_id, records, failed, calls, hits, ", ".join(run.judges))
        open_console(sys.stdout).print(table)
        for each in damaged:
            print(f"assay: {each}", file=sys.stderr)

    look(store, show)
    return DONE


@runs.command("show", epilog="Example: assay runs show last")
@click.argument("run")
@EXPLAIN
@STORE
def show_run(run: str, explained: tuple[str, ...], store: Path) -> int:
    """A run's records and what it came to; or how single records came to their scores."""

    def show(opened: Store) -> None:
        found = opened.find_run(run)
        rubric = rubric_of(found)
        if explained:
            refuse_unknown(
                explained, sorted({judged.record for judged in opened.list_judged(found.id)}), f"the run {found.id}"
            )
            asked = Explained(explained)
            for card in cards_of(opened, found, rubric):
                asked.take(card)
            asked.print_to(sys.stdout)
            return
        summary, rows = Summary(rubric), []
        for card in cards_of(opened, found, rubric):
            summary.add(card)
            rows.append(build_row(card))
        console = open_console(sys.stdout)
        console.print(f"Run {found.id}, {found.state}: {found.records_source}, judged by {', '.join(found.judges)}\n")
        if rows:
            print_records(console, rubric, rows)
            print_summary(console, summary)
            print_unscored(console, summary.reasons)

    look(store, show)
    return DONE


@runs.command(
    "compare", epilog="Example: assay runs compare 20261115-2305 last, or: assay runs compare last:old last:new"
)
@click.argument("first")
@click.argument("second")
@STORE
def compare(first: str, second: str, store: Path) -> int:
    """Two runs of one rubric, paired by item: second minus first, in goodness. RUN:SYSTEM is one system of a run."""

    def show(opened: Store) -> None:
        sides = [open_side(name, opened) for name in (first, second)]
        one, two = (side.run for side in sides)
        check_comparable(one, two)
        rubric = rubric_of(two)
        found_sides = [read_side(side, cards_of(opened, side.run, rubric_of(side.run))) for side in sides]
        scores = [each.scores for each in found_sides]
        table = new_table()
        for column in ("metric", "first", "second", "difference, 95 %", "p", "pairs", "detectable"):
            table.add_column(column)
        for each in compare_runs(rubric, *scores):
            found = each.difference
            interval = "" if found.interval is None else f" [{found.interval[0]:+.3f}, {found.interval[1]:+.3f}]"
            table.add_row(
                each.metric.name,
                f"{found.first_mean:.3f}" if found.n else "–",
                f"{found.second_mean:.3f}" if found.n else "–",
                f"{found.mean:+.3f}{interval}" if found.n else "–",
                format_p_value(found.p_value),
                f"{found.n}" + (f", {each.unpaired} unpaired" if each.unpaired else ""),
                "–" if found.detectable is None else f"{found.detectable:.3f}",
            )
        console = open_console(sys.stdout)
        console.print(table)
        if one.rubric_digest != two.rubric_digest:
            console.print("The two runs used different versions of the rubric.", style="yellow")
        console.print("Goodness: 0–1, best 1. Detectable: the smallest true difference these pairs show 4 times in 5.")
        for read_one, side in zip(found_sides, sides, strict=True):
            if mixed := read_one.say_mixed(side):
                console.print(mixed, style="yellow", highlight=False)
        if caution := say_screening((*one.judges, *two.judges)):
            console.print(caution)

    look(store, show)
    return DONE


@runs.command("export", epilog="Example: assay runs export last --to results.csv")
@click.argument("run")
@click.option("--to", "path", type=click.Path(path_type=Path), required=True, help="A .jsonl, .csv or .parquet file.")
@STORE
def export(run: str, path: Path, store: Path) -> int:
    """A run's results as a file for other programs."""

    def write(opened: Store) -> int:
        found = opened.find_run(run)
        with writing(path):
            return export_cards(cards_of(opened, found, rubric_of(found)), path, opened.browser.facet_names(found.id))

    print(f"{path}: {look(store, write)} records")
    return DONE


@runs.command("rescore", epilog="Example: assay runs rescore last")
@click.argument("run")
@STORE
def rescore_run(run: str, store: Path) -> int:
    """Derive every score again from the stored labels, and say whether it is the same."""

    def check(opened: Store) -> int:
        found = opened.find_run(run)
        rubric = rubric_of(found)
        result = rescore(opened.cards(found.id, rubric), rubric)
        print(f"{result.same} scores are the same, {len(result.other)} are not.")
        if result.skipped:
            print(f"{result.skipped} come from whole replies and are not derived again.")
        for line in result.other[:20]:
            print(f"  {line}")
        return FAILED if result.other else DONE

    return look(store, check)


@runs.command("delete", epilog="Example: assay runs delete 20261115-230531-c13b41")
@click.argument("run")
@STORE
def delete(run: str, store: Path) -> int:
    """Delete a run with its records and replies; nothing of it stays in the file."""
    opened = open_for_changing(store)
    try:
        # By its name alone, for a damaged run can't be read.
        identifier = resolve(run, opened.run_ids())
        opened.delete_run(identifier)
    finally:
        opened.close()
    print(f"run {identifier} is deleted")
    return DONE
