"""Kills runs with kill -9 at random moments, goes on with each, and counts what came out and what was asked twice.

python bench/resume.py [KILLS] [RECORDS]            writes bench/results/resume.md
"""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from serving import FastServer, Learned, learn, run_fast_server
from workload import RUBRIC, conclude, load, render_table, write_records

KILLS, RECORDS, WORKERS, WORDS, DELAY_SECONDS, LONGEST_SECONDS, SEED = 30, 2_000, 32, 60, 0.02, 1.0, 20
ASSAY = "from assay.cli.main import main; main()"
NOTE = """\
`assay judge` of {records} records ({words} words of sources each, {workers} at a time, two calls per record, {delay:.0f} ms of latency)
is killed with SIGKILL at a random moment of the first {longest:g} s after its first new call, and gone on with by `--resume last`, again and again until it ends by itself; then a new run
begins with a new store, until {kills} kills were made. *cards* are read from the store's file with plain SQL. *asked again* is the
number of requests whose very bytes came to the server before; a kill may cost as many as were under way, {workers} at most per kill."""


def start(path: Path, folder: Path, server: FastServer, resume: bool) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", ASSAY, "judge", str(path), "--rubric", RUBRIC, "--judge", "openai:fast"]
    command += ["--base-url", server.base_url, "--workers", str(WORKERS), "--format", "jsonl", "--quiet"]
    command += ["--store", str(folder / "assay.db"), "--out", str(folder / "out.jsonl")]
    return subprocess.Popen(
        [*command, *(["--resume", "last"] if resume else [])], env={**os.environ, "OPENAI_API_KEY": "none"}
    )


def has_run(folder: Path) -> bool:
    """A kill before the run is in the store leaves nothing to go on with."""
    try:
        with sqlite3.connect(f"file:{folder / 'assay.db'}?mode=ro", uri=True) as store:
            return bool(store.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.Error:
        return False


def count_cards(folder: Path) -> tuple[int, int, int, int]:
    """All cards, different records among them, failed ones, and lines of output."""
    with sqlite3.connect(f"file:{folder / 'assay.db'}?mode=ro", uri=True) as store:
        cards, records, failed = store.execute(
            "SELECT count(*), count(DISTINCT record_id), coalesce(sum(failed), 0) FROM cards"
        ).fetchone()
    return cards, records, failed, len((folder / "out.jsonl").read_bytes().splitlines())


def wait_for_calls(server: FastServer, process: subprocess.Popen[bytes]) -> None:
    """A kill before the first call of a resumed run would show nothing."""
    before = server.stats()["calls"]
    while process.poll() is None and server.stats()["calls"] == before:
        time.sleep(0.02)


def run_once(learned: Learned, path: Path, kills_left: int, chance: random.Random) -> tuple[object, ...]:
    kills, most, before = 0, 0, 0
    with tempfile.TemporaryDirectory() as name, run_fast_server(learned, Path(name), DELAY_SECONDS) as server:
        folder = Path(name)
        begin = time.perf_counter()
        while True:
            process = start(path, folder, server, has_run(folder))
            if kills < kills_left:
                wait_for_calls(server, process)
            try:
                process.wait(chance.uniform(0.0, LONGEST_SECONDS) if kills < kills_left else 300)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
                continue
            finally:
                stats = server.stats()
                repeated = stats["calls"] - stats["different"]
                most, before = max(most, repeated - before), repeated
            break
        seconds = time.perf_counter() - begin
        return kills, process.returncode, *count_cards(folder), stats["calls"], repeated, most, f"{seconds:.0f}", load()


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    count = int(sys.argv[2]) if len(sys.argv) > 2 else RECORDS
    chance = random.Random(SEED)
    learned = learn(WORDS)
    rows: list[tuple[object, ...]] = []
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "records.jsonl"
        write_records(path, count, WORDS, stated=4)
        while (killed := sum(int(str(row[0])) for row in rows)) < wanted:
            rows.append(run_once(learned, path, wanted - killed, chance))
            print(rows[-1], flush=True)
    good = all(row[2:6] == (count, count, 0, count) and row[1] == 0 for row in rows)
    within = all(int(str(row[8])) <= WORKERS for row in rows)
    header = (
        "kills",
        "exit at the end",
        "cards",
        "different records",
        "failed",
        "lines of output",
        "calls",
        "asked again",
        "most after one kill",
        "seconds",
        "load",
    )
    verdict = f"{sum(int(str(row[0])) for row in rows)} kills. Exactly {count} outcomes, none twice: {'yes' if good else '**no**'}. Never more asked again than under way: {'yes' if within else '**no**'}."
    note = NOTE.format(
        records=count, words=WORDS, workers=WORKERS, delay=1000 * DELAY_SECONDS, kills=wanted, longest=LONGEST_SECONDS
    )
    conclude("resume", "Resume", [note, render_table(header, rows), verdict])


if __name__ == "__main__":
    main()
