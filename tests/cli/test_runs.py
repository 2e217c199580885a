"""Runs that are kept, gone on with, compared, exported and deleted, as a user would."""

import csv
import json
import re
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from shell import COMMAND, ask_server, opinion, play_judge, reply, run, write_lines

from equipment.chat_server.exchange import HttpReply
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer, run_in_thread

RUBRIC = ("--rubric", "opinion-relevance")
JSONL = ("--format", "jsonl")


@pytest.fixture
def records(tmp_path: Path) -> Path:
    said = [opinion(f"r{at}", product_opinion_summary=f"The lamp is bright. It is number {at}.") for at in range(12)]
    return write_lines(tmp_path / "records.jsonl", said)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with run_in_thread(ScriptedServer(play_judge)) as started:
        yield started


def judge(server: ScriptedServer, records: Path, *more: object) -> object:
    return run(*ask_server(server, records), *JSONL, *more)


def run_id(said: str) -> str:
    return re.search(r"Run (\S+):", said)[1]


def test_a_second_identical_run_makes_no_call(server: ScriptedServer, records: Path) -> None:
    first = judge(server, records)
    calls = server.calls
    second = judge(server, records)
    assert server.calls == calls == 13
    assert [each["metrics"] for each in first.results] == [each["metrics"] for each in second.results]
    assert first.results[0]["metrics"]["relevance"]["score"] == 5
    assert "0 sent, 13 from cache" in second.err


def test_a_run_is_shown_and_found_by_its_name(records: Path, tmp_path: Path) -> None:
    first = run("judge", records, *RUBRIC, *JSONL, "--name", "[b] | tea")
    run("judge", records, *RUBRIC, *JSONL)
    titled = f"[b] | tea ({run_id(first.err)})"
    [line] = [line for line in run("runs", "list").out.splitlines() if line.startswith(run_id(first.err))]
    assert line.split(maxsplit=1)[1].startswith("[b] | tea  done")
    assert run("runs", "show", "[b] | tea").out.startswith(f"Run {titled}, done: ")
    compared = run("runs", "compare", "[b] | tea", "last").out
    assert compared.startswith(f"First: {titled}. Second: 20")
    pages = {form: tmp_path / f"report.{form}" for form in ("html", "markdown", "junit")}
    written = [word for form, path in pages.items() for word in (f"--{form}", path)]
    assert run("report", "[b] | tea", *written).code == 0
    assert f">{titled}</dd>" in pages["html"].read_text()
    assert titled.replace("|", "\\|") in pages["markdown"].read_text()
    assert '<property name="name" value="[b] | tea" />' in pages["junit"].read_text()
    assert run("runs", "delete", "[b] | tea").out == f"Deleted run {run_id(first.err)}\n"


def test_a_name_of_two_runs_is_refused_with_their_ids(records: Path) -> None:
    ids = [run_id(run("judge", records, *RUBRIC, *JSONL, "--name", "tea").err) for _ in range(2)]
    ended = run("runs", "show", "tea")
    assert (ended.code, ended.err) == (
        2,
        f"assay: 2 runs are named 'tea'. Write the id of one: {', '.join(reversed(ids))}.\n",
    )


@pytest.mark.parametrize("name", ["", " tea", "last", "a:b", "a\nb", "x" * 101])
def test_a_name_that_could_not_be_typed_for_a_run_is_refused(records: Path, name: str) -> None:
    ended = run("judge", records, *RUBRIC, "--name", name)
    assert ended.code == 2
    assert "can't be the name of a run" in ended.err


def test_a_resumed_run_keeps_its_name(records: Path) -> None:
    run("judge", records, *RUBRIC, *JSONL, "--name", "tea")
    other = run("judge", records, *RUBRIC, *JSONL, "--resume", "tea", "--name", "coffee")
    same = run("judge", records, *RUBRIC, *JSONL, "--resume", "tea")
    assert (other.code, same.code) == (2, 0)
    assert "was started as 'tea'. Leave out --name" in other.err
    assert run("runs", "show", "last").out.startswith("Run tea (")


