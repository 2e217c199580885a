"""How long the live pages take on a store with 10,000 records.

python bench/pages.py [RECORDS]            writes bench/results/pages.md
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from starlette.requests import Request

from assay.domain.findings import Evidence, Findings, Label
from assay.domain.outcome import Failure, Outcome, Score, Trail, Verdict
from assay.domain.record import Record, Source
from assay.domain.rubric import Metric, Rubric
from assay.domain.scorecard import Scorecard
from assay.domain.span import Span
from assay.domain.units import Unit
from assay.files.rubrics import open_rubric
from assay.runner.run import rubric_of
from assay.scoring.total import compute_total
from assay.store.runs import RunRow
from assay.store.store import Store
from assay.web.library import Library
from assay.web.lists import parse_query
from assay.web.reading import ViewPages
from workload import conclude, render_table

RECORDS, ROUNDS = 10_000, 9
RUBRIC = "article-audit"
HEADER = ("page", "query, ms", "whole page, ms")
NOTE = """\
A store of {count} records ({size} MB on disk, rubric {rubric}: five metrics, eight claims and 150 words of output each), made
by the store's own writer at {speed} records a second. *query* is the store's: it looks through what is listed of every record and
counts those that fit (for the record page: finding and unpacking its card). *whole page* is the page's own function, from the
query string to the rendered HTML, with 50 cards unpacked for what was found in them. CPU time of this process, medians of
{rounds} rounds after one that is not counted. *overview* is what a run came to, built once per run and process and then
remembered: the first opening of a run pays it, the pages after it do not."""


def make_words(chance: random.Random) -> list[str]:
    return ["".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randint(2, 9))) for _ in range(8_000)]


def make_card(number: int, rubric: Rubric, words: list[str], chance: random.Random) -> Scorecard:
    sentences = [" ".join(chance.choices(words, k=18)).capitalize() + "." for _ in range(8)]
    output = " ".join(sentences)
    source = " ".join(chance.choices(words, k=150))
    units, start = [], 0
    for at, sentence in enumerate(sentences, 1):
        units.append(Unit(f"c{at}", "claim", sentence, Span(start, start + len(sentence))))
        start += len(sentence) + 1
    labels = tuple(
        Label("claim", unit.id, chance.choice(("supported", "supported", "supported", "partial", "absent")),
              evidence=(Evidence("s1", Span(0, 20), source[:20]),))
        for unit in units
    )  # fmt: skip
    record = Record(
        f"record-{number}", f"item-{number}", output, (Source("s1", source, None, None, "article"),), None,
        f"system-{number % 4}", {"article": source, "summary": output}, {"topic": f"topic {number % 20}"},
    )  # fmt: skip
    outcomes = {metric.id: make_outcome(metric, units, labels, chance) for metric in rubric.metrics}
    return Scorecard(record, rubric, "made", outcomes, compute_total(rubric, outcomes), run="bench")


def make_outcome(metric: Metric, units: list[Unit], labels: tuple[Label, ...], chance: random.Random) -> Outcome:
    flags = ("capped_extraneous",) if chance.random() < 0.02 else ()
    has_claims = metric.labels("claim") is not None
    trail = Trail(tuple(units) if has_claims else (), Findings(labels if has_claims else ()), flags)
    if chance.random() < 0.005:
        return Failure("refused", "the model declined", trail)
    value = Fraction(chance.randint(0, 100), 10)
    return Verdict(Score(value, value, (value, value), metric.scale, "made up"), trail)


def fill(path: Path, count: int) -> float:
    rubric, chance = open_rubric(RUBRIC), random.Random(1)
    words = make_words(chance)
    start = time.perf_counter()
    with Store(path) as store:
        store.begin_run(
            RunRow(
                "bench", datetime.now(UTC), rubric.id, rubric.digest, rubric.text, ("made",), "0", "bench", {}, count
            )
        )
        for number in range(count):
            store.add_record("bench", number, make_card(number, rubric, words, chance))
        store.flush()
        store.update_run("bench", "done", datetime.now(UTC))
    return count / (time.perf_counter() - start)


def clock(work: Callable[[], object]) -> float:
    work()
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * median(times)


def ask(page: Callable[[Request], object], query: dict[str, str], **path: object) -> Callable[[], object]:
    scope = {
        "type": "http",
        "query_string": urlencode(query).encode(),
        "path_params": {"run": "bench", **path},
        "headers": [],
    }
    return lambda: page(Request(scope))


def measure(path: Path, count: int) -> list[tuple[str, ...]]:
    last, middle = (count - 1) // 50 + 1, count // 2
    rows = []
    with Store(path, read_only=True) as store:
        library = Library(store)
        pages = ViewPages(library)
        run = store.find_run("bench")
        rubric = rubric_of(run)
        start = time.process_time()
        library.summary(run)
        library.choices(run)
        overview = 1000 * (time.process_time() - start)
        facet = {"flag": "capped_extraneous", "facet": "topic=topic 3", "system": "system-3"}
        for name, page in (
            ("list, first page", {}),
            ("list, last page", {"page": str(last)}),
            ("sorted by a metric, worst first", {"order": "hallucination"}),
            ("sorted by a metric, page in the middle", {"order": "hallucination", "page": str(last // 2)}),
            ("filter: a rare status", {"status": "refused"}),
            ("filter: a flag, a facet and a system", facet),
            ("search: one record's id", {"q": f"record-{middle}"}),
            ("search: a common syllable", {"q": "abc"}),
        ):
            asked = parse_query(page, rubric)
            paged = partial(store.browser.page, "bench", asked.build_wanted(), asked.start, 50)
            rows.append((name, f"{clock(paged):.1f}", f"{clock(ask(pages.show_run, page)):.1f}"))
        record, opened = ask(pages.show_record, {}, number=middle), partial(library.card, run, middle - 1)
        rows.append(("record page", f"{clock(opened):.1f}", f"{clock(record):.1f}"))
        rows.append(("overview (once)", "", f"{overview:.0f}"))
    return rows


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.db"
        speed = fill(path, count)
        size = path.stat().st_size / 1e6
        rows = measure(path, count)
    note = NOTE.format(count=count, size=f"{size:.0f}", rubric=RUBRIC, speed=f"{speed:.0f}", rounds=ROUNDS)
    conclude("pages", "Pages", [note, render_table(HEADER, rows)])


if __name__ == "__main__":
    main()
