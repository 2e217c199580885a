"""`assay judge`: records in, scores out."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import click

from assay.cli.bank_choice import choose_bank
from assay.cli.explaining import EXPLAIN, refuse_unknown
from assay.cli.file_clashes import list_store, refuse_clashes
from assay.cli.judging import Judging, Telling
from assay.cli.main import DONE
from assay.cli.prepared_run import RunOptions, Work, prepare_run
from assay.cli.stores import STORE, open_for_looking
from assay.domain.defences import Defences
from assay.errors import InputError
from assay.files.records import open_records
from assay.files.rubrics import open_rubric
from assay.report.output import open_output
from assay.runner.banking import Banks
from assay.runner.dry import CallCount, render_dry_run
from assay.runner.opening import EMBEDDED
from assay.store.sqlite import open_store


@dataclass(frozen=True, slots=True, kw_only=True)
class Options(RunOptions):
    """The flags that this command has beside those of every run."""

    records: Path
    rubric_name: str
    out: Path | None
    form: str
    limit: int | None
    canary: bool
    mapping: tuple[str, ...]
    skip_invalid: bool
    dry_run: bool
    explained: tuple[str, ...]

    @property
    def defences(self) -> Defences:
        return Defences(canary=self.canary)


def read_mapping(pairs: tuple[str, ...]) -> dict[str, str]:
    mapping = {}
    for pair in pairs:
        field, equals, column = pair.partition("=")
        if not equals or not field or not column:
            raise InputError(f"--map {pair!r} can't be read", remedy="Write --map field=column.")
        mapping[field] = column
    return mapping


_PATH = click.Path(path_type=Path)


@click.command(epilog="Example: assay judge records.jsonl --rubric article-audit --format jsonl")
@click.argument("records", type=_PATH)
@click.option("--rubric", "rubric_name", required=True, help="A shipped rubric's id or a rubric file.")
@click.option(
    "--judge",
    "judge_specs",
    multiple=True,
    default=(EMBEDDED,),
    show_default=True,
    help="embedded, openai:MODEL, anthropic:MODEL or recorded:FILE. Given several times: a panel.",
)
@click.option("--base-url", help="The address of an OpenAI-compatible or Anthropic-compatible server.")
@click.option("--out", type=_PATH, help="A file (a folder for --format reply of many records).")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "jsonl", "reply"]),
    default="table",
    show_default=True,
    help="A table for people, a line of JSON per record, or the rubric's own reply shape.",
)
@click.option("--limit", type=click.IntRange(1), help="Judge only the first N records.")
@click.option("--samples", type=click.IntRange(1), default=1, show_default=True, help="Ask each judge K times.")
@click.option(
    "--joint", is_flag=True, help="One call per record for the whole reply; lists and numbers are the model's."
)
@click.option(
    "--canary", is_flag=True, help="Ask about a claim with a known answer too, and flag a judge that gets it wrong."
)
@click.option(
    "--bank", help="Key points, questions and items to reuse: a file, which is added to, or the id of an earlier run."
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
@click.option("--record", "recorder", type=_PATH, help="Append every reply to this file, for recorded:FILE.")
@click.option("--budget-usd", metavar="X", help="Never spend more than X dollars; needs a known price.")
@click.option("--budget-tokens", type=click.IntRange(1), metavar="N", help="Never use more than N tokens.")
@click.option("--prices", type=_PATH, help="A TOML file of prices, laid over the shipped ones.")
@click.option(
    "--timeout", type=click.FloatRange(1), default=120.0, show_default=True, help="Seconds that one call may take."
)
@click.option(
    "--record-timeout", type=click.FloatRange(0, min_open=True), help="Seconds that one record may take in all."
)
@click.option(
    "--requests-per-minute", type=click.IntRange(1), metavar="N", help="Send no more to one endpoint with one key."
)
@click.option("--tokens-per-minute", type=click.IntRange(1), metavar="N", help="The same, in tokens.")
@click.option("--resume", metavar="RUN", help="Go on with a run that was stopped: its id, or last.")
@STORE
@click.option("--no-cache", is_flag=True, help="Send every call, also those whose reply is in the store.")
@click.option("--dry-run", is_flag=True, help="Print the prompts and counts; call nothing.")
@EXPLAIN
@click.option("--quiet", is_flag=True, help="No summary and no progress on standard error.")
def judge(**flags: object) -> int:
    """Judge RECORDS (JSON lines, a JSON array, CSV, Parquet or a folder of JSON files) against a rubric."""
    options = Options(**flags)  # type: ignore[arg-type]  # click has checked every flag against its type
    rubric = open_rubric(options.rubric_name)
    if options.joint and rubric.shape is None:
        raise InputError(f"the rubric {rubric.id} has no whole reply", remedy="Leave --joint out.")
    _refuse_clashes(options)
    mapping = read_mapping(options.mapping)
    found = open_records(
        options.records, rubric, mapping=mapping, skip_invalid=options.skip_invalid, limit=options.limit
    )
    if options.explained:
        part = "" if options.limit is None else f", in its first {options.limit} records,"
        refuse_unknown(options.explained, (each.id for each in found), f"{options.records}{part}")
    if found.unknown_fields and not options.quiet:
        print(f"assay: kept but not used: {', '.join(found.unknown_fields)}", file=sys.stderr)
    if options.dry_run:
        with _open_shelf(options) as shelf:
            render_dry_run(found, CallCount(rubric, options.joint, shelf), print, options.defences)
        return DONE
    store = open_store(options.store)
    try:
        parameters = {"samples": options.samples, "joint": options.joint, "limit": options.limit}
        prepared = prepare_run(options, Work(rubric, found, str(options.records), parameters), store)
        with open_output(options.form, options.out, rubric, len(found)) as output:
            prepared.begin(store)
            telling = Telling(options.form, options.out, options.explained, options.quiet, not options.no_cache)
            return Judging(prepared.plan, prepared.engine, store, telling).carry_out(found, output)
    finally:
        store.close()


def _refuse_clashes(options: Options) -> None:
    recordings = (spec.removeprefix("recorded:") for spec in options.judge_specs if spec.startswith("recorded:"))
    refuse_clashes(
        read=(
            (options.records, "the records"),
            (Path(options.rubric_name), "the rubric"),
            (options.prices, "the prices"),
            *((Path(each), "a recording") for each in recordings),
        ),
        written=(
            *list_store(options.store),
            (None if options.bank is None else Path(options.bank), "the bank"),
            (options.recorder, "the replies to be recorded"),
            (options.out, "the results"),
        ),
    )


@contextmanager
def _open_shelf(options: Options) -> Iterator[Banks | None]:
    """The banks that a run would find, for who only looks."""
    # A bank that is a file needs no store, nor does a run that none has been kept for yet.
    is_run = options.bank is not None and not Path(options.bank).exists()
    has_runs = options.store.is_file() and options.store.stat().st_size > 0
    with closing(open_for_looking(options.store)) if is_run and has_runs else nullcontext() as store:
        yield choose_bank(options.bank, store).look(store)
