"""A run as its options ask for it, ready to be carried out."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay import __version__
from assay.cli.bank_choice import choose_bank
from assay.cli.resumed_records import refuse_other_records
from assay.cli.resuming import refuse_other_command, refuse_other_run, refuse_other_settings
from assay.domain.defences import DEFENDED, Defences
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.engine.budget import Budget
from assay.engine.costs import read_prices
from assay.errors import InputError
from assay.files.banks import BankFile
from assay.files.records import Records
from assay.runner.dry import forecast_run
from assay.runner.kept import KeptReplies, choose_cache
from assay.runner.opening import EMBEDDED, Engine, find_calls_in_flight, open_judge
from assay.runner.plan import Plan, describe_run, new_run_id
from assay.runner.run import Limits
from assay.store.store import RunRow, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """The flags of every command that begins a run, by the names of the documented interface.

    Those with a default are not flags of all of them.
    """

    judge_specs: tuple[str, ...]
    base_url: str | None
    workers: int
    budget_usd: str | None
    budget_tokens: int | None
    prices: Path | None
    timeout: float
    resume: str | None
    store: Path
    no_cache: bool
    quiet: bool
    samples: int = 1
    joint: bool = False
    bank: str | None = None
    recorder: Path | None = None
    max_failures: int | None = None
    record_timeout: float | None = None
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None

    @property
    def defences(self) -> Defences:
        return DEFENDED


@dataclass(frozen=True, slots=True)
class Work:
    """What a run judges, as its row in the store will tell it.

    `is_made` where the parameters make the records: such a run goes on under its own parameters alone.
    """

    rubric: Rubric
    records: Records | tuple[Record, ...]
    source: str
    parameters: Mapping[str, object]
    is_made: bool = False


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run that can be carried out; `row` is what the store does not know of it yet."""

    plan: Plan
    engine: Engine
    row: RunRow | None

    def begin(self, store: Store) -> None:
        """Only when nothing can be refused any more: a run that never began is nobody's last."""
        if isinstance(self.plan.bank, BankFile):
            self.plan.bank.create()
        if self.row is not None:
            store.begin_run(self.row)


def prepare_run(options: RunOptions, work: Work, store: Store) -> Prepared:
    """Everything that can be wrong is found out here, before a call is paid for or an old result is touched."""
    if options.recorder is not None and len(options.judge_specs) > 1:
        remedy = "Record each judge in a run of its own."
        raise InputError("a recording holds the replies of one judge", path=str(options.recorder), remedy=remedy)
    resumed = store.find_run(options.resume) if options.resume is not None else None
    run = resumed.id if resumed is not None else new_run_id()
    engine = _build_engine(options, KeptReplies(store, run, options.no_cache, resumed is not None))
    judges = tuple(
        open_judge(
            spec,
            # In a panel the address is that of the judges that have one.
            None if spec == EMBEDDED and len(options.judge_specs) > 1 else options.base_url,
            joint=options.joint,
            recorder=options.recorder,
            engine=engine,
            samples=options.samples,
        )
        for spec in options.judge_specs
    )
    limits = Limits(options.workers, options.max_failures, lambda: engine.budget.exhausted, options.record_timeout)
    bank = choose_bank(options.bank, store, resumed)
    plan = Plan(work.rubric, judges, limits, bank.open(store, run), options.samples, store, run, engine.defences)
    row = describe_run(plan, work.source, len(work.records), __version__, {**work.parameters, "bank": bank.said})
    if resumed is not None:
        refuse_other_command(resumed, row)
        refuse_other_run(resumed, row)
        if work.is_made:
            refuse_other_settings(resumed, row)
        refuse_other_records(resumed, work.records, work.source, store)
    if not options.quiet:
        done = 0 if resumed is None else store.count(resumed.id)
        _say_forecast(options, work, engine, len(work.records) - done)
    return Prepared(plan, engine, row if resumed is None else None)


def _build_engine(options: RunOptions, kept: KeptReplies) -> Engine:
    return Engine(
        cache=choose_cache(kept),
        budget=Budget(options.budget_usd, options.budget_tokens),
        prices=read_prices(options.prices),
        call_seconds=options.timeout,
        calls_in_flight=find_calls_in_flight(options.workers),
        requests_per_minute=options.requests_per_minute,
        tokens_per_minute=options.tokens_per_minute,
        defences=options.defences,
    )


def _say_forecast(options: RunOptions, work: Work, engine: Engine, left: int) -> None:
    """Once per model, before anything is sent; a recording costs nothing, and nor does what is judged already."""
    count = left * options.samples
    for spec in options.judge_specs if count else ():
        if spec != EMBEDDED and not spec.startswith("recorded:"):
            price = engine.prices.find(spec)
            forecast = forecast_run(work.records, count, work.rubric, joint=options.joint, model=spec, price=price)
            print(forecast.render(engine.budget), file=sys.stderr)
