"""Judging from Python: one synchronous call that works in a script, in a notebook and in a server."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

from assay.domain.json import JSON
from assay.domain.record import Record
from assay.domain.rubric import Rubric
from assay.errors import InputError
from assay.files.banks import BankFile
from assay.files.records import InvalidRecord, open_records, records_from
from assay.files.rubrics import open_rubric
from assay.judges.judge import Judge
from assay.report.export import flatten
from assay.report.result import Result, build_result
from assay.runner.opening import EMBEDDED, Engine, find_calls_in_flight, open_judge
from assay.runner.plan import Plan, carry_out
from assay.runner.run import Limits, Progress, require_count

Value = TypeVar("Value")


def run_async(work: Callable[[], Coroutine[object, object, Value]]) -> Value:
    """Runs a coroutine to its end. Where a loop is already running, in a thread of its own: no loop is ever patched."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    started: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[Value]]] = []
    is_wanted: SimpleQueue[bool] = SimpleQueue()
    called_off = Event()

    async def start() -> Value:
        task = asyncio.ensure_future(work())
        started.append((asyncio.get_running_loop(), task))
        if called_off.is_set():
            task.cancel()
        return await task

    def run() -> Value:
        # Not before the other thread has begun to wait: one that an interrupt hits earlier would never be waited for.
        if not is_wanted.get():
            raise asyncio.CancelledError
        return asyncio.run(start())

    with ThreadPoolExecutor(1) as executor:
        try:
            running = executor.submit(run)
            is_wanted.put(True)
            return running.result()
        except BaseException:
            # An interrupt reaches this thread alone: without this, leaving would wait for the whole run.
            called_off.set()
            is_wanted.put(False)
            for loop, task in started:
                with suppress(RuntimeError):  # it has ended by itself
                    loop.call_soon_threadsafe(task.cancel)
            raise


@dataclass(frozen=True, repr=False)
class Run:
    """The results of one run, in the order of its records; `stopped` where `max_failures` left some unjudged."""

    id: str
    rubric: Rubric
    judge: str
    results: tuple[Result, ...]
    stopped: bool = False

    def __repr__(self) -> str:
        return f"<Run {self.id}: {len(self.results)} records, {self.rubric.id}, judged by {self.judge}>"

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, key: str | tuple[str, str | None]) -> Result:
        """By record id; by (id, system) where several systems answered the same record."""
        name, system = key if isinstance(key, tuple) else (key, None)
        found = [result for result in self.results if result.record == name]
        if isinstance(key, tuple):
            found = [result for result in found if result.system == system]
        if len(found) != 1:
            raise KeyError(key if not found else f"{name} was answered by several systems: use (id, system)")
        return found[0]

    def rows(self) -> list[dict[str, object]]:
        """One flat row per record: score, interval, goodness and status of every metric, as an export has them."""
        facets = sorted({name for result in self.results for name in result.facets})
        return [flatten(result, facets) for result in self.results]

    def to_frame(self) -> object:
        """A pandas or polars frame of the rows, whichever is installed."""
        from importlib import import_module

        for module in ("pandas", "polars"):
            try:
                return import_module(module).DataFrame(self.rows())
            except ModuleNotFoundError:
                continue
        raise InputError("a frame needs pandas or polars", remedy="Install one of them, or use rows().")


def judge(  # noqa: PLR0913  # the one public verb, its keywords are documented; all but two have a default
    records: Iterable[Mapping[str, JSON]] | str | Path | object,
    rubric: str | Path,
    judge: str | Judge | Sequence[str | Judge] = EMBEDDED,
    *,
    base_url: str | None = None,
    joint: bool = False,
    workers: int = 8,
    max_failures: int | None = None,
    skip_invalid: bool = False,
    bank: str | Path | None = None,
    samples: int = 1,
    record_timeout_seconds: float | None = None,
    requests_per_minute: float | None = None,
    tokens_per_minute: float | None = None,
) -> Run:
    """Judges records against a rubric and returns every result; a failure is a result too, never an exception.

    `records` is a path, a list or iterable of dicts, or a data frame. Several judges form a panel. The rates hold for
    each endpoint and key of the judges that are named by a text.
    """
    opened = open_rubric(str(rubric))
    found = _read_records(records, opened, skip_invalid=skip_invalid)
    limits = Limits(workers, max_failures, record_seconds=record_timeout_seconds)
    require_count(samples, "samples", "Write --samples 5.")
    engine = Engine(
        calls_in_flight=find_calls_in_flight(workers),
        requests_per_minute=requests_per_minute,
        tokens_per_minute=tokens_per_minute,
    )
    judges = tuple(
        open_judge(each, base_url, joint=joint, engine=engine, samples=samples) if isinstance(each, str) else each
        for each in _list_judges(judge)
    )
    banks = None if bank is None else BankFile(bank)
    return _carry_out(Plan(opened, judges, limits, banks, samples), found)


def _carry_out(plan: Plan, records: Iterable[Record | InvalidRecord]) -> Run:
    results: list[Result] = []
    progress = Progress()
    run_async(lambda: carry_out(plan, records, lambda card: results.append(build_result(card)), progress))
    judges = " + ".join(each.name for each in plan.judges)
    return Run(plan.run, plan.rubric, judges, tuple(results), progress.stopped)


def _list_judges(judge: str | Judge | Sequence[str | Judge]) -> Sequence[str | Judge]:
    judges = judge if isinstance(judge, Sequence) and not isinstance(judge, str) else [judge]
    wrong = [each for each in judges if not isinstance(each, str) and not hasattr(each, "answer")]
    if wrong:
        remedy = 'Write judge="embedded", judge="openai:MODEL", or a list of such names.'
        raise InputError(f"{wrong[0]!r:.80} is no judge", remedy=remedy)
    return judges


def _read_records(records: object, rubric: Rubric, *, skip_invalid: bool) -> Iterable[Record | InvalidRecord]:
    if isinstance(records, str | Path):
        return open_records(records, rubric, skip_invalid=skip_invalid)
    return records_from(_as_dicts(records), rubric, skip_invalid=skip_invalid)


def _as_dicts(records: object) -> Iterable[Mapping[str, JSON]]:
    """Rows of a frame where the object has them, else the iterable itself."""
    for method, arguments in (("to_dicts", ()), ("to_dict", ("records",))):
        convert = getattr(records, method, None)
        if callable(convert):
            rows: Iterable[Mapping[str, JSON]] = convert(*arguments)
            return rows
    if isinstance(records, Iterable):
        return records
    raise InputError("records are neither a path, nor dicts, nor a frame", remedy="Give a list of dicts or a path.")
