"""`assay agree`: how far a run's judge agrees with people."""

import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from assay.agreement.figures import Agreement, Scope, measure_agreement, measure_table
from assay.agreement.join import NO_LABEL, Joined, join_labels, parse_ends, read_value_table
from assay.agreement.label_files import LabelFile, read_label_file
from assay.agreement.labels import LabelRow, PersonAnswers, find_metric, parse_answers
from assay.agreement.verdict import reach_verdict
from assay.api.results import rubric_of
from assay.cli.main import DONE
from assay.cli.options import PATH, STORE, open_existing
from assay.errors import InputError
from assay.files.place import Place
from assay.report.agreement import list_kept, print_agreement
from assay.report.comparison import check_comparable
from assay.report.result import dump
from assay.report.terminal import open_console
from assay.store.runs import RunRow
from assay.store.store import Store


@dataclass(frozen=True, slots=True)
class AgreeOptions:
    """The flags of one call."""

    run: str | None
    named_run: str | None
    labels: Path | None
    table: Path | None
    scale: str | None
    metrics: tuple[str, ...]
    against: str | None
    threshold: float | None
    form: str
    keep: bool
    store: Path


@click.command(epilog="Example: assay agree last --labels labels.csv --metric METRIC")
@click.argument("run", required=False)
@click.option("--run", "named_run", metavar="RUN", help="The same as the argument RUN. Default: last.")
@click.option("--labels", type=PATH, help="CSV or JSON lines file of labels. Default: the labels in the store.")
@click.option("--table", type=PATH, help="CSV or JSON lines file with a judge's values and labels, instead of a run.")
@click.option("--scale", metavar="WORST-BEST", help="Scale of the numbers in --table. Default: 0-1.")
@click.option("--metric", "metrics", multiple=True, help="Measure only this metric. May be repeated.")
@click.option("--against", metavar="RUN2", help="Show which judge is closer to people: this run's or RUN2's.")
@click.option("--threshold", type=click.FloatRange(0, 1), help="Count records with at least this goodness as good.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="Print tables, or all figures as JSON.",
)
@click.option("--keep", is_flag=True, help="Save verdicts and figures in the store, for assay report and the pages.")
@STORE
def agree(**given: object) -> int:
    """Measure how far a judge agrees with people: a verdict per metric, then the figures behind it."""
    flags = AgreeOptions(**given)  # type: ignore[arg-type]  # click has checked every flag against its type
    if flags.table is not None:
        agreement = _measure_table(flags, flags.table)
    else:
        with open_existing(flags.store, read_only=not flags.keep) as opened:
            agreement = _measure_run(opened, flags)
            if flags.keep:
                run = opened.find_run(agreement.run)
                opened.agreements.put(list_kept(agreement, run))
    for sentence in agreement.account.explain():
        print(f"assay: {sentence}", file=sys.stderr)
    if flags.form == "json":
        found = (*agreement.metrics, *agreement.units)
        verdicts = [{"metric": each.metric, "name": each.name, **asdict(reach_verdict(each))} for each in found]
        print(dump({"verdicts": verdicts, "agreement": agreement}), end="")
    else:
        print_agreement(open_console(sys.stdout), agreement)
    return DONE


def _measure_table(flags: AgreeOptions, path: Path) -> Agreement:
    if flags.run or flags.named_run or flags.labels or flags.against or flags.keep:
        message = "--table can't be combined with a run, --labels, --against or --keep"
        raise InputError(message, remedy="Name a table alone, or a run and its labels.")
    ends = (0.0, 1.0) if flags.scale is None else parse_ends(flags.scale)
    return measure_table(read_value_table(path, ends), str(path), flags.metrics, flags.threshold)


def _measure_run(opened: Store, flags: AgreeOptions) -> Agreement:
    if flags.scale is not None:
        raise InputError("--scale is for --table; a run has its rubric's scales", remedy="Leave --scale out.")
    if flags.run is not None and flags.named_run is not None:
        raise InputError("the run is named twice", remedy="Write assay agree RUN.")
    run = opened.find_run(flags.run or flags.named_run or "last")
    rubric = rubric_of(run)
    for name in flags.metrics:
        find_metric(rubric.metrics, name)
    file = _read_labels(opened, run, flags.labels)
    joined = join_labels(opened.cards(run.id, rubric), parse_answers(file.rows, rubric))
    joined.account.rows = {NO_LABEL: file.blank, "belong to other runs": file.others}
    rival = None if flags.against is None else _join_rival(opened, run, flags.against)
    labels = "the store" if flags.labels is None else str(flags.labels)
    against, other = (None, None) if rival is None else rival
    return measure_agreement(Scope(run.id, rubric, labels, flags.metrics, against, flags.threshold), joined, other)


def _read_labels(opened: Store, run: RunRow, path: Path | None) -> LabelFile:
    if path is not None:
        return read_label_file(path, run.id)
    rows = [LabelRow(Place("the store", None), label) for label in opened.labels.all(run.id)]
    if not rows:
        remedy = f"Name a file with --labels, or label some records: assay label {run.id}"
        raise InputError(f"run {run.id} has no labels in the store", remedy=remedy)
    return LabelFile(tuple(rows))


def _join_rival(opened: Store, run: RunRow, name: str) -> tuple[str, Joined]:
    other = opened.find_run(name)
    check_comparable(run, other)
    return other.id, join_labels(opened.cards(other.id, rubric_of(other)), PersonAnswers())
