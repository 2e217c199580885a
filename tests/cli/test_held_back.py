"""What holds a run back, as a user sets it: fixed rates, a record's time, and what standard error says meanwhile."""

import time
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from shell import Ended, opinion, play_judge, reply, run, write_lines

import assay
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer, run_in_thread

RUBRIC = "opinion-relevance"


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "records.jsonl", [lamp(f"r{at}") for at in range(6)])


def lamp(name: str) -> dict:
    """Another summary each, so that no two calls are one."""
    return opinion(name, product_opinion_summary=f"Buyers like the bright light. It is lamp {name}.")


def judge(server: ScriptedServer, records: Path, *more: object) -> Ended:
    asked = ("--rubric", RUBRIC, "--judge", "openai:m", "--base-url", server.base_url, "--format", "jsonl")
    return run("judge", records, *asked, *more)


def statuses(ended: Ended) -> list[str]:
    return [result["metrics"]["relevance"]["status"] for result in ended.results]


class TimedServer(ScriptedServer):
    """Notes when each call came."""

    def __init__(self) -> None:
        self.times: list[float] = []
        super().__init__(self._answer_timed)

    def _answer_timed(self, asked: object) -> str:
        self.times.append(time.monotonic())
        return play_judge(asked)


def test_a_fixed_rate_of_requests_is_kept(records: Path) -> None:
    began = time.monotonic()
    with run_in_thread(TimedServer()) as server:
        ended = judge(server, records, "--requests-per-minute", 120)
    assert statuses(ended) == ["ok"] * 6
    assert len(server.times) == 7
    # Two are a second's worth; each of the other five comes half a second after the last.
    assert server.times[-1] - began >= 2.5


def test_a_fixed_rate_of_tokens_is_kept(records: Path) -> None:
    began = time.monotonic()
    with run_in_thread(TimedServer()) as server:
        ended = judge(server, records, "--tokens-per-minute", 120_000)
    assert statuses(ended) == ["ok"] * 6
    tokens = int(ended.err.split(" tokens, price unknown")[-2].split()[-1].replace(",", ""))
    assert tokens > 5_000
    # All but a second's worth and the last call are waited for, at two thousand a second.
    assert server.times[-1] - began >= (tokens * 6 / 7 - 2_000) / 2_000


@pytest.mark.parametrize("option", ["--requests-per-minute", "--tokens-per-minute", "--record-timeout"])
def test_a_limit_of_nothing_is_refused(records: Path, option: str) -> None:
    ended = run("judge", records, "--rubric", RUBRIC, option, 0)
    assert ended.code == 2
    assert option in ended.err


def test_a_record_that_hangs_times_out_and_the_run_goes_on(records: Path) -> None:
    rule = FaultRule(Fault.HANG, always=True, containing="It is lamp r1.")
    with run_in_thread(ScriptedServer(play_judge, [rule])) as server:
        ended = judge(server, records, "--record-timeout", 6)
    assert ended.code == 0
    assert statuses(ended) == ["ok", "timed_out", *["ok"] * 4]
    metric = ended.results[1]["metrics"]["relevance"]
    assert (metric["score"], metric["reason"]) == (None, "the record was not done in 6 s")
    assert "1 timed_out" in ended.err


def test_the_same_limits_can_be_set_from_python() -> None:
    rules = [FaultRule(Fault.HANG, always=True, containing="It is lamp b.")]
    values = [lamp("a"), lamp("b")]
    with run_in_thread(ScriptedServer(play_judge, rules)) as server:
        judged = assay.judge(
            values,
            RUBRIC,
            "openai:m",
            base_url=server.base_url,
            record_timeout=6,
            requests_per_minute=6_000,
            tokens_per_minute=10_000_000,
        )
    assert [result.metrics["relevance"].status for result in judged] == ["ok", "timed_out"]


def test_a_short_run_says_nothing_of_its_progress(records: Path) -> None:
    replies = write_lines(records.parent / "replies.jsonl", [reply(f"r{at}") for at in range(6)])
    ended = run("judge", records, "--rubric", RUBRIC, "--judge", f"recorded:{replies}", "--format", "jsonl")
    assert " of 6 records" not in ended.err


def test_parquet_records_are_judged_like_any_other(tmp_path: Path) -> None:
    parquet.write_table(pa.Table.from_pylist([opinion("a"), opinion("b", system=None)]), tmp_path / "records.parquet")
    replies = write_lines(tmp_path / "replies.jsonl", [reply("a", 5), reply("b", 2)])
    asked = ("--rubric", RUBRIC, "--judge", f"recorded:{replies}", "--format", "jsonl")
    ended = run("judge", tmp_path / "records.parquet", *asked)
    assert [(each["record"], each["metrics"]["relevance"]["score"]) for each in ended.results] == [("a", 5), ("b", 2)]
    parquet.write_table(pa.table({"id": ["a"], "reviews": [["x"]]}), tmp_path / "bad.parquet")
    ended = run("judge", tmp_path / "bad.parquet", *asked)
    assert ended.code == 2
    assert "bad.parquet: row 1: product_opinion_summary is absent" in ended.err
