"""`assay agree`: how far a run's judge agrees with people."""

import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import click

from assay.agreement.figures import Agreement, Scope, measure_table, reach_verdict
from assay.agreement.label_files import parse_ends, read_label_file, read_value_table
from assay.agreement.labels import find_labels, find_metric
from assay.agreement.preferences import measure_run
from assay.cli.main import DONE
from assay.cli.options import build_options, list_fields, open_existing
from assay.errors import InputError
from assay.options import option
from assay.report.agreement import list_kept, print_agreement
from assay.report.result import dump
from assay.report.terminal import open_console
from assay.runner.run import rubric_of
from assay.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreeOptions:
    """The options of this command."""

    run: str | None
    named_run: str | None = option(None, "The same as the argument RUN.", flags=("--run",), metavar="RUN", shown="last")
    labels: Path | None = option(None, "CSV or JSON lines file of labels. Default: the labels in the store.")
    table: Path | None = option(None, "CSV or JSON lines file with a judge's values and labels, instead of a run.")
    scale: str | None = option(None, "Scale of the numbers in --table.", metavar="WORST-BEST", shown="0-1")
    metrics: tuple[str, ...] = option((), "Only this metric. May be repeated.", flags=("--metric",), metavar="METRIC")
    threshold: float | None = option(
        None, "Count a record as good if its normalized score is at least this.", least=0, most=1
    )
    form: Literal["table", "json"] = option("table", "Print tables, or all figures as JSON.", flags=("--format",))
    save: bool = option(False, "Save verdicts and figures in the store, for assay report and the pages.")
    store: Path


@click.command(epilog="Example: assay agree last --labels labels.csv --metric METRIC")
@click.argument("run", required=False)
@build_options(*list_fields(AgreeOptions))
def agree(**given: object) -> int:
    """Measure how far a judge agrees with people: a verdict per metric, then the figures behind it."""
    flags = AgreeOptions(**given)  # type: ignore[arg-type]  # click has checked every flag against its type
    if flags.table is not None:
        agreement = _measure_table(flags, flags.table)
    else:
        with open_existing(flags.store, read_only=not flags.save) as opened:
            agreement = _measure_run(opened, flags)
            if flags.save:
                run = opened.find_run(agreement.run)
                opened.agreements.put(list_kept(agreement, run))
    for sentence in agreement.account.explain():
        print(f"assay: {sentence}", file=sys.stderr)
    if flags.form == "json":
        verdicts = [{"metric": each.metric, "name": each.name, **asdict(reach_verdict(each))} for each in agreement.all]
        print(dump({"verdicts": verdicts, "agreement": agreement}), end="")
    else:
        print_agreement(open_console(sys.stdout), agreement)
    return DONE


def _measure_table(flags: AgreeOptions, path: Path) -> Agreement:
    if flags.run or flags.named_run or flags.labels or flags.save:
        message = "--table can't be combined with a run, --labels or --save"
        raise InputError(message, remedy="Give either --table, or a run and its labels.")
    ends = (0.0, 1.0) if flags.scale is None else parse_ends(flags.scale)
    return measure_table(read_value_table(path, ends), str(path), flags.metrics, flags.threshold)


def _measure_run(opened: Store, flags: AgreeOptions) -> Agreement:
    if flags.scale is not None:
        raise InputError(
            "--scale only applies with --table; a run uses its rubric's scales", remedy="Leave --scale out."
        )
    if flags.run is not None and flags.named_run is not None:
        raise InputError("the run is given twice", remedy="Write assay agree RUN.")
    run = opened.find_run(flags.run or flags.named_run or "last")
    rubric = rubric_of(run)
    for name in flags.metrics:
        find_metric(rubric.metrics, name)
    said = find_labels(opened.labels, run.id) if flags.labels is None else read_label_file(flags.labels, run.id)
    if flags.labels is None and not said.rows and not said.preferences:
        remedy = f"Name a file with --labels, or label some records: assay label {run.id}"
        raise InputError(f"run {run.id} has no labels in the store", remedy=remedy)
    labels = "the store" if flags.labels is None else str(flags.labels)
    scope = Scope(run.id, rubric, labels, flags.metrics, flags.threshold)
    return measure_run(scope, opened.cards(run.id, rubric), said)
