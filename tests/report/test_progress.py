"""How far a run is: the facts, where they are shown, and where they are not."""

import io
import time
from collections.abc import Callable

from cards import card, failure

from assay.domain.scorecard import Scorecard
from assay.engine.costs import Size
from assay.engine.usage import Meter
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


def wait_for(shown: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not shown() and time.monotonic() < deadline:
        time.sleep(0.005)


def spend(meter: Meter, prompt: int, reply: int, picodollars: int) -> None:
    meter.begin()
    meter.end(Size(prompt, reply), picodollars, certain=True)


def test_the_facts_are_records_rate_failures_by_kind_money_and_time_left() -> None:
    clock, meter = Clock(), Meter()
    track = ProgressView(1_200, None, meter, clock)
    for _ in range(97):
        track.count(GOOD)
    track.count(failed("timed_out", "timed_out", "malformed"))
    track.count(failed("timed_out"))
    track.count(failed("refused"))
    spend(meter, 9_000, 1_000, 12 * 10**10)
    clock.now += 20
    assert track.build_line() == (
        "100 of 1,200 records, 5/s, 3 failed (2 timed out, 1 malformed, 1 refused), $0.12, 3:40 left"
    )


def test_where_no_price_is_known_tokens_are_told() -> None:
    meter = Meter(unpriced=True)
    spend(meter, 9_000, 1_000, 0)
    assert ProgressView(10, None, meter, Clock()).build_line() == "0 of 10 records, 10,000 tokens"


def test_what_is_not_known_yet_is_not_told() -> None:
    track = ProgressView(10, clock=Clock())
    assert track.build_line() == "0 of 10 records"


def test_at_the_end_no_time_is_left_to_tell() -> None:
    clock = Clock()
    track = ProgressView(1, clock=clock)
    track.count(GOOD)
    clock.now += 2
    assert track.build_line() == "1 of 1 records, 0.5/s"


def test_the_rate_is_that_of_the_last_half_minute() -> None:
    """A thousand records from the cache say nothing about how long the rest will take."""
    clock = Clock()
    track = ProgressView(10_000, clock=clock)
    for _ in range(1_000):
        track.count(GOOD)
    clock.now += 1
    assert "1,000/s" in track.build_line()
    for _ in range(60):
        clock.now += 1
        track.count(GOOD)
        said = track.build_line()
    assert said.startswith("1,060 of 10,000 records, 1/s")


def test_looking_often_does_not_fill_memory() -> None:
    clock = Clock()
    track = ProgressView(10, clock=clock)
    for _ in range(10_000):
        clock.now += 0.2
        track.build_line()
    assert len(track._marks) <= 155


def test_a_terminal_has_one_line_with_a_bar_that_goes_away() -> None:
    screen = Terminal()
    with show_progress(screen, 2, every_seconds=0.005) as view:
        view.count(GOOD)
        wait_for(lambda: "1 of 2" in screen.getvalue())
    lines = screen.getvalue().split("\r\x1b[2K")
    assert any(line.startswith("[###############...............] 1 of 2 records") for line in lines)
    assert "\n" not in screen.getvalue()
    assert lines[-1] == "", "cleared at the end"


def test_a_log_gets_a_plain_line_at_every_interval_also_while_nothing_moves() -> None:
    log, refused = io.StringIO(), failed("refused")
    with show_progress(log, 2, every_seconds=0.005) as view:
        view.count(refused)
        wait_for(lambda: log.getvalue().count("1 of 2 records") >= 3)
    lines = [line for line in log.getvalue().splitlines() if not line.startswith("0 of 2")]
    assert len(lines) >= 3
    assert all(line.startswith("1 of 2 records") and "1 failed (1 refused)" in line for line in lines)
    assert "\x1b" not in log.getvalue()


def test_a_run_that_ends_within_the_first_interval_leaves_no_line() -> None:
    log = io.StringIO()
    with show_progress(log, 1) as view:
        view.count(GOOD)
    assert log.getvalue() == ""


def test_nothing_is_shown_without_a_stream() -> None:
    with show_progress(None, 1, every_seconds=0.001) as view:
        view.count(GOOD)
        with view.aside():
            pass
    assert view.done == 1


def test_a_line_of_another_does_not_join_the_bar() -> None:
    screen = Terminal()
    with show_progress(screen, 2, every_seconds=0.001) as view:
        wait_for(lambda: "0 of 2" in screen.getvalue())
        with view.aside():
            screen.write("a result\n")
            time.sleep(0.02)
            assert screen.getvalue().endswith("\r\x1b[2Ka result\n")


def test_a_bar_never_takes_two_lines() -> None:
    track = ProgressView(10_000)
    track.count(failed("timed_out", "malformed", "refused", "too_long", "truncated"))
    for columns in (200, 80, 60, 20, 5):
        assert len(track.format_bar(columns)) < columns


def test_a_stream_that_is_gone_ends_the_showing_and_not_the_run() -> None:
    log = io.StringIO()
    with show_progress(log, 2, every_seconds=0.001) as view:
        wait_for(lambda: log.getvalue() != "")
        log.close()
        time.sleep(0.02)
        view.count(GOOD)
    assert view.done == 1
