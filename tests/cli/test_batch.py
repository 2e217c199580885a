"""`assay judge --batch`: stages, faults of a provider's batches, interrupts, and what can't be batched."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from shell import COMMAND, Ended, opinion, play_judge, run, write_lines

import assay
from assay.errors import InputError
from equipment.chat_server.batches import BatchFault, ScriptedBatches
from equipment.chat_server.exchange import Asked, HttpReply, build_complaint
from equipment.chat_server.faults import Fault, FaultRule
from equipment.chat_server.server import ScriptedServer, run_in_thread

KEYS = {"OPENAI_API_KEY": "sk-test", "ANTHROPIC_API_KEY": "sk-test"}
PROVIDERS = ("openai", "anthropic")
COUNT = 12
ASKED = ("--rubric", "opinion-relevance", "--format", "jsonl")
# A grade of its own for each record, so that a result that reaches another record is noticed.
SCORES = {f"r{number}": 2 + number % 4 for number in range(COUNT)}
LOSING = (BatchFault.EXPIRED, BatchFault.ERRORED, BatchFault.MISSING)
HARMLESS = (BatchFault.UNORDERED, BatchFault.CUT_OFF, BatchFault.UNKNOWN_ID)


def grade_by_number(asked: Asked) -> str:
    reply = json.loads(play_judge(asked))
    if "relevance" in reply:
        number = int(re.search(r"Lamp number (\d+)", asked.prompt)[1])
        reply["relevance"]["grade"] = SCORES[f"r{number}"]
    return json.dumps(reply)


@pytest.fixture
def records(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lamps = (opinion(f"r{number}", product_title=f"Lamp number {number}") for number in range(COUNT))
    return write_lines(tmp_path / "records.jsonl", lamps)


def serve(batches: ScriptedBatches | None, script=grade_by_number, **options):
    return run_in_thread(ScriptedServer(script, batches=batches, **options))


def judge(server: ScriptedServer, records: Path, *more: object, provider: str = "openai") -> Ended:
    asked = ("judge", records, *ASKED, "--judge", f"{provider}:m", "--base-url", server.base_url, "--quiet")
    return run(*asked, "--batch", "--poll", 0.05, *more, environment=KEYS)


def scores(ended: Ended) -> dict[str, int]:
    assert ended.code == 0, ended.err
    assert len(ended.results) == COUNT
    return {each["record"]: each["metrics"]["relevance"]["score"] for each in ended.results}


def count_most(batches: ScriptedBatches) -> int:
    """How often the request came that came most often."""
    taken = [batch for batch in batches.served if not batch.rejection]
    return max(Counter(asked.key for batch in taken for asked in batch.asked.values()).values())


@pytest.mark.parametrize("provider", PROVIDERS)
def test_banks_are_one_batch_and_all_metrics_the_next(records, provider):
    batches = ScriptedBatches()
    with serve(batches) as server:
        ended = judge(server, records, provider=provider)
    assert scores(ended) == SCORES
    assert [len(batch.asked) for batch in batches.served] == [COUNT, COUNT]
    assert server.calls == 0


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize(
    ("options", "most"),
    [
        *(({"faults": {fault: 0.5}, "seconds": 0.1}, 2) for fault in LOSING),
        *(({"faults": {fault: 1.0}, "seconds": 0.1}, 1) for fault in HARMLESS),
        ({"faults": [BatchFault.LOST_ANSWER]}, 1),
        ({"most_enqueued": 5, "seconds": 0.1}, 1),
    ],
    ids=[*(fault.name for fault in (*LOSING, *HARMLESS)), "found in the list", "full queue"],
)
@pytest.mark.filterwarnings("ignore:.*ids belong to none")
def test_a_fault_of_a_batch_changes_no_score_and_repeats_only_what_was_lost(records, provider, options, most):
    batches = ScriptedBatches(**options)
    with serve(batches) as server:
        ended = judge(server, records, provider=provider)
    assert scores(ended) == SCORES
    assert count_most(batches) == most


def test_results_with_an_unknown_id_are_told(records):
    told = pytest.warns(UserWarning, match="ids belong to none")
    with serve(ScriptedBatches(faults=[BatchFault.UNKNOWN_ID])) as server, told:
        judge(server, records)


def test_requests_that_always_expire_fail_within_the_usual_bounds_and_are_no_score(records):
    batches = ScriptedBatches(faults=[BatchFault.EXPIRED], always=True)
    with serve(batches) as server:
        ended = judge(server, records, "--limit", 2)
    assert {metric["status"] for each in ended.results for metric in each["metrics"].values()} == {"unreachable"}
    assert count_most(batches) == 3


def test_a_parameter_that_a_model_does_not_take_is_left_out_in_the_next_batch(records):
    batches = ScriptedBatches()
    faults = [FaultRule(Fault.REJECTS_TEMPERATURE, always=True)]
    with serve(batches, faults=faults) as server:
        ended = judge(server, records)
    assert scores(ended) == SCORES
    assert [len(batch.asked) for batch in batches.served] == [COUNT, COUNT, COUNT]
    assert "temperature" not in next(iter(batches.served[1].asked.values())).body


def test_a_batch_that_may_or_may_not_be_ours_exits_3_and_is_sent_again_only_on_demand(records):
    batches = ScriptedBatches(faults=[BatchFault.LOST_ANSWER], seconds=600)
    with serve(batches) as server:
        first = judge(server, records, provider="anthropic")
        again = judge(server, records, "--resume", "last", provider="anthropic")
        assert [first.code, again.code, len(batches.served)] == [3, 3, 1]
        assert "--resubmit" in again.err
        assert "anthropic-batch-0" in again.err
        batches.seconds = 0
        batches._faults.clear()
        last = judge(server, records, "--resume", "last", "--resubmit", provider="anthropic")
    assert scores(last) == SCORES
    assert len(batches.served[1].asked) == COUNT


def test_a_batch_that_may_be_ours_is_known_by_its_results_once_it_has_ended(records):
    batches = ScriptedBatches(faults=[BatchFault.LOST_ANSWER], seconds=600)
    with serve(batches) as server:
        assert judge(server, records, provider="anthropic").code == 3
        batches.seconds, batches.served[0].due = 0, 0.0
        ended = judge(server, records, "--resume", "last", provider="anthropic")
    assert scores(ended) == SCORES
    assert count_most(batches) == 1


def test_an_unknown_model_stops_the_run_at_once(records):
    def script(asked: Asked) -> HttpReply:
        return build_complaint(asked, 404, "The model m does not exist.", "model_not_found")

    batches = ScriptedBatches()
    with serve(batches, script) as server:
        ended = judge(server, records)
    assert ended.code == 2
    assert len(batches.served) == 1


def interrupt_after_submission(batches: ScriptedBatches) -> None:
    while not batches.served:
        time.sleep(0.01)
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_interrupt_stops_at_once_and_the_batch_is_read_when_the_run_is_resumed(records, provider):
    batches = ScriptedBatches(seconds=600)
    with serve(batches) as server:
        threading.Thread(target=interrupt_after_submission, args=(batches,)).start()
        assert judge(server, records, provider=provider).code == 3
        batches.seconds, batches.served[0].due = 0, 0.0
        ended = judge(server, records, "--resume", "last", provider=provider)
    assert scores(ended) == SCORES
    assert count_most(batches) == 1


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_run_that_is_killed_while_it_submits_finds_its_batch_again(records, provider):
    batches = ScriptedBatches()
    with serve(batches) as server:
        asked = ("judge", records, *ASKED, "--judge", f"{provider}:m", "--base-url", server.base_url)
        command = [*COMMAND, *map(str, asked), "--batch", "--poll", "0.05"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, env={**os.environ, **KEYS}) as process:
            while not batches.served and process.poll() is None:
                time.sleep(0.001)
            process.kill()
        ended = judge(server, records, "--resume", "last", provider=provider)
    assert scores(ended) == SCORES
    assert count_most(batches) == 1


def test_a_batch_that_the_key_does_not_know_is_sent_again_only_on_demand(records):
    batches = ScriptedBatches(seconds=600)
    with serve(batches) as server:
        threading.Thread(target=interrupt_after_submission, args=(batches,)).start()
        judge(server, records)
        batches.seconds = 0
        batches.served.clear()
        resumed = judge(server, records, "--resume", "last")
        assert resumed.code == 3
        assert "--resubmit" in resumed.err
        assert not batches.served
        ended = judge(server, records, "--resume", "last", "--resubmit")
    assert scores(ended) == SCORES


def test_a_panel_batches_each_judge_by_itself(records):
    batches = ScriptedBatches()
    with serve(batches) as server:
        ended = judge(server, records, "--judge", "anthropic:n")
    assert ended.code == 0
    assert {batch.api for batch in batches.served} == {"openai", "anthropic"}
    assert all(len({asked.model for asked in batch.asked.values()}) == 1 for batch in batches.served)


def test_no_cache_sends_each_record_a_request_of_its_own(records):
    write_lines(records, [opinion(f"r{number}", product_title="Lamp number 1") for number in range(3)])
    batches = ScriptedBatches()
    with serve(batches) as server:
        ended = judge(server, records, "--no-cache")
    assert ended.code == 0
    assert [len(batch.asked) for batch in batches.served] == [1, 3]


def test_a_budget_counts_the_batch_price(records, tmp_path):
    prices = tmp_path / "prices.toml"
    prices.write_text('["openai:m"]\nprompt = 2.0\nreply = 2.0\nbatch = 0.5\n')
    with serve(ScriptedBatches()) as server:
        asked = ("judge", records, *ASKED, "--judge", "openai:m", "--base-url", server.base_url)
        more = ("--prices", prices, "--budget-usd", 5, "--store")
        batched = run(*asked, *more, "a.db", "--batch", "--poll", 0.05, environment=KEYS)
        single = run(*asked, *more, "b.db", environment=KEYS)

    def read_cost(name: str) -> int:
        return sqlite3.connect(name).execute("SELECT picodollars FROM runs").fetchone()[0]

    assert batched.code == single.code == 0
    assert read_cost("b.db") == 2 * read_cost("a.db") > 0


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--judge", "embedded"), "embedded has no batch endpoint"),
        (("--judge", "openai:m", "--base-url", "https://gateway.example/v1"), "not known to have a batch endpoint"),
        (("--judge", "openai:m", "--judge", "embedded"), "embedded has no batch endpoint"),
        (("--judge", "openai:m", "--record-timeout", "5"), "--record-timeout does not apply to batches"),
    ],
)
def test_what_cannot_be_batched_is_refused_before_a_call(records, more, told):
    ended = run("judge", records, *ASKED, "--batch", *more, environment=KEYS)
    assert ended.code == 2
    assert told in ended.err


def test_a_server_on_this_machine_without_batches_is_refused_in_words(records):
    with serve(None) as server:
        ended = judge(server, records)
    assert ended.code == 2
    assert "no batch endpoint" in ended.err


def test_a_batch_run_is_resumed_as_a_batch_run(records):
    with serve(ScriptedBatches()) as server:
        judge(server, records)
        asked = ("judge", records, *ASKED, "--judge", "openai:m", "--base-url", server.base_url)
        ended = run(*asked, "--resume", "last", environment=KEYS)
    assert ended.code == 2
    assert "with --batch" in ended.err


def test_a_deleted_run_takes_its_batches_with_it(records):
    with serve(ScriptedBatches()) as server:
        judge(server, records)
    assert run("runs", "delete", "last").code == 0
    store = sqlite3.connect(".assay/assay.db")
    assert store.execute("SELECT * FROM batches").fetchall() == []
    assert store.execute("SELECT * FROM batch_requests").fetchall() == []


def test_a_batch_run_from_python_needs_a_store_and_takes_one(records, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with serve(ScriptedBatches()) as server:
        options = {"base_url": server.base_url, "batch": True, "poll": 0.05}
        with pytest.raises(InputError, match="needs a store"):
            assay.judge(records, "opinion-relevance", "openai:m", **options)
        done = assay.judge(records, "opinion-relevance", "openai:m", store="runs.db", **options)
    assert {each.record: each.metrics["relevance"].score for each in done} == SCORES
