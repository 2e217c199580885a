"""How much memory `assay judge` takes as the number of records grows: runs of three sizes, looked at from outside.

python bench/memory.py [RECORDS] [SECONDS]            writes bench/results/memory.md
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from serving import FastServer, learn, run_fast_server
from workload import RUBRIC, conclude, load, render_table, write_records

RECORDS, SECONDS, WORKERS, WORDS = 100_000, 3_000.0, 64, 48
FEW, SOME = 1_000, 10_000
MARKS = (1_000, 2_000, 5_000, *range(10_000, RECORDS + 1, 10_000))
MOST_KB_PER_RECORD, MOST_MB = 2.0, 300
ASSAY = "from assay.cli.main import main; main()"
NOTE = """\
`assay judge` of files of {sizes} records ({words} words of sources each, other ones in each record, so that every record has
a bank of its own; two calls per record, {workers} records at a time) against a server in another process: the command as it is, with
store, cache, JSON lines as output, summary and progress, nothing replaced. Memory is read from /proc ten times a second; *at most* is
the kernel's own high-water mark. What is meant to grow at first are memories with a bound: the last 10,000 replies (32 MB of
them at most), and what was made ready of texts. A run is ended after {seconds:.0f} s, wherever it is then."""


@dataclass(frozen=True)
class Moment:
    done: int
    now_kb: int
    most_kb: int
    seconds: float


@dataclass(frozen=True)
class Watched:
    records: int
    moments: list[Moment]
    is_whole: bool
    store_mb: float

    @property
    def last(self) -> Moment:
        return self.moments[-1]


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


def read_memory(pid: int) -> tuple[int, int]:
    """KB in use now, and at most so far."""
    values = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(values["VmRSS"].split()[0]), int(values["VmHWM"].split()[0])


def watch(process: subprocess.Popen[bytes], out: Path, seconds: float) -> list[Moment]:
    """At each mark, and at the end: writing the summary is part of the run."""
    found: list[Moment] = []
    marks, lines, start = list(MARKS), Lines(out), time.perf_counter()
    last = Moment(0, 0, 0, 0.0)
    while process.poll() is None and time.perf_counter() - start < seconds:
        time.sleep(0.1)
        try:
            last = Moment(lines.look(), *read_memory(process.pid), time.perf_counter() - start)
        except (FileNotFoundError, KeyError, ProcessLookupError):
            break
        if marks and last.done >= marks[0]:
            found.append(last)
            marks = [mark for mark in marks if mark > last.done]
    return [*found, last]


def run(server: FastServer, count: int, seconds: float) -> Watched:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, out, store = folder / "records.jsonl", folder / "out.jsonl", folder / "assay.db"
        write_records(path, count, WORDS, stated=4)
        command = [sys.executable, "-c", ASSAY, "judge", str(path), "--rubric", RUBRIC, "--judge", "openai:fast"]
        command += ["--base-url", server.base_url, "--workers", str(WORKERS), "--format", "jsonl"]
        command += ["--store", str(store), "--out", str(out)]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(command, stderr=log, env={**os.environ, "OPENAI_API_KEY": "none"})
            moments = watch(process, out, seconds)
            is_whole = moments[-1].seconds < seconds and process.wait(60) == 0 and Lines(out).look() == count
            process.kill()
            process.wait()
        watched = Watched(count, moments, is_whole, store.stat().st_size / 1e6)
        print(count, watched.last, watched.is_whole, flush=True)
        return watched


def say_growth(title: str, first: tuple[int, int], last: tuple[int, int]) -> str:
    """From records and peak to records and peak."""
    growth = (last[1] - first[1]) / (last[0] - first[0])
    reached = "yes" if growth < MOST_KB_PER_RECORD else "**no**"
    return f"{title}: {growth:.3f} KB per record (under {MOST_KB_PER_RECORD}: {reached})."


def judge_figures(runs: Sequence[Watched]) -> list[str]:
    largest = runs[-1]
    most = largest.last.most_kb / 1024
    said = [f"In all {most:.0f} MB (under {MOST_MB}: {'yes' if most < MOST_MB else '**no**'})."]
    late = [moment for moment in largest.moments if moment.done >= SOME]
    if len(late) > 1 and late[-1].done > late[0].done:
        first, last = late[0], late[-1]
        title = f"Growth of the peak within the longest run, from {first.done} to {last.done} records done"
        said.append(say_growth(title, (first.done, first.most_kb), (last.done, last.most_kb)))
    some = next((each for each in runs[:-1] if each.records == SOME), None)
    if some is not None and largest.is_whole:
        title = f"From the peak of a run of {some.records} records to that of a run of {largest.records}"
        said.append(say_growth(title, (some.records, some.last.most_kb), (largest.records, largest.last.most_kb)))
    if len(said) == 1 or not all(each.is_whole for each in runs):
        said.append("**Not every run came to its end in the time allowed.**")
    return said


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS
    learned = learn(WORDS)
    sizes = [*(size for size in (FEW, SOME) if size < count), count]
    with tempfile.TemporaryDirectory() as name, run_fast_server(learned, Path(name)) as server:
        runs = [run(server, size, seconds) for size in sizes]
    rows = [
        (each.records, moment.done, f"{moment.now_kb / 1024:.0f}", f"{moment.most_kb / 1024:.0f}", f"{moment.seconds:.0f}")
        for each in runs
        for moment in (each.moments if each is runs[-1] else [each.last])
    ]  # fmt: skip
    table = render_table(("records in the file", "done", "MB now", "MB at most", "seconds"), rows)
    note = NOTE.format(sizes=", ".join(map(str, sizes)), words=WORDS, workers=WORKERS, seconds=seconds)
    store = f"The store of the longest run had {runs[-1].store_mb:.0f} MB; load average {load()}."
    conclude("memory", "Memory", [note, table, store, "\n".join(f"- {line}" for line in judge_figures(runs))])


if __name__ == "__main__":
    main()
