"""How long 100 records take where a reply takes two seconds, ten requests are answered at once and 500 in a minute.

PYTHONPATH=tests python bench/cost_time.py [peers]            writes bench/results/cost_time.md

DeepEval and Ragas are run with `peers` alone, which takes some ten minutes; otherwise the least they can take is given.
"""

import sys
from collections.abc import Iterator
from functools import partial

from bill import Bill, BillingServer, read_bills
from cost_ways import Way, measure
from peers import METRICS, NEAREST, add_up, list_installed, measure_peer
from workload import RESULTS, conclude, render_table

LATENCY_SECONDS, AT_ONCE, PER_MINUTE = 2.0, 10, 500
OPEN_SERVER = partial(BillingServer, latency_seconds=LATENCY_SECONDS, at_once=AT_ONCE, per_minute=PER_MINUTE)
WAYS = (Way(1), Way(5), Way(1, joint=False), Way(5, joint=False))
ABOUT = """\
The records, replies and tools of [cost](cost.md), OpenAI's format. A reply takes {latency:g} s, at most {at_once} requests are answered
at once and {per_minute} are begun in a minute; what comes earlier waits and is not turned away. Every tool has ten records
under way. Seconds are from the first request to the last reply, after a run to warm up. *at least* is the time that so many
calls take at these rates. Calls that need the reply of another one, and the first call on an article, which goes ahead
of the others to fill the provider's cache, leave places empty. The load average above says how busy the machine was with
other work: far above its two cores, the seconds say more about that than about the tool. A batch is answered within 24
hours, most in less than one; it is not measured."""


def measure_peers() -> Iterator[Bill]:
    if "peers" not in sys.argv:
        yield from (each for each in read_bills(RESULTS / "cost.jsonl") if each.tool in METRICS and " + " in each.mode)
        return
    for tool in list_installed():
        yield add_up(tool, [measure_peer(tool, metric, Way(5), OPEN_SERVER) for metric in NEAREST[tool]])


def build_row(bill: Bill, *, is_timed: bool) -> tuple[object, ...]:
    least = max(bill.calls * LATENCY_SECONDS / AT_ONCE, bill.calls * 60 / PER_MINUTE)
    seconds = f"{bill.seconds:.0f}" if is_timed else ""
    print(bill.tool, bill.mode, seconds, file=sys.stderr)
    return bill.tool, bill.mode, bill.systems, bill.calls, f"{least:.0f}", seconds


def main() -> None:
    measure(Way(5, records=10), "openai")
    rows = [build_row(measure(way, "openai", OPEN_SERVER), is_timed=True) for way in WAYS]
    rows += [build_row(bill, is_timed="peers" in sys.argv) for bill in measure_peers()]
    about = ABOUT.format(latency=LATENCY_SECONDS, at_once=AT_ONCE, per_minute=PER_MINUTE)
    header = ("tool", "mode", "systems", "calls", "at least, s", "seconds")
    conclude("cost_time", "Time of 100 records", [about, render_table(header, rows)])


if __name__ == "__main__":
    main()
