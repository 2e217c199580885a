"""Records per minute of one process, and of Ray with one and two workers, against a server that answers after 2 s.

Needs the extra `ray`. Fewer records than a cluster is for: what is measured is the rate, without the start of Ray.
"""

import argparse
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import assay
import assay.ray
from equipment.chat_server.exchange import Asked
from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread

RESULTS = Path(__file__).parent / "results" / "ray.md"
RUBRIC, JUDGE = "grounded-answer", "openai:scripted"
LIMITS = """What latency allows: every worker has all its records under way all the time. What limits each:

- One process: the latency, as long as one processor keeps up with the replies.
- Ray with one worker: the same. "In all" also has the start of the workers and the pass that checks every record.
- Ray with two workers: batches, by the arithmetic; it was not measured apart. A batch ends when its last record does.
  Of 320 records it has 80, in 32 places: three rounds of about 6 s where two and a half would do, and a second until the
  last are written. Two of them are 38 s. In a long run a batch has 32 rounds.
"""


def build_records(count: int) -> list[dict[str, object]]:
    """Each about a source of its own, so that each needs its bank."""
    return [
        {
            "id": f"r{number}",
            "question": f"How many boats did shed {number} hold?",
            "sources": [f"Shed {number} of the harbour held {number + 3} boats. It was green in 1990."],
            "answer": f"Shed {number} held {number + 3} boats.",
        }
        for number in range(count)
    ]


def measure(start: Callable[[str], object], delay_seconds: float) -> tuple[float, float, int]:
    """Seconds in all, seconds from the first call to the last, and the number of calls."""
    answered, times = answer_by_schema(1), list[float]()

    def answer(asked: Asked) -> object:
        times.append(time.perf_counter())
        return answered(asked)

    with run_in_thread(ScriptedServer(answer, delay_seconds=delay_seconds)) as server:
        begun = time.perf_counter()
        start(server.base_url)
        return time.perf_counter() - begun, times[-1] - times[0] + delay_seconds, len(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=600)
    parser.add_argument("--workers", type=int, default=32)
    parser.add_argument("--delay-seconds", type=float, default=2.0)
    options = parser.parse_args()
    import ray

    records = build_records(options.records)
    rows = [("one process", 1, measure(
        lambda url: assay.judge(records, RUBRIC, JUDGE, base_url=url, workers=options.workers), options.delay_seconds))]  # fmt: skip
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    with TemporaryDirectory() as folder:
        for actors in (1, 2):

            def start(url: str, actors: int = actors) -> object:
                out = Path(folder) / str(actors)
                return assay.ray.judge(
                    ray.data.from_items(records),
                    RUBRIC,
                    JUDGE,
                    out=out,
                    base_url=url,
                    workers=options.workers,
                    actors=actors,
                )

            rows.append((f"Ray, {actors} worker{'s' * (actors > 1)}", actors, measure(start, options.delay_seconds)))
    ray.shutdown()
    RESULTS.write_text(render(rows, options, ray.__version__), encoding="utf-8")
    print(RESULTS.read_text(encoding="utf-8"))


def render(rows: list[tuple[str, int, tuple[float, float, int]]], options: argparse.Namespace, version: str) -> str:
    lines = [
        "# Ray",
        "",
        (
            f"`python bench/ray_speed.py --records {options.records} --workers {options.workers}`: {options.records} records of"
            f" `{RUBRIC}` with a source each, the scripted server answers after {options.delay_seconds:g} s, {options.workers}"
            f" records at a time per worker. Ray {version}, Python {platform.python_version()}, {os.cpu_count()} processors"
            " shared with the server and with other work."
        ),
        "",
        "| | seconds in all | first call to last | calls | records per minute | share of what latency allows |",
        "|---|---|---|---|---|---|",
    ]
    for name, actors, (total, busy, calls) in rows:
        # A record asks for its bank first and is judged after it.
        most = actors * options.workers * 60 / (options.delay_seconds * calls / options.records)
        rate = options.records * 60 / busy
        lines.append(f"| {name} | {total:.0f} | {busy:.0f} | {calls:,} | {rate:,.0f} | {rate / most:.0%} |")
    return "\n".join([*lines, "", LIMITS])


if __name__ == "__main__":
    main()
