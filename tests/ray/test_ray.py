"""A real local Ray with two workers against the scripted server: the same results as one process, whatever dies."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import assay
import assay.ray
from assay.domain.scorecard import Scorecard
from assay.errors import InputError
from assay.ray.parts import read_cards, read_run
from cli.shell import run as run_command
from equipment.chat_server.exchange import Asked, count_tokens
from equipment.chat_server.server import ScriptedServer, answer_by_schema, run_in_thread
from equipment.ray_workers import kill_once

pytest.importorskip("ray.data", reason="Ray is not installed (extra `ray`)")
pytestmark = [pytest.mark.integration, pytest.mark.filterwarnings("default")]
RECORDS, ITEMS, WORKERS = 60, 20, 8
RUBRIC, JUDGE = "article-audit", "openai:scripted"
SECRET = "sk-0123456789abcdefghij"


def build_records() -> list[dict[str, str]]:
    return [
        {
            "id": f"r{number}",
            "item": f"item-{number % ITEMS}",
            "article": f"Shed {number % ITEMS} of the harbour held {number % ITEMS + 3} boats. It was green in 1990.",
            "summary": f"Shed {number % ITEMS} held {number % ITEMS + 3} boats. Writer {number} liked the colour.",
        }
        for number in range(RECORDS)
    ]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    import ray

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("OPENAI_API_KEY", SECRET)
        patch.setenv(
            "PYTHONPATH", os.pathsep.join([str(Path(assay.__file__).parent.parent), str(Path(__file__).parent.parent)])
        )
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield ray
        ray.shutdown()


@pytest.fixture(scope="module")
def alone() -> tuple[list[Scorecard], int]:
    """The cards of one process, and how many calls it took."""
    with run_in_thread(ScriptedServer(answer_by_schema(1))) as server:
        run = assay.judge(build_records(), RUBRIC, JUDGE, base_url=server.base_url)
        return [replace(card, run="") for card in run.cards], server.calls


def read_results(folder: Path) -> list[Scorecard]:
    kept = read_run(folder)
    assert kept is not None
    placed = sorted(read_cards(folder, kept.row), key=lambda each: each[0])
    return [replace(card, run="") for _, card in placed]


def judge(records: Any, out: Path, server: ScriptedServer, **options: Any) -> assay.ray.RayRun:
    return assay.ray.judge(records, RUBRIC, JUDGE, out=out, base_url=server.base_url, workers=WORKERS, **options)


def test_two_workers_give_the_results_of_one_process_for_the_same_calls(cluster, alone, tmp_path: Path):
    with run_in_thread(ScriptedServer(answer_by_schema(1), delay_seconds=0.05)) as server:
        run = judge(cluster.data.from_items(build_records()), tmp_path / "out", server)
    assert (run.judged, run.stopped) == (RECORDS, None)
    assert read_results(tmp_path / "out") == alone[0]
    assert server.calls == run.usage.calls == alone[1], "each bank is asked for once"


def test_the_budget_of_all_workers_holds_and_a_second_start_judges_the_rest(cluster, alone, tmp_path: Path):
    spent, answered = Counter[str](), answer_by_schema(1)

    def answer(asked: Asked) -> str:
        reply = answered(asked)
        assert isinstance(reply, str)
        spent["tokens"] += count_tokens(asked.prompt) + count_tokens(reply)
        return reply

    with run_in_thread(ScriptedServer(answer, delay_seconds=0.05)) as server:
        first = judge(cluster.data.from_items(build_records()), tmp_path / "out", server, budget_tokens=90_000)
        assert first.is_spent
        assert 0 < first.judged < RECORDS
        assert 30_000 < spent["tokens"] <= 90_000
        calls = server.calls
        second = judge(cluster.data.from_items(build_records()), tmp_path / "out", server)
        assert (second.id, second.judged, second.stopped) == (first.id, RECORDS, None)
        assert read_results(tmp_path / "out") == alone[0]
        # What was in flight when the budget was spent is asked about once more.
        assert server.calls <= alone[1] + 2 * WORKERS
        assert server.calls - calls < alone[1]
        third = judge(cluster.data.from_items(build_records()), tmp_path / "out", server)
        assert (third.judged, third.usage.calls) == (RECORDS, server.calls)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds its processes in /proc")
def test_a_worker_that_is_killed_loses_nothing_and_repeats_what_was_in_flight(cluster, alone, tmp_path: Path):
    killed: list[int] = []
    with run_in_thread(ScriptedServer(kill_once(answer_by_schema(1), 70, killed), delay_seconds=0.2)) as server:
        run = judge(cluster.data.from_items(build_records()), tmp_path / "out", server)
    assert killed
    assert (run.judged, run.stopped) == (RECORDS, None)
    assert read_results(tmp_path / "out") == alone[0]
    # Of the killed worker: the records under way and those of its last second, each with its calls.
    assert alone[1] < server.calls <= alone[1] + 4 * WORKERS


def test_the_command_judges_a_file_and_the_results_are_a_run_in_a_store(cluster, alone, tmp_path: Path):
    records, out, store = tmp_path / "records.jsonl", tmp_path / "out", tmp_path / "runs.db"
    records.write_text("".join(json.dumps(each) + "\n" for each in build_records()))
    with run_in_thread(ScriptedServer(answer_by_schema(1))) as server:
        address = ("--base-url", server.base_url, "--ray-address", cluster.get_runtime_context().gcs_address)
        command = ("judge", records, "--rubric", RUBRIC, "--judge", JUDGE, "--engine", "ray", *address)
        assert run_command(*command).code == 2, "no folder is named"
        ended = run_command(*command, "--out", out)
    assert ended.code == 0, ended.err
    assert f"{RECORDS} of {RECORDS} records are judged" in ended.err
    imported = run_command("runs", "import", out, "--store", store)
    assert (imported.code, imported.out.endswith(f"{RECORDS} records\n")) == (0, True), imported.err
    assert run_command("runs", "import", out, "--store", store).code == 2, "it is there already"
    with assay.Store(store) as opened:
        found = opened.find_run("last")
        assert (found.state, opened.usage(found.id).calls) == ("done", alone[1])
        kept = [replace(card, run="") for card in opened.cards(found.id, alone[0][0].rubric)]
    assert kept == alone[0]
    report = run_command("report", "last", "--store", store, "--markdown", tmp_path / "report.md")
    assert report.code == 0, report.err
    assert run_command("runs", "rescore", "last", "--store", store).code == 0


def test_an_invalid_record_and_a_changed_one_are_refused_before_the_first_call(cluster, tmp_path: Path):
    records = build_records()[:3]
    with run_in_thread(ScriptedServer(answer_by_schema(1))) as server:
        for wrong, message in (({"id": "r1", "article": "A text."}, "record 2, 'r1'"), (records[0], "record 1")):
            dataset = cluster.data.from_items([records[0], wrong, records[2]])
            with pytest.raises(InputError, match=message):
                judge(dataset, tmp_path / "refused", server)
        assert server.calls == 0
        judge(cluster.data.from_items(records), tmp_path / "out", server)
        calls = server.calls
        changed = [{**each, "summary": "Another summary of the harbour."} for each in records]
        with pytest.raises(InputError, match="differs from what the run in this folder judged"):
            judge(cluster.data.from_items(changed), tmp_path / "out", server)
        assert server.calls == calls


def test_no_key_stands_in_the_folder_of_results(cluster, tmp_path: Path):
    with run_in_thread(ScriptedServer(answer_by_schema(1))) as server:
        judge(cluster.data.from_items(build_records()[:2]), tmp_path / "out", server)
        assert all(SECRET in asked.headers["Authorization"] for asked in server.asked)
    assert [path.name for path in (tmp_path / "out").iterdir() if SECRET.encode() in path.read_bytes()] == []
