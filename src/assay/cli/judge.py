"""`assay judge`: records in, scores out."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields, replace
from importlib import import_module
from pathlib import Path

import click

from assay.api.dry_run import format_dry_run
from assay.api.kept import find_bank, open_banks
from assay.api.opening import Work, open_run
from assay.api.request import NOT_OF_BATCHES, RunRequest
from assay.cli.files import list_store_files, refuse_clashes
from assay.cli.judging import DEFAULTS, JUDGES, CommandRun, run_options
from assay.cli.main import DONE
from assay.cli.options import (
    EXPLAIN,
    PATH,
    Setting,
    check_records_exist,
    find_providers,
    is_from_file,
    open_existing,
    open_settings,
    print_explanations,
)
from assay.cli.texts import TextFiles, find_input, text_options
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.label_map import map_labels
from assay.files.records import Records, open_records, records_from
from assay.files.rubrics import open_rubric
from assay.packs.default import DEFAULT
from assay.report.output import Output, open_output
from assay.report.progress import ProgressView
from assay.report.summary import Summary
from assay.report.terminal import open_console, print_stronger, print_summary, print_unscored
from assay.runner.banks import BankStore
from assay.store.store import open_store

_TRANSIENT = ("unreachable", "timed_out")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The flags of this command that are not part of the run itself."""

    records: Path | None
    sources: tuple[Path, ...]
    output: Path | None
    query: str | None
    rubric_name: str | None
    out: Path | None
    form: str
    limit: int | None
    mapping: tuple[str, ...]
    label_map: tuple[str, ...]
    skip_invalid: bool
    store: Path
    dry_run: bool
    explained: tuple[str, ...]
    is_one: bool = False
    """A text by itself is explained, and has no table."""
    quiet: bool
    engine: str
    ray_address: str | None
    ray_actors: int


def read_mapping(pairs: tuple[str, ...]) -> dict[str, str]:
    mapping = {}
    for pair in pairs:
        field, equals, column = pair.partition("=")
        if not equals or not field or not column:
            raise InputError(f"--map {pair!r} can't be read", remedy="Write --map field=column.")
        mapping[field] = column
    return mapping


def _read_screen(_context: click.Context, _option: click.Parameter, value: str | None) -> bool | float:
    if not value:
        return value is not None
    try:
        return float(value)
    except ValueError:
        remedy = "Write --screen behind the other arguments, or with a probability: --screen 0.95."
        raise InputError(f"--screen {value!r:.80} is no probability", remedy=remedy) from None


