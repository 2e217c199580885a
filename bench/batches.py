"""Kills batch runs with kill -9 at random moments, resumes them, and counts what came out and what was submitted twice.

python bench/batches.py [KILLS] [RECORDS]            writes bench/results/batches.md
"""

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from equipment.chat_server.batches import BatchFault, ScriptedBatches
from equipment.chat_server.server import ScriptedServer, run_in_thread
from killed_runs import count_cards, count_unnamed_batches, kill_after, start
from workload import (
    SCORES,
    answer_honestly,
    conclude,
    count_stated,
    name_ask,
    name_record,
    render_table,
    write_records,
)

KILLS, RECORDS, WORDS, SECONDS, LONGEST_SECONDS, NEAR_SECONDS, SEED = 20, 2_000, 60, 4.0, 8.0, 0.1, 24
FAULTS = {
    BatchFault.EXPIRED: 0.05,
    BatchFault.ERRORED: 0.05,
    BatchFault.MISSING: 0.02,
    BatchFault.UNORDERED: 1.0,
    BatchFault.UNKNOWN_ID: 0.5,
    BatchFault.CUT_OFF: 0.5,
    BatchFault.LOST_ANSWER: 0.3,
}
NOTE = """\
`assay judge --batch` of {records} records ({words} words of sources each, a bank and a metric per record) is killed with SIGKILL at a
random moment of its first {longest:g} s, every fifth time within {near:g} s after the server has got a batch, and resumed, until {kills}
kills were made; then it is resumed until it ends. The scripted server takes {seconds:g} s per batch. Of the requests 5 % expire, 5 %
fail and 2 % have no result, each the first time it comes; results are shuffled; half of the batches hold an unknown id, and half
are cut off when first read; the answer to 30 % of the submissions is lost. *submitting* counts kills that left a batch of which
the store did not know whether it was submitted. *exits 3* are starts that could not tell whether a batch was theirs. A request is
*submitted twice* where two batches hold the same ask about the same record and both have an answer. *wrong scores* differ from
those that the records are made to have. *peak MB* is that of the largest start so far, with all records under way."""


@dataclass
class Ended:
    provider: str
    kills: int = 0
    submitting: int = 0
    ambiguous: int = 0
    seconds: float = 0.0


def wait_to_kill(
    process: subprocess.Popen[bytes], server: ScriptedServer, chance: random.Random, *, near_submission: bool
) -> None:
    """Until a random moment after the start, or just after the server has got a batch."""
    begun, known = time.perf_counter(), len(server.batches.served)
    end = begun + chance.uniform(0.3, LONGEST_SECONDS)
    while process.poll() is None and (near_submission or time.perf_counter() < end):
        if near_submission and len(server.batches.served) > known:
            time.sleep(chance.uniform(0, NEAR_SECONDS))
            return
        time.sleep(0.002)


def run_once(path: Path, folder: Path, server: ScriptedServer, provider: str, kills: int) -> Ended:
    chance, ended, begin = random.Random(SEED), Ended(provider), time.perf_counter()
    while True:
        judge = ("--judge", f"{provider}:toy", "--base-url", server.base_url, "--batch", "--poll", "0.2")
        process = start(path, folder, *judge)
        if ended.kills < kills:
            wait_to_kill(process, server, chance, near_submission=ended.kills % 5 == 4)
            if kill_after(process, 0):
                ended.kills += 1
                ended.submitting += count_unnamed_batches(folder)
                continue
        code = process.wait()
        if code == 3:
            ended.ambiguous += 1
            continue
        if code != 0:
            raise SystemExit(f"a start ended with {code}")
        ended.seconds = time.perf_counter() - begin
        return ended


def check(folder: Path, batches: ScriptedBatches, records: int) -> list[object]:
    right = {name_record(number): SCORES[count_stated(number)] for number in range(records)}
    lines = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    wrong = sum(line["metrics"]["relevance"]["score"] != right[line["record"]] for line in lines)
    answered: Counter[str] = Counter()
    for batch in batches.served:
        found = {json.loads(line)["custom_id"] for line in batch.lines}
        answered.update(str(name_ask(asked.prompt)) for name, asked in batch.asked.items() if name in found)
    twice = sum(count - 1 for count in answered.values())
    requests = sum(len(batch.asked) for batch in batches.served)
    return [*count_cards(folder), len(lines), wrong, len(batches.served), requests, twice]


def main() -> None:
    kills, records = (int(word) for word in (sys.argv[1:] + [str(KILLS), str(RECORDS)][len(sys.argv) - 1 :]))
    rows = []
    for provider in ("openai", "anthropic"):
        batches = ScriptedBatches(seconds=SECONDS, faults=FAULTS, seed=SEED)
        server = ScriptedServer(answer_honestly, batches=batches)
        with tempfile.TemporaryDirectory() as name, run_in_thread(server):
            folder = Path(name)
            write_records(folder / "records.jsonl", records, WORDS)
            ended = run_once(folder / "records.jsonl", folder, server, provider, kills)
            found = check(folder, batches, records)
        # The most that any start has had so far.
        peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        counts = [ended.kills, ended.submitting, ended.ambiguous]
        rows.append([provider, *counts, *found, f"{ended.seconds:.0f}", f"{peak_mb:.0f}"])
        print(rows[-1], file=sys.stderr)
    header = ["provider", "kills", "submitting", "exits 3", "cards", "records", "failed", "lines", "wrong scores"]
    header += ["batches", "requests", "submitted twice", "seconds", "peak MB"]
    note = NOTE.format(
        records=records, words=WORDS, longest=LONGEST_SECONDS, kills=kills, seconds=SECONDS, near=NEAR_SECONDS
    )
    conclude("batches", "Batch runs, killed and resumed", [note, render_table(header, rows)])


if __name__ == "__main__":
    main()
