"""How far a run is: the facts, where they are shown, and where they are not."""

import io
import re
import time
from collections.abc import Callable

import pytest
from cards import card, failure

from assay.domain.scorecard import Scorecard
from assay.engine.costs import Meter
from assay.models.chat import Usage
from assay.report.progress import ProgressView, show_progress

GOOD = card("opinion-relevance", "a", {"relevance": 3})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def failed(*statuses: str) -> Scorecard:
    metrics = ("coverage", "alignment", "hallucination", "relevance", "bias_toxicity")
    return card("article-audit", "a", {name: failure(status) for name, status in zip(metrics, statuses, strict=False)})


def count_later(view: ProgressView, clock: Clock, card: Scorecard, seconds: float = 0.25) -> None:
    clock.now += seconds
    view.count(card)


def wait_for(shown: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not shown() and time.monotonic() < deadline:
        time.sleep(0.005)


def spend(meter: Meter, prompt: int, reply: int, picodollars: int) -> None:
    meter.begin()
    meter.pay(Usage(prompt, reply), picodollars)


def test_the_facts_are_records_rate_failures_by_kind_money_and_time_left() -> None:
    clock, meter = Clock(), Meter()
    view = ProgressView(1_200, None, meter, clock)
    spend(meter, 900, 100, 10**10)
    for _ in range(97):
        count_later(view, clock, GOOD)
    count_later(view, clock, failed("timed_out", "timed_out", "malformed"))
    count_later(view, clock, failed("timed_out"))
    count_later(view, clock, failed("refused"))
    for _ in range(50):
        spend(meter, 90, 10, 22 * 10**8)
    assert view.format_line(view.task) == (
        "100 of 1,200 records, 2 replies/s, 3 failed (2 timed out, 1 malformed, 1 refused), $0.12, 4:35 left"
    )


def test_where_no_price_is_known_tokens_are_told_and_what_is_not_known_yet_is_not() -> None:
    meter = Meter(unpriced=True)
    spend(meter, 9_000, 1_000, 0)
    view = ProgressView(10, None, meter)
    assert view.format_line(view.task) == "0 of 10 records, 10,000 tokens"


def test_the_rate_is_that_of_the_last_half_minute() -> None:
    """A thousand records from the cache say nothing about how long the rest will take."""
    clock = Clock()
    view = ProgressView(10_000, get_time=clock)
    for _ in range(1_000):
        count_later(view, clock, GOOD, 0.001)
    assert "1,000 records/s" in view.format_line(view.task)
    for _ in range(60):
        count_later(view, clock, GOOD, 1)
    assert view.format_line(view.task).startswith("1,060 of 10,000 records, 1 records/s")


def test_the_rate_is_that_of_replies_as_they_come_and_not_since_the_start() -> None:
    clock, meter = Clock(), Meter()
    view = ProgressView(10_000, None, meter, clock)
    meter.begin()
    clock.now += 600
    assert view.format_line(view.task) == "0 of 10,000 records, $0.00", "waiting for the first reply"
    for _ in range(20):
        spend(meter, 90, 10, 0)
        count_later(view, clock, GOOD, 0.5)
    # Three replies to a record from now on: bank, labels and a retry.
    for _ in range(120):
        for _ in range(3):
            spend(meter, 90, 10, 0)
        count_later(view, clock, GOOD, 0.5)
    assert view.format_line(view.task).startswith("140 of 10,000 records, 6 replies/s, $0.00, 1:22:10 left")


def test_a_rate_is_not_shown_any_more_when_nothing_comes() -> None:
    """It stayed as it was at the last record, however long ago that was."""
    clock, meter = Clock(), Meter()
    view = ProgressView(100, None, meter, clock)
    for _ in range(20):
        spend(meter, 90, 10, 0)
        count_later(view, clock, GOOD, 1)
    assert "1 replies/s" in view.format_line(view.task)
    clock.now += 20
    assert "0.33 replies/s" in view.format_line(view.task)
    clock.now += 31
    assert view.format_line(view.task) == "20 of 100 records, $0.00"


def test_a_terminal_has_one_line_with_a_bar_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    screen = Terminal()
    with show_progress(screen, 2) as view:
        view.count(failed("timed_out", "malformed", "refused", "too_long", "truncated"))
        wait_for(lambda: "1 of 2 records" in screen.getvalue())
        with view.aside():
            screen.write("a result\n")
            assert screen.getvalue().endswith("\x1b[1A\x1b[2Ka result\n"), "cleared for the line of another"
    shown = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", screen.getvalue())
    assert max(len(line) for line in re.split("[\r\n]", shown)) <= 60, "a line that wraps can't be cleared"
    assert screen.getvalue().endswith("\x1b[1A\x1b[2K"), "cleared at the end"


def test_a_log_gets_a_plain_line_at_every_interval_also_while_nothing_moves() -> None:
    log, refused = io.StringIO(), failed("refused")
    with show_progress(log, 2, every_seconds=0.005) as view:
        view.count(refused)
        wait_for(lambda: log.getvalue().count("1 of 2 records") >= 3)
    lines = [line for line in log.getvalue().splitlines() if not line.startswith("0 of 2")]
    assert len(lines) >= 3
    assert all(line.startswith("1 of 2 records") for line in lines)
    assert "1 failed (1 refused)" in lines[-1]
    assert "\x1b" not in log.getvalue()


@pytest.mark.parametrize("log", [io.StringIO(), None])
def test_a_run_that_ends_within_the_first_interval_leaves_no_line(
    log: io.StringIO | None, capsys: pytest.CaptureFixture[str]
) -> None:
    with show_progress(log, 1) as view:
        view.count(GOOD)
        with view.aside():
            pass
    assert view.task.completed == 1
    assert log is None or log.getvalue() == ""
    assert capsys.readouterr() == ("", "")


def test_a_stream_that_is_gone_ends_the_showing_and_not_the_run() -> None:
    log = io.StringIO()
    with show_progress(log, 2, every_seconds=0.001) as view:
        wait_for(lambda: log.getvalue() != "")
        log.close()
        time.sleep(0.02)
        view.count(GOOD)
    assert view.task.completed == 1
