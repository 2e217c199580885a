"""How much memory `assay judge` takes as the number of records grows: one long run, looked at from outside.

python bench/memory.py [RECORDS] [SECONDS]            writes bench/results/memory.md
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from serving import learn, run_fast_server
from workload import RUBRIC, conclude, load, render_table, write_records

RECORDS, SECONDS, WORKERS, WORDS = 100_000, 180.0, 64, 60
MARKS = (1_000, 2_000, 5_000, 10_000, 15_000, 20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000, 90_000, 100_000)
# Which language a text is in keeps nothing, and takes most of the time of a run: here every text is English.
ASSAY = """
import assay.runner.asks as asks, assay.runner.walk as walk
asks.identify = walk.identify = lambda text: "en"
from assay.cli.main import main
main()
"""
NOTE = """\
`assay judge` of a file of {records} records ({words} words of sources each, two calls per record, {workers} at a time) against a server
in another process, with store, cache, JSON lines as output, summary and progress. Read from /proc while it runs; the run is ended
after {seconds:.0f} s, wherever it is then. The engine remembers the last 10,000 replies, so memory is meant to grow until about
5,000 records and to stay flat from there on. Language identification,
which remembers nothing and would take most of the time, is replaced by "en" to get further in the time allowed."""


def read_memory(pid: int) -> tuple[int, int]:
    """KB in use now, and at most so far."""
    values = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(values["VmRSS"].split()[0]), int(values["VmHWM"].split()[0])


class Lines:
    """Counts the lines of a growing file without reading any twice."""

    def __init__(self, path: Path) -> None:
        self.path, self.place, self.count = path, 0, 0

    def look(self) -> int:
        if self.path.exists():
            with self.path.open("rb") as file:
                file.seek(self.place)
                data = file.read()
            self.place += len(data)
            self.count += data.count(b"\n")
        return self.count


def watch(process: subprocess.Popen[bytes], out: Path, seconds: float) -> list[tuple[int, int, int, float]]:
    """Records done, KB now, KB at most, and seconds, at each mark and at the end."""
    found: list[tuple[int, int, int, float]] = []
    marks, lines, start = list(MARKS), Lines(out), time.perf_counter()
    last = (0, 0, 0, 0.0)
    while process.poll() is None and time.perf_counter() - start < seconds:
        time.sleep(0.1)
        try:
            last = (lines.look(), *read_memory(process.pid), time.perf_counter() - start)
        except (FileNotFoundError, KeyError, ProcessLookupError):
            break
        if marks and last[0] >= marks[0]:
            found.append(last)
            marks = [mark for mark in marks if mark > last[0]]
    return [*found, last]


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS
    learned = learn(WORDS)
    with tempfile.TemporaryDirectory() as name, run_fast_server(learned, Path(name)) as server:
        folder = Path(name)
        path, out = folder / "records.jsonl", folder / "out.jsonl"
        write_records(path, count, WORDS, stated=4)
        command = [sys.executable, "-c", ASSAY, "judge", str(path), "--rubric", RUBRIC, "--judge", "openai:fast"]
        command += ["--base-url", server.base_url, "--workers", str(WORKERS), "--format", "jsonl"]
        command += ["--store", str(folder / "assay.db"), "--out", str(out)]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(command, stderr=log, env={**os.environ, "OPENAI_API_KEY": "none"})
            rows = watch(process, out, seconds)
            ended = process.poll() is not None
            process.kill()
            process.wait()
        size = (folder / "assay.db").stat().st_size / 1e6
    table = render_table(
        ("records done", "MB now", "MB at most", "seconds"),
        [(done, f"{now / 1024:.0f}", f"{most / 1024:.0f}", f"{at:.0f}") for done, now, most, at in rows],
    )
    verdicts = [
        f"The store had {size:.0f} MB at the end; load average {load()}. {'The run ended by itself.' if ended else 'The run was cut short by the time allowed.'}"
    ]
    late = [row for row in rows if row[0] >= 10_000]
    if len(late) > 1 and late[-1][0] > late[0][0]:
        first, last = late[0], late[-1]
        growth = (last[2] - first[2]) / (last[0] - first[0])
        verdicts.append(
            f"From {first[0]} to {last[0]} records the peak grew by {growth:.2f} KB per record (at most 0.5: {'yes' if growth < 0.5 else '**no**'}); {last[2] / 1024:.0f} MB in all (at most 300: {'yes' if last[2] < 300 * 1024 else '**no**'})."
        )
    else:
        verdicts.append("**Fewer than two marks from 10,000 records on: growth can't be told.**")
    note = NOTE.format(records=count, words=WORDS, workers=WORKERS, seconds=seconds)
    conclude("memory", "Memory", [note, table, *verdicts])


if __name__ == "__main__":
    main()
