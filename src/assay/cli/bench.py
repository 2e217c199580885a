"""`assay bench`: a judge against labelled sets."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from assay.api import run_async
from assay.cli.main import DONE
from assay.cli.writing import write_out
from assay.domain.outcome import Verdict
from assay.domain.rubric import Metric, Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.labelled_records import build_values, keep_metric
from assay.files.labelled_sets import LabelledSet, find_sets, read_set
from assay.files.records import records_from
from assay.files.rubrics import open_rubric
from assay.report.baselines import open_rouge
from assay.report.bench_table import Bench, render_bench
from assay.report.judge_bench import BenchRow, contest, measure_set
from assay.runner.opening import EMBEDDED, Engine, find_calls_in_flight, open_judge
from assay.runner.plan import Plan, carry_out
from assay.runner.run import Limits, Progress

_PATH = click.Path(path_type=Path)


@click.group(epilog="Example: assay bench judge labelled --limit 100")
def bench() -> None:
    """Measure judges."""


@bench.command("judge", epilog="Example: assay bench judge labelled --sets qags_cnndm --limit 100 --out agreement.md")
@click.argument("folder", type=_PATH)
@click.option(
    "--judge",
    "spec",
    default=EMBEDDED,
    show_default=True,
    help="embedded, openai:MODEL, anthropic:MODEL or recorded:FILE.",
)
@click.option("--base-url", help="The address of an OpenAI-compatible or Anthropic-compatible server.")
@click.option("--rubric", "rubric_name", default="article-audit", show_default=True, help="A rubric's id or file.")
@click.option("--metric", default="hallucination", show_default=True, help="The metric that is held to the labels.")
@click.option("--sets", "names", multiple=True, metavar="NAME", help="Only this set. May be repeated.")
@click.option("--limit", type=click.IntRange(1), help="At most N outputs of each set, always the same.")
@click.option("--workers", type=click.IntRange(1), default=8, show_default=True, help="Outputs judged at a time.")
@click.option("--out", type=_PATH, help="Write the table here instead of to standard output.")
def bench_judge(  # noqa: PLR0913  # one argument for each option of the command
    folder: Path,
    *,
    spec: str,
    base_url: str | None,
    rubric_name: str,
    metric: str,
    names: tuple[str, ...],
    limit: int | None,
    workers: int,
    out: Path | None,
) -> int:
    """Measure a judge on the labelled sets in FOLDER: files of JSON lines, gzipped or not."""
    rubric = open_rubric(rubric_name)
    chosen = _find_metric(rubric, metric)
    paths = find_sets(folder, names)
    # Found out before anything is judged.
    open_rouge()
    asked = keep_metric(rubric, chosen)
    sets: list[LabelledSet] = []
    rows: list[BenchRow] = []
    skipped: list[str] = []
    judge_name = spec
    for name, path in paths.items():
        labelled = read_set(name, path, limit)
        if not labelled.rows:
            skipped.append(f"{name}: no row has a source, an output and a label that is known here.")
            continue
        engine = Engine(calls_in_flight=find_calls_in_flight(workers))
        plan = Plan(asked, (open_judge(spec, base_url, engine=engine),), Limits(workers))
        judge_name = plan.judges[0].name
        print(f"{name}: {len(labelled.rows)} of {labelled.total} outputs", file=sys.stderr)
        rows += measure_set(contest(labelled, _judge(plan, labelled, chosen)))
        sets.append(labelled)
    if not sets:
        remedy = "Rows need id, source, output and human, see docs/agreement.md."
        raise InputError("there is nothing to measure", path=str(folder), remedy=remedy)
    today = datetime.now(UTC).date()
    found = Bench(judge_name, rubric.id, metric, today, tuple(sets), tuple(rows), tuple(skipped))
    write_out(out or Path("-"), [render_bench(found)])
    return DONE


def _find_metric(rubric: Rubric, name: str) -> Metric:
    known = [metric.id for metric in rubric.metrics]
    if name not in known:
        raise InputError(f"{rubric.id} has no metric {name!r}", remedy=f"Write one of: {', '.join(known)}")
    return rubric.metric(name)


def _judge(plan: Plan, labelled: LabelledSet, metric: Metric) -> dict[str, float | None]:
    found: dict[str, float | None] = {}

    def keep(card: Scorecard) -> None:
        outcome = card.outcomes[metric.id]
        found[card.record.id] = float(outcome.score.goodness) if isinstance(outcome, Verdict) else None

    records = records_from([build_values(row, plan.rubric) for row in labelled.rows], plan.rubric)
    run_async(lambda: carry_out(plan, records, keep, Progress()))
    return found
