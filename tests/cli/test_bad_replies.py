"""What a later command takes from the store: only replies that could be read, and only those of the same server."""

import json
from pathlib import Path

import pytest
from shell import KEY, run, write_lines

from assay.store.store import open_store
from equipment.chat_server.exchange import HttpReply, Reply, render_reply
from equipment.chat_server.server import ScriptedServer, run_in_thread
from equipment.tea_rubric import CLARITY, TEA

GOOD = json.dumps({"grade": 4, "reason": "plain"})


@pytest.fixture(autouse=True)
def _files():
    Path("tea.md").write_text(TEA + CLARITY)
    write_lines(Path("r.jsonl"), [{"id": name, "tin": "Tea.", "note": f"The tea {name} is green."} for name in "ab"])


def judge(server, *more):
    asked = ("judge", "r.jsonl", "--rubric", "tea.md", "--judge", "openai:m", "--format", "jsonl", *more)
    return run(*asked, "--base-url", server.base_url, environment=KEY)


def read_status(ended):
    statuses = {metric["status"] for line in ended.results for metric in line["metrics"].values()}
    assert ended.code == (0 if statuses & {"ok", "repaired"} else 1), ended.err
    return statuses


@pytest.mark.parametrize(
    ("bad", "status"),
    [
        ("", "malformed"),
        ('{"grade": 900}', "out_of_range"),
        ('{"grade": "2 or 3"}', "ambiguous"),
        ('{"grade": 1, "grade": 5}', "ambiguous"),
        (Reply(GOOD, "refusal"), "refused"),
    ],
    ids=["empty", "out of range", "two numbers", "twice", "refused"],
)
def test_a_reply_that_could_not_be_read_is_asked_for_again_by_the_next_run(bad, status):
    reply = bad
    with run_in_thread(ScriptedServer(lambda _: reply)) as server:
        assert read_status(judge(server)) == {status}
        reply = GOOD
        assert read_status(judge(server)) == {"ok"}
        calls = server.calls
        assert read_status(judge(server)) == {"ok"}
        assert server.calls == calls, "what could be read is not asked for again"


def test_a_fault_that_a_second_ask_has_mended_costs_the_next_run_nothing():
    bad = iter(['{"grade": 900}', "…"])
    with run_in_thread(ScriptedServer(lambda _: next(bad, GOOD))) as server:
        statuses = [read_status(judge(server)) for _ in range(2)]
        assert server.calls == 4
    assert statuses == [{"repaired"}] * 2


def test_a_reply_that_could_not_be_read_is_kept_for_the_trail():
    with run_in_thread(ScriptedServer(lambda _: "what I think of it")) as server:
        judge(server)
        judge(server)
    with open_store(Path(".assay/assay.db"), read_only=True) as store:
        for name in store.run_ids():
            assert [each.reply.text for each in store.replies(name, "a")] == ["what I think of it"] * 3


def test_a_dead_address_does_not_return_another_servers_scores():
    with run_in_thread(ScriptedServer(lambda _: GOOD)) as server, run_in_thread(ScriptedServer()) as other:
        assert read_status(judge(server)) == {"ok"}
        refused = judge(other, "--resume", "last")
        assert refused.code == 2
        assert "another base URL" in refused.err
        assert other.calls == 0
    ended = judge(other)
    assert read_status(ended) == {"unreachable"}
    assert "0 tokens" in ended.err


def test_the_model_that_answered_is_named_and_a_change_of_it_is_flagged():
    def answer(asked):
        body = json.loads(render_reply(asked, Reply(GOOD)).body)
        return HttpReply(200, json.dumps({**body, "model": f"m-{asked.number}"}).encode())

    with run_in_thread(ScriptedServer(answer)) as server:
        ended = judge(server, "--workers", "1")
    flags = [line["metrics"]["clarity"]["flags"] for line in ended.results]
    assert flags == [[], ["model_changed"]]
    assert "answered by m-0 and m-1." in ended.err
