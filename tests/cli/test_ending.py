"""How the command ends when something breaks: interrupts, closed pipes, full disks, and bugs of ours."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from shell import COMMAND, opinion, read_until, reply, run, run_apart, run_forked, write_lines

from assay.cli.judging import catch_interrupts
from assay.engine.costs import Meter
from assay.runner.run import Limits
from assay.testing.faults import Fault, FaultRule
from assay.testing.scripted_server import ScriptedServer, run_in_thread

pytestmark = pytest.mark.integration


def test_an_interrupt_keeps_what_is_done_and_exits_3(tmp_path: Path) -> None:
    slow = "This one takes for ever."
    path = write_lines(tmp_path / "records.jsonl", [opinion("a"), opinion("b", product_opinion_summary=slow)])
    out = tmp_path / "out.jsonl"
    rule = FaultRule(Fault.HANG, always=True, containing=slow)
    with run_in_thread(ScriptedServer(faults=[rule])) as server:
        asked = ["judge", path, "--rubric", "opinion-relevance", "--judge", "openai:m", "--base-url", server.base_url]
        command = [*COMMAND, *map(str, asked), "--format", "jsonl", "--out", str(out), "--workers", "1"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            deadline = time.monotonic() + 60
            while not server.struck[Fault.HANG] and time.monotonic() < deadline:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            said = read_until(process.stderr, "Press Ctrl-C again")
            process.send_signal(signal.SIGINT)
            said += process.communicate(timeout=60)[1]
    assert process.returncode == 3
    assert "interrupted; 1 of 2 records are judged and kept" in said
    assert "--resume" in said
    assert "Traceback" not in said
    assert [json.loads(line)["record"] for line in out.read_text().splitlines()] == ["a"]


def test_impatience_does_not_take_away_the_command_to_go_on_with(capsys: pytest.CaptureFixture[str]) -> None:
    limits = Limits()
    with catch_interrupts(limits, Meter(running=3)) as interrupted:
        signal.raise_signal(signal.SIGINT)
        assert limits.is_spent()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert interrupted
    said = capsys.readouterr().err
    assert said.count("3 calls in flight. Press Ctrl-C again to stop at once") == 1


def test_a_bug_of_ours_exits_70_and_asks_for_a_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def break_down(_: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("assay.report.output.build_result", break_down)
    path = write_lines(tmp_path / "records.jsonl", [opinion("a")])
    replies = write_lines(tmp_path / "replies.jsonl", [reply("a")])
    asked = ("judge", path, "--rubric", "opinion-relevance", "--judge", f"recorded:{replies}", "--format", "jsonl")
    ended = run(*asked)
    assert ended.code == 70
    assert "ZeroDivisionError: planted" in ended.err
    assert ended.err.endswith("assay: this is a bug in assay. Please report it with the lines above.\n")


def test_a_reader_that_has_had_enough_is_no_error(tmp_path: Path) -> None:
    names = [f"r{number}" for number in range(60)]
    path = write_lines(tmp_path / "records.jsonl", [opinion(name) for name in names])
    replies = write_lines(tmp_path / "replies.jsonl", [reply(name) for name in names])
    judge = ("judge", path, "--rubric", "opinion-relevance", "--judge", f"recorded:{replies}", "--format")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        told = run_forked([(*judge, form) for form in ("jsonl", "table")], stdout=writer)
    finally:
        os.close(writer)
    for code, said in told:
        assert code == 0
        assert "Traceback" not in said
        assert "Exception ignored" not in said


@pytest.mark.skipif(not os.access("/dev/full", os.W_OK), reason="there is no /dev/full on this machine")
def test_a_full_disk_is_said_in_a_sentence(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "records.jsonl", [opinion("a")])
    replies = write_lines(tmp_path / "replies.jsonl", [reply("a")])
    judge = ("judge", path, "--rubric", "opinion-relevance", "--judge", f"recorded:{replies}", "--format")
    forms = ("jsonl", "table", "reply")
    for form in forms:
        ended = run(*judge, form, "--out", "/dev/full")
        assert ended.code == 2
        assert "/dev/full: the results can't be written: No space left on device" in ended.err
    with Path("/dev/full").open("w") as full:
        told = run_forked([(*judge, form) for form in forms], stdout=full)
    for code, said in told:
        assert code == 2
        assert "No space left on device" in said
        assert "Traceback" not in said


def test_results_are_utf_8_wherever_they_are_piped_to(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "records.jsonl", [opinion("naïve 日本")])
    replies = write_lines(tmp_path / "replies.jsonl", [reply("naïve 日本")])
    asked = ("judge", path, "--rubric", "opinion-relevance", "--judge", f"recorded:{replies}", "--format", "jsonl")
    ended = run_apart(*asked, env={**os.environ, "PYTHONIOENCODING": "ascii"}, encoding="utf-8")
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["record"] == "naïve 日本"


def test_a_command_without_a_subcommand_shows_the_help() -> None:
    for command in ((), ("rubric",)):
        ended = run(*command)
        assert ended.code == 2
        assert ended.err.startswith("Usage: assay")
