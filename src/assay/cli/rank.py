"""`assay rank`: which of several systems is better, and how sure that is."""

import sys
from pathlib import Path

import click

from assay.api.results import rubric_of
from assay.cli.main import DONE
from assay.cli.options import STORE, open_existing
from assay.errors import InputError
from assay.report.comparison import check_comparable
from assay.report.result import dump
from assay.report.standings import RankedRuns, build_rankings, print_rankings
from assay.report.terminal import open_console


@click.command(epilog="Example: assay rank last, or: assay rank RUN-A RUN-B --metric coverage")
@click.argument("runs", nargs=-1, required=True, metavar="RUN…")
@click.option("--metric", "metrics", multiple=True, help="Only this metric. May be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@STORE
def rank(runs: tuple[str, ...], *, metrics: tuple[str, ...], as_json: bool, store: Path) -> int:
    """Rank the systems of one run or several: means, wins within source groups, and the effect of position.

    A run whose records name no system counts as one system, by the run's name.
    """
    with open_existing(store) as opened:
        rows = [opened.find_run(name) for name in runs]
        for row in rows[1:]:
            check_comparable(rows[0], row)
            if row.parameters.get("side_by_side") != rows[0].parameters.get("side_by_side"):
                message = f"{rows[0].id} and {row.id} were not both judged side by side, in as many rounds"
                raise InputError(message, remedy="Rank runs that were judged in the same way.")
        rubric = rubric_of(rows[0])
        known = [metric.id for metric in rubric.metrics]
        for name in metrics:
            if name not in known:
                raise InputError(f"there is no metric {name!r}", remedy=f"Write one of: {', '.join(known)}.")
        ranked = RankedRuns(rubric)
        for row in rows:
            for card in opened.cards(row.id, rubric_of(row)):
                ranked.add(card, row.name or row.id)
        rankings = ranked.rank(metrics)
    if as_json:
        sys.stdout.write(dump(build_rankings(rankings)))
    else:
        print_rankings(open_console(sys.stdout), rankings)
    return DONE