@click.command(
    epilog="Example: assay judge records.jsonl --rubric RUBRIC --format jsonl, "
    'or: assay judge --source a.txt --source b.txt --output answer.txt --query "…"'
)
@click.argument("records", type=PATH, required=False)
@text_options
@click.option(
    "--rubric",
    "rubric_name",
    cls=Setting,
    help=f"Id of an installed rubric, or a rubric file. Required with RECORDS; otherwise {DEFAULT} by default.",
)
@click.option(
    "--judge",
    "judges",
    cls=Setting,
    multiple=True,
    default=DEFAULTS.judge_names,
    show_default=True,
    help=f"{JUDGES} Repeat for a panel.",
)
@click.option("--out", type=PATH, help="Write the results to this file, or to a folder for many replies.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "jsonl", "reply"]),
    default="table",
    show_default=True,
    help="Print a table, one line of JSON per record, or replies in the rubric's own format.",
)
@click.option("--limit", type=click.IntRange(1), help="Judge only the first N records.")
@click.option(
    "--reasoning-effort",
    type=click.Choice(["low", "medium", "high"]),
    help="How hard a reasoning model thinks before it answers.",
)
@click.option(
    "--samples",
    type=click.IntRange(1),
    default=DEFAULTS.samples,
    show_default=True,
    help="Ask each judge this many times.",
)
@click.option(
    "--joint/--separate",
    default=DEFAULTS.joint,
    show_default=True,
    help="Ask about all metrics of a record in one call, or about each metric in a call of its own.",
)
@click.option(
    "--prompt",
    type=PATH,
    help="Send a judge prompt of your own, one call per record; the reply is read by the rubric's reply shape.",
)
@click.option(
    "--slot",
    "slots",
    multiple=True,
    metavar="NAME=VALUE",
    help="Fill a slot of --prompt from an input, from the whole `record` or from @FILE. May be repeated.",
)
@click.option(
    "--screen",
    is_flag=False,
    flag_value="",
    metavar="[PROBABILITY]",
    callback=_read_screen,
    help="Ask a language model only about claims that no source says word for word; with a PROBABILITY, also not about "
    "those that the embedded judge supports with a higher one.",
)
@click.option(
    "--screen-verify", is_flag=True, help="Ask about the screened claims all the same, and count the other labels."
)
@click.option("--bank", help="Reuse key points, questions and items from an earlier run, or from a file and add to it.")
@click.option(
    "--map",
    "mapping",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="Read a rubric's input from another column. May be repeated.",
)
@click.option(
    "--label-map",
    "label_map",
    cls=Setting,
    multiple=True,
    metavar="LABEL=TRUTH_LABEL",
    help='Read a truth label of the records as one of the rubric\'s: "Yes=Likely Eligible". May be repeated.',
)
@click.option("--skip-invalid", is_flag=True, help="Report invalid records as invalid_record instead of stopping.")
@click.option(
    "--max-failures",
    cls=Setting,
    type=click.IntRange(0),
    help="Stop when more than this many records have failed, and exit 1.",
)
@click.option(
    "--record", "recorder", type=PATH, help="Append every reply to this file, to replay it with --judge recorded:FILE."
)
@click.option(
    "--record-timeout",
    cls=Setting,
    type=click.FloatRange(0, min_open=True),
    help="Seconds before a record is given up.",
)
@click.option(
    "--requests-per-minute",
    cls=Setting,
    type=click.IntRange(1),
    metavar="N",
    help="Send at most this many requests per minute to an endpoint.",
)
@click.option(
    "--tokens-per-minute",
    cls=Setting,
    type=click.IntRange(1),
    metavar="N",
    help="Send at most this many tokens per minute to an endpoint.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Judge in this process, or on a Ray cluster into a folder of Parquet (--out FOLDER).",
)
@click.option("--ray-address", help="Address of the Ray cluster; without one, a new one on this machine.")
@click.option("--ray-actors", type=click.IntRange(1), default=2, show_default=True, help="Workers of a run on Ray.")
@click.option(
    "--batch", is_flag=True, help="Use the provider's batch endpoint: cheaper, within a day (openai, anthropic, groq)."
)
@click.option(
    "--poll",
    type=click.FloatRange(0, min_open=True),
    default=DEFAULTS.poll,
    show_default=True,
    metavar="SECONDS",
    help="With --batch, how often to look for results.",
)
@click.option(
    "--resubmit",
    is_flag=True,
    help="With --batch --resume, send again what may or may not have been submitted before.",
)
@click.option("--dry-run", is_flag=True, help="Print the prompts and the number of calls, and send nothing.")
@EXPLAIN
@run_options
def judge(**flags: object) -> int:
    """Judge RECORDS (JSON lines, a JSON array, CSV, Parquet, a folder of JSON files or a log of another tool).

    Without RECORDS, judge one text (--output) against its sources (--source) and explain its scores.
    """
    own = {each.name for each in fields(Options)}
    # click has checked every flag against its type
    options = Options(**{name: value for name, value in flags.items() if name in own})  # type: ignore[arg-type]
    of_run = {name: value for name, value in flags.items() if name not in own}
    if of_run["batch"]:
        of_run |= {name: None for name in NOT_OF_BATCHES if is_from_file(name)}
    request = RunRequest(providers=find_providers(), **of_run)  # type: ignore[arg-type]
    given = find_input(options.records, options.output, options.sources, options.query)
    if isinstance(given, Path) and options.rubric_name is None:
        raise InputError(
            "no rubric is named", remedy="Write --rubric ID; `assay rubric list` shows the installed ones."
        )
    rubric = _open_rubric(options)
    if options.engine == "ray" and not options.dry_run:
        code: int = import_module("assay.ray.command").judge_on_ray(options, request, rubric)
        return code
    _refuse_clashes(options, request)
    found = _open_records(given, options, rubric)
    source = str(options.records or options.output)
    if options.explained:
        part = "" if options.limit is None else f", in its first {options.limit} records,"
        check_records_exist(options.explained, (each.id for each in found), f"{source}{part}")
    elif isinstance(given, TextFiles) and options.form == "table":
        options = replace(options, explained=(given.output.name,), is_one=options.out is None)
    if found.format and not options.quiet:
        print(f"assay: {source} is read as {found.format}", file=sys.stderr)
    if found.unknown_fields and not options.quiet:
        print(f"assay: fields that the rubric does not use: {', '.join(found.unknown_fields)}", file=sys.stderr)
    if options.dry_run:
        with _open_banks(options, request) as banks:
            for text in format_dry_run(found, rubric, request, banks):
                print(text)
        return DONE
    with open_store(options.store) as store:
        run = open_run(request, Work(rubric, found, source, {"limit": options.limit}), store)
        command = CommandRun(run, options.quiet)
        command.print_forecast()
        with open_output(options.form, options.out, rubric, len(found)) as output:
            run.begin()
            return _carry_out(command, options, output, can_ask_again=not request.no_cache)


