"""What the client costs per call, and how fast it goes, beside a floor that sends the same requests and reads nothing.

python bench/overhead.py [RECORDS [NAME]]     writes bench/results/overhead.md, or NAME.md for another interpreter
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import orjson
from assay.runner.kept import KeptBanks, KeptReplies, choose_cache
from assay.runner.opening import Engine, open_judge
from assay.runner.plan import Plan, carry_out, describe_run, new_run_id

from assay import __version__
from assay.domain.outcome import Verdict
from assay.domain.scorecard import Scorecard
from assay.files.records import open_records
from assay.files.rubrics import open_rubric
from assay.runner import banking, walk
from assay.runner.run import Limits, Progress
from assay.store.sqlite import open_store
from assay.text import language
from serving import FastServer, Learned, learn, run_fast_server
from workload import RUBRIC, conclude, load, render_table, write_records

WORDS, RECORDS, WARM_RECORDS = 600, 1_000, 20
PREPARATION = {"run_checks": walk, "find_emptiness": walk, "cut_record": walk, "number_bank": banking}
SETTINGS = [(in_flight, delay) for delay in (0.0, 0.05, 0.2) for in_flight in (64, 128)]
NOTE = """\
The full walk reads records from a file, cuts and numbers their texts, renders prompts, calls over HTTP, reads and verifies
replies, scores, and stores replies, findings and outcomes in a new store on disk: rubric {rubric}, {count} records with
sources of about {words} words, other texts in each and in each setting but for the output and two short reviews of six, and
all made of the same hundred words; two calls per record (a bank, then the metric). The floor posts two of
the same request bodies in turn with bare aiohttp, orjson.dumps before and orjson.loads after each. Both in one process, one
after the other, against the same server in a process of its own. *client CPU* is all threads' time of this process, that of the
store's writer included. *preparation* is the time inside {preparation}, which is done once per record. *server busy* is the
share of one core that the server used: well under 100 % it was not what held the client up. Where the time goes, stage by
stage: stages.md."""


@dataclass(frozen=True)
class Measured:
    cpu_ms: float
    prepared_ms: float
    language_ms: float
    per_second: float
    server_share: float
    most_open: int


class Stopwatch:
    """Adds up the CPU time inside functions that never wait."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.runs = 0

    def watch(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            start = time.thread_time()
            try:
                return function(*arguments, **named)
            finally:
                self.seconds += time.thread_time() - start
                self.runs += 1

        return timed


def measure(calls: int, server: FastServer, watches: tuple[Stopwatch, Stopwatch], work: Callable[[], None]) -> Measured:
    before = [watch.seconds for watch in watches]
    cpu, served, start = time.process_time(), server.cpu_seconds(), time.perf_counter()
    work()
    wall = time.perf_counter() - start
    cpu = time.process_time() - cpu
    share = (server.cpu_seconds() - served) / wall
    prepared, language = (1000 * (watch.seconds - each) / calls for watch, each in zip(watches, before, strict=True))
    return Measured(1000 * cpu / calls, prepared, language, calls / wall, share, server.stats()["most_open"])


def judge_figures(measured: list[tuple[float, int, Measured, Measured]]) -> str:
    """The figures to reach, in the worst of the settings.

    They were set where the floor took 0.2 ms. A machine that is slower, or busy beside, is slower for both: so they
    stand here a second time as multiples of the floor.
    """
    whole = max(full.cpu_ms for _, _, _, full in measured)
    bare = max(full.cpu_ms - full.prepared_ms for _, _, _, full in measured)
    whole_times = max(full.cpu_ms / floor.cpu_ms for _, _, floor, full in measured)
    bare_times = max((full.cpu_ms - full.prepared_ms) / floor.cpu_ms for _, _, floor, full in measured)
    speed = next(
        full.per_second / floor.per_second for delay, count, floor, full in measured if (delay, count) == (0.2, 128)
    )
    lines = (
        ("CPU per call without preparation, ms", f"{bare:.2f}", "at most 1.0", bare <= 1.0),
        ("CPU per call with preparation, ms", f"{whole:.2f}", "at most 2.0", whole <= 2.0),
        ("the same without preparation, times the floor", f"{bare_times:.1f}", "at most 5", bare_times <= 5),
        ("the same with preparation, times the floor", f"{whole_times:.1f}", "at most 10", whole_times <= 10),
        ("calls/s at 200 ms and 128 in flight, share of the floor", f"{speed:.0%}", "at least 90 %", speed >= 0.9),
    )
    rows = [(name, found, wanted, "yes" if good else "**no**") for name, found, wanted, good in lines]
    return render_table(("figure (worst setting)", "measured", "to reach", "reached"), rows)


def run_floor(server: FastServer, learned: Learned, calls: int, in_flight: int) -> None:
    bodies = [learned.bodies["items"], learned.bodies["relevance"]]

    async def post(session: aiohttp.ClientSession, numbers: list[int]) -> None:
        while numbers:
            data = orjson.dumps(bodies[numbers.pop() % 2])
            async with session.post(f"{server.base_url}/chat/completions", data=data) as response:
                orjson.loads(await response.read())

    async def run() -> None:
        numbers = list(range(calls))
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            await asyncio.gather(*(post(session, numbers) for _ in range(in_flight)))

    asyncio.run(run())


def run_walk(server: FastServer, path: Path, store_path: Path, in_flight: int) -> None:
    rubric = open_rubric(RUBRIC)
    store = open_store(store_path)
    run = new_run_id()
    engine = Engine(cache=choose_cache(KeptReplies(store, run)), calls_in_flight=in_flight)
    judges = (open_judge("openai:fast", server.base_url, engine=engine),)
    plan = Plan(rubric, judges, Limits(in_flight), KeptBanks(store, run), 1, store, run)
    records = open_records(path, rubric)
    store.begin_run(describe_run(plan, str(path), len(records), __version__, {}))
    right = 0

    def keep(card: Scorecard) -> None:
        nonlocal right
        outcome = card.outcomes["relevance"]
        right += isinstance(outcome, Verdict) and outcome.score.value == 5

    asyncio.run(carry_out(plan, records, keep, Progress()))
    store.close()
    if right != len(records):
        raise RuntimeError(f"only {right} of {len(records)} were scored right")


def main() -> None:
    os.environ.setdefault("OPENAI_API_KEY", "none")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    watches = (Stopwatch(), Stopwatch())
    setattr(language, "_identify", watches[1].watch(language._identify))  # noqa: B010, SLF001  # whoever asks, asks it
    for name, module in PREPARATION.items():
        setattr(module, name, watches[0].watch(getattr(module, name)))
    learned = learn(WORDS)
    rows = []
    measured: list[tuple[float, int, Measured, Measured]] = []
    with tempfile.TemporaryDirectory() as folder:
        # What is loaded once in a process, such as the model of languages, belongs to bench/startup.py.
        with run_fast_server(learned, Path(folder)) as server:
            few = Path(folder) / "few.jsonl"
            write_records(few, WARM_RECORDS, WORDS, stated=4)
            run_walk(server, few, Path(folder) / "few.db", 64)
        for number, (in_flight, delay) in enumerate(SETTINGS):
            # Other texts in each setting: a run of new records finds none of them prepared.
            path = Path(folder) / f"{number}.jsonl"
            write_records(path, count, WORDS, stated=4, first=WARM_RECORDS + number * count)
            with run_fast_server(learned, Path(folder), delay) as server:
                floor = measure(2 * count, server, watches, partial(run_floor, server, learned, 2 * count, in_flight))
                floor_load = load()
                store = Path(folder) / f"{number}.db"
                full = measure(2 * count, server, watches, partial(run_walk, server, path, store, in_flight))
            measured.append((delay, in_flight, floor, full))
            bare = full.cpu_ms - full.prepared_ms
            rows.append((
                f"{1000 * delay:.0f} ms", in_flight, f"{floor.cpu_ms:.2f}", f"{full.cpu_ms:.2f}", f"{full.prepared_ms:.2f}", f"{full.language_ms:.2f}", f"{bare:.2f}",
                f"{full.cpu_ms / floor.cpu_ms:.1f}", f"{floor.per_second:.0f}", f"{full.per_second:.0f}", f"{full.per_second / floor.per_second:.0%}",
                f"{floor.server_share:.0%} / {full.server_share:.0%}", full.most_open, f"{floor_load} / {load()}",
            ))  # fmt: skip
            print(rows[-1], flush=True)
    header = ("latency", "in flight", "floor: client CPU ms per call", "walk: client CPU ms per call", "of it preparation", "of that language", "without preparation",
              "walk / floor CPU", "floor calls/s", "walk calls/s", "share of the floor", "server busy (floor / walk)", "most open calls", "load (floor / walk)")  # fmt: skip
    note = NOTE.format(rubric=RUBRIC, count=count, words=WORDS, preparation=", ".join(PREPARATION))
    name = sys.argv[2] if len(sys.argv) > 2 else None
    conclude("overhead", "Overhead", [note, render_table(header, rows), judge_figures(measured)], name)


if __name__ == "__main__":
    main()
