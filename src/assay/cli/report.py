"""`assay report`: a run as a page, a pull-request comment or a test report, and a gate for a pipeline."""

import sys
from dataclasses import dataclass
from pathlib import Path

import click

from assay.agreement.labels import find_labels
from assay.cli.files import write_out
from assay.cli.main import DONE, FAILED
from assay.cli.options import build_options, list_fields, open_existing
from assay.errors import InputError
from assay.options import option
from assay.report.agreement import build_agreement_view
from assay.report.calibration import read_calibrated
from assay.report.ci import format_github, format_junit
from assay.report.gate import (
    check_agreement,
    check_findings,
    check_gates,
    parse_share,
    parse_thresholds,
    refuse_means_of_scores,
)
from assay.report.markdown import format_markdown
from assay.report.mean import ENOUGH_SCORED
from assay.report.run_report import build_run_report
from assay.runner.run import rubric_of
from assay.web.rendering import MOST_RECORDS, render_report

_FEWEST_LABELS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """The options of this command."""

    run: str
    html: Path | None = option(None, "Write one self-contained HTML page.", dash=True)
    markdown: Path | None = option(None, "Write Markdown for a pull-request comment.", dash=True)
    junit: Path | None = option(None, "Write JUnit XML, one test case per record and metric.", dash=True)
    github: Path | None = option(None, "Write annotations of a GitHub workflow; use - in a step.", dash=True)
    thresholds: tuple[str, ...] = option(
        (),
        "Exit 1 if the metric's mean normalized score (0 to 1) is below this; METRIC.low and METRIC.weakest_support "
        "test the low end of its interval and the mean support of the weakest claims. May be repeated.",
        flags=("--fail-under",),
        metavar="METRIC=VALUE",
    )
    most_findings: int | None = option(
        None,
        "Exit 1 if more than N claims have problems, or if no claim was decided. Use it with the built-in judge.",
        flags=("--fail-on-findings",),
        least=0,
    )
    min_scored: str | None = option(
        None,
        "Share of the records that must have a score, such as 0.9 or 90%; otherwise gates fail.",
        metavar="SHARE",
        shown="90%",
    )
    calibration: Path | None = option(
        None,
        "With --require-agreement: use the agreement in this record of `assay rubric align`, if it has one.",
    )
    fewest: int | None
    store: Path


@click.command(epilog="Example: assay report last --html report.html --fail-under METRIC=0.8")
@click.argument("run")
@build_options(*list_fields(ReportOptions))
@click.option(
    "--require-agreement",
    "fewest",
    type=click.IntRange(1),
    is_flag=False,
    flag_value=_FEWEST_LABELS,
    metavar="[LABELS]",
    help=f"Exit 1 unless an agreement of the judge with people on LABELS labels is saved (default {_FEWEST_LABELS}).",
)
def report(**given: object) -> int:
    """Write a run as a page, a pull-request comment or a test report. Use - as FILE for standard output."""
    flags = ReportOptions(**given)  # type: ignore[arg-type]  # click has checked every flag against its type
    has_gate = flags.thresholds or flags.fewest or flags.most_findings is not None
    if not (has_gate or flags.html or flags.markdown or flags.junit or flags.github):
        raise InputError(
            "nothing to write",
            remedy="Give --html, --markdown or --junit a FILE, or add a gate, such as --fail-under.",
        )
    with open_existing(flags.store) as opened:
        run = opened.find_run(flags.run)
        rubric = rubric_of(run)
        thresholds = parse_thresholds(flags.thresholds, rubric)
        min_scored = ENOUGH_SCORED if flags.min_scored is None else parse_share(flags.min_scored)
        if flags.min_scored is None:
            refuse_means_of_scores(thresholds, run.judges)
        figures = build_run_report(run, rubric, opened.cards(run.id, rubric), opened.usage(run.id))
        gates = check_gates(thresholds, figures.summary, min_scored, figures.unjudged)
        if flags.most_findings is not None:
            gates.append(check_findings(flags.most_findings, figures.summary.claims, figures.unjudged, min_scored))
        if flags.fewest is not None:
            calibrated = [] if flags.calibration is None else read_calibrated(flags.calibration)
            gates += check_agreement(thresholds, flags.fewest, run, rubric, opened, calibrated)
        agreement = None
        if flags.html or flags.markdown:
            said, kept = find_labels(opened.labels, run.id), opened.agreements.all(run.judge, run.rubric_digest)
            agreement = build_agreement_view(run, rubric, said, kept, lambda: opened.cards(run.id, rubric))
        if flags.html:
            write_out(flags.html, render_report(figures, opened.cards(run.id, rubric), gates, agreement=agreement))
            records = figures.summary.records
            if records > MOST_RECORDS:
                shown = f"{flags.html}: shows the {MOST_RECORDS} worst and most disputed of {records} records"
                print(shown, file=sys.stderr)
        if flags.markdown:
            write_out(flags.markdown, [format_markdown(figures, gates, agreement)])
        if flags.junit:
            write_out(flags.junit, [format_junit(run, rubric, opened.cards(run.id, rubric), thresholds, gates)])
        if flags.github:
            write_out(flags.github, format_github(run, opened.cards(run.id, rubric), thresholds, gates))
        for gate in gates:
            print(f"{'passed' if gate.passed else 'FAILED'}: {gate.said}", file=sys.stderr)
        return DONE if all(gate.passed for gate in gates) else FAILED
