"""What becomes of records whose calls go wrong: twenty ways of going wrong, each among records that are well.

python bench/faults.py                     writes bench/results/faults.md
python bench/faults.py 60 "429, once"      runs only these rows, with so many records, and writes no file
"""

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from assay.api.config import RunConfig
from assay.api.opening import Work, open_run
from assay.domain.outcome import Outcome, Verdict
from assay.domain.scorecard import Scorecard
from assay.files.records import records_from
from assay.files.rubrics import open_rubric
from assay.runner.run import Progress
from assay.store.store import open_store
from equipment.chat_server.exchange import Asked
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer, run_in_thread
from workload import (
    RUBRIC,
    SCORES,
    answer_honestly,
    build_record,
    conclude,
    count_stated,
    load,
    name_ask,
    name_record,
    render_table,
)

RECORDS, FAULTY_EVERY, WORKERS, CALL_SECONDS, MOST_CALLS = 200, 10, 32, 1.0, 4
MODES = {
    "429": Fault.RATE_LIMITED,
    "500": Fault.SERVER_ERROR,
    "reset": Fault.RESET,
    "hang": Fault.HANG,
    "cut": Fault.CUT,
    "fenced": Fault.FENCED,
    "sloppy": Fault.SLOPPY,
    "empty": Fault.EMPTY,
    "out of range": Fault.OUT_OF_RANGE,
    "refusal": Fault.REFUSAL,
}
FAULTY = frozenset(name_record(number) for number in range(0, RECORDS, FAULTY_EVERY))
# Without a bank nothing is asked about it: in every other record only the metric's ask is struck.
ASKED_IN_VAIN = frozenset(name_record(number) for number in range(0, RECORDS, 2 * FAULTY_EVERY))
MODES_TO_RUN: dict[str, tuple[Fault | None, bool]] = {
    "none": (None, False),
    **{
        f"{name}, {'always' if always else 'once'}": (fault, always)
        for name, fault in MODES.items()
        for always in (False, True)
    },
}

NOTE = f"""\
Each row is a run of {RECORDS} records of the rubric {RUBRIC} (two asks each: the bank of items, and the metric that labels
them) through the runner, the engine, the store and HTTP, {WORKERS} records at a time, {CALL_SECONDS:g} s per call. In
{len(FAULTY)} of them asks are struck: *once*, each at its first call; *always*, at every call, retries and re-asks included (in
half of them both asks, in half only the metric's, which without a bank would never be made).
The judge behind the faults is always right and the right score of each record is known (5, 3 or 1 in turn).

- *scored right*: a score, and the right one; *repaired* are those of them that say they were mended.
- *explicit status*: no score, but a status and a reason. *wrong*: a score that is not the right one.
- *silent*: neither a score nor a status with a reason. *lost*: no row in the output, or none in the store.
- *healthy not right*: records that no fault struck and that were not scored right.
- *calls*: requests that reached the server, {2 * RECORDS} where nothing goes wrong. *most per ask*: of one ask of a faulty
  record; at most {MOST_CALLS} are allowed."""


@dataclass(frozen=True, slots=True)
class AskRule(FaultRule):
    """Strikes the asks of the faulty records. A re-ask is the same ask, though its prompt has other words."""

    struck: set[str] = field(default_factory=set)

    def picks(self, asked: Asked, earlier: int) -> bool:
        del earlier
        name = name_ask(asked.prompt)
        if name is None or (name in self.struck and not self.always):
            return False
        record, ask = name.split()
        if record not in FAULTY or (self.always and ask == "items" and record in ASKED_IN_VAIN):
            return False
        self.struck.add(name)
        return True


class CountingServer(ScriptedServer):
    """Counts the calls of each ask."""

    def __init__(self, rules: list[FaultRule]) -> None:
        super().__init__(answer_honestly, rules)
        self.per_ask: Counter[str] = Counter()

    def _find_rule(self, asked: Asked) -> FaultRule | None:
        self.per_ask[name_ask(asked.prompt) or "unknown"] += 1
        return super()._find_rule(asked)


@dataclass(slots=True)
class Row:
    counts: Counter[str]
    statuses: Counter[str]
    calls: int
    most: int
    seconds: float
    wrong: list[str]


