"""`assay judge`: records in, scores out."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Literal

import click

from assay.api.config import CLUSTER, INPUT, RESULTS, RUN_OPTIONS, RunConfig
from assay.api.forecast import format_dry_run
from assay.api.kept import find_bank, open_banks
from assay.api.opening import Work, open_run
from assay.cli.files import format_command, list_store_files, refuse_clashes
from assay.cli.judging import CommandRun
from assay.cli.main import DONE
from assay.cli.options import (
    PATH,
    GroupedCommand,
    build_options,
    check_records_exist,
    is_from_file,
    list_fields,
    open_existing,
    open_settings,
    print_explanations,
    read_run_options,
)
from assay.domain.json import JSON
from assay.domain.listed import build_listed
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.files.label_map import map_labels
from assay.files.records import Records, open_records, records_from
from assay.files.rubrics import choose_metrics, open_rubric
from assay.files.texts import build_values, read_text
from assay.options import option
from assay.packs.default import DEFAULT
from assay.report.output import Output, open_output
from assay.report.progress import ProgressView
from assay.report.summary import Summary
from assay.report.terminal import open_console, print_stronger, print_summary
from assay.runner.banks import BankStore
from assay.store.store import open_store

_TRANSIENT = ("unreachable", "timed_out")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """The options of this command that are not part of the run itself."""

    records: tuple[Path, ...]
    rubric: str | None
    sources: tuple[Path, ...] = option(
        (), "Without RECORDS: a text that the output is judged against. May be repeated.", INPUT, flags=("--source",)
    )
    output: Path | None = option(None, "Without RECORDS: the text that is judged.", INPUT)
    query: str | None = option(None, "Without RECORDS: the question that the output answers.", INPUT, metavar="TEXT")
    limit: int | None
    map: tuple[str, ...]
    label_map: tuple[str, ...]
    skip_invalid: bool
    explained: tuple[str, ...]
    out: Path | None = option(
        None,
        "Write the results to this file; with --format reply, one file per record to this folder.",
        RESULTS,
        metavar="PATH",
    )
    form: Literal["table", "jsonl", "reply"] = option(
        "table",
        "Print a table, one line of JSON per record, or replies in the rubric's own format.",
        RESULTS,
        flags=("--format",),
    )
    dry_run: bool = option(False, "Print the prompts and the number of calls, and send nothing.", RESULTS)
    quiet: bool
    engine: Literal["local", "ray"] = option(
        "local", "Judge in this process, or on a Ray cluster that writes Parquet files to --out FOLDER.", CLUSTER
    )
    ray_address: str | None = option(
        None, "Address of the Ray cluster. Default: start one on this machine.", CLUSTER, metavar="ADDRESS"
    )
    ray_actors: int = option(2, "Number of workers on Ray.", CLUSTER, least=1)
    store: Path
    is_one: bool = False
    """A text by itself is explained, and has no table."""


def read_mapping(pairs: tuple[str, ...]) -> dict[str, str]:
    mapping = {}
    for pair in pairs:
        field, equals, column = pair.partition("=")
        if not equals or not field or not column:
            raise InputError(f"--map {pair!r} can't be read", remedy="Write --map field=column.")
        mapping[field] = column
    return mapping


@click.command(
    cls=GroupedCommand,
    epilog="Example: assay judge records.jsonl --rubric RUBRIC --format jsonl, "
    'or: assay judge --source a.txt --source b.txt --output answer.txt --query "…"',
)
@click.argument("records", type=PATH, nargs=-1)
@build_options(*list_fields(JudgeOptions), *RUN_OPTIONS)
def judge(**flags: object) -> int:
    """Judge RECORDS (JSON lines, a JSON array, CSV, Parquet, a folder of JSON files or a log of another tool).

    Without RECORDS, judge one text (--output) against its sources (--source) and explain its scores. The rubric is
    then grounded-answer, unless --rubric names another.
    """
    options, request = read_run_options(JudgeOptions, flags)
    _check_input(options)
    rubric = choose_metrics(_open_rubric(options), request.metrics)
    if options.engine == "ray" and not options.dry_run:
        code: int = import_module("assay.ray.command").judge_on_ray(options, request, rubric)
        return code
    _refuse_clashes(options, request)
    found = _open_records(options, rubric)
    source = ", ".join(map(str, options.records)) or str(options.output)
    if options.explained:
        part = "" if options.limit is None else f", in its first {options.limit} records,"
        check_records_exist(options.explained, (each.id for each in found), f"{source}{part}")
    elif options.output is not None and options.form == "table":
        options = replace(options, explained=(options.output.name,), is_one=options.out is None)
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


def _check_input(options: JudgeOptions) -> None:
    """Raises InputError where it is not clear whether a file of records is judged or one text."""
    texts = {"--source": options.sources, "--output": options.output, "--query": options.query}
    given = [name for name, value in texts.items() if value not in (None, ())]
    named = " and ".join(given)
    if options.records:
        if named:
            message = f"RECORDS and {named} can't be given together"
            raise InputError(message, remedy=f"Leave out {named}, or the file of records.")
        if options.rubric is None:
            remedy = "Write --rubric ID; `assay rubric list` shows the installed ones."
            raise InputError("no rubric is given", remedy=remedy)
    elif not named:
        remedy = "Name a file of records, or one text: --source FILE --output FILE."
        raise InputError("there is nothing to judge", remedy=remedy)
    elif missing := [name for name in ("--output", "--source") if name not in given]:
        raise InputError(f"{named} needs {missing[0]} too", remedy="Write --source FILE --output FILE.")


def _open_rubric(options: JudgeOptions) -> Rubric:
    """With the label map, but for one of the settings file that is meant for another rubric."""
    rubric = open_rubric(options.rubric or DEFAULT)
    if not is_from_file("label_map"):
        return map_labels(rubric, options.label_map)
    settings = open_settings(click.get_current_context())
    try:
        return map_labels(rubric, options.label_map) if any(each.truth_labels for each in rubric.metrics) else rubric
    except InputError as error:
        raise error if settings is None else settings.fault("label_map", f"can't be used: {error}") from None


def _open_records(options: JudgeOptions, rubric: Rubric) -> Records:
    """Those of the file, or one from text files: named after its output, each source titled by its file's name."""
    output, mapping, limit = options.output, read_mapping(options.map), options.limit
    if options.records:
        return open_records(options.records, rubric, mapping=mapping, skip_invalid=options.skip_invalid, limit=limit)
    if output is None:
        raise AssertionError("what is judged has been checked")
    for name, value in {"--map": mapping, "--limit": limit, "--skip-invalid": options.skip_invalid}.items():
        if value:
            raise InputError(f"{name} is for a file of records", remedy="Leave it out.")
    sources: list[JSON] = [{"title": path.name, "content": read_text(path)} for path in options.sources]
    return records_from([build_values(rubric, read_text(output), sources, options.query, name=output.name)], rubric)


