"""Calls as requests of batches: which are one request, and when a batch is submitted."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from fake_chats import build_call

from assay.engine.batching import BatchChat
from assay.engine.costs import Meter
from assay.errors import Suspended
from assay.models.batches import OpenAIBatches
from assay.models.chat import Call
from assay.models.openai import OpenAIChat
from assay.store.runs import RunRow
from assay.store.store import Store, open_store
from equipment.chat_server.batches import ScriptedBatches
from equipment.chat_server.server import ScriptedServer


@pytest.fixture
def store():
    with open_store() as store:
        store.begin_run(RunRow("run", datetime.now(UTC), "tea", "digest", "# Tea", ("m",), "1", "tea.jsonl", {}))
        yield store


def open_chat(server: ScriptedServer, store: Store) -> BatchChat:
    chat = OpenAIChat("m", base_url=server.base_url)
    rows = store.batches("run", chat.name)
    return BatchChat(chat, OpenAIBatches(chat.connection), rows, Meter(), poll_seconds=0.02)


def complete_all(store: Store, batches: ScriptedBatches, *rounds: list[Call]) -> list[str]:
    """The texts of the replies. Each round has a chat of its own, as a resumed run has."""

    async def main() -> list[str]:
        texts = []
        async with ScriptedServer(lambda asked: f"to {asked.prompt}", batches=batches) as server:
            for calls in rounds:
                chat = open_chat(server, store)
                try:
                    texts += [each.text for each in await asyncio.gather(*map(chat.complete, calls))]
                finally:
                    await chat.close()
        return texts

    return asyncio.run(main())


def test_calls_that_wait_together_are_one_batch(store):
    batches = ScriptedBatches()
    texts = complete_all(store, batches, [build_call(str(number)) for number in range(7)])
    assert texts == [f"to {number}" for number in range(7)]
    assert [len(each.asked) for each in batches.served] == [7]


def test_a_call_with_another_limit_of_tokens_is_the_same_request(store):
    """The limit grows in a run, and starts anew when it is resumed."""
    batches = ScriptedBatches(seconds=0.1)
    call = build_call("tea")
    together, resumed = [call, replace(call, max_tokens=999)], [replace(call, max_tokens=5)]
    assert complete_all(store, batches, together, resumed) == ["to tea"] * 3
    assert [len(each.asked) for each in batches.served] == [1]


def test_a_batch_holds_no_more_than_the_provider_takes(store, monkeypatch):
    batches = ScriptedBatches()
    calls = [build_call(f"tea {number}") for number in range(10)]
    monkeypatch.setattr(OpenAIBatches, "most_requests", 4)
    assert len(set(complete_all(store, batches, calls))) == 10
    assert [len(each.asked) for each in batches.served] == [4, 4, 2]
    monkeypatch.setattr(OpenAIBatches, "most_bytes", 600)
    complete_all(store, batches, [build_call(f"{number} {'tea ' * 40}") for number in range(4)])
    assert [len(each.asked) for each in batches.served[3:]] == [1, 1, 1, 1]


def test_a_provider_that_stays_silent_suspends_the_run(store, monkeypatch):
    monkeypatch.setattr("assay.engine.batching._MOST_FAILURES", 2)
    batches = ScriptedBatches(seconds=600)

    async def main():
        async with ScriptedServer(batches=batches) as server:
            chat = open_chat(server, store)
            waiting = asyncio.create_task(chat.complete(build_call()))
            while not batches.served:
                await asyncio.sleep(0.01)
        try:
            await waiting
        finally:
            await chat.close()

    with pytest.raises(Suspended, match="does not answer"):
        asyncio.run(main())


def test_progress_tells_the_stage_the_id_the_counts_and_the_time(store):
    batches = ScriptedBatches(seconds=600)

    async def main():
        async with ScriptedServer(batches=batches) as server:
            chat = open_chat(server, store)
            calls = [build_call("a", ask="points"), build_call("b", ask="all", attempt=1)]
            tasks = [asyncio.create_task(chat.complete(call)) for call in calls]
            while not chat.meter.batches:
                await asyncio.sleep(0.01)
            (progress,) = chat.meter.batches.values()
            for task in tasks:
                task.cancel()
            await chat.close()
            return progress.render(progress.plan.planned.timestamp() + 3_725)

    told = asyncio.run(main())
    assert told == "batch openai-batch-0 (points, all again): 0 of 2 answered, 1:02:05"