def judge(server: CountingServer, folder: Path, count: int) -> tuple[dict[str, Scorecard], set[str]]:
    """The scorecards that came out, and the ids of the records that the store holds one for."""
    rubric = open_rubric(RUBRIC)
    store = open_store(folder / "assay.db")
    records = records_from([build_record(number, words=60) for number in range(count)], rubric)
    request = RunConfig(judges=("openai:scripted",), base_url=server.base_url, workers=WORKERS, timeout=CALL_SECONDS)
    opened = open_run(request, Work(rubric, records, "made up"), store)
    opened.begin()
    cards: dict[str, Scorecard] = {}

    def keep(card: Scorecard) -> None:
        if card.record.id in cards:
            raise RuntimeError(f"{card.record.id} came out twice")
        cards[card.record.id] = card

    opened.carry_out(keep, Progress())
    kept = {card.record.id for card in store.cards(opened.plan.run, rubric)}
    store.close()
    return cards, kept


def classify(number: int, outcomes: Mapping[str, Outcome] | None) -> str:
    if outcomes is None:
        return "lost"
    outcome = outcomes["relevance"]
    if isinstance(outcome, Verdict):
        return "right" if outcome.score.value == SCORES[count_stated(number)] else "wrong"
    return "explicit" if outcome.reason else "silent"


def explain(card: Scorecard, right: Fraction) -> str:
    outcome = card.outcomes["relevance"]
    if not isinstance(outcome, Verdict):
        return ""
    low, high = outcome.score.interval
    signs = (
        ", ".join((*outcome.trail.flags, *outcome.trail.repairs, *(notice.check for notice in card.notices)))
        or "no sign of doubt"
    )
    return f"{card.record.id}: {outcome.score.value} for {right}, said to lie in {low} to {high} ({signs})"


def run_mode(fault: Fault | None, count: int, *, always: bool) -> Row:
    rules: list[FaultRule] = [AskRule(fault, always=always)] if fault is not None else []
    counts: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    wrong: list[str] = []
    server = CountingServer(rules)
    with tempfile.TemporaryDirectory() as folder, run_in_thread(server):
        start = time.perf_counter()
        cards, kept = judge(server, Path(folder), count)
        seconds = time.perf_counter() - start
        for number in range(count):
            name = name_record(number)
            card = cards.get(name) if name in kept else None
            kind = classify(number, card.outcomes if card is not None else None)
            counts[kind] += 1
            if kind == "wrong" and card is not None:
                wrong.append(explain(card, SCORES[count_stated(number)]))
            if name not in FAULTY:
                counts["healthy not right"] += kind != "right"
            elif card is not None:
                statuses[card.outcomes["relevance"].status] += 1
        most = max((n for name, n in server.per_ask.items() if name.split()[0] in FAULTY), default=0)
        return Row(counts, statuses, server.calls, most, seconds, wrong)


def main() -> None:
    os.environ.setdefault("OPENAI_API_KEY", "none")
    header = ("fault", "scored right", "explicit status", "wrong", "silent", "lost", "healthy not right",
              "of the faulty", "calls", "most per ask", "seconds", "load")  # fmt: skip
    rows, bad, wrong = [], [], []
    count = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    for name in sys.argv[2:] or MODES_TO_RUN:
        fault, always = MODES_TO_RUN[name]
        row = run_mode(fault, count, always=always)
        found = ", ".join(f"{count} {status}" for status, count in sorted(row.statuses.items()))
        cells = [row.counts[key] for key in ("right", "explicit", "wrong", "silent", "lost", "healthy not right")]
        rows.append((name, *cells, found, row.calls, row.most, f"{row.seconds:.1f}", load()))
        print(rows[-1], flush=True)
        wrong += [f"- {name}: {each}" for each in row.wrong]
        if sum(cells[2:]) or row.most > MOST_CALLS:
            bad.append(name)
    verdict = (
        f"**Not as it must be: {', '.join(bad)}.**"
        if bad
        else "Nothing is wrong, silent or lost in any row, and no ask cost more than 4 calls."
    )
    if len(sys.argv) > 1:
        print("\n".join((verdict, *wrong)))
        return
    conclude(
        "faults",
        "Faults",
        [NOTE, render_table(header, rows), verdict, *(["Wrong scores:\n\n" + "\n".join(wrong)] if wrong else [])],
    )


if __name__ == "__main__":
    main()
