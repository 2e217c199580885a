"""`assay judge`: records in, scores out."""

import signal
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import click

from assay import __version__
from assay.api import open_bank, run_async
from assay.cli.explaining import EXPLAIN, Explained, refuse_unknown
from assay.cli.interrupts import interruptible
from assay.cli.main import DONE, FAILED, STOPPED
from assay.cli.resuming import refuse_other_run, render_resume_command
from assay.domain.defences import Defences
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.engine.budget import Budget
from assay.engine.prices import read_prices
from assay.errors import InputError
from assay.files.records import Records, open_records
from assay.files.rubrics import open_rubric
from assay.report.conclusion import print_summary, say_reasons
from assay.report.output import Output, open_output
from assay.report.progress import ProgressView, show_progress
from assay.report.summary import Summary
from assay.report.terminal import open_console
from assay.runner.banking import Banks
from assay.runner.dry import CallCount, render_dry_run
from assay.runner.forecast import forecast_run
from assay.runner.kept import KeptBanks, KeptReplies, keep_usage
from assay.runner.opening import EMBEDDED, Engine, choose_cache, open_judge
from assay.runner.plan import Plan, carry_out, describe_run, new_run_id
from assay.runner.run import Limits, Progress
from assay.store.opening import default_path
from assay.store.sqlite import open_store
from assay.store.store import Store

# How many unscored records are kept for the reasons under the summary.
_NAMED = 20


@dataclass(frozen=True, slots=True)
class Options:
    """The flags of one call, by the names of the documented interface."""

    records: Path
    rubric_name: str
    judge_specs: tuple[str, ...]
    base_url: str | None
    out: Path | None
    form: str
    limit: int | None
    samples: int
    joint: bool
    canary: bool
    bank: str | None
    workers: int
    mapping: tuple[str, ...]
    skip_invalid: bool
    max_failures: int | None
    recorder: Path | None
    budget_usd: str | None
    budget_tokens: int | None
    prices: Path | None
    timeout: float
    record_timeout: float | None
    requests_per_minute: int | None
    tokens_per_minute: int | None
    resume: str | None
    store: Path
    no_cache: bool
    dry_run: bool
    explained: tuple[str, ...]
    quiet: bool


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
@click.option(
    "--store", type=_PATH, default=default_path(), show_default=True, help="The file that keeps runs and replies."
)
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
    bank = Path(options.bank) if options.bank is not None else None
    _refuse_overwriting(options.records, options.out, options.recorder, bank)
    mapping = read_mapping(options.mapping)
    found = open_records(
        options.records, rubric, mapping=mapping, skip_invalid=options.skip_invalid, limit=options.limit
    )
    if options.explained:
        refuse_unknown(options.explained, (each.id for each in found), str(options.records))
    if found.unknown_fields and not options.quiet:
        print(f"assay: kept but not used: {', '.join(found.unknown_fields)}", file=sys.stderr)
    if options.dry_run:
        shelf = open_bank(bank) if bank is not None and bank.exists() else None
        render_dry_run(found, CallCount(rubric, options.joint, shelf), print)
        return DONE
    store = open_store(options.store)
    try:
        command = _Command(options, rubric, store)
        plan, engine = command.prepare(found)
        with open_output(options.form, options.out, rubric, len(found)) as output:
            return command.carry_out(plan, found, output, engine)
    finally:
        store.close()


def _refuse_overwriting(records: Path, *written: Path | None) -> None:
    """Records are read while results are written: a path that is both would lose what it holds."""
    for path in written:
        if path is not None and path.exists() and records.exists() and path.samefile(records):
            raise InputError("is the file of the records", path=str(path), remedy="Write to another file.")


