"""`assay report`: a run as a page, a pull-request comment or a test report, and a gate for a pipeline."""

import sys
from pathlib import Path

import click

from assay.api.stored_runs import cards_of, rubric_of
from assay.cli.main import DONE, FAILED
from assay.cli.stores import STORE, look
from assay.cli.writing import write_out
from assay.errors import InputError
from assay.report.agreement_view import build_agreement_view
from assay.report.gate import check_gates, parse_thresholds
from assay.report.junit import format_junit
from assay.report.markdown import format_markdown
from assay.report.run_report import build_run_report
from assay.store.store import Store
from assay.web.rendering import MOST_RECORDS, render_report

_FILE = click.Path(path_type=Path, allow_dash=True)


@click.command(epilog="Example: assay report last --html report.html --fail-under hallucination=0.8")
@click.argument("run")
@click.option("--html", type=_FILE, help="One self-contained page.")
@click.option("--markdown", type=_FILE, help="Fit for a pull-request comment.")
@click.option("--junit", type=_FILE, help="One test case for each record and metric.")
@click.option(
    "--fail-under",
    "written",
    metavar="METRIC=GOODNESS",
    multiple=True,
    help="Exit 1 where the metric's mean goodness over the run is below this. May be repeated.",
)
@STORE
def report(  # one argument for each option of the command
    run: str, html: Path | None, markdown: Path | None, junit: Path | None, written: tuple[str, ...], store: Path
) -> int:
    """A run as a page, a pull-request comment or a test report. A FILE of - is standard output."""
    if not (html or markdown or junit or written):
        raise InputError("nothing to write", remedy="Name --html, --markdown or --junit with a FILE, or --fail-under.")

    def tell(opened: Store) -> int:
        found = opened.find_run(run)
        rubric = rubric_of(found)
        thresholds = parse_thresholds(written, rubric)
        figures = build_run_report(found, rubric, cards_of(opened, found, rubric))
        gates = check_gates(thresholds, figures.summary)
        labels = opened.labels.all(found.id) if html or markdown else ()
        agreement = build_agreement_view(found.id, rubric, labels, lambda: cards_of(opened, found, rubric))
        if html:
            write_out(html, render_report(figures, cards_of(opened, found, rubric), gates, agreement=agreement))
            if figures.summary.records > MOST_RECORDS:
                print(
                    f"{html}: {MOST_RECORDS} of {figures.summary.records} records, the worst and the most disputed",
                    file=sys.stderr,
                )
        if markdown:
            write_out(markdown, [format_markdown(figures, gates, agreement)])
        if junit:
            write_out(junit, [format_junit(found, rubric, cards_of(opened, found, rubric), thresholds)])
        for gate in gates:
            print(f"{'passed' if gate.passed else 'FAILED'}: {gate.said}", file=sys.stderr)
        return DONE if all(gate.passed for gate in gates) else FAILED

    return look(store, tell)