def test_a_killed_run_goes_on_without_a_lost_or_a_doubled_record(records: Path) -> None:
    slow = ScriptedServer(play_judge, delay_seconds=0.15)
    with run_in_thread(slow) as server:
        asked = ["judge", records, *RUBRIC, "--judge", "openai:m", "--base-url", server.base_url, "--workers", "2"]
        with subprocess.Popen(
            [*COMMAND, *map(str, asked)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            deadline = time.monotonic() + 60
            while server.calls < 6 and time.monotonic() < deadline:
                time.sleep(0.02)
            process.send_signal(signal.SIGKILL)
        made = server.calls
        others = write_lines(records.with_name("others.jsonl"), [opinion(f"z{at}") for at in range(12)])
        refused = judge(server, others, "--workers", "2", "--resume", "last")
        assert server.calls == made
        ended = judge(server, records, "--workers", "2", "--resume", "last")
        repeated = server.calls - 13
    assert refused.code == 2
    assert "record 1 is 'z0', and run" in refused.err
    assert ended.code == 0
    assert [each["record"] for each in ended.results] == [f"r{at}" for at in range(12)]
    assert made < 13
    # Two records are judged at a time, each with one call under way.
    assert repeated <= 2
    listed = run("runs", "list")
    assert "12 of 12" in listed.out


def test_a_run_does_not_go_on_with_another_judge(server: ScriptedServer, records: Path) -> None:
    judge(server, records)
    other = ("--judge", "openai:other", "--base-url", server.base_url, "--resume", "last")
    ended = run("judge", records, *RUBRIC, *other)
    assert ended.code == 2
    assert "was started with other judges" in ended.err


def test_a_budget_in_tokens_stops_the_run_and_resume_ends_it(server: ScriptedServer, records: Path) -> None:
    stopped = judge(server, records, "--budget-tokens", 14_000, "--workers", 1)
    left = judge(server, records, "--resume", run_id(stopped.err))
    assert stopped.code == 3
    assert "the budget is spent" in stopped.err
    assert f"--resume {run_id(stopped.err)}" in stopped.err
    assert 0 < sum(each["metrics"]["relevance"]["status"] == "ok" for each in stopped.results) < 12
    assert left.code == 0
    assert [each["metrics"]["relevance"]["status"] for each in left.results] == ["ok"] * 12
    forecasts = [int(re.search(r"(\d+) calls? ", each.err)[1]) for each in (stopped, left)]
    assert forecasts[1] < forecasts[0], "what is judged already costs nothing"


def test_a_record_that_hangs_times_out_and_the_run_goes_on(records: Path) -> None:
    rule = FaultRule(Fault.HANG, always=True, containing="It is number 1.")
    with run_in_thread(ScriptedServer(play_judge, [rule])) as server:
        ended = judge(server, records, "--record-timeout", 6, "--limit", 6)
    assert ended.code == 0
    metrics = [each["metrics"]["relevance"] for each in ended.results]
    assert [each["status"] for each in metrics] == ["ok", "timed_out", *["ok"] * 4]
    assert (metrics[1]["score"], metrics[1]["reason"]) == (None, "the record was not done in 6 s")
    assert "1 timed out" in ended.err


def test_an_endpoint_that_counts_beyond_all_measure_does_not_end_the_run(records: Path) -> None:
    def answer(asked: object) -> HttpReply:
        choice = {"message": {"content": play_judge(asked)}, "finish_reason": "stop"}
        counted = {"prompt_tokens": 2**64 - 1, "completion_tokens": 1}
        return HttpReply(200, json.dumps({"choices": [choice], "model": "m", "usage": counted}).encode())

    with run_in_thread(ScriptedServer(answer)) as server:
        ended = judge(server, records)
    assert ended.code == 0
    assert [each["metrics"]["relevance"]["score"] for each in ended.results] == [5] * 12


def test_a_budget_in_dollars_needs_a_price(server: ScriptedServer, records: Path) -> None:
    ended = judge(server, records, "--budget-usd", 1)
    assert server.calls == 0
    assert ended.code == 2
    assert "price" in ended.err


def test_samples_are_each_kept_and_their_mean_is_the_score(server: ScriptedServer, records: Path) -> None:
    ended = judge(server, records, "--samples", 3, "--limit", 2)
    # One bank for all samples, then three answers for each of two records.
    assert server.calls == 1 + 6
    metric = ended.results[0]["metrics"]["relevance"]
    assert [sample["score"] for sample in metric["samples"]] == [5, 5, 5]
    assert (metric["score"], metric["figures"]["spread"]) == (5, 0)


def test_stored_scores_can_be_derived_again_exported_compared_and_deleted(
    server: ScriptedServer, records: Path, tmp_path: Path
) -> None:
    first = run_id(judge(server, records).err)
    second = run_id(judge(server, records).err)
    assert "12 scores are the same, 0 differ." in run("runs", "rescore", first).out
    assert run("runs", "export", first, "--to", tmp_path / "out.csv").code == 0
    with (tmp_path / "out.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [row["record"] for row in rows] == [f"r{at}" for at in range(12)]
    assert {row["relevance_score"] for row in rows} == {"5"}
    assert run("runs", "export", first, "--to", tmp_path / "out.jsonl").code == 0
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 12
    compared = run("runs", "compare", first, second)
    (row,) = [line.split() for line in compared.out.splitlines() if line.startswith("Relevance")]
    assert row[3] == "0.000"
    assert "none" in compared.out
    assert "r3" in run("runs", "show", first).out
    assert run("runs", "delete", first).code == 0
    assert run("runs", "show", first).code == 2
    assert second in run("runs", "list").out


def test_a_damaged_run_is_named_beside_the_others_and_can_be_deleted(server: ScriptedServer, records: Path) -> None:
    first, second = (run_id(judge(server, records).err) for _ in range(2))
    with sqlite3.connect(".assay/assay.db") as connection:
        connection.execute("UPDATE runs SET body = x'7b' WHERE id = ?", (first,))
    connection.close()
    listed, shown = run("runs", "list"), run("runs", "show", first)
    assert (listed.code, shown.code) == (2, 2)
    assert re.search(rf"{first}\W+damaged", listed.out)
    assert re.search(rf"{second}\W+done", listed.out)
    for said in (listed.err, shown.err):
        assert f"a stored run {first} can't be read" in said
        assert "`assay runs delete RUN`" in said
    assert run("runs", "delete", first).out == f"Deleted run {first}\n"
    ended = run("runs", "list")
    assert first not in ended.out
    assert ended.err == ""


def test_what_a_run_may_cost_is_said_before_the_first_call(server: ScriptedServer, records: Path) -> None:
    ended = judge(server, records)
    assert re.match(
        r"openai:m: \d+ calls \(up to \d+ with retries for invalid replies\), about [\d,]+ to [\d,]+ tokens", ended.err
    )
    assert "cost unknown" in ended.err.splitlines()[0]


def test_two_systems_of_one_run_are_compared_with_each_other(tmp_path: Path) -> None:
    scores = {("a", "old"): 2, ("b", "old"): 3, ("a", "new"): 4, ("b", "new"): 3}
    records = [opinion(f"{item}-{system}", item=item, system=system) for item, system in scores]
    path = write_lines(tmp_path / "two.jsonl", records)
    said = [reply(f"{item}-{system}", score) for (item, system), score in scores.items()]
    replies = write_lines(tmp_path / "two-replies.jsonl", said)
    asked = ("judge", path, "--rubric", "opinion-relevance", "--judge", f"recorded:{replies}", "--quiet")
    assert run(*asked).code == 0
    compared = run("runs", "compare", "last:old", "last:new")
    assert compared.code == 0
    row = next(line for line in compared.out.splitlines() if line.startswith("Relevance"))
    assert row.split()[1:4] == ["0.375", "0.625", "+0.250"]
    assert "taken together" not in compared.out
    assert "better +2: a-old (old) / a-new (new), 2 → 4" in compared.out
    unknown = run("runs", "compare", "last:old", "last:new", "--metric", "relevanze")
    assert unknown.code == 2
    assert "no metric 'relevanze'. Write one of: relevance" in unknown.err
    mixed = run("runs", "compare", "last", "last:new")
    assert "holds the systems old, new, pooled here" in " ".join(mixed.out.split())
    wrong = run("runs", "compare", "last:old", "last:newest")
    assert wrong.code == 2
    assert "has no system 'newest'. Its systems are old, new." in wrong.err
