"""Kills runs with kill -9 at random moments, goes on with each, and counts what came out and what was asked twice.

python bench/resume.py [KILLS] [RECORDS]            writes bench/results/resume.md
"""

import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from killed_runs import count_cards, count_replies, has_run, kill_after, start
from serving import FastServer, Learned, learn, run_fast_server
from workload import conclude, load, render_table, write_records

KILLS, RECORDS, WORKERS, WORDS, DELAY_SECONDS, LONGEST_SECONDS, SEED = 30, 2_000, 32, 60, 0.1, 2.0, 20
NOTE = """\
`assay judge` of {records} records ({words} words of sources each, {workers} at a time, two calls per record one after the other,
{delay:.0f} ms of latency) is killed with SIGKILL at a random moment of the first {longest:g} s after its first new call, and gone on with by
`--resume last`, again and again until it ends by itself; then a new run begins with a new store, until {kills} kills were made.
Cards and replies are read from the store's file with plain SQL, calls are counted by the server. *under way* are the calls that
came between the last start and the kill less the replies that came into the store: a call is under way until its reply is
committed, and by the engine's own rule no more than {workers} are at a time here. *unanswered* are those of them that the server still
had open when its connections broke. A call is *asked again* for a kill where its very bytes came to the server before it, and next
after it."""


@dataclass(frozen=True)
class Kill:
    seconds: float
    cards: int
    calls: int
    replies: int
    unanswered: int
    again: int = 0

    @property
    def under_way(self) -> int:
        return self.calls - self.replies

    @property
    def is_within(self) -> bool:
        return self.again <= self.under_way <= WORKERS


@dataclass(frozen=True)
class Ended:
    """A run that was killed and gone on with until it ended: its exit code, and what came of it."""

    kills: list[Kill]
    code: int
    counts: tuple[int, ...]
    calls: int
    again: int
    seconds: float

    def is_good(self, records: int) -> bool:
        return self.code == 0 and self.counts == (records, records, 0, records)


def list_options(server: FastServer) -> tuple[str, ...]:
    return ("--judge", "openai:fast", "--base-url", server.base_url, "--workers", str(WORKERS))


def kill(path: Path, server: FastServer, folder: Path, seconds: float) -> Kill | subprocess.Popen[bytes]:
    """Starts the run or goes on with it, and kills it, so long after its first call; or gives it back, where it ended."""
    before, replies = server.stats(), count_replies(folder) if has_run(folder) else 0
    process = start(path, folder, *list_options(server))
    while process.poll() is None and server.stats()["calls"] == before["calls"]:
        time.sleep(0.02)
    if not kill_after(process, seconds):
        return process
    time.sleep(0.05)  # the server has to read that its connections are gone
    after = server.stats()
    server.begin_chapter()
    calls, unanswered = (after[name] - before[name] for name in ("calls", "unanswered"))
    return Kill(seconds, count_cards(folder)[0], calls, count_replies(folder) - replies, unanswered)


def run_once(learned: Learned, path: Path, kills_left: int, chance: random.Random) -> Ended:
    kills: list[Kill] = []
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as name, run_fast_server(learned, Path(name), DELAY_SECONDS) as server:
        folder = Path(name)
        last = None
        while last is None and len(kills) < kills_left:
            killed = kill(path, server, folder, chance.uniform(0.0, LONGEST_SECONDS))
            if isinstance(killed, Kill):
                kills.append(killed)
            else:
                last = killed
        code = (last or start(path, folder, *list_options(server))).wait(900)
        stats = server.stats()
        lines = len((folder / "out.jsonl").read_bytes().splitlines())
        counts = (*count_cards(folder), lines)
    kills = [replace(each, again=count) for each, count in zip(kills, stats["again"], strict=False)]
    repeated = stats["calls"] - stats["different"]
    return Ended(kills, code, counts, stats["calls"], repeated, time.perf_counter() - begin)


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    count = int(sys.argv[2]) if len(sys.argv) > 2 else RECORDS
    chance = random.Random(SEED)
    learned = learn(WORDS)
    runs: list[Ended] = []
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "records.jsonl"
        write_records(path, count, WORDS, stated=4)
        while (killed := sum(len(run.kills) for run in runs)) < wanted:
            runs.append(run_once(learned, path, wanted - killed, chance))
            print(runs[-1], flush=True)
    kills = [each for run in runs for each in run.kills]
    totals = render_table(
        ("kills", "exit at the end", "cards", "different records", "failed", "lines of output", "calls", "asked again", "seconds"),
        [(len(run.kills), run.code, *run.counts, run.calls, run.again, f"{run.seconds:.0f}") for run in runs],
    )  # fmt: skip
    each = render_table(
        ("kill", "seconds after the first call", "cards by then", "calls since the start", "under way", "unanswered", "asked again", "within"),
        [
            (number, f"{one.seconds:.2f}", one.cards, one.calls, one.under_way, one.unanswered, one.again, "yes" if one.is_within else "**no**")
            for number, one in enumerate(kills, start=1)
        ],
    )  # fmt: skip
    good = all(run.is_good(count) for run in runs)
    told = sum(one.again for one in kills) == sum(run.again for run in runs)
    verdict = (
        f"{len(kills)} kills. Exactly {count} outcomes, none twice: {'yes' if good else '**no**'}. "
        f"Asked again after a kill: {max(one.again for one in kills)} at most, {sum(one.again for one in kills) / len(kills):.1f} on average; "
        f"never more than were under way, and never more than {WORKERS} under way: {'yes' if told and all(one.is_within for one in kills) else '**no**'}. Load average {load()}."
    )
    note = NOTE.format(
        records=count,
        words=WORDS,
        workers=WORKERS,
        delay=1000 * DELAY_SECONDS,
        kills=wanted,
        longest=LONGEST_SECONDS,
    )
    conclude("resume", "Resume", [note, totals, each, verdict])


if __name__ == "__main__":
    main()
