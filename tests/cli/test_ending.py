"""How the command ends when something breaks: interrupts, closed pipes, full disks, and bugs of ours."""

import json
import os
import re
import shlex
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest
from shell import (
    COMMAND,
    ask_server,
    opinion,
    play_judge,
    read_until,
    run,
    run_apart,
    run_forked,
    write_lines,
    write_opinions,
)

from assay.store.store import open_store
from equipment.chat_server.exchange import Asked
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer, run_in_thread

pytestmark = pytest.mark.integration


def test_an_interrupt_keeps_what_is_done_and_exits_3(tmp_path: Path) -> None:
    slow = "This one takes for ever."
    path = write_lines(tmp_path / "records.jsonl", [opinion("a"), opinion("b", product_opinion_summary=slow)])
    out = tmp_path / "out.jsonl"
    rule = FaultRule(Fault.HANG, always=True, containing=slow)
    with run_in_thread(ScriptedServer(faults=[rule])) as server:
        asked = ask_server(server, path)
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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_sigterm_and_sighup_keep_the_replies_in_flight_and_say_how_to_resume(tmp_path: Path, number: int) -> None:
    asked, answers = threading.Event(), threading.Event()

    def answer_late(request: Asked) -> str:
        asked.set()
        answers.wait(60)
        return play_judge(request)

    other = opinion("b", product_opinion_summary="Buyers like the light.")
    path = write_lines(tmp_path / "records.jsonl", [opinion("a"), other])
    with run_in_thread(ScriptedServer(answer_late)) as server:
        judge = ask_server(server, str(path), "--format", "jsonl")
        command = [*COMMAND, *judge, "--workers", "1"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            assert asked.wait(60)
            process.send_signal(number)
            said = ""
            while "received" not in said and process.poll() is None:
                said += process.stderr.readline()
            answers.set()
            said += process.communicate(timeout=60)[1]
        assert process.returncode == 3
        name = signal.Signals(number).name
        assert f"received {name}; waiting at most 5 s for 1 call in flight" in said
        assert f"assay: stopped: received {name}; 0 of 2 records are judged and kept. Resume with: " in said
        assert server.calls == 1, "no new call is sent"
        assert run(*judge, "--resume", "last").code == 0
        # The reply that was in flight is the bank, which both records share.
        assert server.calls == 3


@pytest.mark.parametrize("form", ["jsonl", "table", "reply"])
def test_a_second_process_that_writes_to_one_out_is_refused_until_the_first_has_ended(
    tmp_path: Path, form: str
) -> None:
    asked = threading.Event()

    def hang(request: Asked) -> str:
        asked.set()
        never.wait(60)
        return play_judge(request)

    never = threading.Event()
    out = tmp_path / "out"
    judge = (*write_opinions("ab"), "--format", form, "--out", out)
    with run_in_thread(ScriptedServer(hang)) as server:
        served = ask_server(server, "records.jsonl", "--format", form, "--out", out, "--store", "first.db")
        command = [*COMMAND, *map(str, served)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
            assert asked.wait(60)
            refused = run(*judge)
            first.kill()
            never.set()
    assert refused.code == 2
    assert refused.err == (
        f"assay: {out}: another assay process is writing its results here. Wait until it has finished, or name another --out.\n"
    )
    # Killed, it has let go of the lock.
    assert run(*judge).code == 0


def test_a_bug_of_ours_exits_70_and_asks_for_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(_: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("assay.report.output.build_result", break_down)
    asked = (*write_opinions("a"), "--format", "jsonl")
    ended = run(*asked)
    assert ended.code == 70
    assert "ZeroDivisionError: planted" in ended.err
    assert ended.err.endswith("assay: this is a bug in assay. Please report it with the lines above.\n")


def test_a_reader_that_has_had_enough_leaves_a_run_to_resume() -> None:
    """The run ended with exit 0 and no word, with most records not judged."""
    names = [f"r{number}" for number in range(60)]
    judge = (*write_opinions(names), "--format")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        told = run_forked([(*judge, form) for form in ("jsonl", "table")], stdout=writer)
    finally:
        os.close(writer)
    for code, said in told:
        assert code == 3
        assert "assay: stopped: the output was closed; " in said
        assert "--resume 20" in said
        assert "Traceback" not in said
        assert "Exception ignored" not in said
    resumed = run(*judge, "jsonl", "--resume", "last")
    assert (resumed.code, [result["record"] for result in resumed.results]) == (0, names)


def test_a_reader_of_other_commands_that_has_had_enough_is_no_error() -> None:
    assert run(*write_opinions("a")).code == 0
    reader, writer = os.pipe()
    os.close(reader)
    commands = [
        ("runs", "list"),
        ("rubric", "list"),
        ("report", "last", "--markdown", "-"),
        ("report", "last", "--markdown", "/dev/stdout"),
    ]
    try:
        told = run_forked(commands, stdout=writer)
    finally:
        os.close(writer)
    assert [code for code, _ in told] == [0, 0, 0, 0]
    assert "Traceback" not in "".join(said for _, said in told)


@pytest.mark.parametrize("form", ["table", "jsonl"])
def test_a_closed_standard_output_leaves_the_results_in_the_store(form: str) -> None:
    """Python has no stream for a closed descriptor: the command crashed on None."""
    names = [f"r{number}" for number in range(9)]
    judge = (*write_opinions(names), "--format", form)
    for closed, code in (">&-", 3), (">&- 2>&-", 3), ("<&- >&- 2>&-", 3), ("2>&- >/dev/null", 0):
        shell = f"{shlex.join([*COMMAND, *map(str, judge)])} --store 's{closed}.db' {closed}"
        ended = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
        assert ended.returncode == code
        assert "Traceback" not in ended.stderr
        if "2>" not in closed:
            assert re.search("assay: stopped: the output was closed; [1-9] of 9 records .* kept. Resume", ended.stderr)
        with open_store(Path(f"s{closed}.db")) as store:
            kept = store.count(store.find_run("last").id)
            # A table is printed after the last record, lines of JSON with the first.
            assert kept == 9 if form == "table" else kept >= 1


def test_a_closed_standard_output_is_said_by_other_commands() -> None:
    shell = shlex.join([*COMMAND, "rubric", "list"])
    ended = subprocess.run(["bash", "-c", f"{shell} >&-"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert ended.stderr.startswith("assay: standard output is closed.")


def test_messages_that_nobody_reads_do_not_end_a_run() -> None:
    judge = (*write_opinions("a"), "--format", "jsonl")
    reader, writer = os.pipe()
    os.close(reader)
    try:
        command = [*COMMAND, *map(str, judge)]
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=writer, text=True, check=False)
    finally:
        os.close(writer)
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["record"] == "a"


@pytest.mark.skipif(not os.access("/dev/full", os.W_OK), reason="there is no /dev/full on this machine")
def test_a_full_disk_is_said_in_a_sentence() -> None:
    judge = (*write_opinions("a"), "--format")
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


def test_results_are_utf_8_wherever_they_are_piped_to() -> None:
    asked = (*write_opinions(["naïve 日本"]), "--format", "jsonl")
    ended = run_apart(*asked, env={**os.environ, "PYTHONIOENCODING": "ascii"}, encoding="utf-8")
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["record"] == "naïve 日本"


def test_a_command_without_a_subcommand_shows_the_help() -> None:
    for command in ((), ("rubric",)):
        ended = run(*command)
        assert ended.code == 2
        assert ended.err.startswith("Usage: assay")