@dataclass(frozen=True, slots=True)
class _Command:
    options: Options
    rubric: Rubric
    store: Store

    def prepare(self, records: Records) -> tuple[Plan, Engine]:
        """Everything that can be wrong is found out here, before a call is paid for or an old result is touched."""
        options = self.options
        resumed = self.store.find_run(options.resume) if options.resume is not None else None
        run = resumed.id if resumed is not None else new_run_id()
        engine = Engine(
            cache=choose_cache(KeptReplies(self.store, run), use_cache=not options.no_cache),
            budget=Budget(options.budget_usd, options.budget_tokens),
            prices=read_prices(options.prices),
            call_seconds=options.timeout,
            calls_in_flight=max(64, 2 * options.workers),
            requests_per_minute=options.requests_per_minute,
            tokens_per_minute=options.tokens_per_minute,
            defences=Defences(canary=options.canary),
        )
        judges = tuple(
            open_judge(
                spec,
                options.base_url,
                joint=options.joint,
                recorder=options.recorder,
                engine=engine,
                samples=options.samples,
            )
            for spec in options.judge_specs
        )
        limits = Limits(options.workers, options.max_failures, lambda: engine.budget.exhausted, options.record_timeout)
        banks = self._open_banks(run)
        plan = Plan(self.rubric, judges, limits, banks, options.samples, self.store, run, engine.defences)
        if resumed is not None:
            refuse_other_run(resumed, plan)
        else:
            parameters = {"samples": options.samples, "joint": options.joint, "limit": options.limit}
            self.store.begin_run(describe_run(plan, str(options.records), len(records), __version__, parameters))
        if not options.quiet:
            self._say_forecast(records, engine)
        return plan, engine

    def _say_forecast(self, records: Records, engine: Engine) -> None:
        """Once per model, before anything is sent; a recording costs nothing."""
        options = self.options
        for spec in options.judge_specs:
            if spec != EMBEDDED and not spec.startswith("recorded:"):
                price = engine.prices.find(spec)
                count = len(records) * options.samples
                forecast = forecast_run(records, count, self.rubric, joint=options.joint, model=spec, price=price)
                print(forecast.render(engine.budget), file=sys.stderr)

    def _open_banks(self, run: str) -> Banks:
        """A bank that names no file may be an earlier run."""
        name = self.options.bank
        if name is None:
            return KeptBanks(self.store, run)
        if not Path(name).exists() and any(row.id.startswith(name) or name == "last" for row in self.store.runs()):
            return KeptBanks(self.store, run, lender=self.store.find_run(name).id)
        return open_bank(name) or KeptBanks(self.store, run)

    def carry_out(self, plan: Plan, records: Records, output: Output, engine: Engine) -> int:
        progress = Progress()
        summary = None if self.options.quiet else Summary(self.rubric)
        unscored: list[Scorecard] = []
        explained = Explained(self.options.explained)
        with (
            interruptible(plan.limits) as interrupted,
            show_progress(sys.stderr if summary is not None else None, len(records), engine.meter) as view,
        ):
            try:
                keep = self._keep(output, summary, unscored, view)
                run_async(lambda: carry_out(plan, records, explained.listen(keep), progress))
            except KeyboardInterrupt:
                interrupted.append(signal.SIGINT)
        output.finish()
        # Among results for programs it would be noise.
        is_apart = self.options.form == "table" or self.options.out is not None
        explained.print_to(sys.stdout if is_apart else sys.stderr)
        keep_usage(self.store, plan.run, engine.meter)
        if summary is not None and summary.records:
            _conclude(summary, unscored)
            print(f"Run {plan.run}: {engine.meter.snapshot().render()}.", file=sys.stderr)
        return self._explain_end(plan, progress, len(records), engine, interrupted=bool(interrupted))

    def _keep(
        self, output: Output, summary: Summary | None, unscored: list[Scorecard], view: ProgressView
    ) -> Callable[[Scorecard], None]:
        # A table comes after the last record; lines of JSON come in between, on the terminal where the bar is.
        joins_bar = self.options.form == "jsonl" and self.options.out is None and sys.stdout.isatty()

        def keep(card: Scorecard) -> None:
            with view.aside() if joins_bar else nullcontext():
                output.write(card)
            if summary is not None:
                summary.add(card)
            if card.total.scored < card.total.asked and len(unscored) < _NAMED:
                unscored.append(card)
            view.count(card)

        return keep

    def _explain_end(self, plan: Plan, progress: Progress, count: int, engine: Engine, *, interrupted: bool) -> int:
        done = f"{progress.done} of {count} records are judged and kept"
        limit = plan.limits.max_failures
        failed = limit is not None and progress.failed > limit
        if interrupted or engine.budget.exhausted or progress.stopped:
            why = (
                "interrupted"
                if interrupted
                else "the budget is spent"
                if engine.budget.exhausted
                else (f"more than {limit} records failed")
            )
            print(f"assay: stopped: {why}; {done}. Go on with: {render_resume_command(plan.run)}", file=sys.stderr)
        return FAILED if failed else STOPPED if interrupted or engine.budget.exhausted else DONE


def _conclude(summary: Summary, unscored: list[Scorecard]) -> None:
    console = open_console(sys.stderr)
    if sys.stdout.isatty():
        console.print()
    print_summary(console, summary)
    for line in say_reasons(unscored):
        console.print(f"  {line}")
