"""A batch in the provider's list: found by its mark, told apart from others, and never guessed."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest

from assay.errors import InputError, Suspended
from assay.models.anthropic import AnthropicChat
from assay.models.batches import AnthropicBatches, BatchApi, OpenAIBatches, PlannedBatch, open_batch_api
from assay.models.openai import OpenAIChat
from equipment.chat_server.batches import ScriptedBatches
from equipment.chat_server.server import ScriptedServer

APIS = {"openai": (OpenAIChat, OpenAIBatches), "anthropic": (AnthropicChat, AnthropicBatches)}
PLANNED = datetime.now(UTC)


def with_api(provider: str, batches: ScriptedBatches, work: Callable[[BatchApi, object], Awaitable[object]]) -> object:
    async def main() -> object:
        chat_class, api_class = APIS[provider]
        async with ScriptedServer(lambda _asked: "yes", batches=batches) as server:
            chat = chat_class("m", base_url=server.base_url)
            try:
                return await work(api_class(chat.connection), chat)
            finally:
                await chat.close()

    return asyncio.run(main())


async def submit(api, chat, call, token: str, count: int = 1) -> str:
    request = chat.build_request(call)
    lines = [api.build_line(f"{token}-{number}", request) for number in range(count)]
    return (await api.create(plan(token, count), lines)).id


def plan(token: str, count: int = 1, planned: datetime = PLANNED) -> PlannedBatch:
    return PlannedBatch("run", token, count, planned)


@pytest.mark.parametrize("provider", APIS)
def test_a_batch_is_found_among_others_of_its_size(provider, call):
    async def work(api, chat):
        ids = [await submit(api, chat, call, token, 2) for token in ("mine", "other", "third")]
        return ids[0], await api.find(plan("mine", 2), [])

    identifier, found = with_api(provider, ScriptedBatches(), work)
    assert found.id == identifier


@pytest.mark.parametrize("provider", APIS)
def test_a_batch_that_was_never_submitted_is_not_found(provider, call):
    async def work(api, chat):
        await submit(api, chat, call, "other")
        return await api.find(plan("mine"), [])

    assert with_api(provider, ScriptedBatches(), work) is None


def test_a_batch_is_found_behind_a_page_of_later_ones(call):
    async def work(api, chat):
        first = await submit(api, chat, call, "mine")
        for number in range(100):
            await submit(api, chat, call, f"later{number}")
        return first, await api.find(plan("mine"), [])

    identifier, found = with_api("openai", ScriptedBatches(), work)
    assert found.id == identifier


@pytest.mark.parametrize(
    ("count", "is_known", "planned"),
    [(2, False, PLANNED), (1, True, PLANNED), (1, False, PLANNED + timedelta(hours=1))],
    ids=["of another size", "known as another", "too old"],
)
def test_a_running_batch_that_cannot_be_ours_is_no_doubt(call, count, is_known, planned):
    async def work(api, chat):
        other = await submit(api, chat, call, "other")
        return await api.find(plan("mine", count, planned), [other] if is_known else [])

    assert with_api("anthropic", ScriptedBatches(seconds=600), work) is None


def test_a_running_batch_that_could_be_ours_is_a_doubt_without_metadata_only(call):
    async def work(api, chat):
        await submit(api, chat, call, "other")
        return await api.find(plan("mine"), [])

    assert with_api("openai", ScriptedBatches(seconds=600), work) is None
    with pytest.raises(Suspended, match="anthropic-batch-0"):
        with_api("anthropic", ScriptedBatches(seconds=600), work)


@pytest.mark.parametrize("base_url", ["https://gateway.example/v1", "http://10.0.0.7:8000/v1"])
def test_another_server_is_not_known_to_have_batches(base_url):
    with pytest.raises(InputError, match="not known to have a batch endpoint"):
        open_batch_api(OpenAIChat("m", base_url=base_url))
    assert isinstance(open_batch_api(OpenAIChat("m")), OpenAIBatches)
    assert isinstance(open_batch_api(AnthropicChat("m")), AnthropicBatches)


def test_the_key_goes_to_the_address_of_the_chat_and_to_no_other():
    api = open_batch_api(OpenAIChat("m"))
    state = api._read_state({"id": "b", "status": "completed", "output_file_id": "file-1", "error_file_id": None})
    assert [str(file) for file in state.files] == ["https://api.openai.com/v1/files/file-1/content"]
    api = open_batch_api(AnthropicChat("m"))
    state = api._read_state({"id": "b", "processing_status": "ended", "results_url": "https://elsewhere.example/r"})
    assert [str(file) for file in state.files] == ["https://api.anthropic.com/v1/messages/batches/b/results"]
