"""Judges many records on Ray with two workers, kills one, and compares with one process; the server's log is the witness.

PYTHONPATH=tests python bench/ray_many.py [RECORDS] [REQUESTS_PER_MINUTE]

Needs the extra `ray`; writes bench/results/ray_many.md. The rate is tested where it is lower than what the machine can send.
"""

import os
import sys
import tempfile
import time
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import assay
import assay.ray
from assay.domain.scorecard import Scorecard
from assay.ray.parts import read_cards, read_run
from assay.store.codec import dump
from equipment.chat_server.exchange import Asked, count_tokens
from equipment.chat_server.server import ScriptedServer, run_in_thread
from equipment.ray_workers import kill_once
from workload import RUBRIC, answer_honestly, build_record, conclude, count_stated, load, name_record, render_table

RECORDS, PER_SOURCE, WORDS, WORKERS, ACTORS, DELAY_SECONDS = 20_000, 3, 60, 8, 2, 0.2
REQUESTS_PER_MINUTE, BUDGET_SHARE, KILL_SHARE = 1_000, 0.6, 0.3
JUDGE = "openai:scripted"
# A worker begins no record while so many of its records are not on disk, each with one call that would be repeated.
MOST_REPEATED = 4 * WORKERS
NOTE = """\
{records:,} records of `{rubric}`, {per_source} on each source of about {words} words, against the scripted server ({delay:.0f} ms per call), whose
log is what is counted here. One process judges them first. Then Ray does, with {actors} workers of {workers} records at a time: a first start
with a budget of {share:.0%} of the tokens that one process took, in which one worker is killed with SIGKILL after {kill:.0%} of the calls; a
second start, without a budget, judges the rest. Both starts may send {rate:,} requests per minute. *Most in a minute* is the largest
number of requests in any 60 s. *Asked again* are requests whose very text came before, in any start. Of a killed worker the records
under way and those of its last second are judged again: at most {most} here, since a worker begins no record while four times as
many as it judges at a time are not on disk."""


@dataclass
class Log:
    """What came to the server: when it was answered, which texts, how many tokens."""

    times: list[float] = field(default_factory=list)
    keys: Counter[str] = field(default_factory=Counter)
    tokens: int = 0

    def answer(self, asked: Asked) -> str:
        reply = answer_honestly(asked)
        self.times.append(time.monotonic())
        self.keys[asked.key] += 1
        self.tokens += count_tokens(asked.prompt) + count_tokens(reply)
        if len(self.times) % 1_000 == 0:
            print(f"{time.strftime('%H:%M:%S')} {len(self.times):,} calls, load average {load()}", flush=True)
        return reply

    @property
    def calls(self) -> int:
        return len(self.times)

    @property
    def repeated(self) -> int:
        return self.calls - len(self.keys)

    @property
    def seconds(self) -> float:
        return self.times[-1] - self.times[0]

    @property
    def most_in_a_minute(self) -> int:
        times = sorted(self.times)
        return max(bisect_left(times, begin + 60) - place for place, begin in enumerate(times))


