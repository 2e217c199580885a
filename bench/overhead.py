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

import aiohttp
import orjson

from assay.api.config import RunConfig
from assay.api.opening import Work, open_run
from assay.domain.outcome import Verdict
from assay.domain.scorecard import Scorecard
from assay.files.records import open_records
from assay.files.rubrics import open_rubric
from assay.runner.run import Progress
from assay.store.store import open_store
from serving import FastServer, Learned, learn, run_fast_server
from workload import RUBRIC, conclude, load, render_table, write_records

WORDS, RECORDS, WARM_RECORDS, MOST_MS = 600, 1_000, 20, 4.0
SETTINGS = [(in_flight, delay) for delay in (0.0, 0.05, 0.2) for in_flight in (64, 128)]
NOTE = """\
The full walk reads records from a file, cuts and numbers their texts, renders prompts, calls over HTTP, reads and verifies
replies, scores, and stores replies, findings and outcomes in a new store on disk: rubric {rubric}, {count} records with
sources of about {words} words, other texts in each and in each setting but for the output and two short reviews of six, and
all made of the same hundred words; two calls per record (a bank, then the metric). The floor posts two of
the same request bodies in turn with bare aiohttp, orjson.dumps before and orjson.loads after each. Both in one process, one
after the other, against the same server in a process of its own. *client CPU* is all threads' time of this process, that of the
store's writer included. *server busy* is the share of one core that the server used: well under 100 % it was not what held
the client up."""


@dataclass(frozen=True)
class Measured:
    cpu_ms: float
    per_second: float
    server_share: float
    most_open: int


def measure(calls: int, server: FastServer, work: Callable[[], None]) -> Measured:
    cpu, served, start = time.process_time(), server.cpu_seconds(), time.perf_counter()
    work()
    wall = time.perf_counter() - start
    cpu = time.process_time() - cpu
    share = (server.cpu_seconds() - served) / wall
    return Measured(1000 * cpu / calls, calls / wall, share, server.stats()["most_open"])


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
    records = open_records(path, rubric)
    request = RunConfig(judges=("openai:fast",), base_url=server.base_url, workers=in_flight)
    opened = open_run(request, Work(rubric, records, str(path)), store)
    opened.begin()
    right = 0

    def keep(card: Scorecard) -> None:
        nonlocal right
        outcome = card.outcomes["relevance"]
        right += isinstance(outcome, Verdict) and outcome.score.value == 5

    opened.carry_out(keep, Progress())
    store.close()
    if right != len(records):
        raise RuntimeError(f"only {right} of {len(records)} were scored right")


def main() -> None:
    os.environ.setdefault("OPENAI_API_KEY", "none")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    learned = learn(WORDS)
    rows = []
    worst_ms = 0.0
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
                floor = measure(2 * count, server, partial(run_floor, server, learned, 2 * count, in_flight))
                floor_load = load()
                store = Path(folder) / f"{number}.db"
                full = measure(2 * count, server, partial(run_walk, server, path, store, in_flight))
            worst_ms = max(worst_ms, full.cpu_ms)
            rows.append((
                f"{1000 * delay:.0f} ms", in_flight, f"{floor.cpu_ms:.2f}", f"{full.cpu_ms:.2f}", f"{full.cpu_ms / floor.cpu_ms:.1f}",
                f"{store.stat().st_size / count / 1000:.1f}", f"{floor.per_second:.0f}", f"{full.per_second:.0f}",
                f"{floor.server_share:.0%} / {full.server_share:.0%}", full.most_open, f"{floor_load} / {load()}",
            ))  # fmt: skip
            print(rows[-1], flush=True)
    header = ("latency", "in flight", "floor: client CPU ms per call", "walk: client CPU ms per call", "walk / floor", "store KB per record",
              "floor calls/s", "walk calls/s", "server busy (floor / walk)", "most open calls", "load (floor / walk)")  # fmt: skip
    note = NOTE.format(rubric=RUBRIC, count=count, words=WORDS)
    reached = "yes" if worst_ms <= MOST_MS else "**no**"
    verdict = f"CPU per call with a durable store, worst setting: {worst_ms:.2f} ms (at most {MOST_MS:g}: {reached})."
    conclude(
        "overhead", "Overhead", [note, render_table(header, rows), verdict], sys.argv[2] if len(sys.argv) > 2 else None
    )


if __name__ == "__main__":
    main()
