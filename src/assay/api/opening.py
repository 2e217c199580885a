"""Opens a run: rubric, records, judges, limits and store, checked before the first call; then carries it out."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from assay import __version__
from assay.api.config import RunConfig
from assay.api.judges import Engine, Quotas
from assay.api.kept import StoreCache, UsageLog, find_bank, open_banks
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.domain.scorecard import Scorecard
from assay.engine.cache import MemoryCache
from assay.errors import InputError
from assay.files.banks import BankFile
from assay.files.records import InvalidRecord, Records
from assay.judges.own_prompt import open_own_prompt
from assay.runner.run import Limits, Plan, Progress, describe_run, judge_records, new_run_id
from assay.runner.walk import stand_in
from assay.store.codec import digest_record
from assay.store.faults import StoreError
from assay.store.runs import RunRow
from assay.store.store import Judged, Store


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
    store: Store | None = None
    done_before: int = 0

    def begin(self) -> None:
        """Called when nothing can be refused any more: a run that never began does not become the last run."""
        try:
            if isinstance(self.plan.banks, BankFile):
                self.plan.banks.create()
            if self.row is not None and self.store is not None:
                self.store.begin_run(self.row)
        except InputError:
            self._unlock()
            raise

    def _unlock(self) -> None:
        if self.store is not None:
            self.store.unlock_run(self.plan.run)

    def carry_out(self, keep: Callable[[Scorecard], None], progress: Progress) -> None:
        """Judges every record and hands each scorecard to `keep`, in order."""
        store = self.store
        if store is None:
            run_async(judge_records(self.plan, self.work.records, keep, progress))
            return
        usage = UsageLog(store.add_usage, self.plan.run, self.engine.meter)

        def keep_with_usage(card: Scorecard) -> None:
            keep(card)
            usage.update()

        try:
            run_async(judge_records(self.plan, self.work.records, keep_with_usage, progress))
        finally:
            with suppress(StoreError):  # a store that fails has said so
                usage.update()
                store.flush()
            self._unlock()


def open_run(request: RunConfig, work: Work, store: Store | None = None, quotas: Quotas | None = None) -> OpenRun:
    """Finds everything that can be wrong before a call is paid for or an old result is touched."""
    if request.resume is not None and store is None:
        raise InputError("a run can be resumed only from a store", remedy="Give the `store` that holds it.")
    resumed = store.find_run(request.resume) if request.resume is not None and store is not None else None
    run = resumed.id if resumed is not None else new_run_id()
    cache = MemoryCache() if store is None else StoreCache(store, run, request.no_cache, resumed is not None)
    own_prompt = None if request.prompt is None else open_own_prompt(request.prompt, request.slots, work.rubric)
    batches = None if store is None else partial(store.batches, run)
    engine = Engine(request, cache, own_prompt=own_prompt, open_batches=batches, quotas=quotas or Quotas())
    limits = Limits(
        request.records_under_way,
        request.max_failures,
        is_spent=lambda: engine.budget.exhausted,
        breakers=engine.breakers.values(),
        record_seconds=request.record_timeout,
    )
    owned = {name: engine.open_judge(name) for name in request.judge_names}
    bank = find_bank(request.bank, store, resumed)
    rubric = work.rubric.for_side_by_side() if request.side_by_side else work.rubric
    plan = Plan(
        rubric,
        tuple(owned[each] if isinstance(each, str) else each for each in request.judges),
        limits,
        open_banks(bank, store, run),
        request.samples,
        store,
        run,
        owned=tuple(owned.values()),
        by_item=engine.caches_prompts,
        side_by_side=request.side_by_side,
        rounds=request.rounds,
    )
    parameters = {"samples": request.samples, "joint": request.joint, **work.parameters, "bank": bank}
    parameters["side_by_side"] = (request.rounds or "yes") if request.side_by_side else None
    parameters["metrics"] = ", ".join(metric.id for metric in rubric.metrics) if rubric.not_asked else None
    parameters["batch"] = "yes" if request.batch else None
    parameters["endpoints"] = " ".join(sorted(engine.endpoints)) or None
    described = describe_run(plan, work.source, len(work.records), __version__, parameters)
    row = replace(described, name=request.name)
    if store is None:
        return OpenRun(plan, engine, work, row)
    if resumed is None:
        store.lock_run(run)
        return OpenRun(plan, engine, work, row, store)
    refuse_other_run(resumed, row, is_generated=work.is_generated)
    refuse_other_records(resumed, work.records, work.source, store)
    # Locked until it has been carried out, before anyone empties the file of its results.
    store.lock_run(run)
    return OpenRun(plan, engine, work, None, store, store.count(run))


def run_async(work: Coroutine[object, object, None]) -> None:
    """Runs a coroutine to its end. Where a loop is already running, in a thread of its own: no loop is ever patched."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
    task = runner.get_loop().create_task(work)

    async def finish() -> None:
        await task

    def run() -> None:
        with runner:
            runner.run(finish())

    with ThreadPoolExecutor(1) as executor:
        try:
            executor.submit(run).result()
        except BaseException:
            # An interrupt reaches this thread alone: without this, leaving would wait for the whole run.
            with suppress(RuntimeError):  # it has ended by itself
                runner.get_loop().call_soon_threadsafe(task.cancel)
            raise


