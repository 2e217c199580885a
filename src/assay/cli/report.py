"""`assay report`: a run as a page, a pull-request comment or a test report, and a gate for a pipeline."""

import sys
from pathlib import Path

import click

from assay.api.results import rubric_of
from assay.cli.files import write_out
from assay.cli.main import DONE, FAILED
from assay.cli.options import PATH_OR_DASH, STORE, open_existing
from assay.errors import InputError
from assay.report.agreement import build_agreement_view
from assay.report.gate import check_gates, parse_thresholds
from assay.report.junit import format_junit
from assay.report.markdown import format_markdown
from assay.report.run_report import build_run_report
from assay.web.rendering import MOST_RECORDS, render_report


@click.command(epilog="Example: assay report last --html report.html --fail-under METRIC=0.8")
@click.argument("run")
@click.option("--html", type=PATH_OR_DASH, help="Write one self-contained HTML page.")
@click.option("--markdown", type=PATH_OR_DASH, help="Write Markdown for a pull-request comment.")
@click.option("--junit", type=PATH_OR_DASH, help="Write JUnit XML, one test case per record and metric.")
@click.option(
    "--fail-under",
    "written",
    metavar="METRIC=GOODNESS",
    multiple=True,
    help="Exit 1 if the metric's mean goodness is below this. May be repeated.",
)
@STORE
def report(  # one argument for each option of the command
    run: str, html: Path | None, markdown: Path | None, junit: Path | None, written: tuple[str, ...], store: Path
) -> int:
    """Write a run as a page, a pull-request comment or a test report. Use - as FILE for standard output."""
    if not (html or markdown or junit or written):
        raise InputError("nothing to write", remedy="Name --html, --markdown or --junit with a FILE, or --fail-under.")

    with open_existing(store) as opened:
        found = opened.find_run(run)
        rubric = rubric_of(found)
        thresholds = parse_thresholds(written, rubric)
        figures = build_run_report(found, rubric, opened.cards(found.id, rubric), opened.usage(found.id))
        gates = check_gates(thresholds, figures.summary)
        labels = opened.labels.all(found.id) if html or markdown else ()
        agreement = build_agreement_view(found.id, rubric, labels, lambda: opened.cards(found.id, rubric))
        if html:
            write_out(html, render_report(figures, opened.cards(found.id, rubric), gates, agreement=agreement))
            records = figures.summary.records
            if records > MOST_RECORDS:
                shown = f"{html}: shows the {MOST_RECORDS} worst and most disputed of {records} records"
                print(shown, file=sys.stderr)
        if markdown:
            write_out(markdown, [format_markdown(figures, gates, agreement)])
        if junit:
            write_out(junit, [format_junit(found, rubric, opened.cards(found.id, rubric), thresholds)])
        for gate in gates:
            print(f"{'passed' if gate.passed else 'FAILED'}: {gate.said}", file=sys.stderr)
        return DONE if all(gate.passed for gate in gates) else FAILED
