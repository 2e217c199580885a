"""Signals that stop a run: how long it waits for the calls in flight, and what a second signal does."""

import signal
import time

import pytest

from assay.cli.stopping import Stopping
from assay.engine.budget import Budget
from assay.engine.costs import Meter
from assay.runner.run import Limits

ENDS = (signal.SIGTERM, signal.SIGHUP)


def wait() -> None:
    """Ends by the interrupt that a signal makes of itself."""
    while True:
        time.sleep(0.01)


def test_impatience_does_not_take_away_the_command_to_go_on_with(capsys: pytest.CaptureFixture[str]) -> None:
    limits = Limits()
    stopping = Stopping(limits, Meter(running=3))
    with stopping.listen():
        signal.raise_signal(signal.SIGINT)
        assert limits.is_spent()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
    assert stopping.reason == "interrupted"
    said = capsys.readouterr().err
    assert said.count("3 calls in flight. Press Ctrl-C again to stop at once") == 1


@pytest.mark.parametrize("number", ENDS)
def test_a_signal_of_the_system_waits_for_calls_in_flight_but_not_for_ever(number: int) -> None:
    budget, limits = Budget(), Limits()
    stopping = Stopping(limits, Meter(running=1), budget, grace_seconds=0.5)
    with stopping.listen():
        signal.raise_signal(number)
        assert budget.held
        assert limits.is_spent()
        wait()
    assert stopping.reason == f"received {signal.Signals(number).name}"


def test_a_signal_of_the_system_does_not_wait_where_no_call_is_in_flight() -> None:
    stopping = Stopping(Limits(), Meter(), grace_seconds=10_000)
    with stopping.listen():
        signal.raise_signal(signal.SIGTERM)
        wait()
    assert stopping.reason == "received SIGTERM"


@pytest.mark.parametrize("second", [*ENDS, signal.SIGINT])
def test_a_second_signal_ends_the_wait_at_once(second: int) -> None:
    stopping = Stopping(Limits(), Meter(running=1), grace_seconds=10_000)
    with stopping.listen():
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(second)
        signal.raise_signal(signal.SIGTERM)
    assert stopping.reason == "received SIGTERM"


@pytest.mark.parametrize("number", [signal.SIGINT, *ENDS])
def test_batches_go_on_by_themselves_so_the_first_signal_stops_at_once(number: int) -> None:
    stopping = Stopping(Limits(), Meter(running=1), at_once=True)
    with stopping.listen():
        signal.raise_signal(number)
        pytest.fail("the signal did not stop it")
    assert stopping.reason == ("interrupted" if number == signal.SIGINT else f"received {signal.Signals(number).name}")


def test_a_hangup_that_nohup_ignores_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        stopping = Stopping(Limits(), Meter())
        with stopping.listen():
            signal.raise_signal(signal.SIGHUP)
        assert stopping.reason is None
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_signals_are_handled_as_before_once_a_run_has_ended() -> None:
    caught = (*ENDS, signal.SIGINT, signal.SIGALRM)
    before = [signal.getsignal(each) for each in caught]
    with Stopping(Limits()).listen():
        pass
    assert [signal.getsignal(each) for each in caught] == before
