"""`assay judge`: records in, scores out."""

import sys
from collections.abc import Callable
from pathlib import Path

import click

from assay.api import Plan, carry_out, open_bank, open_judge, run_async
from assay.cli.main import DONE, FAILED, STOPPED
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.records import Records, open_records
from assay.files.rubrics import open_rubric
from assay.report.conclusion import print_summary, say_reasons
from assay.report.output import Output, open_output
from assay.report.progress import show_progress
from assay.report.summary import Summary
from assay.report.terminal import open_console
from assay.runner.dry import CallCount, render_dry_run
from assay.runner.run import Limits, Progress

# How many unscored records are kept for the reasons under the summary.
_NAMED = 20


def read_mapping(pairs: tuple[str, ...]) -> dict[str, str]:
    mapping = {}
    for pair in pairs:
        field, equals, column = pair.partition("=")
        if not equals or not field or not column:
            raise InputError(f"--map {pair!r} can't be read", remedy="Write --map field=column.")
        mapping[field] = column
    return mapping


@click.command(epilog="Example: assay judge records.jsonl --rubric article-audit --judge openai:MODEL --format jsonl")
@click.argument("records", type=click.Path(path_type=Path))
@click.option("--rubric", "rubric_name", required=True, help="A shipped rubric's id or a rubric file.")
@click.option("--judge", "judge_spec", help="openai:MODEL, anthropic:MODEL or recorded:FILE.")
@click.option("--base-url", help="The address of an OpenAI-compatible or Anthropic-compatible server.")
@click.option("--out", type=click.Path(path_type=Path), help="A file (a folder for --format reply of many records).")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "jsonl", "reply"]),
    default="table",
    show_default=True,
    help="A table for people, a line of JSON per record, or the rubric's own reply shape.",
)
@click.option("--limit", type=click.IntRange(1), help="Judge only the first N records.")
@click.option(
    "--joint", is_flag=True, help="One call per record for the whole reply; lists and numbers are the model's."
)
@click.option(
    "--bank",
    type=click.Path(path_type=Path),
    help="A file of key points, questions and items: used where it has them, added to where not.",
)
@click.option(
    "--workers", type=click.IntRange(1), default=8, show_default=True, help="Records judged at the same time."
)
@click.option(
    "--map", "mapping", multiple=True, metavar="FIELD=COLUMN", help="Read a rubric's input from another column."
)
@click.option("--skip-invalid", is_flag=True, help="Keep bad records as invalid_record instead of stopping.")
@click.option(
    "--max-failures", type=click.IntRange(0), help="Begin nothing new after more than N failed records; exit 1."
)
@click.option(
    "--record", "recorder", type=click.Path(path_type=Path), help="Append every reply to this file, for recorded:FILE."
)
@click.option("--dry-run", is_flag=True, help="Print the prompts and counts; call nothing.")
@click.option("--quiet", is_flag=True, help="No summary on standard error.")
def judge(  # noqa: PLR0913, PLR0917  # one parameter per flag of the documented interface
    records: Path,
    rubric_name: str,
    judge_spec: str | None,
    base_url: str | None,
    out: Path | None,
    form: str,
    limit: int | None,
    joint: bool,
    bank: Path | None,
    workers: int,
    mapping: tuple[str, ...],
    skip_invalid: bool,
    max_failures: int | None,
    recorder: Path | None,
    dry_run: bool,
    quiet: bool,
) -> int:
    """Judge RECORDS (JSON lines, a JSON array, CSV or a folder of JSON files) against a rubric."""
    rubric = open_rubric(rubric_name)
    if joint and rubric.shape is None:
        raise InputError(f"the rubric {rubric.id} has no whole reply", remedy="Leave --joint out.")
    _refuse_overwriting(records, out, recorder, bank)
    found = open_records(records, rubric, mapping=read_mapping(mapping), skip_invalid=skip_invalid, limit=limit)
    if found.unknown_fields and not quiet:
        print(f"assay: kept but not used: {', '.join(found.unknown_fields)}", file=sys.stderr)
    shelf = open_bank(bank)
    if dry_run:
        render_dry_run(found, CallCount(rubric, joint, shelf), print)
        return DONE
    if judge_spec is None:
        raise InputError("no judge is named", remedy="Write --judge openai:MODEL, anthropic:MODEL or recorded:FILE.")
    with open_output(form, out, rubric, len(found)) as output:
        chosen = open_judge(judge_spec, base_url, joint=joint, recorder=recorder)
        plan = Plan(rubric, chosen, Limits(workers, max_failures), shelf)
        return _carry_out(plan, found, output, None if quiet else Summary(rubric))


def _refuse_overwriting(records: Path, *written: Path | None) -> None:
    """Records are read while results are written: a path that is both would lose what it holds."""
    for path in written:
        if path is not None and path.exists() and records.exists() and path.samefile(records):
            raise InputError("is the file of the records", path=str(path), remedy="Write to another file.")


def _carry_out(plan: Plan, records: Records, output: Output, summary: Summary | None) -> int:
    progress = Progress()
    unscored: list[Scorecard] = []
    interrupted = False
    with show_progress(sys.stderr if summary is not None else None, len(records)) as tick:
        try:
            run_async(lambda: carry_out(plan, records, _keep(output, summary, unscored, tick), progress))
        except KeyboardInterrupt:
            interrupted = True
    output.finish()
    if summary is not None and summary.records:
        _conclude(summary, unscored)
    done = f"{progress.done} of {len(records)} records are judged and kept"
    if interrupted:
        print(f"assay: interrupted; {done}. Run it again to judge them all.", file=sys.stderr)
        return STOPPED
    if progress.stopped:
        print(f"assay: stopped: more than {plan.limits.max_failures} records failed; {done}.", file=sys.stderr)
    limit = plan.limits.max_failures
    return FAILED if limit is not None and progress.failed > limit else DONE


def _conclude(summary: Summary, unscored: list[Scorecard]) -> None:
    console = open_console(sys.stderr)
    if sys.stdout.isatty():
        console.print()
    print_summary(console, summary)
    for line in say_reasons(unscored):
        console.print(f"  {line}")


def _keep(
    output: Output, summary: Summary | None, unscored: list[Scorecard], tick: Callable[[Scorecard], None]
) -> Callable[[Scorecard], None]:
    def keep(card: Scorecard) -> None:
        output.write(card)
        if summary is not None:
            summary.add(card)
        if card.total.scored < card.total.asked and len(unscored) < _NAMED:
            unscored.append(card)
        tick(card)

    return keep