def _carry_out(command: CommandRun, options: JudgeOptions, output: Output, *, can_ask_again: bool) -> int:
    summary = None if options.quiet else Summary(command.run.plan.rubric)
    explained: list[Scorecard] = []
    # Lines of JSON share the terminal with the progress bar; a table comes after the last record.
    joins_bar = options.form == "jsonl" and options.out is None and sys.stdout.isatty()

    def keep(card: Scorecard, view: ProgressView) -> None:
        if card.record.id in options.explained:
            explained.append(card)
        if summary is not None:
            summary.add(build_listed(card))
        with view.aside() if joins_bar else nullcontext():
            if not options.is_one:
                output.write(card)

    command.carry_out(keep)
    with command.noting_closed_output():
        output.finish()
        # Among results for programs an explanation would be noise.
        is_apart = options.form == "table" or options.out is not None
        print_explanations(sys.stdout if is_apart else sys.stderr, explained)
        sys.stdout.flush()
    if summary is not None and summary.records:
        meter = command.run.engine.meter
        console = open_console(sys.stderr)
        if sys.stdout.isatty():
            console.print()
        if options.is_one:
            print_stronger(console, summary)
        else:
            print_summary(console, summary)
        if output.unlisted:
            show = format_command("runs", "show", command.run.plan.run)
            print(f"All {summary.records} records: {show}", file=sys.stderr)
        print(f"Run {command.run.plan.run}: {meter.render()}.", file=sys.stderr)
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


def _refuse_clashes(options: JudgeOptions, request: RunConfig) -> None:
    recordings = (name.removeprefix("recorded:") for name in request.judge_names if name.startswith("recorded:"))
    refuse_clashes(
        read=(
            *((each, "the records") for each in options.records),
            (options.output, "the text that is judged"),
            *((each, "a source") for each in options.sources if each.is_file()),
            (options.rubric, "the rubric"),
            (request.prices, "the prices"),
            (request.providers, "the providers"),
            (request.prompt, "the prompt"),
            *((each, "a recording") for each in recordings),
        ),
        written=(
            *list_store_files(options.store),
            (request.bank, "the reference points"),
            (request.recorder, "the replies to be recorded"),
            (options.out, "the results"),
        ),
    )


@contextmanager
def _open_banks(options: JudgeOptions, request: RunConfig) -> Iterator[BankStore | None]:
    """The banks that a run would use, for reading only."""
    # A bank that is a file needs no store, nor does a store that holds no run yet.
    is_run = request.bank is not None and not Path(request.bank).exists()
    has_runs = options.store.is_file() and options.store.stat().st_size > 0
    with open_existing(options.store) if is_run and has_runs else nullcontext() as store:
        yield open_banks(find_bank(request.bank, store), store)
