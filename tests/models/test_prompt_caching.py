"""How a provider's cache of prompts is told what calls share, and what its replies tell of it."""

import asyncio
from dataclasses import replace

import pytest
from asking import complete_once

from assay.models.anthropic import AnthropicChat
from assay.models.chat import Call, CallKey, Message, SharedPrefix, Usage, read_usage
from assay.models.openai import OpenAIChat
from assay.models.providers import read_providers
from equipment.chat_server.exchange import HttpReply
from equipment.chat_server.server import ScriptedServer

SHARED = "The pier was built of oak. "
CALL = Call(
    (Message("system", "You judge."), Message("user", f"{SHARED}Is it old?")),
    None,
    100,
    None,
    CallKey("r", "m"),
    SharedPrefix(len(SHARED)),
)


def ask(chat_class, provider, *calls, script=None, model="m"):
    """What the server received; it counts as the provider's own."""

    async def run():
        async with ScriptedServer(script) as server:
            entry = replace(read_providers()[provider], base_url=server.base_url)
            chat = chat_class(model, provider=entry, base_url=server.base_url)
            for call in calls:
                await chat.complete(call)
            await chat.close()
            return [asked.body for asked in server.asked]

    return asyncio.run(run())


@pytest.mark.parametrize(("chat_class", "provider"), [(AnthropicChat, "anthropic"), (OpenAIChat, "openrouter")])
def test_the_shared_part_is_a_block_of_its_own_with_the_mark_at_its_end(chat_class, provider):
    marked, plain = ask(chat_class, provider, CALL, replace(CALL, shared=None), model="claude-sonnet-4-5")
    first, second = marked["messages"][-1]["content"]
    assert first == {"type": "text", "text": SHARED, "cache_control": {"type": "ephemeral"}}
    assert second == {"type": "text", "text": "Is it old?"}
    assert plain["messages"][-1]["content"] == f"{SHARED}Is it old?"


def test_models_that_bill_writing_to_the_cache_write_what_is_marked_alone():
    marked, plain = ask(OpenAIChat, "openai", CALL, replace(CALL, shared=None), model="gpt-6-luna")
    first, second = marked["messages"][-1]["content"]
    assert first == {"type": "text", "text": SHARED, "prompt_cache_breakpoint": {"mode": "explicit"}}
    assert second == {"type": "text", "text": "Is it old?"}
    assert plain["messages"][-1]["content"] == f"{SHARED}Is it old?"
    assert [body["prompt_cache_options"] for body in (marked, plain)] == [{"mode": "explicit"}] * 2
    [earlier] = ask(OpenAIChat, "openai", CALL, model="gpt-5.4-mini")
    assert "prompt_cache_options" not in earlier


def test_an_endpoint_that_refuses_the_options_of_its_cache_is_asked_without_them_and_without_marks():
    def refuse(asked):
        if "prompt_cache_options" in asked.body:
            return HttpReply(400, b'{"error": {"message": "Unsupported parameter: prompt_cache_options"}}')
        return "yes"

    bodies = ask(OpenAIChat, "openai", CALL, CALL, script=refuse, model="gpt-6-luna")
    assert ["prompt_cache_options" in body for body in bodies] == [True, False, False]
    assert [isinstance(body["messages"][-1]["content"], list) for body in bodies] == [True, False, False]


def test_the_cache_key_is_the_same_for_calls_that_begin_alike():
    other = replace(CALL, messages=(CALL.messages[0], Message("user", f"{SHARED}Who built it?")))
    elsewhere = replace(CALL, messages=(CALL.messages[0], Message("user", f"{SHARED.upper()}Who built it?")))
    keys = [body["prompt_cache_key"] for body in ask(OpenAIChat, "openai", CALL, other, elsewhere)]
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.parametrize("provider", ["groq", "mistral"])
def test_who_finds_prompts_by_himself_or_not_at_all_is_told_nothing(provider):
    [body] = ask(OpenAIChat, provider, CALL)
    assert "prompt_cache_key" not in body
    assert isinstance(body["messages"][-1]["content"], str)


def test_what_another_server_caches_is_not_known():
    async def run():
        async with ScriptedServer() as server:
            chat = AnthropicChat("m", base_url=server.base_url)
            await complete_once(chat, CALL)
            return server.asked[0].body, chat.caching

    body, caching = asyncio.run(run())
    assert caching == "none"
    assert isinstance(body["messages"][-1]["content"], str)


def test_an_endpoint_that_refuses_the_mark_is_asked_without_it_from_then_on():
    def refuse(asked):
        if isinstance(asked.body["messages"][-1]["content"], list):
            return HttpReply(400, b'{"error": {"message": "cache_control: extra inputs are not permitted"}}')
        return "yes"

    bodies = ask(AnthropicChat, "anthropic", CALL, CALL, script=refuse)
    assert [isinstance(body["messages"][-1]["content"], list) for body in bodies] == [True, False, False]


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 1_024}}, Usage(2_000, 5, 1_024)),
        ({"prompt_tokens_details": {"cached_tokens": 512, "cache_write_tokens": 256}}, Usage(2_000, 5, 512, 256)),
        ({"prompt_cache_hit_tokens": 64, "prompt_cache_miss_tokens": 1_936}, Usage(2_000, 5, 64)),
        ({"prompt_tokens_details": None}, Usage(2_000, 5)),
        ({"prompt_tokens_details": {"cached_tokens": "many"}}, Usage(2_000, 5)),
        ({"prompt_tokens_details": {"cached_tokens": 2_001}}, Usage(2_000, 5)),
    ],
    ids=["openai", "openrouter", "deepseek", "none", "a word", "more than the prompt"],
)
def test_cached_tokens_are_read_from_every_usage(usage, expected):
    assert read_usage({"prompt_tokens": 2_000, "completion_tokens": 5, **usage}) == expected
