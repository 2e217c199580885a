"""Opens a run: rubric, records, judges, limits and store, checked before the first call."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from assay import __version__
from assay.api.asynchronous import run_async
from assay.api.bank_choice import choose_bank
from assay.api.judges import EMBEDDED, Engine, find_calls_in_flight, open_judge
from assay.api.kept import KeptReplies, UsageLog, choose_cache
from assay.api.resuming import refuse_other_command, refuse_other_records, refuse_other_run, refuse_other_settings
from assay.domain.defences import DEFENDED, Defences
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.engine.budget import Budget
from assay.engine.cache import MemoryCache
from assay.engine.costs import read_prices
from assay.errors import InputError
from assay.files.banks import BankFile
from assay.files.records import Records
from assay.judges.judge import Judge
from assay.runner.run import (
    Limits,
    Plan,
    Progress,
    carry_out,
    describe_run,
    new_run_id,
    require_count,
    require_seconds,
)
from assay.store.store import RunRow, Store


class RunOptions(TypedDict, total=False):
    """The options of `assay judge` that the Python call takes as keywords, beside those it names itself."""

    base_url: str | None
    joint: bool
    samples: int
    workers: int
    max_failures: int | None
    timeout: float
    record_timeout: float | None
    requests_per_minute: float | None
    tokens_per_minute: float | None
    budget_usd: str | float | None
    budget_tokens: int | None
    prices: str | Path | None
    bank: str | Path | None
    recorder: str | Path | None
    resume: str | None
    no_cache: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What the command line and the Python call can ask of a run, with the same names and defaults."""

    judges: tuple[str | Judge, ...] = (EMBEDDED,)
    base_url: str | None = None
    joint: bool = False
    samples: int = 1
    workers: int = 8
    max_failures: int | None = None
    timeout: float = 120.0
    record_timeout: float | None = None
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    budget_usd: str | float | None = None
    budget_tokens: int | None = None
    prices: str | Path | None = None
    bank: str | Path | None = None
    recorder: str | Path | None = None
    resume: str | None = None
    no_cache: bool = False
    defences: Defences = DEFENDED


@dataclass(frozen=True, slots=True)
class Work:
    """What a run judges, as its row in the store describes it.

    `is_generated` where the parameters make the records: such a run is resumed with the same parameters only.
    """

    rubric: Rubric
    records: Records | tuple[Record, ...]
    source: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    is_generated: bool = False


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A run that can be carried out. `row` is None where the store knows the run already."""

    plan: Plan
    engine: Engine
    work: Work
    row: RunRow | None
    done_before: int = 0

    def begin(self) -> None:
        """Called when nothing can be refused any more: a run that never began does not become the last run."""
        if isinstance(self.plan.banks, BankFile):
            self.plan.banks.create()
        if self.row is not None and self.plan.store is not None:
            self.plan.store.begin_run(self.row)

    def carry_out(self, keep: Callable[[Scorecard], None], progress: Progress) -> None:
        """Judges every record and hands each scorecard to `keep`, in order."""
        store = self.plan.store
        if store is None:
            run_async(lambda: carry_out(self.plan, self.work.records, keep, progress))
            return
        with UsageLog(store, self.plan.run, self.engine.meter) as usage:

            def keep_and_count(card: Scorecard) -> None:
                keep(card)
                usage.keep_at_times()

            run_async(lambda: carry_out(self.plan, self.work.records, keep_and_count, progress))


def open_run(request: RunRequest, work: Work, store: Store | None = None) -> OpenRun:
    """Finds everything that can be wrong before a call is paid for or an old result is touched."""
    require_count(request.samples, "samples")
    require_seconds(request.timeout, "timeout")
    if request.recorder is not None and len(request.judges) > 1:
        remedy = "Record each judge in a run of its own."
        raise InputError("a recording holds the replies of one judge", path=str(request.recorder), remedy=remedy)
    if request.resume is not None and store is None:
        raise InputError("a run can be resumed only from a store", remedy="Name the `store` that holds it.")
    resumed = store.find_run(request.resume) if request.resume is not None and store is not None else None
    run = resumed.id if resumed is not None else new_run_id()
    limits = Limits(request.workers, request.max_failures, record_seconds=request.record_timeout)
    engine = _build_engine(request, store, run, is_resumed=resumed is not None)
    limits.is_spent = lambda: engine.budget.exhausted
    judges = tuple(_open(each, request, engine) for each in request.judges)
    bank = choose_bank(None if request.bank is None else str(request.bank), store, resumed)
    plan = Plan(
        work.rubric,
        judges,
        limits,
        bank.open(store, run),
        request.samples,
        store,
        run,
        request.defences,
        owned=tuple(judge for judge, given in zip(judges, request.judges, strict=True) if judge is not given),
    )
    parameters = {"samples": request.samples, "joint": request.joint, **work.parameters, "bank": bank.said}
    row = describe_run(plan, work.source, len(work.records), __version__, parameters)
    if resumed is not None and store is not None:
        refuse_other_command(resumed, row)
        refuse_other_run(resumed, row)
        if work.is_generated:
            refuse_other_settings(resumed, row)
        refuse_other_records(resumed, work.records, work.source, store)
    done = store.count(resumed.id) if resumed is not None and store is not None else 0
    return OpenRun(plan, engine, work, row if resumed is None else None, done)


def _open(judge: str | Judge, request: RunRequest, engine: Engine) -> Judge:
    if not isinstance(judge, str):
        return judge
    # In a panel the address is that of the judges that have one.
    base_url = None if judge == EMBEDDED and len(request.judges) > 1 else request.base_url
    return open_judge(
        judge,
        base_url,
        joint=request.joint,
        recorder=None if request.recorder is None else Path(request.recorder),
        engine=engine,
        samples=request.samples,
    )


def _build_engine(request: RunRequest, store: Store | None, run: str, *, is_resumed: bool) -> Engine:
    return Engine(
        cache=MemoryCache() if store is None else choose_cache(KeptReplies(store, run, request.no_cache, is_resumed)),
        budget=Budget(None if request.budget_usd is None else str(request.budget_usd), request.budget_tokens),
        prices=read_prices(None if request.prices is None else Path(request.prices)),
        call_seconds=request.timeout,
        calls_in_flight=find_calls_in_flight(request.workers),
        requests_per_minute=request.requests_per_minute,
        tokens_per_minute=request.tokens_per_minute,
        defences=request.defences,
    )
