"""An endpoint that is down ends the command early, and nothing that was finished is lost."""

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from shell import COMMAND, ask_server, opinion, play_judge, read_until, run, run_apart, write_lines

from equipment.chat_server.exchange import HttpReply
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer, run_in_thread

pytestmark = pytest.mark.integration

DOWN = HttpReply(500, b'{"error": {"message": "Something broke in here."}}')


def judge(records: Path, server: ScriptedServer, *flags: str) -> list[str]:
    asked = ask_server(server, records)
    return [*map(str, asked), *flags]


def write_records(folder: Path, count: int) -> Path:
    """Each with reviews of its own, so that each needs a bank of its own."""
    reviews = ({"reviews": [f"Lamp {number} is bright.", "The arm sags."]} for number in range(count))
    return write_lines(folder / "r.jsonl", [opinion(f"r{number}", **each) for number, each in enumerate(reviews)])


def test_a_server_that_always_answers_500_gets_at_most_40_requests_for_20_records(tmp_path: Path) -> None:
    records = write_records(tmp_path, 20)
    with run_in_thread(ScriptedServer(faults=[FaultRule(Fault.SERVER_ERROR, always=True)])) as server:
        # All records are under way when the breaker opens.
        ended = run_apart(*judge(records, server, "--workers", "64"))
        assert server.calls <= 40
    assert ended.returncode == 1
    assert re.search(r"stopped: \d+ calls in a row failed, .* HTTP 500: Something broke in here; 0 of 20", ended.stderr)
    assert "--resume" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert re.search(r"stopped +opinion-relevance +0 of 20", run("runs", "list").out)


def test_a_run_that_the_breaker_ended_is_resumed_with_what_it_had(tmp_path: Path) -> None:
    records = write_records(tmp_path, 20)
    answered = 0

    def break_down(asked: object) -> str | HttpReply:
        nonlocal answered
        answered += 1
        return DOWN if 12 < answered < 1_000 else play_judge(asked)

    with run_in_thread(ScriptedServer(break_down)) as server:
        ended = run(*judge(records, server, "--workers", "3"))
        assert ended.code == 1
        kept = int(re.search(r"(\d+) of 20 records are judged and kept", ended.err)[1])
        assert 3 <= kept <= 6
        answered, before = 1_000, server.calls
        resumed = run(*judge(records, server, "--workers", "3", "--format", "jsonl", "--resume", "last"))
        assert resumed.code == 0
        # Two calls for each record, of which the first start has got twelve answered.
        assert server.calls - before == 2 * 20 - 12
    assert [each["record"] for each in resumed.results] == [f"r{number}" for number in range(20)]
    assert {each["metrics"]["relevance"]["status"] for each in resumed.results} == {"ok"}


def test_a_record_that_always_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    records = write_records(tmp_path, 6)

    def answer(asked: object) -> str | HttpReply:
        return DOWN if "Lamp 2 is" in asked.prompt else play_judge(asked)

    with run_in_thread(ScriptedServer(answer)) as server:
        ended = run(*judge(records, server, "--format", "jsonl", "--workers", "1"))
        before = server.calls
        resumed = run(*judge(records, server, "--format", "jsonl", "--workers", "1", "--resume", "last"))
        assert server.calls == before
    assert ended.code == resumed.code == 0
    statuses = [each["metrics"]["relevance"]["status"] for each in ended.results]
    assert statuses == ["ok", "ok", "unreachable", "ok", "ok", "ok"]


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR, Fault.GARBAGE, Fault.REFUSAL, Fault.EMPTY])
def test_a_run_in_which_every_call_failed_exits_1(tmp_path: Path, fault: Fault) -> None:
    records = write_records(tmp_path, 1)
    with run_in_thread(ScriptedServer(faults=[FaultRule(fault, always=True)])) as server:
        ended = run(*judge(records, server))
    assert ended.code == 1
    assert "every metric that was asked about failed" in ended.err


def test_a_rate_limit_shows_in_the_progress_and_an_interrupt_tells_what_is_under_way(tmp_path: Path) -> None:
    records = write_records(tmp_path, 2)
    limited = FaultRule(Fault.RATE_LIMITED, always=True, containing="Lamp 0", retry_after_seconds=90)
    hanging = FaultRule(Fault.HANG, always=True, containing="Lamp 1")
    with run_in_thread(ScriptedServer(faults=[limited, hanging])) as server:
        command = [*COMMAND, *judge(records, server)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            read_until(process.stderr, r"0 of 2 records, rate limited, next call in \d+ s")
            while not server.struck[Fault.HANG]:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            said = read_until(process.stderr, "interrupted")
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
    assert process.returncode == 3
    assert "finishing the records under way, 1 call in flight. Press Ctrl-C again to stop at once." in said
