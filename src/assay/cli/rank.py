"""`assay rank`: which of several systems is better, and how sure that is."""

import sys
from collections import Counter
from pathlib import Path

import click

from assay.agreement.labels import find_metric
from assay.cli.files import write_out
from assay.cli.main import DONE
from assay.cli.options import METRICS, PATH, STORE, build_options, open_existing
from assay.errors import InputError
from assay.report.comparison import check_comparable
from assay.report.display import list_cautions
from assay.report.result import dump
from assay.report.standings import RANKING_NOTE, RankedRuns, build_rankings, print_rankings, split_unscored
from assay.report.terminal import open_console
from assay.runner.run import rubric_of
from assay.web.rendering import render_page


@click.command(epilog="Example: assay rank last, or: assay rank RUN-A RUN-B --metric coverage")
@click.argument("runs", nargs=-1, required=True, metavar="RUN…")
@build_options(METRICS)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--html", metavar="FILE", type=PATH, help="Write one self-contained HTML page; use - for standard output."
)
@STORE
def rank(runs: tuple[str, ...], *, metrics: tuple[str, ...], as_json: bool, html: Path | None, store: Path) -> int:
    """Rank the systems of one run or several: means, wins within source groups, and the effect of position.

    A run whose records name no system counts as one system, named after the run.
    """
    if as_json and str(html) == "-":
        raise InputError("`--json` and `--html -` both write to standard output", remedy="Name a file for the page.")
    with open_existing(store) as opened:
        rows = [opened.find_run(run) for run in dict.fromkeys(map(opened.find_id, runs))]
        for row in rows[1:]:
            check_comparable(rows[0], row)
            if row.parameters.get("side_by_side") != rows[0].parameters.get("side_by_side"):
                why = "only one of them side by side, or with another number of rounds"
                message = f"{rows[0].id} and {row.id} were judged in different ways: {why}"
                raise InputError(message, remedy="Rank runs that were judged in the same way.")
        rubric = rubric_of(rows[0])
        for name in metrics:
            find_metric(rubric.metrics, name)
        ranked = RankedRuns(rubric)
        names = Counter(row.name for row in rows)
        for row in rows:
            system = row.name if row.name and names[row.name] == 1 else row.id
            for card in opened.cards(row.id, rubric_of(row)):
                ranked.add(card, system)
        rankings = ranked.rank(metrics)
    if html is not None:
        scored, unscored = split_unscored(rankings)
        values = {"rubric": rubric, "runs": rows, "rankings": scored, "unscored": unscored, "note": RANKING_NOTE}
        write_out(html, render_page("ranking.html", **values))
    if as_json:
        sys.stdout.write(dump(build_rankings(rankings)))
    elif str(html) != "-":
        console = open_console(sys.stdout)
        print_rankings(console, rankings)
        for caution in list_cautions(rubric):
            console.print(caution, highlight=False)
    return DONE