def build_records(count: int) -> list[dict[str, object]]:
    """The records on a source differ in how much of it they state."""
    return [
        {**build_record(number // PER_SOURCE, WORDS, stated=count_stated(number)), "id": name_record(number)}
        for number in range(count)
    ]


def digest(card: Scorecard) -> bytes:
    return dump(replace(card, run=""))


def judge_alone(records: list[dict[str, object]]) -> tuple[list[bytes], Log]:
    log = Log()
    with run_in_thread(ScriptedServer(log.answer)) as server:
        run = assay.judge(records, RUBRIC, JUDGE, base_url=server.base_url, workers=ACTORS * WORKERS)
    return [digest(card) for card in run.cards], log


def judge_on_ray(
    records: list[dict[str, object]], folder: Path, rate: int, budget_tokens: int, kill_after: int
) -> tuple[list[tuple[assay.ray.RayRun, Log]], list[bytes]]:
    import ray

    starts, killed = [], list[int]()
    for budget in (budget_tokens, None):
        log = Log()
        script = log.answer if budget is None else kill_once(log.answer, kill_after, killed)
        with run_in_thread(ScriptedServer(script, delay_seconds=DELAY_SECONDS, port=8_471)) as server:
            run = assay.ray.judge(
                ray.data.from_items(records),
                RUBRIC,
                JUDGE,
                out=folder,
                actors=ACTORS,
                workers=WORKERS,
                base_url=server.base_url,
                requests_per_minute=rate,
                budget_tokens=budget,
            )
        print(run, flush=True)
        starts.append((run, log))
    if not killed:
        raise SystemExit("no worker was killed")
    kept = read_run(folder)
    cards = {} if kept is None else dict(read_cards(folder, kept.row))
    return starts, [digest(cards[place]) for place in sorted(cards)]


def main() -> None:
    count, rate = (int(word) for word in (sys.argv[1:] + [str(RECORDS), str(REQUESTS_PER_MINUTE)][len(sys.argv) - 1 :]))
    import ray

    records = build_records(count)
    alone, one = judge_alone(records)
    budget, kill_after = int(one.tokens * BUDGET_SHARE), int(one.calls * KILL_SHARE)
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=ACTORS, include_dashboard=False, log_to_driver=False)
    with tempfile.TemporaryDirectory() as folder:
        starts, results = judge_on_ray(records, Path(folder), rate, budget, kill_after)
    ray.shutdown()
    (first, cut), (last, rest) = starts
    again = sum((cut.keys + rest.keys).values()) - len(cut.keys.keys() | rest.keys.keys())
    rows = [
        (name, f"{calls.calls:,}", f"{calls.tokens:,}", f"{calls.repeated:,}", f"{calls.most_in_a_minute:,}", *more, f"{calls.seconds:,.0f}")
        for name, calls, more in (
            ("one process", one, (f"{len(alone):,}", "")),
            ("Ray, first start", cut, (f"{first.judged:,}", first.stopped or "")),
            ("Ray, second start", rest, (f"{last.judged:,}", last.stopped or "")),
        )
    ]  # fmt: skip
    checks = [
        ("records with the same scorecard as in one process", f"{sum(map(bytes.__eq__, alone, results)):,}", f"{count:,}", alone == results),
        ("requests asked again after the kill", cut.repeated, f"at most {MOST_REPEATED}", cut.repeated <= MOST_REPEATED),
        ("requests asked again, both starts", again, f"at most {MOST_REPEATED + ACTORS * WORKERS}", again <= MOST_REPEATED + ACTORS * WORKERS),
        ("tokens of the start with the budget", f"{cut.tokens:,}", f"at most {budget:,}", first.is_spent and cut.tokens <= budget),
        ("most requests in a minute", f"{max(cut.most_in_a_minute, rest.most_in_a_minute):,}", f"at most {rate:,}",
         max(cut.most_in_a_minute, rest.most_in_a_minute) <= rate),
    ]  # fmt: skip
    header = (
        "",
        "calls",
        "tokens",
        "asked again",
        "most in a minute",
        "judged in all",
        "stopped",
        "seconds, first call to last",
    )
    note = NOTE.format(
        records=count,
        rubric=RUBRIC,
        per_source=PER_SOURCE,
        words=WORDS,
        delay=1000 * DELAY_SECONDS,
        actors=ACTORS,
        workers=WORKERS,
        share=BUDGET_SHARE,
        kill=KILL_SHARE,
        rate=rate,
        most=MOST_REPEATED,
    )
    table = render_table(
        ("check", "measured", "to hold", "holds"), [(*each, "yes" if holds else "**no**") for *each, holds in checks]
    )
    conclude("ray_many", "Ray, many records, a worker killed", [note, render_table(header, rows), table])


if __name__ == "__main__":
    main()