def _open_rubric(options: Options) -> Rubric:
    """With the label map, but for one of the settings file that is meant for another rubric."""
    rubric = open_rubric(options.rubric_name or DEFAULT)
    if not is_from_file("label_map"):
        return map_labels(rubric, options.label_map)
    settings = open_settings(click.get_current_context())
    try:
        return map_labels(rubric, options.label_map) if any(each.truth_labels for each in rubric.metrics) else rubric
    except InputError as error:
        raise error if settings is None else settings.fault("label_map", f"can't be used: {error}") from None


def _open_records(given: Path | TextFiles, options: Options, rubric: Rubric) -> Records:
    if isinstance(given, Path):
        mapping, limit = read_mapping(options.mapping), options.limit
        return open_records(given, rubric, mapping=mapping, skip_invalid=options.skip_invalid, limit=limit)
    of_records = {"--map": options.mapping, "--limit": options.limit, "--skip-invalid": options.skip_invalid}
    for option, value in of_records.items():
        if value:
            raise InputError(f"{option} is for a file of records", remedy="Leave it out.")
    return records_from([given.read(rubric)], rubric)


def _carry_out(command: CommandRun, options: Options, output: Output, *, can_ask_again: bool) -> int:
    summary = None if options.quiet else Summary(command.run.plan.rubric)
    explained: list[Scorecard] = []
    # Lines of JSON share the terminal with the progress bar; a table comes after the last record.
    joins_bar = options.form == "jsonl" and options.out is None and sys.stdout.isatty()

    def keep(card: Scorecard, view: ProgressView) -> None:
        if card.record.id in options.explained:
            explained.append(card)
        with view.aside() if joins_bar else nullcontext():
            if not options.is_one:
                output.write(card)
        if summary is not None:
            summary.add(card)

    command.carry_out(keep)
    output.finish()
    # Among results for programs an explanation would be noise.
    is_apart = options.form == "table" or options.out is not None
    print_explanations(sys.stdout if is_apart else sys.stderr, explained)
    if summary is not None and summary.records:
        meter = command.run.engine.meter
        console = open_console(sys.stderr)
        if sys.stdout.isatty():
            console.print()
        if options.is_one:
            print_stronger(console, summary)
        else:
            print_summary(console, summary)
            print_unscored(console, summary.reasons)
        print(f"Run {command.run.plan.run}: {meter.render()}.", file=sys.stderr)
        if (screen := command.run.plan.screen) is not None:
            print(screen.total.render(verifies=screen.verifies), file=sys.stderr)
        if can_ask_again and meter.sent and not command.progress.stopped:
            _print_transient(summary)
    return command.end()


def _print_transient(summary: Summary) -> None:
    """A failure is never in the store: the same command asks again for what failed, and for nothing else."""
    counts = {status: sum(metric.missing[status] for metric in summary.metrics.values()) for status in _TRANSIENT}
    said = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in counts.items() if count)
    if said:
        again = "Run the same command again to ask only for these; everything else comes from the store."
        print(f"Transient failures: {said}. {again}", file=sys.stderr)


def _refuse_clashes(options: Options, request: RunRequest) -> None:
    recordings = (name.removeprefix("recorded:") for name in request.judge_names if name.startswith("recorded:"))
    refuse_clashes(
        read=(
            (options.records, "the records"),
            (options.output, "the text that is judged"),
            *((each, "a source") for each in options.sources if each.is_file()),
            (options.rubric_name, "the rubric"),
            (request.prices, "the prices"),
            (request.providers, "the providers"),
            (request.prompt, "the prompt"),
            *((each, "a recording") for each in recordings),
        ),
        written=(
            *list_store_files(options.store),
            (request.bank, "the bank"),
            (request.recorder, "the replies to be recorded"),
            (options.out, "the results"),
        ),
    )


@contextmanager
def _open_banks(options: Options, request: RunRequest) -> Iterator[BankStore | None]:
    """The banks that a run would use, for reading only."""
    # A bank that is a file needs no store, nor does a store that holds no run yet.
    is_run = request.bank is not None and not Path(request.bank).exists()
    has_runs = options.store.is_file() and options.store.stat().st_size > 0
    with open_existing(options.store) if is_run and has_runs else nullcontext() as store:
        yield open_banks(find_bank(request.bank, store), store)
