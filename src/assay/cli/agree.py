"""`assay agree`: how far a run's judge agrees with people."""

import sys
from dataclasses import dataclass
from pathlib import Path

import click

from assay.agreement.agreement import Agreement, Scope, measure_agreement, measure_table
from assay.agreement.join import Joined, join_labels, parse_ends, read_value_table
from assay.agreement.labels import PersonAnswers, build_rows, parse_answers
from assay.agreement.values import LEVELS, Level, Options
from assay.api.stored_runs import cards_of, rubric_of
from assay.cli.main import DONE
from assay.cli.stores import STORE, look
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files.labels import LabelFile, read_label_file
from assay.report.agreement import print_agreement
from assay.report.comparison import check_comparable
from assay.report.json_text import dump
from assay.report.terminal import open_console
from assay.store.store import RunRow, Store

_PATH = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class _Flags:
    """The flags of one call."""

    run: str | None
    named_run: str | None
    labels: Path | None
    table: Path | None
    scale: str | None
    metrics: tuple[str, ...]
    against: str | None
    levels: tuple[Level, ...]
    undefined_as_zero: bool
    threshold: float | None
    wanted_half_width: float | None
    form: str
    store: Path

    @property
    def chosen_run(self) -> str:
        if self.run is not None and self.named_run is not None:
            raise InputError("the run is named twice", remedy="Write assay agree RUN.")
        return self.run or self.named_run or "last"

    @property
    def options(self) -> Options:
        levels = tuple(level for level in LEVELS if not self.levels or level in self.levels)
        return Options(levels, self.undefined_as_zero, self.threshold, self.wanted_half_width)


@click.command(epilog="Example: assay agree last --labels labels.csv --metric hallucination")
@click.argument("run", required=False)
@click.option("--run", "named_run", metavar="RUN", help="The same as RUN. By default last.")
@click.option("--labels", type=_PATH, help="A CSV or JSON lines file. By default the labels in the store.")
@click.option("--table", type=_PATH, help="In place of a run: a CSV or JSON lines file with a judge's values too.")
@click.option("--scale", metavar="WORST-BEST", help="The scale of the numbers in --table. By default 0-1.")
@click.option("--metric", "metrics", multiple=True, help="Only this metric. May be repeated.")
@click.option("--against", metavar="RUN2", help="Another run of the same records: which judge is closer to people.")
@click.option(
    "--level",
    "levels",
    type=click.Choice(LEVELS),
    multiple=True,
    help="Correlations over all records, within items, or over systems; by default all three. May be repeated.",
)
@click.option("--undefined-as-zero", is_flag=True, help="Within items, count an undefined correlation as 0.")
@click.option("--threshold", type=click.FloatRange(0, 1), help="Call a record good from this goodness on.")
@click.option(
    "--wanted-half-width",
    type=click.FloatRange(0, 1, min_open=True),
    help="Say how many labels an interval of this half-width takes.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json"]),
    default="table",
    show_default=True,
    help="Tables for people, or everything as JSON.",
)
@STORE
def agree(**given: object) -> int:
    """How far a run's judge agrees with people: correlations, kappas, the human ceiling and the corrected mean."""
    flags = _Flags(**given)  # type: ignore[arg-type]  # click has checked every flag against its type

    agreement = _measure_table(flags) if flags.table is not None else look(flags.store, lambda each: _tell(each, flags))
    for sentence in agreement.account.explain():
        print(f"assay: {sentence}", file=sys.stderr)
    if flags.form == "json":
        print(dump({"agreement": agreement}), end="")
    else:
        print_agreement(open_console(sys.stdout), agreement)
    return DONE


def _measure_table(flags: _Flags) -> Agreement:
    if flags.run or flags.named_run or flags.labels or flags.against:
        raise InputError("--table needs no run and no labels", remedy="Name a table alone, or a run and its labels.")
    ends = (0.0, 1.0) if flags.scale is None else parse_ends(flags.scale)
    path = Path(str(flags.table))
    return measure_table(read_value_table(path, ends), str(path), flags.metrics, flags.options)


def _tell(opened: Store, flags: _Flags) -> Agreement:
    if flags.scale is not None:
        raise InputError("a run's scales are those of its rubric", remedy="Leave --scale out.")
    found = opened.find_run(flags.chosen_run)
    rubric = rubric_of(found)
    _refuse_strangers(flags.metrics, rubric)
    return _measure(opened, found, rubric, flags)


def _measure(opened: Store, run: RunRow, rubric: Rubric, flags: _Flags) -> Agreement:
    file = _read_labels(opened, run, flags.labels)
    joined = join_labels(cards_of(opened, run, rubric), parse_answers(file.rows, rubric))
    joined.account.blank, joined.account.of_other_runs = file.blank, file.others
    rival = None if flags.against is None else _join_rival(opened, run, flags.against)
    labels = "the store" if flags.labels is None else str(flags.labels)
    scope = Scope(run.id, rubric, labels, flags.metrics, None if rival is None else rival[0])
    return measure_agreement(scope, joined, flags.options, None if rival is None else rival[1])


def _read_labels(opened: Store, run: RunRow, path: Path | None) -> LabelFile:
    if path is not None:
        return read_label_file(path, run.id)
    rows = build_rows(opened.labels.all(run.id))
    if not rows:
        remedy = f"Name a file with --labels, or label some records: assay label {run.id}"
        raise InputError(f"nobody has labelled a record of run {run.id}", remedy=remedy)
    return LabelFile(rows)


def _join_rival(opened: Store, run: RunRow, name: str) -> tuple[str, Joined]:
    other = opened.find_run(name)
    check_comparable(run, other)
    return other.id, join_labels(cards_of(opened, other, rubric_of(other)), PersonAnswers())


def _refuse_strangers(metrics: tuple[str, ...], rubric: Rubric) -> None:
    known = [metric.id for metric in rubric.metrics]
    for name in metrics:
        if name not in known:
            raise InputError(f"there is no metric {name!r}", remedy=f"Write one of: {', '.join(known)}")