def refuse_other_run(kept: RunRow, asked: RunRow, *, is_generated: bool) -> None:
    """A run goes on under the rubric, judges and settings it was begun with, or it would be two runs in one.

    Of a run whose settings make its records, every setting counts.
    """
    begun, typed = ("attack" if "variants" in run.parameters else "judge" for run in (kept, asked))
    if begun != typed:
        # The records of an attack are made by it: judged under its run, others would count as its trials.
        remedy = f"Resume it with `assay {begun}`, or name a run of `assay {typed}` (see `assay runs list`)."
        raise InputError(f"run {kept.id} was started by `assay {begun}`", remedy=remedy)
    rubric = f"{'another version of' if kept.rubric_id == asked.rubric_id else 'another rubric:'} {kept.rubric_id}"
    name = "without a name" if kept.name is None else f"as {kept.name!r}"
    judges = f"It was started with {', '.join(kept.judges)}. Name the same"
    differences = [
        (kept.rubric_digest != asked.rubric_digest, f"with {rubric}", "Use the rubric it was started with"),
        (asked.name not in {None, kept.name}, name, "Leave out `name`"),
        (kept.judges != asked.judges, f"with other judges than {', '.join(asked.judges)}", judges),
        (
            kept.parameters.get("endpoints") != asked.parameters.get("endpoints"),
            "with another base URL",
            "Give the base URL it was started with",
        ),
    ]
    for setting in ("samples", "joint", "bank", "batch", "metrics", "side_by_side"):
        before, now = (str(run.parameters.get(setting, "")) for run in (kept, asked))
        said = {"": f"no `{setting}` given", "False": "one call per metric", "True": "one call for all metrics"}
        how = {**said, "yes": f"with `{setting}`"}.get(before, f"`{setting}` {before}")
        differences.append((before != now, f"with other settings: {how}", "Write the same options"))
    is_made_else = is_generated and (kept.parameters, kept.records_source) != (asked.parameters, asked.records_source)
    differences.append((is_made_else, "with other settings", "Write the same options"))
    for differs, how, remedy in differences:
        if differs:
            raise InputError(
                f"run {kept.id} was started {how}", remedy=f"{remedy}, or start a new run without `resume`."
            )


def refuse_other_records(kept: RunRow, records: Records | tuple[Record, ...], source: str, store: Store) -> None:
    """Each record that the run has judged stands where it stood, as it was then, among as many others.

    Ids alone would not do: cards are looked up by id, and merged by place. What was not judged yet may differ, since
    nothing is kept of it. Both sides are read in the order of the records, one at a time.
    """
    given, following = iter(records), 0
    count = "there is 1 record in it" if len(records) == 1 else f"there are {len(records)} records in it"
    for judged in store.list_judged(kept.id):
        record = next(islice(given, judged.position - following, None), None)
        following = judged.position + 1
        if record is None:
            as_judged = f"has judged {_name(judged.record, judged.system)} as record {following}"
            raise _refusal(f"{count}, and run {kept.id} {as_judged}", kept, source)
        difference = _find_difference(kept, judged, stand_in(record) if isinstance(record, InvalidRecord) else record)
        if difference is not None:
            raise _refusal(difference, kept, source)
    if kept.record_count not in {None, len(records)}:
        raise _refusal(f"{count}, and run {kept.id} was started with {kept.record_count}", kept, source)


def _find_difference(kept: RunRow, judged: Judged, record: Record) -> str | None:
    place, name = f"record {judged.position + 1}", _name(record.id, record.system)
    if (record.id, record.system) != (judged.record, judged.system):
        return f"{place} is {name}, and run {kept.id} has judged {_name(judged.record, judged.system)} in its place"
    if digest_record(record) != judged.digest:
        changed = "its contents or the order of its fields changed"
        return f"{place}, {name}, differs from what run {kept.id} judged: {changed}"
    return None


def _refusal(message: str, kept: RunRow, source: str) -> InputError:
    limit = kept.parameters.get("limit")
    begun = kept.records_source if limit is None else f"{kept.records_source} with `limit` {limit}"
    remedy = f"Give the records that it was started with ({begun}), unchanged, or judge these as a new run"
    return InputError(message, path=source, remedy=f"{remedy} without `resume`.")


def _name(identifier: str, system: str | None) -> str:
    return f"{identifier!r:.80}" if system is None else f"{identifier!r:.80} of the system {system!r:.80}"
