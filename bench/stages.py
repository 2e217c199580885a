"""Where the client's time of a call goes, stage by stage; the sum of what bench/overhead.py measures as one figure.

python bench/stages.py [RECORDS]            writes bench/results/stages.md
"""

import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.checks import catalogue
from assay.engine import cache
from assay.files import record_builder
from assay.judges.prompted import prompt, read
from assay.models import openai, wire
from assay.runner import asks, concluding, emptiness, kept, proofs
from assay.scoring import total
from assay.store import sqlite, writer
from assay.units import banks, evidence
from overhead import WORDS, Stopwatch, run_floor, run_walk
from serving import learn, run_fast_server
from workload import conclude, load, render_table, write_records

RECORDS, DELAY, IN_FLIGHT = 600, 0.05, 64
# What it is, where it is defined, and whether it is preparation of the texts; none of these is inside another.
STAGES: Sequence[tuple[str, Any, str, bool]] = (
    ("checks and the detector of orders to the judge", catalogue, "run_checks", True),
    ("blank, broken and degenerate texts", emptiness, "find_emptiness", True),
    ("claims of the output, sentences and ids", asks, "cut_record", True),
    ("language and sentences of a bank's sources", asks, "number_bank", True),
    ("records from their lines", record_builder, "build_record", False),
    ("prompt of a bank", prompt, "build_bank_prompt", False),
    ("prompt of a metric", prompt, "build_metric_prompt", False),
    ("digest of a call", cache, "digest_call", False),
    ("request body", wire, "encode", False),
    ("response body", wire.Endpoint, "_read_answer", False),
    ("completion", openai.OpenAIChat, "_read_completion", False),
    ("reply of a bank", read, "read_bank_reply", False),
    ("reply of a metric", read, "read_metric_reply", False),
    ("units of a bank", banks, "screen", False),
    ("labels that code gives", proofs, "find_code_labels", False),
    ("quotes verified", evidence, "verify", False),
    ("counts, rule, caps, interval", concluding, "conclude", False),
    ("total", total, "compute_total", False),
    ("replies queued for the store", kept.KeptReplies, "put", False),
    ("cards packed and queued for the store", sqlite.SqliteStore, "add_record", False),
)
NOTE = """\
The walk of bench/overhead.py with a stopwatch around each stage: {count} records, two calls each, {words} words of sources,
{delay:.0f} ms latency, {in_flight} in flight. All in milliseconds of CPU time per call; a stage that runs once per record counts
half. *Preparation* depends on the length of the texts. The stopwatches themselves cost some hundredths. *The loop* is all the
rest of the event loop's thread: asyncio, aiohttp, our coroutines, limits, budget, retries. The floor, bare aiohttp and orjson
with the same bodies, used {floor:.2f} in the same run."""


def watch(owner: Any, name: str) -> Stopwatch:
    """Puts a stopwatch wherever the function was imported to."""
    function, stopwatch = getattr(owner, name), Stopwatch()
    timed = stopwatch.watch(function)
    setattr(owner, name, timed)
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("assay.") and getattr(module, name, None) is function:
            setattr(module, name, timed)
    return stopwatch


def watch_writer() -> list[float]:
    """The CPU seconds of each writer's thread, told as it ends."""
    spent: list[float] = []
    work = writer.Writer._work  # noqa: SLF001  # the thread has no door

    def timed(self: writer.Writer) -> None:
        work(self)
        spent.append(time.thread_time())

    setattr(writer.Writer, "_work", timed)  # noqa: B010  # mypy lets no method be replaced
    return spent


def main() -> None:
    os.environ.setdefault("OPENAI_API_KEY", "none")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    calls = 2 * count
    learned = learn(WORDS)
    watches = [(words, watch(owner, name), prepares) for words, owner, name, prepares in STAGES]
    written = watch_writer()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.jsonl"
        write_records(path, count, WORDS, stated=4)
        with run_fast_server(learned, Path(folder), DELAY) as server:
            few = Path(folder) / "few.jsonl"
            write_records(few, 20, WORDS, stated=4, first=count)
            run_walk(server, few, Path(folder) / "few.db", IN_FLIGHT)
            start = time.process_time()
            run_floor(server, learned, calls, IN_FLIGHT)
            floor = 1000 * (time.process_time() - start) / calls
            for _, stopwatch, _ in watches:
                stopwatch.seconds, stopwatch.runs = 0.0, 0
            start = time.thread_time()
            run_walk(server, path, Path(folder) / "walk.db", IN_FLIGHT)
            main_ms = 1000 * (time.thread_time() - start) / calls
    spent = [(words, 1000 * each.seconds / calls, each.runs / count, prepares) for words, each, prepares in watches]
    rows: list[tuple[object, ...]] = [
        (words, f"{ms:.3f}", f"{runs:.1f}", "yes" if prepares else "") for words, ms, runs, prepares in spent
    ]
    stages = sum(ms for _, ms, _, _ in spent)
    prepared = sum(ms for _, ms, _, prepares in spent if prepares)
    writing = 1000 * written[-1] / calls
    rows.append(("the loop", f"{main_ms - stages:.3f}", "", ""))
    rows.append(("the store's writer, a thread of its own", f"{writing:.3f}", "", ""))
    rows.append(("**all**", f"**{main_ms + writing:.2f}**, of it preparation {prepared:.2f}", "", ""))
    note = NOTE.format(count=count, words=WORDS, delay=1000 * DELAY, in_flight=IN_FLIGHT, floor=floor)
    table = render_table(("stage", "ms per call", "runs per record", "preparation"), rows)
    conclude("stages", "Where a call's time goes", [note, table, f"Load average at the end: {load()}."])


if __name__ == "__main__":
    main()
