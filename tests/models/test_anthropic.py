import json
from dataclasses import replace
from functools import partial

import asking
import pytest
from asking import refuse

from assay.models.anthropic import AnthropicChat
from assay.models.chat import Message, Usage
from equipment.chat_server.exchange import HttpReply
from equipment.chat_server.faults import Fault

ask = partial(asking.ask, AnthropicChat)


def reply_with(*blocks, stop_reason="end_turn", **more):
    body = {"content": list(blocks), "stop_reason": stop_reason, "model": "small-2024", **more}
    return lambda _asked: HttpReply(200, json.dumps(body).encode())


def test_a_call_is_written_as_the_api_wants_it(call):
    _, [asked] = ask(call, key="sk-ant-abcdef")
    assert asked.body["system"] == "You label claims."
    assert asked.body["messages"] == [{"role": "user", "content": "Claim: the tea is green."}]
    assert asked.body["max_tokens"] == 200
    assert asked.body["tool_choice"] == {"type": "tool", "name": asked.body["tools"][0]["name"]}
    assert asked.body["tools"][0]["input_schema"] == call.schema
    assert asked.headers["x-api-key"] == "sk-ant-abcdef"
    assert asked.headers["anthropic-version"]


def test_system_messages_are_joined_wherever_they_stand(call):
    messages = (Message("user", "a"), Message("system", "first"), Message("system", "second"))
    _, [asked] = ask(replace(call, messages=messages))
    assert asked.body["system"] == "first\n\nsecond"


def test_a_model_that_refuses_to_be_forced_takes_the_schema_another_way(call):
    message = "tool_choice forces tool use is not compatible with this model"
    never_forced = refuse("tools", message, '{"label": "absent"}')
    [completion], asked = ask(call, script=never_forced)
    assert asked[-1].body["output_config"] == {"format": {"type": "json_schema", "schema": call.schema}}
    assert completion.text == '{"label": "absent"}'
    assert completion.dropped == ("tool",)


@pytest.mark.parametrize(
    ("effort", "limit", "budget"), [("low", 10_000, 2_048), ("high", 10_000, 7_500), ("high", 100_000, 24_576)]
)
def test_a_model_told_to_think_gets_a_budget_below_the_limit_and_is_not_forced(call, effort, limit, budget):
    _, [asked] = ask(replace(call, max_tokens=limit), reasoning_effort=effort)
    assert asked.body["thinking"] == {"type": "enabled", "budget_tokens": budget}
    assert asked.body["max_tokens"] == limit
    assert not asked.body.keys() & {"temperature", "tool_choice", "tools"}
    assert asked.body["output_config"]["format"]["schema"] == call.schema


def test_a_limit_without_room_for_the_smallest_budget_goes_without_thinking(call):
    _, [asked] = ask(call, reasoning_effort="low")
    assert "thinking" not in asked.body
    assert asked.body["temperature"] == 0.0


def test_thinking_that_is_refused_is_left_out_and_told(call):
    never_thinks = refuse("thinking", "thinking: this model does not support extended thinking")
    [completion], _ = ask(replace(call, max_tokens=10_000), script=never_thinks, reasoning_effort="low")
    assert completion.dropped == ("thinking",)


def test_the_tools_input_is_the_reply(call):
    thinking = {"type": "thinking", "thinking": "hm"}
    prose = {"type": "text", "text": "I will label it."}
    tool = {"type": "tool_use", "id": "t", "name": "reply", "input": {"label": "absent"}}
    [completion], _ = ask(call, script=reply_with(thinking, prose, tool, stop_reason="tool_use"))
    assert json.loads(completion.text) == {"label": "absent"}
    assert completion.finish_reason == "stop"


def test_a_model_that_ignored_its_tool_has_its_text_read(call):
    [completion], _ = ask(call, script=reply_with({"type": "text", "text": "one "}, {"type": "text", "text": "two"}))
    assert completion.text == "one two"


def test_cached_tokens_are_part_of_the_prompt(call):
    usage = {"input_tokens": 5, "cache_creation_input_tokens": 10, "cache_read_input_tokens": None, "output_tokens": 2}
    [completion], _ = ask(call, script=reply_with({"type": "text", "text": "x"}, usage=usage))
    assert completion.usage == Usage(15, 2, written_tokens=10)


@pytest.mark.parametrize(
    "usage",
    [
        {"input_tokens": 10**9, "cache_read_input_tokens": 1, "output_tokens": 2},
        {"input_tokens": 0, "output_tokens": 2},
        {"cache_read_input_tokens": 9, "output_tokens": 2},
    ],
)
def test_counts_that_no_call_can_come_to_are_no_usage(call, usage):
    [completion], _ = ask(call, script=reply_with({"type": "text", "text": "x"}, usage=usage))
    assert completion.usage is None


def test_a_refusal_may_come_without_a_word(call):
    [completion], _ = ask(call, script=reply_with(stop_reason="refusal"))
    assert (completion.text, completion.finish_reason) == ("", "refusal")


def test_a_schema_is_dropped_for_plain_words_where_nothing_else_is_taken(call):
    [completion], asked = ask(call, faults=[Fault.REJECTS_SCHEMA])
    assert len(asked) == 2
    assert completion.dropped == ("tool",)


@pytest.mark.parametrize(
    ("base_url", "address"),
    [
        ("http://host:8000", "http://host:8000/v1/messages"),
        ("http://host:8000/v1/", "http://host:8000/v1/messages"),
        ("https://host/gateway", "https://host/gateway/v1/messages"),
    ],
)
def test_a_base_url_leads_to_the_messages_address(base_url, address):
    assert str(AnthropicChat("m", base_url=base_url).connection.url) == address
